"""Scoring with compiled kernels on several threads: indexes of more than a few thousand chunks."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate, pairwise
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25.collection import Collection
from retrieval.bm25.compiled.native import load_kernels
from retrieval.bm25.dictionary import Table, Weighted
from retrieval.bm25.plain import keep_best
from retrieval.bm25.segment import Array, hash_term

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

BLOCK = 4096
"""Documents the kernel scores at a time."""
PATIENCE = 20_000
"""How often to look whether other threads are done, some 0.2 ms, before going to sleep: to be put
to sleep and woken up takes longer than most queries."""
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

    def search(self, table: Table, queries: Weighted, k: int) -> tuple[Int64, Float64]:
        """Return ids and scores of the best documents, both [queries, k]."""
        segments = len(self._collection.segments)
        if queries.size == 1 and self._threads > 1 and segments >= SPLIT_SEGMENTS:
            edges = np.linspace(0, segments, self._threads + 1).astype(int).tolist()
            parts = [_Batch(queries, k) for _ in range(self._threads)]
            spans = zip(parts, pairwise(edges), strict=True)
            self._share([(table, part, begin, end) for part, (begin, end) in spans])
            return _merge(parts, k)
        batch = _Batch(queries, k)
        self._share([(table, batch, 0, segments)] * max(1, min(self._threads, queries.size)))
        return batch.ids, batch.scores

    def _share(self, tasks: Sequence[tuple[Table, _Batch, int, int]]) -> None:
        """Run the first task on this thread and the others on the pool.

        Tasks on one batch take its queries one by one, whichever is free.
        """
        helped = [(self._start(task), task) for task in tasks[1:]]
        self._search(*tasks[0], wait=True)
        for future, task in helped:
            # The pool may be busy with other callers: what it has not begun is done here.
            cancelled, answered = future.cancel(), task[1].is_answered
            if cancelled and not answered:
                self._search(*task)
            elif not answered:
                future.result()

    def _start(self, task: tuple[Table, _Batch, int, int]) -> Future[None]:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads - 1, "bm25")
        return self._pool.submit(self._search, *task)

    def _search(
        self, table: Table, batch: _Batch, begin: int, end: int, wait: bool = False
    ) -> None:
        """Search the segments from `begin` to `end` for the queries that no thread has taken.

        With `wait`, linger a little for the threads that are still at their last one.
        """
        own = self._own
        if getattr(own, "longest", -1) < batch.longest:
            # All zeros, to which the kernel sets the sums again after every block.
            own.room = np.zeros(BLOCK + 5 * batch.longest + 1)
            own.address, own.longest = _address(own.room), batch.longest
        self._kernels.search(
            [
                batch.size, batch.k, len(self._collection.segments), begin, end, batch.longest,
                *batch.asked, *table.addresses, *self._search_arguments, *batch.filled,
                own.address, PATIENCE if wait else 0,
            ]
        )  # fmt: skip


class _Batch:
    """Queries laid out for the kernel, and room for what it finds."""

    def __init__(self, queries: Weighted, k: int) -> None:
        self.size, self.k = queries.size, k
        self.longest = max((end - start for start, end in pairwise(queries.starts)), default=0)
        # To ask an object for its address takes as long as to score a hundred postings: as few
        # objects as possible. The first two numbers count queries taken and queries answered.
        self._numbers = array("q", [0, 0, *queries.starts, *queries.rows])
        self._weights = array("d", queries.weights)
        found = np.empty((2, self.size, k), np.int64)
        self.ids, self.scores = found[0], found[1].view(np.float64)
        counters, place = self._numbers.buffer_info()[0], _address(found)
        starts = counters + 16
        rows = starts + 8 * len(queries.starts)
        self.asked = [starts, rows, self._weights.buffer_info()[0]]
        self.filled = [place, place + 8 * self.size * k, counters]

    @property
    def is_answered(self) -> bool:
        """Whether every query has been answered."""
        return self._numbers[1] == self.size


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
