"""Rankers: from queries to rows of a snapshot; and the retriever that makes hits of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from corpus.errors import InputError
from corpus.types import Chunk, Revision
from retrieval.ranking.chunks import ChunkCache
from retrieval.ranking.fusion import Fusion, cap, reciprocal_rank_fusion, standard_score_fusion
from retrieval.ranking.mentions import READ, lift_mentioned
from retrieval.ranking.owner import Found, VectorIndex
from retrieval.terms.wording import Wording, worded
from retrieval.types import Closable, Embedder, Hit, Ids, Scores

if TYPE_CHECKING:
    from corpus import Snapshot
    from retrieval.bm25 import BM25PlusIndex
    from retrieval.bm25.distributed import DistributedIndex

DEPTH = 100
"""Rows each ranking brings to a fusion, at least; results hardly change from 50 to 500."""
KEPT_REVISIONS = 16_384
"""Rows whose revisions are known by heart, some 8 MB: a hybrid wants those of 200 rows a query."""
OVERFETCH = 4
"""Times k to rank first where hits per article are capped."""


class Ranker(Protocol):
    """Ranks the rows of a snapshot. Safe to call from several threads."""

    def rank(self, queries: Sequence[str], k: int) -> Found:
        """Return rows (-1 where there are fewer than k) and scores, both [len(queries), k]."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BM25Ranker:
    """Ranks by BM25+."""

    index: BM25PlusIndex | DistributedIndex
    wording: Wording
    """Which words of a query are asked."""

    def rank(self, queries: Sequence[str], k: int) -> Found:
        """Rank as `BM25PlusIndex.search` does for the queries as they are worded."""
        analyzer = self.index.analyzer.name
        return self.index.search([worded(query, self.wording, analyzer) for query in queries], k)

    def close(self) -> None:
        """End the workers of an index in parts."""
        close(self.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class DenseRanker:
    """Ranks by inner product of embeddings."""

    index: VectorIndex
    embedder: Embedder

    def rank(self, queries: Sequence[str], k: int) -> Found:
        """Rank every query that is not empty; an empty one is near to nothing."""
        rows = np.full((len(queries), k), -1, np.int64)
        scores = np.zeros((len(queries), k), np.float32)
        asked = [line for line, query in enumerate(queries) if query.strip()]
        if asked:
            vectors = self.embedder.encode([queries[line] for line in asked])
            rows[asked], scores[asked] = self.index.search(vectors, k)
        return rows, scores

    def close(self) -> None:
        """End the owner of an index on a GPU."""
        close(self.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class FusedRanker:
    """Fuses what other rankers find."""

    rankers: Sequence[Ranker]
    weights: Sequence[float]
    size: int
    """Rows there are."""
    fusion: Fusion = "score"

    def rank(self, queries: Sequence[str], k: int) -> Found:
        """Rank by the fused score of the first rows of each ranker."""
        depth = min(max(DEPTH, 2 * k), self.size)
        found = [ranker.rank(queries, depth) for ranker in self.rankers]
        return tabulate(
            [
                fuse(
                    [scored(rows[line], scores[line]) for rows, scores in found],
                    self.weights,
                    self.fusion,
                    depth,
                )
                for line in range(len(queries))
            ],
            k,
        )

    def close(self) -> None:
        """Close the rankers."""
        close(*self.rankers)


class RankedRetriever:
    """A `Retriever` over a snapshot: what a ranker finds, as hits."""

    def __init__(
        self,
        snapshot: Snapshot,
        ranker: Ranker,
        *,
        source: str,
        per_article: int | None = None,
        mentions: bool = False,
    ) -> None:
        """Make a retriever.

        Args:
            snapshot: whose chunks the ranker's rows are.
            ranker: ranks.
            source: what the hits say found them.
            per_article: most hits of one article, None for no limit.
            mentions: lift articles that the first hits mention, see `retrieval.ranking.mentions`.
        """
        if per_article is not None and per_article < 1:
            raise InputError(f"per_article {per_article}: give 1 or more")
        self.snapshot = snapshot
        self.ranker = ranker
        self.source = source
        self.per_article = per_article
        self.mentions = mentions
        self._revision = lru_cache(KEPT_REVISIONS)(lambda row: snapshot.revisions_at([row])[0])
        self._chunks = ChunkCache(snapshot)

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first, and never more than there are chunks.

        Raises:
            InputError: k is below 1.
        """
        if k < 1:
            raise InputError(f"k = {k}: ask for 1 hit or more")
        if not queries:
            return []
        there = max(1, self.snapshot.chunk_count)
        k = min(k, there)
        width = k if self.per_article is None else min(k * OVERFETCH, there)
        rows, scores = self.ranker.rank(queries, max(width, DEPTH) if self.mentions else width)
        rankings = [scored(*line) for line in zip(rows, scores, strict=True)]
        chunks: dict[int, Chunk] = {}
        if self.mentions:
            self._fetch(chunks, rankings, READ)
            revisions = self._revisions(rankings)
            texts = {row: chunk.text for row, chunk in chunks.items()}
            rankings = [
                lift_mentioned(ranking, revisions, {row: texts[row] for row, _ in ranking[:READ]})
                for ranking in rankings
            ]
        self._fetch(chunks, rankings, width)
        return [
            self._hits([(chunks[row], score) for row, score in ranking[:width]], k)
            for ranking in rankings
        ]

    def close(self) -> None:
        """Close the ranker and the snapshot, where this retriever alone has them."""
        close(self.ranker, self.snapshot)

    def _fetch(
        self, chunks: dict[int, Chunk], rankings: Sequence[Sequence[tuple[int, float]]], width: int
    ) -> None:
        """Add the chunks of the first rows of all rankings that are not there yet, at once."""
        wanted = {row for ranking in rankings for row, _ in ranking[:width]} - chunks.keys()
        chunks.update(self._chunks.at(wanted))

    def _revisions(self, rankings: Sequence[Sequence[tuple[int, float]]]) -> dict[int, Revision]:
        """Return the revisions of all rows; what a hit says of its own is read with its text."""
        return {
            row: self._revision(row) for row in {row for ranking in rankings for row, _ in ranking}
        }

    def _hits(self, found: Sequence[tuple[Chunk, float]], k: int) -> list[Hit]:
        if self.per_article is not None:
            found = cap(found, lambda pair: pair[0].revision.page_id, self.per_article)
        return [
            Hit(chunk=chunk, score=score, rank=rank, source=self.source)
            for rank, (chunk, score) in enumerate(found[:k], start=1)
        ]


def close(*parts: object) -> None:
    """Close those parts that hold something open."""
    for part in parts:
        if isinstance(part, Closable):
            part.close()


def listed(rows: Ids) -> list[int]:
    """Return the rows of one line of results, without what stands for none."""
    return [row for row in rows.tolist() if row >= 0]


def scored(rows: Ids, scores: Scores) -> list[tuple[int, float]]:
    """Return one line of results as (row, score) pairs, without what stands for none."""
    pairs = zip(rows.tolist(), scores.tolist(), strict=True)
    return [pair for pair in pairs if pair[0] >= 0]


def fuse(
    rankings: Sequence[Sequence[tuple[int, float]]],
    weights: Sequence[float],
    fusion: Fusion,
    depth: int,
) -> list[tuple[int, float]]:
    """Fuse rankings of rows in one of the two ways of `retrieval.ranking.fusion`."""
    if fusion == "rrf":
        ranks = [[row for row, _ in ranking] for ranking in rankings]
        return reciprocal_rank_fusion(ranks, weights)
    return standard_score_fusion(rankings, weights, depth=depth)


def tabulate(rankings: Sequence[Sequence[tuple[int, float]]], k: int) -> Found:
    """Write (row, score) lists as two arrays of k columns, -1 and 0 where a list is shorter."""
    rows = np.full((len(rankings), k), -1, np.int64)
    scores = np.zeros((len(rankings), k), np.float32)
    for line, pairs in enumerate(rankings):
        first = pairs[:k]
        rows[line, : len(first)] = [row for row, _ in first]
        scores[line, : len(first)] = [score for _, score in first]
    return rows, scores
