"""Scoring with compiled kernels on several threads: indexes of more than a few thousand chunks."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25.collection import Collection
from retrieval.bm25.dictionary import Table, Weighted
from retrieval.bm25.native import Kernel, load_kernels
from retrieval.bm25.plain import keep_best
from retrieval.bm25.segment import Array, hash_term

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

BLOCK = 4096
"""Documents the kernel scores at a time."""
SPLIT_SEGMENTS = 16
"""Segments (a million chunks) from which on one query is worth several threads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """What the kernels need to know of the segments, one number each."""

    wide: Int64
    """1 where pairs take 32 bits."""
    terms: Int64
    reach: Int64
    """Twice the distance of a hash from its share of the list that one may expect."""
    letters: Int64
    """Bytes of the spelling of all terms."""
    addresses: dict[str, Int64]
    """Where the arrays lie in memory, by name."""


class CompiledScorer:
    """Scores segments with `kernels`. Safe to use from several threads."""

    def __init__(self, collection: Collection, threads: int) -> None:
        """Note where the segments' arrays lie in memory.

        Args:
            collection: the segments, which this object keeps mapped.
            threads: how many threads one call of `search` may use.
        """
        self._collection = collection
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()
        self._kernels = load_kernels()
        self._room = threading.local()
        segments = collection.segments
        self._fixed = Fixed(
            wide=np.array([segment.pairs.dtype.itemsize == 4 for segment in segments], np.int64),
            terms=_lengths([segment.hashes for segment in segments]),
            reach=np.array([2 * isqrt(len(s.hashes)) + 2 for s in segments], np.int64),
            letters=_lengths([segment.spelling for segment in segments]),
            addresses={
                name: np.array([getattr(s, name).ctypes.data for s in segments], np.int64)
                for name in (
                    "hashes", "ends", "spelling", "starts", "best", "documents", "pairs",
                )
            },
        )  # fmt: skip

    def find(self, terms: Sequence[bytes]) -> tuple[Array, Array, Array]:
        """Return first, stop and best of terms, each [terms, segments]; see `Scorer`."""
        segments = len(self._collection.segments)
        shape = (len(terms), segments)
        first, stop, best = (np.zeros(shape, np.uint32) for _ in range(3))
        hashes = np.fromiter(map(hash_term, terms), np.uint32, len(terms))
        ends = np.zeros(len(terms) + 1, np.int64)
        np.cumsum([len(term) for term in terms], out=ends[1:])
        spelling = np.frombuffer(b"".join(terms), np.uint8)
        fixed, addresses = self._fixed, self._fixed.addresses
        _call(
            self._kernels.find,
            (
                len(terms), segments, hashes, ends, spelling,
                fixed.terms, fixed.letters, fixed.wide,
                addresses["hashes"], addresses["ends"], addresses["spelling"],
                addresses["starts"], addresses["best"],
                first, stop, best, fixed.reach,
            ),
        )  # fmt: skip
        return first, stop, best

    def search(self, table: Table, queries: Sequence[Weighted], k: int) -> tuple[Int64, Float64]:
        """Return ids and scores of the best documents, both [len(queries), k]."""
        segments = len(self._collection.segments)
        parts = min(self._threads, len(queries))
        if parts > 1:
            edges = np.linspace(0, len(queries), parts + 1).astype(int).tolist()
            done = self._share([(table, queries[a:b], k, 0, segments) for a, b in pairwise(edges)])
            ids, scores = zip(*done, strict=True)
            return np.concatenate(ids), np.concatenate(scores)
        if self._threads > 1 and segments >= SPLIT_SEGMENTS and queries:
            edges = np.linspace(0, segments, self._threads + 1).astype(int).tolist()
            return merge(self._share([(table, queries, k, a, b) for a, b in pairwise(edges)]), k)
        return self._search(table, queries, k, 0, segments)

    def _search(
        self, table: Table, queries: Sequence[Weighted], k: int, begin: int, end: int
    ) -> tuple[Int64, Float64]:
        """Search the segments from `begin` to `end` on this thread."""
        starts = [0, *accumulate(len(query.rows) for query in queries)]
        longest = max((len(query.rows) for query in queries), default=0)
        ids = np.full((len(queries), k), -1, np.int64)
        scores = np.zeros((len(queries), k))
        collection, fixed = self._collection, self._fixed
        _call(
            self._kernels.search,
            (
                len(queries), k, len(collection.segments), begin, end, longest,
                np.array(starts, np.int64),
                np.array([row for query in queries for row in query.rows], np.int64),
                np.array([weight for query in queries for weight in query.weights], np.float64),
                table.first, table.stop, table.bounds,
                fixed.addresses["documents"], fixed.addresses["pairs"], fixed.wide,
                collection.start, collection.base, collection.values, ids, scores,
                self._make_room(longest),
            ),
        )  # fmt: skip
        return ids, scores

    def _make_room(self, longest: int) -> Float64:
        """Return this thread's room to work in, whose sums the kernel leaves at 0."""
        room: Float64 | None = getattr(self._room, "space", None)
        if room is None or len(room) < BLOCK + 5 * longest + 1:
            room = self._room.space = np.zeros(BLOCK + 5 * longest + 1)
        return room

    def _share(
        self, tasks: Sequence[tuple[Table, Sequence[Weighted], int, int, int]]
    ) -> list[tuple[Int64, Float64]]:
        """Run tasks on the pool, the last one on this thread; return their results in order."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads - 1, "bm25")
        futures = [self._pool.submit(self._search, *task) for task in tasks[:-1]]
        last = self._search(*tasks[-1])
        return [*(future.result() for future in futures), last]


def _call(kernel: Kernel, arguments: tuple[int | Array, ...]) -> None:
    """Call a kernel with numbers as they are and arrays by their address."""
    numbers = np.array(
        [a if isinstance(a, int) else a.__array_interface__["data"][0] for a in arguments],
        np.int64,
    )
    kernel(numbers.__array_interface__["data"][0])


def merge(parts: Sequence[tuple[Int64, Float64]], k: int) -> tuple[Int64, Float64]:
    """Merge the best documents, one row each, of parts of a collection."""
    ids = np.full((1, k), -1, np.int64)
    scores = np.zeros((1, k))
    found = [(part[0][part[0] >= 0], values[0][part[0] >= 0]) for part, values in parts]
    keep_best(found, ids[0], scores[0])
    return ids, scores


def _lengths(arrays: Sequence[Array]) -> Int64:
    return np.array([len(array) for array in arrays], np.int64)
