"""Trained layers are read as they were written, but for what few bits leave out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agent.extractive.weights.store import (
    GROUP,
    LARGE,
    embedded_weights,
    encoder_of,
    read_layers,
    write_layers,
)
from retrieval.dense.runtime import Array

OF_ENCODER = "encoder.layer.0.attention.output.dense.weight"
NEAR = 1.02
"""How much the scale itself, of few bits too, may add."""


def base() -> Array:
    """The encoder's own matrix."""
    return embedded_weights().layers[0].attention_out


def stored(folder: Path, state: dict[str, Array]) -> dict[str, Array]:
    """What is read of what was written."""
    write_layers(folder / "layers.safetensors", state)
    return read_layers(folder / "layers.safetensors")


@pytest.mark.parametrize("size", [1e-4, 0.01, 1.0])
def test_a_matrix_of_the_encoder_keeps_its_difference_in_4_bits(
    tmp_path: Path, size: float
) -> None:
    moved = np.random.default_rng(0).normal(scale=size, size=base().shape).astype(np.float32)
    found = stored(tmp_path, {f"trunk.{OF_ENCODER}": base() + moved})[OF_ENCODER]
    off = np.abs(found - base() - moved).reshape(len(moved), -1, GROUP)
    largest = np.abs(moved).reshape(off.shape).max(axis=2, keepdims=True)
    assert (off <= NEAR * largest / 14 + 1e-7).all()


def test_a_matrix_that_did_not_move_stays_as_it_is(tmp_path: Path) -> None:
    found = stored(tmp_path, {OF_ENCODER: base()})[OF_ENCODER]
    assert np.array_equal(found, base())


def test_a_large_matrix_is_kept_in_8_bits(tmp_path: Path) -> None:
    matrix = np.random.default_rng(0).normal(size=(LARGE // 64, 64)).astype(np.float32)
    matrix[1] = 0
    found = stored(tmp_path, {"say.weight": matrix})["say.weight"]
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    assert (np.abs(found - matrix) <= NEAR * largest / 254).all()


def test_what_is_small_is_kept_whole_and_embeddings_are_left_out(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    state = {name: random.normal(size=(4, 6)).astype(np.float32) for name in ("a", "b")}
    left = {"trunk.embeddings.word_embeddings.weight": np.ones((4, 6), np.float32)}
    found = stored(tmp_path, state | left)
    assert found.keys() == state.keys()
    assert all(np.array_equal(found[name], state[name]) for name in state)


def test_layers_that_were_not_trained_are_the_encoder_s_own() -> None:
    own = zip(encoder_of({}).layers, embedded_weights().layers, strict=True)
    assert all(layer is other for layer, other in own)
