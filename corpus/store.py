"""A finished snapshot, opened for reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from corpus.articles import ArticleNotFound as ArticleNotFound
from corpus.errors import InputError
from corpus.storage.blocks import Blocks
from corpus.storage.connections import Connections
from corpus.storage.manifest import ARTICLES, WITH_CONTENTS, Manifest, check_store, read_manifest
from corpus.storage.rows import CHUNKS, FULL, REVISION, Rows
from corpus.storage.titles import fold, normalise
from corpus.types import Article, Chunk, Contents, Revision

_JOIN = "articles a JOIN bodies b USING (page_id)"
_LAST_ROW = " ORDER BY first_row DESC LIMIT 1"
_AT_ONCE = 500
"""Values of one statement."""


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
        row = self._store.row(f"SELECT {FULL} FROM {_JOIN} WHERE a.page_id = ?", pages[0])
        if row is None:
            raise self._blocks.changed(f"the text of {title!r} is gone")
        return self._rows.article(row)

    def holds(self, title: str) -> bool:
        """Whether a title leads to an article, as in `article`; no text is read."""
        return bool(self._pages(title))

    def find_page(self, page_id: int) -> Article | None:
        """Return the article with this page id, whatever it is called, or None."""
        row = self._store.row(f"SELECT {FULL} FROM {_JOIN} WHERE a.page_id = ?", page_id)
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
        for row in self._store.walk(f"SELECT {FULL} FROM {_JOIN} ORDER BY a.page_id"):
            yield self._rows.article(row)

    # Contents: categories, boxes, tables

    @property
    def keeps_contents(self) -> bool:
        """Whether it was built since categories, boxes and tables are kept."""
        return self.manifest.format >= WITH_CONTENTS

    def contents(self, title: str) -> Contents:
        """Return what the article of a title, as in `article`, is filed under and holds.

        Raises:
            ArticleNotFound: with the nearest titles there are.
            InputError: the snapshot was built before contents were kept.
        """
        self._need_contents()
        page_id = self.article(title).revision.page_id
        row = self._store.row("SELECT packed FROM contents WHERE page_id = ?", page_id)
        return self._rows.contents(page_id, row[0] if row else b"")

    def all_contents(self, category: str = "") -> Iterator[tuple[str, Contents]]:
        """Yield every article's title and contents, in canonical order; no text is read.

        Args:
            category: only of the articles filed under it, as in `members`.
        """
        self._need_contents()
        wanted = {page_id for page_id, _, _ in self._filed(category)} if category else None
        query = (
            "SELECT page_id, title, packed FROM articles JOIN contents USING (page_id) ORDER BY 1"
        )
        for page_id, title, packed in self._store.walk(query):
            if wanted is None or page_id in wanted:
                yield title, self._rows.contents(page_id, packed)

    def categories(self) -> Iterator[tuple[str, int]]:
        """Yield the categories and the numbers of their articles, by name.

        Raises:
            InputError: as in `contents`.
        """
        self._need_contents()
        yield from self._store.walk("SELECT name, articles FROM categories ORDER BY category")

    def members(self, category: str) -> list[tuple[str, int]]:
        """Return titles and numbers of chunks of the articles of a category, in canonical order.

        Its name may be written as titles may; articles of categories below it are not among them.

        Raises:
            InputError: no article is filed under it, or as in `contents`.
        """
        return [(title, chunks) for _, title, chunks in self._filed(category)]

    def _filed(self, category: str) -> list[tuple[int, str, int]]:
        self._need_contents()
        name = normalise(category)
        query = "SELECT category FROM categories WHERE folded = ? ORDER BY name != ?, name LIMIT 1"
        found = self._store.row(query, fold(name), name)
        if found is None:
            raise InputError(
                f"no article of the snapshot {self.manifest.name} is filed under {category!r}:"
                f" {self._near_categories(name)}"
            )
        query = (
            "SELECT page_id, title, chunk_count FROM members JOIN articles USING (page_id)"
            " WHERE category = ? ORDER BY page_id"
        )
        return [
            (page_id, title, count) for page_id, title, count in self._store.walk(query, found[0])
        ]

    def _near_categories(self, name: str) -> str:
        query = "SELECT name FROM categories WHERE instr(folded, ?) ORDER BY articles DESC, name LIMIT 3"
        near = [f"{found!r}" for (found,) in self._store.walk(query, fold(name))]
        if near:
            return f"did you mean {', '.join(near)}?"
        return "`python -m corpus list DIR --what categories '*WORD*'` names those there are"

    def _need_contents(self) -> None:
        if not self.keeps_contents:
            raise InputError(
                f"{self.folder} was built before categories, boxes and tables were kept:"
                " build it again with `python -m corpus build`"
            )

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
        query = f"SELECT {CHUNKS} FROM {_JOIN} WHERE a.page_id = ? AND a.rev_id = ?"
        row = self._store.row(query, page_id, rev_id)
        chunks = [] if row is None else self._rows.chunks(row, [ordinal])
        if not chunks:
            raise InputError(f"no chunk {chunk_id!r} in the snapshot {self.manifest.name}")
        return chunks[0]

    def chunks(self) -> Iterator[Chunk]:
        """Yield every chunk, in row order."""
        for row in self._store.walk(f"SELECT {CHUNKS} FROM {_JOIN} ORDER BY a.page_id"):
            yield from self._rows.chunks(row, None)

    def chunks_at(self, rows: Sequence[int]) -> list[Chunk]:
        """Return the chunks at these rows, in the order asked for.

        Raises:
            InputError: a row lies outside the snapshot.
        """
        places = self._places([int(row) for row in rows])
        wanted: dict[int, set[int]] = {}
        for page_id, ordinal in places:
            wanted.setdefault(page_id, set()).add(ordinal)
        found: dict[tuple[int, int], Chunk] = {}
        for pages in _parts(list(wanted)):
            query = f"SELECT {CHUNKS} FROM {_JOIN} WHERE a.page_id IN ({_marks(pages)})"
            for record in self._store.walk(query, *pages):
                page_id, order = record[0], sorted(wanted[record[0]])
                chunks = self._rows.chunks(record, order)
                found |= {
                    (page_id, ordinal): chunk for ordinal, chunk in zip(order, chunks, strict=True)
                }
        for page_id, ordinal in places:
            if (page_id, ordinal) not in found:
                raise self._blocks.changed(f"the text of page {page_id} is gone")
        return [found[place] for place in places]

    def revisions_at(self, rows: Sequence[int]) -> list[Revision]:
        """Return the revisions that the chunks at these rows belong to, in the order asked for.

        A twentieth of the time of `chunks_at`: no text is read.

        Raises:
            InputError: a row lies outside the snapshot.
        """
        query = f"SELECT {REVISION} FROM articles a WHERE first_row <= ?" + _LAST_ROW
        return [self._rows.revision(self._row_at(int(row), query)) for row in rows]

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

    def _places(self, rows: Sequence[int]) -> list[tuple[int, int]]:
        """Return the page and the ordinal of the chunk at each row."""
        of_row = "SELECT page_id FROM articles WHERE first_row <= column1" + _LAST_ROW
        pages: dict[int, int | None] = {}
        for part in _parts(list(dict.fromkeys(rows))):
            values = ", ".join(["(?)"] * len(part))
            query = f"SELECT column1, ({of_row}) FROM (VALUES {values})"
            pages.update(self._store.walk(query, *part))
        places = []
        for row in rows:
            page_id = pages.get(row) if 0 <= row < self.chunk_count else None
            if page_id is None:
                raise self._no_row(row)
            ordinal = row - (entry := self._blocks.entry(page_id)).first_row
            if not 0 <= ordinal < entry.chunk_count:
                raise self._blocks.changed(f"row {row} is not of page {page_id}")
            places.append((page_id, ordinal))
        return places

    def _row_at(self, row: int, query: str) -> tuple[Any, ...]:
        found = self._store.row(query, row) if 0 <= row < self.chunk_count else None
        if found is None:
            raise self._no_row(row)
        return found

    def _no_row(self, row: int) -> InputError:
        return InputError(
            f"no row {row} in the snapshot {self.manifest.name}: it has {self.chunk_count} chunks"
        )

    def _parse(self, chunk_id: str) -> tuple[int, int, int]:
        with suppress(ValueError):
            page_id, rev_id, ordinal = map(int, chunk_id.split(":"))
            if page_id >= 0 and rev_id >= 0 and ordinal >= 0:
                return page_id, rev_id, ordinal
        raise InputError(f"{chunk_id!r} is not the id of a chunk: write page:rev:ordinal")


def _parts(values: list[int]) -> Iterator[list[int]]:
    """Yield values in parts, each of which fits into one statement."""
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))
