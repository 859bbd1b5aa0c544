"""A finished snapshot, opened for reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from corpus.articles import ArticleNotFound as ArticleNotFound
from corpus.errors import InputError
from corpus.storage.blocks import Blocks
from corpus.storage.catalogue import Catalogue
from corpus.storage.connections import Connections
from corpus.storage.manifest import ARTICLES, Manifest, check_store, read_manifest
from corpus.storage.places import Places
from corpus.storage.rows import CHUNKS, FULL, JOIN, Rows
from corpus.storage.titles import fold, normalise
from corpus.types import Article, Chunk, Contents, Revision


class Snapshot:
    """Articles and chunks of one dated snapshot.

    What is read is proven against the manifest's fingerprint: where a text, its revision or its
    place is not what was built, reading it raises InputError.

    Safe to share between threads. A *row* is the position of a chunk, from 0, in the canonical
    order of the snapshot: by page id, then by place in the page.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._store = Connections(folder / ARTICLES)
        self._blocks = Blocks(folder, manifest, self._store)
        self._rows = Rows(manifest.base_url, self._blocks, self._store)
        self._catalogue = Catalogue(folder, manifest, self._store, self._rows)
        self._places = Places(manifest, self._blocks, self._store, self._rows)

    @classmethod
    def open(cls, folder: Path | str) -> Snapshot:
        """Open a snapshot folder.

        Raises:
            InputError: the folder is missing, is no snapshot, was not finished, is of another
                version, or its manifest was changed.
        """
        folder = Path(folder)
        manifest = read_manifest(folder)
        check_store(folder)
        return cls(folder, manifest)

    def close(self) -> None:
        """Close every connection, those that are in use when they are given back."""
        self._store.close()

    def check(self) -> None:
        """Look whether the store can be opened and has its tables; `verify` proves the rest.

        Raises:
            InputError: it is damaged, or no store.
        """
        self._store.row("SELECT page_id, first_row FROM articles LIMIT 1")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Snapshot({str(self.folder)!r})"

    # Articles

    def article(self, title: str) -> Article:
        """Return the article of a title, following redirects.

        The title may be written with underscores, a small first letter or other white space;
        where nothing else fits, letter case is ignored.

        Raises:
            ArticleNotFound: with the nearest titles there are.
        """
        article = self.find(title)
        if article is None:
            raise ArticleNotFound(title, self.search_titles(title, limit=3), self.manifest.name)
        return article

    def find(self, title: str) -> Article | None:
        """Return the article of a title as `article` does, or None."""
        pages = self._pages(title)
        if not pages:
            return None
        row = self._store.row(f"SELECT {FULL} FROM {JOIN} WHERE a.page_id = ?", pages[0])
        if row is None:
            raise self._blocks.changed(f"the text of {title!r} is gone")
        return self._rows.article(row)

    def holds(self, title: str) -> bool:
        """Whether a title leads to an article, as in `article`; no text is read."""
        return bool(self._pages(title))

    def find_page(self, page_id: int) -> Article | None:
        """Return the article with this page id, whatever it is called, or None."""
        row = self._store.row(f"SELECT {FULL} FROM {JOIN} WHERE a.page_id = ?", page_id)
        return None if row is None else self._rows.article(row)

    def titles(self) -> Iterator[str]:
        """Yield every article's title, in canonical order."""
        for (title,) in self._store.walk("SELECT title FROM articles ORDER BY page_id"):
            yield title

    def sizes(self) -> Iterator[tuple[str, int]]:
        """Yield every article's title and number of chunks, in canonical order; no text is read."""
        yield from self._store.walk("SELECT title, chunk_count FROM articles ORDER BY page_id")

    def articles(self) -> Iterator[Article]:
        """Yield every article, in canonical order."""
        for row in self._store.walk(f"SELECT {FULL} FROM {JOIN} ORDER BY a.page_id"):
            yield self._rows.article(row)

    # Contents: categories, boxes, tables

    @property
    def keeps_contents(self) -> bool:
        """Whether it was built since categories, boxes and tables are kept."""
        return self._catalogue.kept

    def contents(self, title: str) -> Contents:
        """Return what the article of a title, as in `article`, is filed under and holds.

        Raises:
            ArticleNotFound: with the nearest titles there are.
            InputError: the snapshot was built before contents were kept.
        """
        self._catalogue.need()
        return self._catalogue.contents(self.article(title).revision.page_id)

    def all_contents(self, category: str = "") -> Iterator[tuple[str, Contents]]:
        """Yield every article's title and contents, in canonical order; no text is read.

        Args:
            category: only of the articles filed under it, as in `members`.
        """
        yield from self._catalogue.all(category)

    def categories(self) -> Iterator[tuple[str, int]]:
        """Yield the categories and the numbers of their articles, by name.

        Raises:
            InputError: as in `contents`.
        """
        yield from self._catalogue.categories()

    def members(self, category: str) -> list[tuple[str, int]]:
        """Return titles and numbers of chunks of the articles of a category, in canonical order.

        Its name may be written as titles may; articles of categories below it are not among them.

        Raises:
            InputError: no article is filed under it, or as in `contents`.
        """
        return self._catalogue.members(category)

    def search_titles(self, text: str, limit: int = 10) -> list[str]:
        """Return titles of articles that match words or the beginning of a title, best first."""
        from corpus.storage.titlesearch import search_titles

        try:
            with self._store.borrowed() as connection:
                return search_titles(connection, text, limit)
        except TypeError as error:
            raise self._store.damaged(error) from None

    # Chunks

    @property
    def chunk_count(self) -> int:
        """Number of chunks; rows run from 0 to one less."""
        return self.manifest.chunks

    def chunk(self, chunk_id: str) -> Chunk:
        """Return the chunk of an id, `page:rev:ordinal`.

        Raises:
            InputError: the id is malformed or names no chunk of this snapshot.
        """
        page_id, rev_id, ordinal = self._parse(chunk_id)
        query = f"SELECT {CHUNKS} FROM {JOIN} WHERE a.page_id = ? AND a.rev_id = ?"
        row = self._store.row(query, page_id, rev_id)
        chunks = [] if row is None else self._rows.chunks(row, [ordinal])
        if not chunks:
            raise InputError(f"no chunk {chunk_id!r} in the snapshot {self.manifest.name}")
        return chunks[0]

    def chunks(self) -> Iterator[Chunk]:
        """Yield every chunk, in row order."""
        for row in self._store.walk(f"SELECT {CHUNKS} FROM {JOIN} ORDER BY a.page_id"):
            yield from self._rows.chunks(row, None)

    def chunks_at(self, rows: Sequence[int]) -> list[Chunk]:
        """Return the chunks at these rows, in the order asked for.

        Raises:
            InputError: a row lies outside the snapshot.
        """
        return self._places.chunks(rows)

    def revisions_at(self, rows: Sequence[int]) -> list[Revision]:
        """Return the revisions that the chunks at these rows belong to, in the order asked for.

        A twentieth of the time of `chunks_at`: no text is read.

        Raises:
            InputError: a row lies outside the snapshot.
        """
        return self._places.revisions(rows)

    def rows_of(self, titles: Sequence[str]) -> list[int]:
        """Return the rows of the chunks of these articles, ascending, each once.

        Titles are resolved as in `article`; several passages may share one title.

        Raises:
            ArticleNotFound: a title leads to no article.
        """
        rows: set[int] = set()
        for title in titles:
            pages = self._pages(title)
            if not pages:
                near = self.search_titles(title, limit=3)
                raise ArticleNotFound(title, near, self.manifest.name)
            for page_id in pages:
                entry = self._blocks.entry(page_id)
                rows.update(range(entry.first_row, entry.first_row + entry.chunk_count))
        return sorted(rows)

    def row(self, chunk_id: str) -> int:
        """Return the row of a chunk's id.

        Raises:
            InputError: as in `chunk`.
        """
        page_id, rev_id, ordinal = self._parse(chunk_id)
        query = "SELECT 1 FROM articles WHERE page_id = ? AND rev_id = ?"
        entry = self._blocks.entry(page_id) if self._store.row(query, page_id, rev_id) else None
        if entry is None or not 0 <= ordinal < entry.chunk_count:
            raise InputError(f"no chunk {chunk_id!r} in the snapshot {self.manifest.name}")
        return entry.first_row + ordinal

    # What the public methods share

    def _pages(self, title: str) -> list[int]:
        """Ids of the pages a title leads to: exact spelling first, articles before redirects."""
        name = normalise(title)
        query = "SELECT title, redirect, page_id FROM names WHERE folded = ?"
        rows = list(self._store.walk(query, fold(title)))
        if not rows:
            return []
        best = min((found != name, redirect) for found, redirect, _ in rows)
        spelling = min(found for found, redirect, _ in rows if (found != name, redirect) == best)
        pages = sorted(
            page_id
            for found, redirect, page_id in rows
            if found == spelling and redirect == best[1]
        )
        for page_id in pages:
            title, redirects = self._rows.names(page_id)
            if spelling not in (redirects if best[1] else [title]):
                raise self._blocks.changed(f"{spelling!r} leads to {title!r}")
        return pages

    def _parse(self, chunk_id: str) -> tuple[int, int, int]:
        with suppress(ValueError):
            page_id, rev_id, ordinal = map(int, chunk_id.split(":"))
            if page_id >= 0 and rev_id >= 0 and ordinal >= 0:
                return page_id, rev_id, ordinal
        raise InputError(f"{chunk_id!r} is not the id of a chunk: write page:rev:ordinal")
