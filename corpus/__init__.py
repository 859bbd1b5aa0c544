"""The dated snapshot: Wikipedia's articles as they stood on a date, as text, in one folder."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.articles import ArticleNotFound as ArticleNotFound
    from corpus.errors import BackendError as BackendError
    from corpus.errors import FanfoldError as FanfoldError
    from corpus.errors import InputError as InputError
    from corpus.errors import NothingFoundError as NothingFoundError
    from corpus.store import Snapshot as Snapshot
    from corpus.types import Article as Article
    from corpus.types import Chunk as Chunk
    from corpus.types import Revision as Revision

__all__ = [
    "Article",
    "ArticleNotFound",
    "BackendError",
    "Chunk",
    "FanfoldError",
    "InputError",
    "NothingFoundError",
    "Revision",
    "Snapshot",
]

# Loaded when first asked for: a command that needs one of them does not wait for all.
_HOMES = {
    "Article": "corpus.types", "ArticleNotFound": "corpus.articles",
    "BackendError": "corpus.errors", "Chunk": "corpus.types", "FanfoldError": "corpus.errors",
    "InputError": "corpus.errors", "NothingFoundError": "corpus.errors",
    "Revision": "corpus.types", "Snapshot": "corpus.store",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'corpus' has no attribute {name!r}")
