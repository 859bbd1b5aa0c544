"""The vocabulary of retrieval: hits, and the two ports that make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from corpus.types import Chunk

Float32Matrix = NDArray[np.float32]
Ids = NDArray[np.int64]
"""Rows of a snapshot; -1 stands for none."""
Scores = NDArray[np.floating]
Device = Literal["auto", "cpu", "gpu"]
"""Where a model or an index runs; "auto" takes a GPU where there is one."""

Precision = Literal["float", "int8"]
"""What a model multiplies in while it embeds chunks: the narrowest type that is exact to a cosine of
0.9999, or 8 bits, which are faster and lose a little."""
PRECISIONS: tuple[Precision, ...] = ("float", "int8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk found for a query."""

    chunk: Chunk
    score: float
    """Comparable within one query and one source only."""
    rank: int
    """From 1."""
    source: str
    """Which retriever found it: "bm25", "dense", "hybrid", "evidence", …"""


class Retriever(Protocol):
    """Finds chunks for queries. Safe to call from several threads."""

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first, in the order of the queries.

        A query that matches nothing gets an empty list. Batches come first because a fan-out
        is a batch.
        """
        ...


@runtime_checkable
class Closable(Protocol):
    """What holds files or threads open until it is closed; much that a port describes does not."""

    def close(self) -> None:
        """Give them back."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Identifies model and version; stored in the index's manifest."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Float32Matrix:
        """Return float32 [len(texts), dim], each row of unit length."""
        ...
