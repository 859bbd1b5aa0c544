"""Vectors of texts that were encoded before, kept: what is compared twice is encoded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from retrieval.dense.runtime import Array

Encode = Callable[[Sequence[str]], Array]


class KnownVectors:
    """Encodes texts, those it does not know together. Thread-safe.

    Args:
        encode: returns float32 [texts, dim].
        most: texts from which what is known is forgotten before more is kept.
    """

    def __init__(self, encode: Encode, most: int) -> None:
        self._encode = encode
        self._most = most
        self._known: dict[str, Array] = {}

    def __call__(self, texts: Sequence[str]) -> Array:
        """Return float32 [len(texts), dim], in the order of the texts; at least one is needed."""
        known = self._known
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        made = dict(zip(missing, self._encode(missing), strict=True)) if missing else {}
        found = np.stack([made[text] if text in made else known[text] for text in texts])
        # Replaced, not changed: another thread may be reading.
        self._known = {**(known if len(known) < self._most else {}), **made} if made else known
        return found
