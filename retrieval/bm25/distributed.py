"""A BM25+ index in parts, each with a worker of its own, searched to the last bit as if it were one.

A worker holds a range of segments and the statistics of all: N and the average length. Who asks looks
the words of a query up in every segment's own list of words, for the document frequencies of the
whole, and sends the parts the words with their weights, in the order in which one index would add
them: one message to each part, whatever is asked. Of the parts' best documents the best are kept.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from corpus.cluster import LostError, Seat, SharingCluster
from corpus.errors import BackendError, InputError
from retrieval.bm25.collection import Collection
from retrieval.bm25.dictionary import Dictionary, Scorer, Weighted
from retrieval.bm25.index import Float64, Int64, choose_analyzer
from retrieval.bm25.plain import keep_best, score_documents
from retrieval.bm25.scorer import choose_scorer
from retrieval.bm25.store import map_segments, read_manifest
from retrieval.terms.analyzers import Analyzer

REMEMBERED = 1 << 18
"""Words whose document frequencies are remembered before all are looked up anew."""
TRIES = 3
"""Times that a part whose worker died is asked again."""
PATIENCE = 120.0
"""Seconds that a worker is waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Asks for the best documents of a part, ids and scores, both [queries, k]."""

    queries: tuple[tuple[tuple[str, float], ...], ...]
    """Of each query its words with their weights, in the order of addition."""
    k: int
    rows: Int64 | None = None
    """Ids to choose among, ascending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Makes, in a worker, what answers for a range of segments; the folder is the same there."""

    folder: Path
    checksum: str
    """Of the manifest of the index that was opened."""
    begin: int
    end: int

    def __call__(self) -> Callable[[Search], tuple[Int64, Float64]]:
        """Map the segments, and no other.

        Raises:
            InputError: another index lies there, or none.
        """
        manifest = read_manifest(self.folder)
        if checksum_of(manifest) != self.checksum:
            raise InputError(f"{self.folder} on a worker's machine is another index than here")
        entries = manifest["segments"]
        # Mapped are all, as they share files; read are those that are searched.
        segments = map_segments(self.folder, manifest, check=False)[self.begin : self.end]
        parameters = manifest["parameters"]
        collection = Collection.of(
            self.folder,
            segments,
            k1=parameters["k1"],
            b=parameters["b"],
            delta=parameters["delta"],
            whole=(manifest["documents"], manifest["tokens"]),
            first=sum(entry["documents"] for entry in entries[: self.begin]),
        )
        # By the size of the whole, which is asked often where it is large.
        return _Answering(collection, manifest["postings"]).answer


class _Answering:
    def __init__(self, collection: Collection, postings: int) -> None:
        self._collection = collection
        self._scorer = choose_scorer(collection, postings, 1, None)
        self._dictionary = Dictionary(collection, self._scorer)

    def answer(self, asked: Search) -> tuple[Int64, Float64]:
        table, places = self._dictionary.locate(
            [[term for term, _ in query] for query in asked.queries]
        )
        weighted = Weighted(starts=[0], rows=[], weights=[])
        for query in asked.queries:
            weighted.rows.extend(places[term].row for term, _ in query)
            weighted.weights.extend(weight for _, weight in query)
            weighted.starts.append(len(weighted.rows))
        if asked.rows is None:
            return self._scorer.search(table, weighted, asked.k)
        base = self._collection.base
        inside = asked.rows[(asked.rows >= base[0]) & (asked.rows < base[-1])]
        ids = np.full((len(asked.queries), asked.k), -1, np.int64)
        scores = np.zeros((len(asked.queries), asked.k))
        for number in range(len(asked.queries)):
            terms = list(weighted.terms(number))
            values, matched = score_documents(self._collection, table, terms, inside)
            keep_best([(inside[matched], values[matched])], ids[number], scores[number])
        return ids, scores


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributedIndex:
    """An index of which workers hold the parts. Safe to search from several threads."""

    folder: Path
    analyzer: Analyzer
    size: int
    """Number of documents."""
    _parts: _Parts
    _words: _Words
    _rows: Int64 | None = None

    @staticmethod
    def open(folder: Path, cluster: SharingCluster, parts: int) -> DistributedIndex:
        """Open an index with so many workers, fewer where it has fewer segments.

        Args:
            folder: of the index, at the same path on every machine.
            cluster: whose workers hold the parts until it is closed.
            parts: workers.

        Raises:
            InputError: no index, or one with the scores of rank_bm25.
        """
        manifest = read_manifest(folder)
        if manifest["compat"]:
            raise InputError(f"{folder}: an index with compat={manifest['compat']!r} has no parts")
        count = len(manifest["segments"])
        parts = max(1, min(parts, count))
        edges = [count * number // parts for number in range(parts + 1)]
        makes = [
            Part(folder=folder.absolute(), checksum=checksum_of(manifest), begin=begin, end=end)
            for begin, end in itertools.pairwise(edges)
        ]
        return DistributedIndex(
            folder=folder,
            analyzer=choose_analyzer(folder, manifest["analyzer"], None),
            size=manifest["documents"],
            _parts=_Parts(cluster.host(makes)),
            _words=_Words.of(folder, manifest),
        )

    def search(
        self, queries: Sequence[str], k: int, rows: Sequence[int] | Int64 | None = None
    ) -> tuple[Int64, Float64]:
        """Return what `BM25PlusIndex.search` returns for the whole index.

        Raises:
            InputError: k is below 1, or `rows` holds an id that is none.
            BackendError: a part cannot be had.
        """
        if k < 1:
            raise InputError(f"cannot return {k} documents: ask for at least one")
        chosen = self._rows if rows is None else self._checked(rows)
        weighed = self._words.weigh([self.analyzer(query) for query in queries])
        asked = Search(queries=weighed, k=min(k, max(1, self.size)), rows=chosen)
        found = self._parts.ask_all(asked)
        ids = np.full((len(queries), k), -1, np.int64)
        scores = np.zeros((len(queries), k))
        for number in range(len(queries)):
            lines = [(part[number][part[number] >= 0], values[number]) for part, values in found]
            keep_best([(part, v[: len(part)]) for part, v in lines], ids[number], scores[number])
        return ids, scores

    def within(self, rows: Sequence[int] | Int64) -> DistributedIndex:
        """Return this index, searching these ids alone, with the scores of the whole.

        Raises:
            InputError: `rows` holds an id that is none.
        """
        return replace(self, _rows=self._checked(rows))

    def close(self) -> None:
        """End the workers."""
        self._parts.close()

    def _checked(self, rows: Sequence[int] | Int64) -> Int64:
        chosen = np.unique(np.asarray(rows, np.int64))
        if len(chosen) and not (chosen[0] >= 0 and chosen[-1] < self.size):
            raise InputError(f"rows: ids go from 0 to {self.size - 1}")
        return chosen


class _Words:
    """The document frequencies of the whole, of which those that were asked for are remembered."""

    def __init__(self, scorer: Scorer, size: int, check: Callable[[Any, Any], None]) -> None:
        self._scorer = scorer
        self._size = size
        self._check = check
        self._known: dict[str, int] = {}
        self._lock = threading.Lock()

    @classmethod
    def of(cls, folder: Path, manifest: dict[str, Any]) -> _Words:
        """Map an index's files; read are the segments' lists of words alone, when they are asked for."""
        collection = Collection.unscored(folder, map_segments(folder, manifest, check=False))
        scorer = choose_scorer(collection, manifest["postings"], 1, None)
        return cls(scorer, manifest["documents"], collection.check_ranges)

    def weigh(self, queries: Sequence[Sequence[str]]) -> tuple[tuple[tuple[str, float], ...], ...]:
        """Return of each query its words with their weights, as `Search` takes them."""
        known = self._frequencies({term for terms in queries for term in terms})
        weighed = []
        for terms in queries:
            counts = Counter(terms)
            order = sorted((known[term], term) for term in counts)
            weighed.append(
                tuple(
                    (term, math.log((self._size + 1) / frequency) * counts[term])
                    for frequency, term in order
                    if frequency
                )
            )
        return tuple(weighed)

    def _frequencies(self, terms: set[str]) -> dict[str, int]:
        with self._lock:
            if len(self._known) > REMEMBERED:
                self._known.clear()
            missing = [term for term in terms if term not in self._known]
            if missing:
                first, stop, _ = self._scorer.find(
                    [term.encode("utf-8", "surrogatepass") for term in missing]
                )
                self._check(first, stop)
                counts = (stop - first).sum(axis=1, dtype=np.int64).tolist()
                self._known.update(zip(missing, counts, strict=True))
            return {term: self._known[term] for term in terms}


class _Parts:
    """The workers."""

    def __init__(self, seats: Sequence[Seat[Search, tuple[Int64, Float64]]]) -> None:
        self._seats = seats

    def ask_all(self, asked: Search) -> list[tuple[Int64, Float64]]:
        """Return what each part finds."""
        # All are asked before the first is waited for.
        sent = [_send(seat, asked) for seat in self._seats]
        return [_receive(seat, one, asked) for seat, one in zip(self._seats, sent, strict=True)]

    def close(self) -> None:
        for seat in self._seats:
            seat.close()


def _send(seat: Seat[Search, Any], asked: Search) -> Callable[[], Any] | None:
    """Ask a part; None where its worker has died."""
    end = time.monotonic() + PATIENCE
    while not seat.ready():
        if time.monotonic() > end:
            raise BackendError(f"the cluster gave no worker for {PATIENCE:.0f} s")
    try:
        return seat.send(asked)
    except LostError:
        return None


def _receive(seat: Seat[Search, Any], sent: Callable[[], Any] | None, asked: Search) -> Any:
    """Wait for a part's answer; where its worker died, another takes its segments."""
    why = "its worker ended"
    for _ in range(TRIES + 1):
        try:
            if sent is not None:
                return sent()
        except LostError as error:
            why = str(error)
        sent = _send(seat, asked)
    raise BackendError(f"a part of the BM25+ index is gone: {why}")


def checksum_of(manifest: dict[str, Any]) -> str:
    """Return what tells an index from another: the digest of its segments' digests."""
    return hashlib.sha256("".join(e["sha256"] for e in manifest["segments"]).encode()).hexdigest()
