"""A BERT encoder as a graph: its layers are one model of ONNX's format, made when it is opened.

Architecture: Devlin et al. 2019, post-layer-norm and exact GELU. The graph works on one row for each
token there is, of all texts one after the other; only attention sees them side by side, padded. A
text by itself needs no padding, and attention without it is faster: long texts go one by one. It is
one graph for both, as the runtime makes its own copy of a graph's weights. Embeddings are looked up
outside it, so that encoders which share them keep them once.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from retrieval.dense.onnx import Graph, Model
from retrieval.dense.rounding import rounded_graph
from retrieval.dense.runtime import Array, Session, give_back
from retrieval.types import Precision

ALONE = 96
"""Mean number of tokens from which texts go one by one."""


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

    def __init__(
        self,
        weights: Weights,
        head: tuple[Array, Array] | None = None,
        *,
        precision: Precision = "float",
    ) -> None:
        """Make what the graphs are made of ready.

        Args:
            weights: of the encoder.
            head: a linear map of the last states, its weight [out, hidden] and its bias.
            precision: what the layers multiply in; the head in float32 in any case.
        """
        self._precision = precision
        self._weights = weights
        self._head = head
        self._lock = threading.Lock()
        self._opened: Session | None = None
        """Made when it is first needed."""

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
        first = np.cumsum(lengths) - lengths
        columns = np.arange(lengths.max())
        real = columns < lengths[:, None]
        places = np.flatnonzero(real)
        states = self._weights.words[np.concatenate([np.asarray(one, np.int64) for one in texts])]
        states = states + self._weights.positions[places % len(columns)]
        if added is not None:
            states = states + added
        # In 8 bits a text goes alone, however short: what it is rounded to must not depend on others.
        if len(texts) == 1 or lengths.mean() >= ALONE or self._precision == "int8":
            session = self._session()
            ends = first + lengths
            beside = {} if self._precision == "int8" else _ALONE
            found = [
                session.run({"embedded": states[begin:end], **beside})
                for begin, end in zip(first, ends, strict=True)
            ]
            return found[0] if len(found) == 1 else np.concatenate(found)
        inputs = {
            "embedded": states,
            "padded": np.array(True),
            "rows": np.where(real, first[:, None] + columns, 0),
            "real": real.astype(np.int32),
            "places": places,
        }
        return self._session().run(inputs)

    def _session(self) -> Session:
        with self._lock:
            if self._opened is None:
                make = rounded_graph if self._precision == "int8" else _graph
                self._opened = Session(make(self._weights, self._head))
                # The runtime has them now, in an order of its own.
                self._weights, self._head = replace(self._weights, layers=()), None
                give_back()
            return self._opened


_ALONE = {
    "padded": np.array(False),
    "rows": np.zeros((0, 0), np.int64),
    "real": np.zeros((0, 0), np.int32),
    "places": np.zeros(0, np.int64),
}
"""Inputs of a text that stands beside none."""


def _graph(weights: Weights, head: tuple[Array, Array] | None) -> Model:
    """Return the layers as a model.

    Inputs: the embedded tokens [tokens, hidden], and whether they are of several texts, side by side
    and padded; of those, for each place of the padded texts the row of its token and whether there is
    one, [texts, longest], and the place of each row, [tokens].
    """
    graph = Graph()
    hidden = weights.words.shape[1]
    states = graph.input("embedded", "float32", ["tokens", hidden])
    padded = graph.input("padded", "bool", [])
    rows = graph.input("rows", "int64", ["texts", "longest"])
    real = graph.input("real", "int32", ["texts", "longest"])
    places = graph.input("places", "int64", ["places"])
    flat = graph.constant(np.array([-1, hidden], np.int64))
    alone = graph.constant(np.array([1, -1, 3 * hidden], np.int64))

    def exact(states: str, weight: Array, bias: Array) -> str:
        return graph.node("Gemm", states, graph.constant(weight), graph.constant(bias), transB=1)

    def normalised(states: str, norm: tuple[Array, Array], *beside: str) -> str:
        for other in beside:
            states = graph.node("Add", states, other)
        scale = [graph.constant(one) for one in norm]
        return graph.node("LayerNormalization", states, *scale, epsilon=weights.epsilon)

    def context(inner: Graph, shaped: str, *mask: str) -> str:
        parts = inner.node("Split", shaped, axis=2, num_outputs=3, outputs=3)
        found = inner.node(
            "MultiHeadAttention",
            *(f"{parts}/{number}" for number in range(3)),
            *mask,
            domain="com.microsoft",
            num_heads=weights.heads,
        )
        return inner.node("Reshape", found, flat)

    def attended(states: str, layer: Layer) -> str:
        mixed = exact(states, layer.attention_in, layer.attention_in_bias)

        def side_by_side(inner: Graph) -> str:
            found = context(inner, inner.node("Gather", mixed, rows), "", real)
            return inner.node("Gather", found, places)

        def by_itself(inner: Graph) -> str:
            return context(inner, inner.node("Reshape", mixed, alone))

        found = graph.either(padded, side_by_side, by_itself)
        return exact(found, layer.attention_out, layer.attention_out_bias)

    states = normalised(states, weights.norm)
    for layer in weights.layers:
        mixed = normalised(attended(states, layer), layer.attention_norm, states)
        wide = graph.node("Gelu", exact(mixed, layer.widen, layer.widen_bias))
        states = normalised(exact(wide, layer.narrow, layer.narrow_bias), layer.norm, mixed)
    width = hidden
    if head is not None:
        states, width = exact(states, *head), len(head[1])
    graph.output(states, "float32", ["tokens", width])
    return graph.model()
