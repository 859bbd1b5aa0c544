from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import SafetensorError
from safetensors.numpy import save_file

from retrieval.dense.bert import length_batches, mapped
from retrieval.dense.onnx import Model
from retrieval.dense.rounding import eight_bits
from retrieval.dense.runtime import Array, Session
from retrieval.dense.transformer import Encoder, Layer, Weights

HIDDEN, HEADS, WORDS, PLACES = 8, 2, 50, 12


@given(st.lists(st.integers(0, 300)), st.integers(1, 1000))
def test_batches_hold_every_row_once_and_keep_the_budget(lengths: list[int], budget: int) -> None:
    batches = length_batches(lengths, budget)
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[row] for row in batch)
        assert len(batch) == 1 or len(batch) * longest <= budget


def weights(draw: np.random.Generator) -> Weights:
    def made(*shape: int) -> Array:
        return draw.normal(size=shape).astype(np.float32)

    def layer() -> Layer:
        return Layer(
            attention_in=made(3 * HIDDEN, HIDDEN),
            attention_in_bias=made(3 * HIDDEN),
            attention_out=made(HIDDEN, HIDDEN),
            attention_out_bias=made(HIDDEN),
            attention_norm=(made(HIDDEN), made(HIDDEN)),
            widen=made(4 * HIDDEN, HIDDEN),
            widen_bias=made(4 * HIDDEN),
            narrow=made(HIDDEN, 4 * HIDDEN),
            narrow_bias=made(HIDDEN),
            norm=(made(HIDDEN), made(HIDDEN)),
        )

    return Weights(
        words=made(WORDS, HIDDEN),
        positions=made(PLACES, HIDDEN),
        norm=(made(HIDDEN), made(HIDDEN)),
        layers=(layer(), layer()),
        heads=HEADS,
        epsilon=1e-3,
    )


def by_the_book(encoder: Weights, text: list[int], added: Array) -> Array:
    """Devlin et al. 2019 over one text, in double precision and without a trick."""

    def normalised(states: Array, norm: tuple[Array, Array]) -> Array:
        mean, spread = states.mean(axis=1, keepdims=True), states.var(axis=1, keepdims=True)
        return norm[0] * (states - mean) / np.sqrt(spread + encoder.epsilon) + norm[1]

    states = (encoder.words[text] + encoder.positions[: len(text)] + added).astype(np.float64)
    states = normalised(states, encoder.norm)
    for layer in encoder.layers:
        query, key, value = np.split(
            states @ layer.attention_in.T.astype(np.float64) + layer.attention_in_bias, 3, axis=1
        )
        outputs = []
        for head in np.split(np.arange(HIDDEN), HEADS):
            scores = np.exp(query[:, head] @ key[:, head].T / math.sqrt(len(head)))
            outputs.append(scores / scores.sum(axis=1, keepdims=True) @ value[:, head])
        mixed = np.concatenate(outputs, axis=1) @ layer.attention_out.T + layer.attention_out_bias
        mixed = normalised(mixed + states, layer.attention_norm)
        wide = mixed @ layer.widen.T + layer.widen_bias
        wide *= (1 + np.vectorize(math.erf)(wide / math.sqrt(2))) / 2
        states = normalised(wide @ layer.narrow.T + layer.narrow_bias + mixed, layer.norm)
    return np.asarray(states)


LENGTHS = st.lists(st.integers(1, PLACES), min_size=1, max_size=5)


@settings(max_examples=30)
@given(LENGTHS, st.booleans(), st.integers(0, 2**32 - 1))
def test_every_text_of_a_batch_has_the_states_of_the_formula(
    lengths: list[int], plain: bool, seed: int
) -> None:
    draw = np.random.default_rng(seed)
    encoder = weights(draw)
    texts = [draw.integers(0, WORDS, length).tolist() for length in lengths]
    added = draw.normal(size=(sum(lengths), HIDDEN)).astype(np.float32) * (not plain)
    head = (draw.normal(size=(3, HIDDEN)).astype(np.float32), np.ones(3, np.float32))
    found = Encoder(encoder).states(texts, None if plain else added)
    seen = Encoder(encoder, head).states(texts, None if plain else added)
    assert found.shape == (sum(lengths), HIDDEN)
    first = 0
    for text in texts:
        own = slice(first, first + len(text))
        expected = by_the_book(encoder, text, added[own])
        np.testing.assert_allclose(found[own], expected, rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(seen[own], expected @ head[0].T + 1, rtol=1e-3, atol=3e-3)
        first += len(text)


def test_in_eight_bits_the_states_are_nearly_those_of_the_formula() -> None:
    # With eight channels a norm may lift what rounding lost, so that of single texts nothing is
    # certain: of many, few are far off.
    errors = []
    for seed in range(60):
        draw = np.random.default_rng(seed)
        encoder = weights(draw)
        texts = [
            draw.integers(0, WORDS, length).tolist() for length in (1, *draw.integers(2, 9, 2))
        ]
        head = (draw.normal(size=(3, HIDDEN)).astype(np.float32), np.ones(3, np.float32))
        found = Encoder(encoder, precision="int8").states(texts)
        seen = Encoder(encoder, head, precision="int8").states(texts)
        np.testing.assert_allclose(seen, found @ head[0].T + 1, rtol=1e-3, atol=3e-3)
        first = 0
        for text in texts:
            own = found[first : first + len(text)]
            expected = by_the_book(encoder, text, np.zeros((len(text), HIDDEN), np.float32))
            errors.append(np.linalg.norm(own - expected) / np.linalg.norm(expected))
            first += len(text)
    # A first token beside which there is none is not rounded at all.
    assert max(errors[::3]) <= 1e-3
    assert np.median(errors) <= 0.005
    assert np.quantile(errors, 0.95) <= 0.03


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1), st.sampled_from([63, 127]))
def test_a_weight_in_eight_bits_is_off_by_half_a_level_at_most(
    rows: int, columns: int, seed: int, greatest: int
) -> None:
    draw = np.random.default_rng(seed)
    weight = (draw.normal(size=(rows, columns)) * draw.integers(0, 3, (rows, 1))).astype(np.float32)
    levels, scale = eight_bits(weight, greatest)
    assert levels.dtype == np.int8
    assert np.abs(levels.astype(int)).max() <= greatest
    off = np.abs(levels * scale[:, None] - weight)
    assert (off <= 0.501 * scale[:, None]).all()


def test_threads_share_an_encoder() -> None:
    draw = np.random.default_rng(3)
    encoder = Encoder(weights(draw))
    texts = [draw.integers(0, WORDS, 1 + number % PLACES).tolist() for number in range(64)]
    alone = [encoder.states([text]) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        for found, expected in zip(
            pool.map(lambda text: encoder.states([text]), texts), alone, strict=True
        ):
            np.testing.assert_array_equal(found, expected)


def test_a_model_that_is_none_is_refused() -> None:
    with pytest.raises(Exception, match=r"(?i)protobuf"):
        Session(Model(content=b"no model", arrays={}))


def test_arrays_of_a_file_are_mapped_or_read(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    kept = {
        "small": draw.normal(size=(3, 5)).astype(np.float32),
        "half": draw.normal(size=7).astype(np.float16),
        "ids": np.arange(4),
        "none": np.zeros((0, 4), np.float32),
        "flat": draw.normal(size=11).astype(np.float32),
    }
    path = tmp_path / "model.safetensors"
    save_file(kept, path)
    found = mapped(path)
    assert found.keys() == kept.keys()
    for name, value in kept.items():
        np.testing.assert_array_equal(found[name], value)
        assert found[name].dtype == value.dtype
    assert isinstance(found["small"], np.memmap)
    assert isinstance(found["flat"], np.memmap)


def test_a_damaged_file_is_not_mapped(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save_file({"flat": np.ones(100, np.float32)}, path)
    whole = path.read_bytes()
    for damaged in (b"", whole[:5], whole[:40], whole[:-4], b"\xff" * 8 + whole[8:]):
        path.write_bytes(damaged)
        with pytest.raises(SafetensorError):
            mapped(path)
