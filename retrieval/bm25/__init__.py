"""BM25+ over millions of chunks: the published formula, on disk, memory-mapped."""

from __future__ import annotations

from retrieval.bm25.index import BM25PlusIndex

__all__ = ["BM25PlusIndex"]
