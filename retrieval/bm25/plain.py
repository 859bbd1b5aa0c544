"""Scoring with numpy alone: small indexes, and given documents of any index.

numba takes half a second to import; an index of a few thousand chunks is searched in less than a
millisecond without it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25.collection import Collection
from retrieval.bm25.dictionary import Table, Weighted
from retrieval.bm25.segment import Array, Segment, hash_term

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


class PlainScorer:
    """Scores whole segments, one after another. Safe to use from several threads."""

    def __init__(self, collection: Collection) -> None:
        """Score the documents of this collection."""
        self._collection = collection

    def find(self, terms: Sequence[bytes]) -> tuple[Array, Array, Array]:
        """Return first, stop and best of terms, each [terms, segments]; see `Scorer`."""
        shape = (len(terms), len(self._collection.segments))
        first, stop, best = (np.zeros(shape, np.uint32) for _ in range(3))
        hashes = np.fromiter(map(hash_term, terms), np.uint32, len(terms))
        for number, segment in enumerate(self._collection.segments):
            places = np.searchsorted(segment.hashes, hashes).tolist()
            for row, (term, place) in enumerate(zip(terms, places, strict=True)):
                found = _match(segment, term, hashes[row], place)
                if found is not None:
                    first[row, number], stop[row, number] = segment.starts[found : found + 2]
                    best[row, number] = segment.best[found]
        return first, stop, best

    def search(self, table: Table, queries: Weighted, k: int) -> tuple[Int64, Float64]:
        """Return ids and scores of the best documents, both [queries, k]."""
        ids = np.full((queries.size, k), -1, np.int64)
        scores = np.zeros((queries.size, k))
        for query in range(queries.size):
            terms = list(queries.terms(query))
            found = [
                self._search_segment(number, table, terms, k)
                for number in range(len(self._collection.segments))
            ]
            keep_best(found, ids[query], scores[query])
        return ids, scores

    def _search_segment(
        self, number: int, table: Table, terms: Sequence[tuple[int, float]], k: int
    ) -> tuple[Int64, Float64]:
        segment = self._collection.segments[number]
        sums = np.zeros(segment.size)
        for row, weight in terms:
            postings = slice(int(table.first[row, number]), int(table.stop[row, number]))
            impacts = self._collection.impacts(number, segment.pairs[postings])
            sums[segment.documents[postings]] += weight * impacts
        found = np.flatnonzero(sums)
        if len(found) > k:
            worst = np.partition(sums[found], len(found) - k)[len(found) - k]
            found = found[sums[found] >= worst]
        return found + self._collection.base[number], sums[found]


def score_documents(
    collection: Collection,
    table: Table,
    terms: Sequence[tuple[int, float]],
    documents: Int64,
) -> tuple[Float64, NDArray[np.bool_]]:
    """Return the scores of given documents and whether any term of the query occurs in them.

    Args:
        collection: where the documents are.
        table: ranges of the terms.
        terms: row and weight of each of the query's terms.
        documents: numbers of documents, ascending, from 0 to N - 1.
    """
    scores = np.zeros(len(documents))
    matched = np.zeros(len(documents), bool)
    edges = np.searchsorted(documents, collection.base)
    for number, segment in enumerate(collection.segments):
        part = slice(edges[number], edges[number + 1])
        wanted = (documents[part] - collection.base[number]).astype(np.uint16)
        if not len(wanted):
            continue
        for row, weight in terms:
            first, stop = int(table.first[row, number]), int(table.stop[row, number])
            if first == stop:
                continue
            inside = segment.documents[first:stop]
            places = np.minimum(np.searchsorted(inside, wanted), len(inside) - 1)
            hit = inside[places] == wanted
            impacts = collection.impacts(number, segment.pairs[first + places[hit]])
            scores[part][hit] += weight * impacts
            matched[part] |= hit
    return scores, matched


def keep_best(found: Sequence[tuple[Int64, Float64]], ids: Int64, scores: Float64) -> None:
    """Fill one row of a result from parts: best first, equal scores in order of id."""
    documents = np.concatenate([part for part, _ in found]) if found else np.zeros(0, np.int64)
    values = np.concatenate([part for _, part in found]) if found else np.zeros(0)
    order = np.lexsort((documents, -values))[: len(ids)]
    ids[: len(order)] = documents[order]
    scores[: len(order)] = values[order]


def _match(segment: Segment, term: bytes, wanted: np.uint32, place: int) -> int | None:
    while place < len(segment.hashes) and segment.hashes[place] == wanted:
        start, end = segment.ends[place : place + 2].tolist()
        if segment.spelling[start:end].tobytes() == term:
            return place
        place += 1
    return None
