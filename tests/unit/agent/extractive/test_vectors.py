"""Texts are encoded once, and forgotten when there are too many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.weights.vectors import KnownVectors
from retrieval.dense.runtime import Array


class Counted:
    """Encodes a text as its length, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> Array:
        self.asked += texts
        return np.array([[len(text)] for text in texts], np.float32)


@given(st.lists(st.lists(st.text(max_size=4), min_size=1, max_size=8), max_size=8))
def test_each_text_is_encoded_once_and_comes_in_its_place(calls: list[list[str]]) -> None:
    counted = Counted()
    vectors = KnownVectors(counted, 1000)
    for texts in calls:
        assert vectors(texts)[:, 0].tolist() == [len(text) for text in texts]
    assert len(counted.asked) == len(set(counted.asked))


def test_what_is_known_is_bounded() -> None:
    counted = Counted()
    vectors = KnownVectors(counted, 2)
    vectors(["a", "b"])
    vectors(["c"])
    vectors(["a"])
    assert counted.asked == ["a", "b", "c", "a"]
