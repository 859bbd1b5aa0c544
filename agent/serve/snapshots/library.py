"""A snapshot as it is served: searched in each of its modes, read, quoted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agent.citations import examine, locate
from agent.graph.sources import mode_of
from agent.serve.problems import Problem
from agent.serve.snapshots.batches import BatchedRetriever
from agent.serve.snapshots.examples import examples
from agent.serve.snapshots.kept import Kept, Searched, size_of_hits
from corpus.cluster import SharingCluster
from corpus.errors import InputError
from corpus.store import Snapshot
from corpus.types import Chunk
from retrieval.index import MODES, Mode, has_vectors, open_retriever
from retrieval.types import Hit, Retriever

AROUND = 5000
"""Most characters of an article on each side of a chunk."""


class Library:
    """One snapshot and its retrievers.

    Args:
        folder: the snapshot's; None for the embedded sample.
        say: told what takes a while.
        on_batch: told how many queries a batch has.
        kept: what was found before, of all snapshots.

    Raises:
        InputError: no snapshot there, or one without indexes.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        language: str = "en",
        say: Callable[[str], None],
        on_batch: Callable[[int], None] = lambda _: None,
        kept: Kept[list[Hit]] | None = None,
        store: str | None = None,
        store_key: str | None = None,
        cluster: SharingCluster | None = None,
    ) -> None:
        if folder is None:
            from corpus.sample import sample_snapshot

            folder, sample = sample_snapshot(language), True
        else:
            sample = False
        self.snapshot = Snapshot.open(folder)
        self.snapshot.check()
        self._on_batch = on_batch
        self._store, self._store_key = store, store_key
        self._cluster = cluster
        self._kept: Kept[list[Hit]] = kept or Kept(0)
        self._lock = threading.Lock()
        self._inner: dict[Mode, Retriever] = {}
        self._batched: dict[Mode, BatchedRetriever] = {}
        self.mode = "hybrid" if store else mode_of(self.snapshot, say, sample=sample)
        vectors = store is not None or has_vectors(folder, None)
        offered = [mode for mode in MODES if mode != "dense" or vectors]
        self.modes: tuple[Mode, ...] = tuple(sorted(offered, key=lambda mode: mode != self.mode))
        self.retriever(self.mode)
        self.examples = examples(self.snapshot)

    @property
    def name(self) -> str:
        """The snapshot's."""
        return self.snapshot.manifest.name

    def retriever(self, mode: Mode) -> BatchedRetriever:
        """Return the retriever of a mode, opened when first asked for."""
        if mode not in self.modes:
            raise Problem(
                status=422,
                detail=f"the snapshot {self.name} has no index for the mode {mode!r}",
                where="mode",
                mend=f"choose {' or '.join(self.modes)}",
            )
        with self._lock:
            if mode not in self._batched:
                inner = open_retriever(
                    self.snapshot.folder,
                    mode,
                    store=self._store if mode != "bm25" else None,
                    store_key=self._store_key,
                    cluster=self._cluster,
                )
                self._inner[mode] = inner
                self._batched[mode] = BatchedRetriever(inner, on_batch=self._on_batch)
            return self._batched[mode]

    async def search(
        self, queries: Sequence[str], k: int, mode: Mode | None = None, titles: Sequence[str] = ()
    ) -> Searched:
        """Return at most `k` hits for each query, from these articles alone where there are titles.

        Queries that were asked before are not searched again.

        Raises:
            Problem: no such mode.
            ArticleNotFound: a title leads to no article.
        """
        mode = mode or self.mode
        about = (self.name, mode, k, tuple(titles))
        found = {query: self._kept.get((*about, query)) for query in queries}
        missing = [query for query, hits in found.items() if hits is None]
        if missing:
            for query, hits in zip(
                missing, await self._search(missing, k, mode, titles), strict=True
            ):
                found[query] = hits
                self._kept.put((*about, query), hits, len(query) + size_of_hits(hits))
        return Searched(hits=[found[query] or [] for query in queries], kept=not missing)

    async def _search(
        self, queries: Sequence[str], k: int, mode: Mode, titles: Sequence[str]
    ) -> list[list[Hit]]:
        retriever = self._batched.get(mode)
        if retriever is None:
            retriever = await asyncio.to_thread(self.retriever, mode)
        if not titles:
            return await retriever.find(queries, k)
        return await asyncio.to_thread(self._search_within, mode, queries, k, titles)

    def _search_within(
        self, mode: Mode, queries: Sequence[str], k: int, titles: Sequence[str]
    ) -> list[list[Hit]]:
        from retrieval.ranking.restriction import restrict

        return restrict(self._inner[mode], titles).search(queries, k)

    def chunk(self, chunk_id: str) -> Chunk:
        """Return a chunk.

        Raises:
            Problem: 404, no such chunk.
        """
        try:
            return self.snapshot.chunk(chunk_id)
        except InputError as error:
            raise Problem(
                status=404,
                detail=str(error),
                where="chunk_id",
                mend="take an id from a search or a citation, of the same snapshot",
            ) from error

    def verify(self, quote: str, chunk_id: str, claim: str | None = None) -> dict[str, Any]:
        """Say whether a chunk holds a quote, character by character, and what it does for a claim."""
        chunk = self.chunk(chunk_id)
        span = locate(quote, chunk)
        told: dict[str, Any] = {
            "found": span is not None,
            "chunk_id": chunk.id,
            **chunk.revision.to_json(),
            "section": chunk.section,
            "start": None if span is None else span[0],
            "end": None if span is None else span[1],
            "quote": None
            if span is None
            else chunk.text[span[0] - chunk.start : span[1] - chunk.start],
            "support": None,
            "reason": None,
        }
        if claim is not None:
            verdict = examine(claim, told["quote"], chunk) if span is not None else None
            told["support"] = "unsupported" if verdict is None else verdict.ruling
            told["reason"] = "the quote is not there" if verdict is None else verdict.reason or None
        return told

    def about(self) -> dict[str, Any]:
        """Return what `/v1/about` says of the snapshot."""
        manifest = self.snapshot.manifest
        return {
            **self.stamp(),
            "language": manifest.language,
            "articles": manifest.articles,
            "chunks": manifest.chunks,
            "modes": list(self.modes),
            "examples": list(self.examples),
        }

    def stamp(self) -> dict[str, Any]:
        """Return what every reply says of the snapshot."""
        manifest = self.snapshot.manifest
        return {
            "name": manifest.name,
            "date": manifest.date,
            "asked": manifest.asked,
            "fingerprint": manifest.fingerprint,
        }

    def article(self, title: str) -> dict[str, Any]:
        """Return an article.

        Raises:
            ArticleNotFound: names near titles.
        """
        article = self.snapshot.article(title)
        return {
            **article.revision.to_json(),
            "snapshot": self.stamp(),
            "disambiguation": article.disambiguation,
            "redirects": list(article.redirects),
            "sections": [
                {
                    "title": section.title,
                    "level": section.level,
                    "start": section.start,
                    "end": section.end,
                    "path": list(section.path),
                }
                for section in article.sections
            ],
            "text": article.text,
        }

    def around(self, chunk_id: str, characters: int) -> dict[str, Any]:
        """Return a chunk with so many characters of its article on each side."""
        chunk = self.chunk(chunk_id)
        article = self.snapshot.find_page(chunk.revision.page_id)
        text = "" if article is None else article.text
        return {
            **_chunk_to_json(chunk),
            "before": text[max(0, chunk.start - characters) : chunk.start],
            "after": text[chunk.end : chunk.end + characters],
            "snapshot": self.stamp(),
        }

    def close(self) -> None:
        """Close the retrievers and the snapshot."""
        from retrieval.types import Closable

        for batched in self._batched.values():
            batched.close()
        for inner in self._inner.values():
            if isinstance(inner, Closable):
                inner.close()
        self.snapshot.close()


def hit_to_json(hit: Hit) -> dict[str, Any]:
    """Return a hit as `/v1/search` sends it."""
    return {"rank": hit.rank, "score": hit.score, **_chunk_to_json(hit.chunk)}


def _chunk_to_json(chunk: Chunk) -> dict[str, Any]:
    return {
        "chunk_id": chunk.id,
        **chunk.revision.to_json(),
        "section": chunk.section,
        "start": chunk.start,
        "end": chunk.end,
        "text": chunk.text,
    }
