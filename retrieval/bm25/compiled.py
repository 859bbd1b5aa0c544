"""Scoring with compiled kernels on several threads: indexes of more than a few thousand chunks."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate, chain, pairwise
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25.collection import Collection
from retrieval.bm25.dictionary import Table, Weighted
from retrieval.bm25.native import load_kernels
from retrieval.bm25.plain import keep_best
from retrieval.bm25.segment import Array, hash_term

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

BLOCK = 4096
"""Documents the kernel scores at a time."""
SPLIT_SEGMENTS = 16
"""Segments (a million chunks) from which on one query is worth several threads."""


class CompiledScorer:
    """Scores segments with `kernels`. Safe to use from several threads."""

    def __init__(self, collection: Collection, threads: int) -> None:
        """Note where the segments' arrays lie in memory.

        Args:
            collection: the segments, which this object keeps mapped.
            threads: how many threads one call of `search` may use.
        """
        self._kernels = load_kernels()
        self._collection = collection
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._lock = threading.Lock()
        self._own = threading.local()
        segments = collection.segments
        wide = [segment.pairs.dtype.itemsize == 4 for segment in segments]
        columns = {
            "terms": [len(segment.hashes) for segment in segments],
            "letters": [len(segment.spelling) for segment in segments],
            "wide": [int(flag) for flag in wide],
            "reach": [2 * isqrt(len(segment.hashes)) + 2 for segment in segments],
        }
        for name in ("hashes", "ends", "spelling", "starts", "best", "documents", "pairs"):
            columns[name] = [_address(getattr(segment, name)) for segment in segments]
        self._columns = {name: np.array(column, np.int64) for name, column in columns.items()}
        at = {name: _address(column) for name, column in self._columns.items()}
        self._find_arguments = [
            at[name]
            for name in (
                "terms", "letters", "wide", "hashes", "ends", "spelling", "starts", "best", "reach",
            )
        ]  # fmt: skip
        self._search_arguments = [
            *(at[name] for name in ("documents", "pairs", "wide")),
            *(_address(array) for array in (collection.start, collection.base, collection.values)),
        ]

    def find(self, terms: Sequence[bytes]) -> tuple[Array, Array, Array]:
        """Return first, stop and best of terms, each [terms, segments]; see `Scorer`."""
        segments = len(self._collection.segments)
        first, stop, best = np.zeros((3, len(terms), segments), np.uint32)
        hashes = np.fromiter(map(hash_term, terms), np.uint32, len(terms))
        ends = array("q", accumulate(map(len, terms), initial=0))
        spelling = np.frombuffer(b"".join(terms), np.uint8)
        self._kernels.find(
            [
                len(terms), segments, _address(hashes), _address(ends), _address(spelling),
                *self._find_arguments, _address(first), _address(stop), _address(best),
            ]
        )  # fmt: skip
        return first, stop, best

    def search(self, table: Table, queries: Sequence[Weighted], k: int) -> tuple[Int64, Float64]:
        """Return ids and scores of the best documents, both [len(queries), k]."""
        segments = len(self._collection.segments)
        if len(queries) > 1 or self._threads == 1 or segments < SPLIT_SEGMENTS:
            batch = _Batch(queries, k)
            self._share([(table, batch, 0, segments)] * min(self._threads, max(1, len(queries))))
            return batch.ids, batch.scores
        edges = np.linspace(0, segments, self._threads + 1).astype(int).tolist()
        parts = [_Batch(queries, k) for _ in range(self._threads)]
        self._share([(table, part, *e) for part, e in zip(parts, pairwise(edges), strict=True)])
        return _merge(parts, k)

    def _share(self, tasks: Sequence[tuple[Table, _Batch, int, int]]) -> None:
        """Run the first task on this thread and the others on the pool.

        Tasks on one batch take its queries one by one, whichever is free.
        """
        futures = [self._start(task) for task in tasks[1:]]
        self._search(*tasks[0])
        for future, task in zip(futures, tasks[1:], strict=True):
            # The pool may be busy with other callers: what it has not begun is done here, which
            # is nothing where this thread has taken the last query.
            if future.cancel():
                self._search(*task)
            else:
                future.result()

    def _start(self, task: tuple[Table, _Batch, int, int]) -> Future[None]:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads - 1, "bm25")
        return self._pool.submit(self._search, *task)

    def _search(self, table: Table, batch: _Batch, begin: int, end: int) -> None:
        """Search the segments from `begin` to `end` for the queries that no thread has taken."""
        room: Float64 | None = getattr(self._own, "room", None)
        if room is None or len(room) < BLOCK + 5 * batch.longest + 1:
            # All zeros, to which the kernel sets the sums again after every block.
            room = self._own.room = np.zeros(BLOCK + 5 * batch.longest + 1)
        segments = len(self._collection.segments)
        self._kernels.search(
            [
                batch.size, batch.k, segments, begin, end, batch.longest,
                *batch.asked, *table.addresses, *self._search_arguments, *batch.filled,
                _address(room), _address(batch.taken),
            ]
        )  # fmt: skip


class _Batch:
    """Queries laid out for the kernel, and room for what it finds."""

    def __init__(self, queries: Sequence[Weighted], k: int) -> None:
        self.size, self.k = len(queries), k
        lengths = [len(query.rows) for query in queries]
        self.longest = max(lengths, default=0)
        self._starts = array("q", accumulate(lengths, initial=0))
        self._rows = array("q", chain.from_iterable(query.rows for query in queries))
        self._weights = array("d", chain.from_iterable(query.weights for query in queries))
        self.taken = array("q", [0])
        self.ids = np.empty((len(queries), k), np.int64)
        self.scores = np.empty((len(queries), k))
        self.asked = [_address(part) for part in (self._starts, self._rows, self._weights)]
        self.filled = [_address(part) for part in (self.ids, self.scores)]


def _merge(parts: Sequence[_Batch], k: int) -> tuple[Int64, Float64]:
    """Merge the best documents of one query in several parts of the collection."""
    ids, scores = np.full((1, k), -1, np.int64), np.zeros((1, k))
    found = [(part.ids[0], part.scores[0]) for part in parts]
    keep_best([(i[i >= 0], s[i >= 0]) for i, s in found], ids[0], scores[0])
    return ids, scores


def _address(numbers: Array | array[int] | array[float]) -> int:
    """Return where the numbers lie in memory."""
    if isinstance(numbers, array):
        return numbers.buffer_info()[0]
    return int(numbers.__array_interface__["data"][0])
