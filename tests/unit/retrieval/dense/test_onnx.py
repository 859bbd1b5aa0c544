from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from retrieval.dense.onnx import Graph
from retrieval.dense.runtime import Session


@settings(max_examples=25)
@given(
    hnp.arrays(
        st.sampled_from([np.float32, np.int8, np.uint8, np.int32, np.int64]),
        hnp.array_shapes(max_dims=3, max_side=200),
        elements=st.integers(0, 100),
    )
)
def test_an_array_comes_out_as_it_was_written(value: NDArray[Any]) -> None:
    graph = Graph()
    given = graph.input("given", "float32", ["any", 2])
    read = graph.node("Cast", graph.constant(value), to=1)
    # The input has its part, so that the runtime cannot leave it out.
    nothing = graph.node(
        "ReduceSum", graph.node("Mul", given, graph.constant(np.zeros(2, np.float32))), keepdims=0
    )
    graph.output(graph.node("Add", read, nothing), "float32", value.shape)
    found = Session(graph.model()).run({"given": np.ones((3, 2), np.float32)})
    np.testing.assert_array_equal(found, value.astype(np.float32))


def test_attributes_and_several_outputs() -> None:
    graph = Graph()
    given = graph.input("given", "float32", ["rows", 4])
    parts = graph.node("Split", given, axis=-1, num_outputs=2, outputs=2)
    leaky = graph.node("LeakyRelu", f"{parts}/1", alpha=0.5)
    graph.output(graph.node("Sub", f"{parts}/0", leaky), "float32", ["rows", 2])
    found = Session(graph.model()).run({"given": np.array([[1, 2, 3, -4]], np.float32)})
    np.testing.assert_array_equal(found, [[-2, 4]])


def test_a_choice_takes_one_of_two_ways() -> None:
    graph = Graph()
    given = graph.input("given", "float32", ["rows", 2])
    doubled = graph.input("doubled", "bool", [])
    weight = graph.constant(np.full((400, 2), 3, np.float32))

    def double(inner: Graph) -> str:
        twice = inner.node("Add", given, given)
        return inner.node("Gemm", twice, weight, transB=1)

    found = graph.either(doubled, double, lambda inner: inner.node("Gemm", given, weight, transB=1))
    graph.output(graph.node("Neg", found), "float32", ["rows", 400])
    session = Session(graph.model())
    for chosen, factor in ((True, -12), (False, -6)):
        made = session.run({"given": np.ones((3, 2), np.float32), "doubled": np.array(chosen)})
        np.testing.assert_array_equal(made, np.full((3, 400), factor, np.float32))
