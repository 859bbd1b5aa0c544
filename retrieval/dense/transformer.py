"""A BERT encoder as a graph: its layers are one model of ONNX's format, made when it is opened.

Architecture: Devlin et al. 2019, post-layer-norm and exact GELU. The graph works on one row for each
token there is, of all texts one after the other; only attention sees them side by side, padded.
Embeddings are looked up outside it, so that encoders which share them keep them once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.dense.onnx import Graph
from retrieval.dense.runtime import Array, Session

_CONTRIB = "com.microsoft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The weights of one transformer layer, as they are stored: [out, in]."""

    attention_in: Array
    """[3 * hidden, hidden]: query, key and value one below the other."""
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


class Encoder:
    """The layers of an encoder, ready to run. Thread-safe."""

    def __init__(self, weights: Weights, head: tuple[Array, Array] | None = None) -> None:
        """Make the graph.

        Args:
            weights: of the encoder.
            head: a linear map of the last states, its weight [out, hidden] and its bias.
        """
        self._words = weights.words
        self._positions = weights.positions
        self._session = Session(_graph(weights, head))

    def states(self, texts: Sequence[Sequence[int]], added: Array | None = None) -> Array:
        """Return the last hidden states, or what the head makes of them.

        Args:
            texts: token numbers of each, at least one.
            added: to the embeddings of the tokens, [tokens of all texts, hidden].

        Returns:
            float32 [tokens of all texts, hidden or out].

        Raises:
            MemoryError: there is no room for it.
        """
        lengths = np.array([len(text) for text in texts], np.int64)
        columns = np.arange(lengths.max())
        real = columns < lengths[:, None]
        places = np.flatnonzero(real)
        states = self._words[np.concatenate([np.asarray(text, np.int64) for text in texts])]
        states = states + self._positions[places % len(columns)]
        if added is not None:
            states = states + added
        first = np.cumsum(lengths) - lengths
        inputs = {
            "embedded": states,
            "rows": np.where(real, first[:, None] + columns, 0),
            "real": real.astype(np.int32),
            "places": places,
        }
        return self._session.run(inputs)


def _graph(weights: Weights, head: tuple[Array, Array] | None) -> bytes:
    """Return the layers as a model.

    Inputs: the embedded tokens [tokens, hidden]; for each place of the padded texts the row of its
    token and whether there is one, [texts, longest]; the place of each row, [tokens].
    """
    graph = Graph()
    hidden = weights.words.shape[1]
    states = graph.input("embedded", "float32", ["tokens", hidden])
    rows = graph.input("rows", "int64", ["texts", "longest"])
    real = graph.input("real", "int32", ["texts", "longest"])
    places = graph.input("places", "int64", ["tokens"])
    flat = graph.constant(np.array([-1, hidden], np.int64))

    def product(states: str, weight: Array, bias: Array) -> str:
        return graph.node("Gemm", states, graph.constant(weight), graph.constant(bias), transB=1)

    def normalised(states: str, norm: tuple[Array, Array], *beside: str) -> str:
        scale = [graph.constant(one) for one in norm]
        if not beside:
            return graph.node("LayerNormalization", states, *scale, epsilon=weights.epsilon)
        return graph.node(
            "SkipLayerNormalization",
            states,
            *beside,
            *scale,
            domain=_CONTRIB,
            epsilon=weights.epsilon,
        )

    def attended(states: str, layer: Layer) -> str:
        mixed = product(states, layer.attention_in, layer.attention_in_bias)
        padded = graph.node("Gather", mixed, rows)
        parts = graph.node("Split", padded, axis=2, num_outputs=3, outputs=3)
        context = graph.node(
            "MultiHeadAttention",
            *(f"{parts}/{number}" for number in range(3)),
            "",
            real,
            domain=_CONTRIB,
            num_heads=weights.heads,
        )
        found = graph.node("Gather", graph.node("Reshape", context, flat), places)
        return product(found, layer.attention_out, layer.attention_out_bias)

    states = normalised(states, weights.norm)
    for layer in weights.layers:
        mixed = normalised(attended(states, layer), layer.attention_norm, states)
        wide = graph.node("Gelu", product(mixed, layer.widen, layer.widen_bias))
        states = normalised(product(wide, layer.narrow, layer.narrow_bias), layer.norm, mixed)
    width = hidden
    if head is not None:
        states, width = product(states, *head), len(head[1])
    graph.output(states, "float32", ["tokens", width])
    return graph.model()
