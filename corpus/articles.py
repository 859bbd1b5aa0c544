"""Articles as readers need them: the port, and a few of them held in memory."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Protocol

from corpus.chunk import spans
from corpus.errors import InputError
from corpus.storage.dates import STATES_NO_DATE, cutoff_of
from corpus.storage.manifest import Manifest
from corpus.storage.record import cut_chunk
from corpus.storage.titles import fold, normalise, stable_id
from corpus.storage.titlesearch import index_titles, search_titles
from corpus.text import one_of
from corpus.types import Article, Chunk, Revision, Section

LONGEST_HEAD = 60
"""Characters of a text that stand for a title where it has none."""


class ArticleNotFound(InputError):  # noqa: N818 - reads as what happened
    """No article of the snapshot has this title; `near` holds titles like it."""

    def __init__(self, title: str, near: Sequence[str], snapshot: str) -> None:
        hint = f": did you mean {one_of(list(map(repr, near)))}?" if near else ""
        super().__init__(f"no article {title!r} in the snapshot {snapshot}{hint}")
        self.title = title
        self.near = tuple(near)


class Articles(Protocol):
    """Dated articles and their chunks: `corpus.Snapshot` is one.

    A *row* is the position of a chunk, from 0, in canonical order: by page id, then by place.
    """

    @property
    def manifest(self) -> Manifest:
        """What they are, as of when."""
        ...

    def find(self, title: str) -> Article | None:
        """Return the article of that title, redirects followed, or None."""
        ...

    def search_titles(self, text: str, limit: int = 10) -> list[str]:
        """Return titles near `text`, best first."""
        ...

    def rows_of(self, titles: Sequence[str]) -> list[int]:
        """Return the rows of the chunks of these articles, ascending, each once.

        Raises:
            ArticleNotFound: a title leads to no article.
        """
        ...

    def chunks_at(self, rows: Sequence[int]) -> list[Chunk]:
        """Return the chunks at these rows, in the order asked for."""
        ...


class MemoryArticles:
    """A few texts as articles, alike in all that is read to a snapshot built of them.

    Args:
        passages: (title, text) each; one of white space alone is left out, and of two that are the
            same one. Titles may repeat.
        name: of the whole, for messages.
        date: YYYY-MM-DD that the texts count as of.
        language: of the texts.
    """

    def __init__(
        self, passages: Iterable[tuple[str, str]], *, name: str, date: str, language: str = "en"
    ) -> None:
        made = {
            page.revision.page_id: page
            for page in (_article(title, text, date) for title, text in passages)
            if page.text
        }
        self._articles = [made[page_id] for page_id in sorted(made)]
        self.chunks = [chunk for article in self._articles for chunk in _cut(article)]
        """All of them, in row order."""
        self.manifest = _manifest(self._articles, len(self.chunks), name, date, language)

    def titles(self) -> list[str]:
        """Return every article's title, in canonical order."""
        return [article.revision.title for article in self._articles]

    def find(self, title: str) -> Article | None:
        """Return the article of a title, or None; letter case is ignored where nothing else fits."""
        return next(iter(self._named(title)), None)

    def search_titles(self, text: str, limit: int = 10) -> list[str]:
        """Return titles near `text`, best first."""
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as names:
            names.execute("CREATE TABLE articles (page_id INTEGER PRIMARY KEY, title TEXT)")
            names.execute("CREATE TABLE names (folded, title, redirect INTEGER, page_id INTEGER)")
            for one in (article.revision for article in self._articles):
                names.execute("INSERT INTO articles VALUES (?, ?)", (one.page_id, one.title))
                row = (fold(one.title), one.title, 0, one.page_id)
                names.execute("INSERT INTO names VALUES (?, ?, ?, ?)", row)
            index_titles(names, schema="main", names="main")
            return search_titles(names, text, limit)

    def rows_of(self, titles: Sequence[str]) -> list[int]:
        """Return the rows of the chunks of these articles; see `Articles.rows_of`."""
        wanted: set[int] = set()
        for title in titles:
            found = self._named(title)
            if not found:
                raise ArticleNotFound(title, self.search_titles(title, 3), self.manifest.name)
            wanted.update(article.revision.page_id for article in found)
        return [row for row, chunk in enumerate(self.chunks) if chunk.revision.page_id in wanted]

    def chunks_at(self, rows: Sequence[int]) -> list[Chunk]:
        """Return the chunks at these rows, in the order asked for."""
        return [self.chunks[row] for row in rows]

    def _named(self, title: str) -> list[Article]:
        folded = [a for a in self._articles if fold(a.revision.title) == fold(title)]
        exact = [a for a in folded if a.revision.title == normalise(title)]
        first = min((a.revision.title for a in folded), default="")
        return exact or [a for a in folded if a.revision.title == first]


def _article(title: str, source: str, date: str) -> Article:
    title = " ".join(title.split()) or " ".join(source.split())[:LONGEST_HEAD]
    text = source.strip()
    return Article(
        revision=Revision(
            page_id=stable_id(title, source),
            rev_id=0,
            title=title,
            timestamp=cutoff_of(date),
            url="",
            caveat=STATES_NO_DATE,
        ),
        text=text,
        sections=(Section(title="", level=1, start=0, end=len(text), path=()),),
        redirects=(),
    )


def _cut(article: Article) -> list[Chunk]:
    return [
        cut_chunk(article.revision, ordinal, span, article.text, article.sections)
        for ordinal, span in enumerate(spans(article.text))
    ]


def _manifest(
    articles: Sequence[Article], chunks: int, name: str, date: str, language: str
) -> Manifest:
    digest = hashlib.sha256(f"{language} {date}".encode())
    for article in articles:
        digest.update(f"\0{article.revision.title}\0{article.text}".encode())
    return Manifest(
        name=name,
        language=language,
        date=date,
        asked=date,
        sources=(),
        base_url="",
        articles=len(articles),
        redirects=0,
        chunks=chunks,
        newest=cutoff_of(date) if articles else "",
        skipped={},
        simplified=0,
        caveats={STATES_NO_DATE: len(articles)} if articles else {},
        fingerprint=digest.hexdigest(),
        checksum="",
    )
