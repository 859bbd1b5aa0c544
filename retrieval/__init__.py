"""From query to hits: BM25+, embeddings, their fusion, and the indexes that hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.index import open_retriever as open_retriever

__all__ = ["open_retriever"]


def __getattr__(name: str) -> object:
    if name in __all__:
        import retrieval.index

        return getattr(retrieval.index, name)
    raise AttributeError(f"module 'retrieval' has no attribute {name!r}")
