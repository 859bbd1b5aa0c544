"""The dated snapshot: Wikipedia's articles as they stood on a date, as text, in one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.store import ArticleNotFound as ArticleNotFound
    from corpus.store import Snapshot as Snapshot

__all__ = ["ArticleNotFound", "Snapshot"]


def __getattr__(name: str) -> object:
    if name in __all__:
        import corpus.store

        return getattr(corpus.store, name)
    raise AttributeError(f"module 'corpus' has no attribute {name!r}")
