"""Vectors of texts that were encoded before, kept: what is compared twice is encoded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from agent.extractive.weights.kept import Kept
from retrieval.dense.runtime import Array

Encode = Callable[[Sequence[str]], Array]


class KnownVectors:
    """Encodes texts, those it does not know together. Thread-safe.

    Args:
        encode: returns float32 [texts, dim].
        most: texts from which what is known is forgotten before more is kept.
    """

    def __init__(self, encode: Encode, most: int) -> None:
        self._kept: Kept[str, Array] = Kept(encode, most)

    def __call__(self, texts: Sequence[str]) -> Array:
        """Return float32 [len(texts), dim], in the order of the texts; at least one is needed."""
        return np.stack(self._kept(texts))
