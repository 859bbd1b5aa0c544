"""Where a query's terms stand in each segment, looked up once and remembered in flat tables."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25.collection import Collection
from retrieval.bm25.segment import Array

REMEMBERED = 1 << 22
"""Entries (terms times segments) a table holds before it is started afresh; 16 bytes each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of terms, one column a segment. Rows are added and never changed."""

    first: NDArray[np.uint32]
    """Where the term's postings start in the segment, [rows, segments]."""
    stop: NDArray[np.uint32]
    """Where they end; equal to `first` where the term does not occur."""
    bounds: NDArray[np.float64]
    """At least the greatest impact among them."""
    addresses: tuple[int, int, int]
    """Where the three lie in memory."""


class Entry(NamedTuple):
    """A term; sorted by document frequency, equal ones by spelling."""

    frequency: int
    """Documents that hold it."""
    term: str
    row: int
    """Of the table."""
    weight: float
    """ln((N+1)/df(t)); 0 where it occurs nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighted:
    """The distinct terms of a batch of queries, in ascending document frequency within a query."""

    starts: list[int]
    """Where each query's terms start in the next two; the last entry is where all end."""
    rows: list[int]
    """Rows of the table."""
    weights: list[float]
    """qtf(t) · ln((N+1)/df(t)); 0 for a term that occurs nowhere."""

    @property
    def size(self) -> int:
        """Number of queries."""
        return len(self.starts) - 1

    def terms(self, query: int) -> Iterator[tuple[int, float]]:
        """Yield the row and the weight of each term of a query."""
        span = slice(self.starts[query], self.starts[query + 1])
        return zip(self.rows[span], self.weights[span], strict=True)


class Scorer(Protocol):
    """Finds terms and scores documents; two of them give the same results to the last bit."""

    def find(self, terms: Sequence[bytes]) -> tuple[Array, Array, Array]:
        """Return first, stop and best (the pair of greatest impact), each [terms, segments]."""
        ...

    def search(
        self, table: Table, queries: Weighted, k: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return ids and scores of the best documents, both [queries, k]."""
        ...


class Dictionary:
    """Weighs the terms of queries and remembers them. Safe to use from several threads."""

    def __init__(self, collection: Collection, scorer: Scorer) -> None:
        """Remember nothing yet."""
        self._collection = collection
        self._scorer = scorer
        self._lock = threading.Lock()
        self._known: dict[str, Entry] = {}
        self._table = self._make_table(64)

    def weigh(self, queries: Sequence[Sequence[str]]) -> tuple[Table, Weighted]:
        """Look up the terms of each query; return the table and what of it the queries need."""
        table, known = self.locate(queries)
        weighted = Weighted(starts=[0], rows=[], weights=[])
        rows, weights = weighted.rows, weighted.weights
        for terms in queries:
            # Four times as fast as Counter for the handful of terms of a question.
            counts: dict[str, int] = {}
            for term in terms:
                counts[term] = counts.get(term, 0) + 1
            # Sorted by document frequency, equal ones by spelling: the order of addition, and with
            # it every bit of a score, must not depend on what was asked before.
            for _, term, row, weight in sorted([known[term] for term in counts]):
                rows.append(row)
                weights.append(weight * counts[term])
            weighted.starts.append(len(rows))
        return table, weighted

    def locate(self, queries: Sequence[Sequence[str]]) -> tuple[Table, dict[str, Entry]]:
        """Return the table, and of each term of the queries (and others) what is known."""
        with self._lock:
            missing = set().union(*queries).difference(self._known)
            if missing:
                self._add(missing, queries)
            return self._table, self._known

    def _add(self, missing: set[str], queries: Sequence[Sequence[str]]) -> None:
        segments = max(1, len(self._collection.segments))
        if (len(self._known) + len(missing)) * segments > REMEMBERED and self._known:
            self._known, self._table = {}, self._make_table(64)
            missing = set().union(*queries)
        start = len(self._known)
        self._make_room(start + len(missing))
        fresh = sorted(missing)
        first, stop, best = self._scorer.find(
            [term.encode("utf-8", "surrogatepass") for term in fresh]
        )
        self._collection.check_ranges(first, stop)
        rows = slice(start, start + len(missing))
        self._table.first[rows], self._table.stop[rows] = first, stop
        self._table.bounds[rows] = self._collection.bounds(best)
        size = self._collection.size
        for row, (term, frequency) in enumerate(
            zip(fresh, (stop - first).sum(axis=1, dtype=np.int64).tolist(), strict=True), start
        ):
            weight = math.log((size + 1) / frequency) if frequency else 0.0
            self._known[term] = Entry(frequency, term, row, weight)

    def _make_table(self, rows: int) -> Table:
        shape = (rows, len(self._collection.segments))
        first, stop, bounds = (
            np.zeros(shape, np.uint32),
            np.zeros(shape, np.uint32),
            np.zeros(shape),
        )
        return Table(
            first=first,
            stop=stop,
            bounds=bounds,
            addresses=(first.ctypes.data, stop.ctypes.data, bounds.ctypes.data),
        )

    def _make_room(self, rows: int) -> None:
        # Searches under way keep the table they were given: rows in use are copied, not moved.
        old = self._table
        if rows > len(old.first):
            self._table = self._make_table(max(rows, 2 * len(old.first)))
            used = slice(0, len(self._known))
            for name in ("first", "stop", "bounds"):
                getattr(self._table, name)[used] = getattr(old, name)[used]
