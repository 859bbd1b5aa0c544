"""The arithmetic of a BERT encoder in numpy: one forward pass, written out.

Architecture: Devlin et al. 2019, post-layer-norm and exact GELU. Element-wise work is done in
place and in blocks that fit the second-level cache, since numpy would otherwise spend more time
moving activations than multiplying.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.dense.blas import passes

Array = NDArray[np.float32]
GELU_BLOCK = 32768
"""Elements of one pass of the activation: its temporaries then live in the second-level cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The weights of one transformer layer, transposed once so that rows times weight works."""

    attention_in: Array
    """[hidden, 3 * hidden]: query (scaled by 1/sqrt(head size)), key and value side by side."""
    attention_in_bias: Array
    attention_out: Array
    attention_out_bias: Array
    attention_norm: tuple[Array, Array]
    widen: Array
    widen_bias: Array
    narrow: Array
    narrow_bias: Array
    norm: tuple[Array, Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """All weights of an encoder, float32."""

    words: Array
    positions: Array
    """[positions, hidden], the embedding of token type 0 added in."""
    norm: tuple[Array, Array]
    layers: tuple[Layer, ...]
    heads: int
    epsilon: float


def forward(
    weights: Weights, ids: NDArray[np.int64], mask: Array, added: Array | None = None
) -> Array:
    """Return the last hidden states, float32 [texts, tokens, hidden], 0 where padded.

    Args:
        weights: of the encoder.
        ids: token numbers, [texts, tokens], 0 where padded.
        mask: 1 for a token, 0 for padding, same shape; a text has at least one token.
        added: to the embeddings of the tokens, [texts, tokens, hidden]; None adds nothing.

    Raises:
        MemoryError: there is no room for it.
    """
    with passes.one():
        return _forward(weights, ids, mask, added)


def _forward(weights: Weights, ids: NDArray[np.int64], mask: Array, added: Array | None) -> Array:
    real = mask.astype(bool)
    lengths = [int(length) for length in real.sum(axis=1)]
    states = weights.words[ids] + weights.positions[: ids.shape[1]]
    if added is not None:
        states = states + added
    # One row for each token there is: padding is neither multiplied nor attended to.
    states = states[real]
    normalise(states, weights.norm, weights.epsilon)
    for layer in weights.layers:
        mixed = attend(states, layer, weights.heads, lengths) @ layer.attention_out
        mixed += layer.attention_out_bias
        mixed += states
        normalise(mixed, layer.attention_norm, weights.epsilon)
        wide = np.matmul(mixed, layer.widen)
        wide += layer.widen_bias
        gelu(wide)
        states = np.matmul(wide, layer.narrow)
        states += layer.narrow_bias
        states += mixed
        normalise(states, layer.norm, weights.epsilon)
    padded = np.zeros((*ids.shape, states.shape[1]), np.float32)
    padded[real] = states
    return padded


def attend(states: Array, layer: Layer, heads: int, lengths: Sequence[int]) -> Array:
    """Return the heads' outputs side by side, [tokens of all texts, hidden].

    The softmax's division is applied to its product with the values, which is far smaller.
    """
    rows, hidden = states.shape
    size = hidden // heads
    mixed = states @ layer.attention_in
    mixed += layer.attention_in_bias
    output = np.empty((rows, heads, size), np.float32)
    start = 0
    for length in lengths:
        own = slice(start, start + length)
        query, key, value = mixed[own].reshape(length, 3, heads, size).transpose(1, 2, 0, 3)
        scores = np.matmul(query, key.transpose(0, 2, 1))
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        context = np.matmul(scores, value)
        context /= scores.sum(axis=-1, keepdims=True)
        output[own] = context.transpose(1, 0, 2)
        start += length
    return output.reshape(rows, hidden)


def normalise(states: Array, norm: tuple[Array, Array], epsilon: float) -> None:
    """Layer normalisation of each row, in place."""
    states -= states.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", states, states)[:, None] / np.float32(states.shape[1])
    states *= norm[0] / np.sqrt(variance + np.float32(epsilon))
    states += norm[1]


def gelu(values: Array) -> None:
    """The exact GELU, x * (1 + erf(x / sqrt 2)) / 2, in place.

    erf by formula 7.1.26 of Abramowitz and Stegun, whose error is below 1.5e-7.
    """
    flat = values.reshape(-1)
    for start in range(0, flat.size, GELU_BLOCK):
        x = flat[start : start + GELU_BLOCK]
        scaled = np.abs(x)
        scaled *= np.float32(0.7071067811865476)
        t = 1 / (1 + np.float32(0.3275911) * scaled)
        tail = np.float32(1.061405429) * t
        for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
            tail += np.float32(coefficient)
            tail *= t
        scaled *= scaled
        np.negative(scaled, out=scaled)
        np.exp(scaled, out=scaled)
        tail *= scaled
        # x(1+erf)/2 = max(x, 0) - |x| * tail / 2, which needs no sign of the erf.
        tail *= np.abs(x)
        tail *= np.float32(0.5)
        np.maximum(x, 0, out=x)
        x -= tail
