from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from retrieval.dense.bert import length_batches
from retrieval.dense.transformer import (
    GELU_BLOCK,
    Array,
    Layer,
    Weights,
    forward,
    gelu,
    normalise,
)


@given(hnp.arrays(np.float32, st.integers(1, 50), elements=st.floats(-30, 30, width=32)))
def test_gelu_is_the_exact_one(values: Array) -> None:
    expected = [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in map(float, values)]
    gelu(values)
    np.testing.assert_allclose(values, expected, rtol=1e-5, atol=2e-6)


def test_gelu_covers_more_than_a_block() -> None:
    values = np.full(2 * GELU_BLOCK + 3, -1.0, np.float32)
    gelu(values)
    assert np.ptp(values) == 0
    assert values[0] == pytest.approx(-0.15865525, abs=1e-6)


@given(
    hnp.arrays(
        np.float32,
        st.tuples(st.integers(1, 4), st.integers(2, 9)),
        elements=st.floats(-9, 9, width=32),
    )
)
def test_normalise_is_layer_normalisation(states: Array) -> None:
    width = states.shape[1]
    weight, bias = np.linspace(0.5, 2, width), np.linspace(-1, 1, width)
    exact = states.astype(np.float64)
    centred = exact - exact.mean(axis=1, keepdims=True)
    expected = weight * centred / np.sqrt(exact.var(axis=1, keepdims=True) + 1e-3) + bias
    normalise(states, (weight.astype(np.float32), bias.astype(np.float32)), 1e-3)
    np.testing.assert_allclose(states, expected, rtol=1e-3, atol=1e-3)


@given(st.lists(st.integers(0, 300)), st.integers(1, 1000))
def test_batches_hold_every_row_once_and_keep_the_budget(lengths: list[int], budget: int) -> None:
    batches = length_batches(lengths, budget)
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[row] for row in batch)
        assert len(batch) == 1 or len(batch) * longest <= budget


HIDDEN = 8


def weights(draw: np.random.Generator) -> Weights:
    def made(*shape: int) -> Array:
        return draw.normal(size=shape).astype(np.float32)

    def layer() -> Layer:
        return Layer(
            attention_in=made(HIDDEN, 3 * HIDDEN),
            attention_in_bias=made(3 * HIDDEN),
            attention_out=made(HIDDEN, HIDDEN),
            attention_out_bias=made(HIDDEN),
            attention_norm=(made(HIDDEN), made(HIDDEN)),
            widen=made(HIDDEN, 4 * HIDDEN),
            widen_bias=made(4 * HIDDEN),
            narrow=made(4 * HIDDEN, HIDDEN),
            narrow_bias=made(HIDDEN),
            norm=(made(HIDDEN), made(HIDDEN)),
        )

    return Weights(
        words=made(50, HIDDEN),
        positions=made(12, HIDDEN),
        norm=(made(HIDDEN), made(HIDDEN)),
        layers=(layer(), layer()),
        heads=2,
        epsilon=1e-12,
    )


@given(st.lists(st.integers(1, 12), min_size=1, max_size=5), st.integers(0, 2**32 - 1))
def test_a_text_has_the_states_that_it_has_alone_and_padding_has_none(
    lengths: list[int], seed: int
) -> None:
    draw = np.random.default_rng(seed)
    encoder = weights(draw)
    ids = np.zeros((len(lengths), max(lengths)), np.int64)
    mask = np.zeros(ids.shape, np.float32)
    for row, length in enumerate(lengths):
        ids[row, :length] = draw.integers(1, 50, length)
        mask[row, :length] = 1
    together = forward(encoder, ids, mask)
    for row, length in enumerate(lengths):
        alone = forward(encoder, ids[row : row + 1, :length], mask[row : row + 1, :length])
        np.testing.assert_allclose(together[row, :length], alone[0], rtol=1e-3, atol=1e-3)
        assert not together[row, length:].any()
