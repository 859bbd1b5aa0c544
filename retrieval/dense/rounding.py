"""A BERT encoder whose products are made of 8-bit numbers: what is rounded, and what is not.

A product of 8-bit numbers is as good as its scales, and a scale as its greatest number. Three things
are far greater than all beside them in these models, and are left in float32:

- the first token ([CLS]): a channel of it is twenty times the others', in every layer, and what it is
  rounded to every token attends to. Two thirds of the error were its own.
- the channels that a norm before the feed-forward layer lifts over the others, as its own weights say;
- the columns of the layer's last product in which a row's weights peak.

The last layer is in float32 as a whole: nothing behind it evens out what it loses. Weights have a scale
for each row (as in Jacob et al. 2018), states one for a text, and for each token where GELU has left
some far greater than others.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from retrieval.dense.onnx import Graph, Model
from retrieval.dense.runtime import Array, Session

if TYPE_CHECKING:
    from retrieval.dense.transformer import Layer, Weights

COLUMNS = 16
"""Columns of a product that stay in float32, of those that have some: a hundredth to a twentieth."""
LEAST_GELU = 0.17
"""GELU is never below minus this: a token's peak is its greatest number, or this."""
DEVIATIONS = 3.0
"""Of a channel, beside its mean, by which channels of a norm are told apart."""


def rounded_graph(weights: Weights, head: tuple[Array, Array] | None) -> Model:
    """Return the layers as a model of one text.

    Its input: the embedded tokens [tokens, hidden]; its output float32, as many rows.
    """
    graph = Graph()
    hidden = weights.words.shape[1]
    rows = _Rows(graph, weights)
    states = graph.input("embedded", "float32", ["tokens", hidden])
    first, rest = rows.cut(rows.normalised(states, weights.norm))
    for layer in weights.layers:
        product = rows.exact if layer is weights.layers[-1] else rows.rounded
        inwards = layer.attention_in, layer.attention_in_bias
        mixed = graph.node("Concat", rows.exact(first, *inwards), product(rest, *inwards), axis=0)
        contexts = rows.cut(rows.attended(mixed))
        first = rows.fed(first, contexts[0], layer, rows.exact)
        rest = rows.fed(rest, contexts[1], layer, product)
    found, width = graph.node("Concat", first, rest, axis=0), hidden
    if head is not None:
        found, width = rows.exact(found, *head), len(head[1])
    graph.output(found, "float32", ["tokens", width])
    return graph.model()


class _Rows:
    """What is done to rows of tokens; every method returns the name of what it makes."""

    def __init__(self, graph: Graph, weights: Weights) -> None:
        hidden = weights.words.shape[1]
        self._graph = graph
        self._heads, self._epsilon = weights.heads, weights.epsilon
        self._flat = graph.constant(np.array([-1, hidden], np.int64))
        self._text = graph.constant(np.array([1, -1, 3 * hidden], np.int64))
        self._none, self._one, self._all = (
            graph.constant(np.array([number], np.int64)) for number in (0, 1, 1 << 30)
        )
        self._least = graph.constant(np.array(LEAST_GELU, np.float32))

    def cut(self, rows: str) -> tuple[str, str]:
        """Tell the first row from the rest."""
        none, one = self._none, self._one
        return (
            self._graph.node("Slice", rows, none, one, none),
            self._graph.node("Slice", rows, one, self._all, none),
        )

    def normalised(self, states: str, norm: tuple[Array, Array], *beside: str) -> str:
        for other in beside:
            states = self._graph.node("Add", states, other)
        scale = [self._graph.constant(one) for one in norm]
        return self._graph.node("LayerNormalization", states, *scale, epsilon=self._epsilon)

    def attended(self, mixed: str) -> str:
        """Attention of a text to itself."""
        shaped = self._graph.node("Reshape", mixed, self._text)
        parts = self._graph.node("Split", shaped, axis=2, num_outputs=3, outputs=3)
        found = self._graph.node(
            "MultiHeadAttention",
            *(f"{parts}/{number}" for number in range(3)),
            domain="com.microsoft",
            num_heads=self._heads,
        )
        return self._graph.node("Reshape", found, self._flat)

    def fed(self, states: str, context: str, layer: Layer, product: Any) -> str:
        """What a layer makes of its states and of what they attend to; `product` one of the two."""
        found = product(context, layer.attention_out, layer.attention_out_bias)
        mixed = self.normalised(found, layer.attention_norm, states)
        loud = _first(
            DEVIATIONS * np.abs(layer.attention_norm[0]) + np.abs(layer.attention_norm[1])
        )
        wide = self._graph.node("Gelu", product(mixed, layer.widen, layer.widen_bias, loud))
        spread = np.sqrt((layer.narrow**2).mean(axis=1, keepdims=True))
        peaked = _first((np.abs(layer.narrow) / np.maximum(spread, 1e-12)).max(axis=0))
        found = product(wide, layer.narrow, layer.narrow_bias, peaked, by_token=True)
        return self.normalised(found, layer.norm, mixed)

    def exact(self, states: str, weight: Array, bias: Array, *_: object, **__: object) -> str:
        """A product in float32."""
        parts = self._graph.constant(weight), self._graph.constant(bias)
        return self._graph.node("Gemm", states, *parts, transB=1)

    def rounded(
        self,
        states: str,
        weight: Array,
        bias: Array,
        columns: NDArray[np.int64] | None = None,
        *,
        by_token: bool = False,
    ) -> str:
        """A product in 8 bits.

        Args:
            states: [rows, in].
            weight: [out, in].
            bias: [out].
            columns: of the weight, that stay in float32.
            by_token: whether the states are GELU's, and each row has a scale of its own.
        """
        graph, rest = self._graph, states
        if columns is not None:
            kept = graph.node("Gather", states, graph.constant(columns), axis=1)
            kept_weight = graph.constant(weight[:, columns])
            others = np.ones(weight.shape[1], np.float32)
            others[columns] = 0
            weight = weight * others
            if not by_token:
                rest = graph.node("Mul", states, graph.constant(others))
        levels, scale = eight_bits(weight, greatest_level())
        given = [graph.constant(np.ascontiguousarray(levels.T)), graph.constant(scale)]
        operator = "DynamicQuantizeMatMul"
        if by_token:
            # The operator rounds all rows on one scale: each is first brought to the same peak.
            peaks = graph.node("ReduceMax", states, self._one, keepdims=1)
            peaks = graph.node("Max", peaks, self._least)
            rest = graph.node("Mul", rest, graph.node("Reciprocal", peaks))
            found = graph.node(operator, rest, *given, domain="com.microsoft")
            found = graph.node("Add", graph.node("Mul", found, peaks), graph.constant(bias))
        else:
            given += ["", graph.constant(bias)]
            found = graph.node(operator, rest, *given, domain="com.microsoft")
        return found if columns is None else graph.node("Gemm", kept, kept_weight, found, transB=1)


def _first(sizes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the places of the greatest, in order."""
    return np.sort(np.argsort(-sizes, kind="stable")[:COLUMNS])


@cache
def greatest_level() -> int:
    """Return up to which number this processor multiplies weights without loss: 127, or 63.

    x86 without VNNI adds two products in 16 bits and cuts what is more: 255 times 63 twice is not.
    No list of processors says which; two such products do.
    """
    graph, levels = Graph(), np.full((2, 1), 127, np.int8)
    parts = graph.constant(levels), graph.constant(np.ones(1, np.float32))
    states = graph.input("states", "float32", [1, 2])
    product = graph.node("DynamicQuantizeMatMul", states, *parts, domain="com.microsoft")
    graph.output(product, "float32", [1, 1])
    found = Session(graph.model()).run({"states": np.ones((1, 2), np.float32)})
    return 127 if np.allclose(found, levels.sum(), rtol=0.01) else 63


def eight_bits(weight: Array, greatest: int = 127) -> tuple[NDArray[np.int8], Array]:
    """Round a weight [out, in] to 8 bits a number, each row on a scale of its own.

    Returns:
        int8 [out, in] from -`greatest` to `greatest`, and float32 [out]: the weight is about their
        product.
    """
    scale = np.abs(weight).max(axis=1) / greatest
    scale[scale == 0] = 1
    return np.rint(weight / scale[:, None]).astype(np.int8), scale.astype(np.float32)
