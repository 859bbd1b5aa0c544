"""What a snapshot's articles are filed under and hold: categories, boxes, tables; read without texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corpus.errors import InputError
from corpus.storage.connections import Connections
from corpus.storage.manifest import WITH_CONTENTS, Manifest
from corpus.storage.rows import Rows
from corpus.storage.titles import fold, normalise
from corpus.text import one_of
from corpus.types import Contents


class Catalogue:
    """The categories and the contents of a snapshot. Its methods raise as those of `Snapshot`."""

    def __init__(self, folder: Path, manifest: Manifest, store: Connections, rows: Rows) -> None:
        self._folder = folder
        self._manifest = manifest
        self._store = store
        self._rows = rows

    @property
    def kept(self) -> bool:
        """Whether the snapshot was built since they are kept."""
        return self._manifest.format >= WITH_CONTENTS

    def need(self) -> None:
        """Refuse to go on without.

        Raises:
            InputError: the snapshot was built before they were kept.
        """
        if not self.kept:
            raise InputError(
                f"{self._folder} was built before categories, boxes and tables were kept:"
                " build it again with `python -m corpus build`"
            )

    def contents(self, page_id: int) -> Contents:
        """Return what a page is filed under and holds."""
        row = self._store.row("SELECT packed FROM contents WHERE page_id = ?", page_id)
        return self._rows.contents(page_id, row[0] if row else b"")

    def all(self, category: str = "") -> Iterator[tuple[str, Contents]]:
        """Yield titles and contents, in canonical order; of a category's articles, where it is named."""
        self.need()
        wanted = {page_id for page_id, _, _ in self._filed(category)} if category else None
        query = (
            "SELECT page_id, title, packed FROM articles JOIN contents USING (page_id) ORDER BY 1"
        )
        for page_id, title, packed in self._store.walk(query):
            if wanted is None or page_id in wanted:
                yield title, self._rows.contents(page_id, packed)

    def categories(self) -> Iterator[tuple[str, int]]:
        """Yield the categories and the numbers of their articles, by name."""
        self.need()
        yield from self._store.walk("SELECT name, articles FROM categories ORDER BY category")

    def members(self, category: str) -> list[tuple[str, int]]:
        """Return titles and numbers of chunks of the articles of a category, in canonical order."""
        return [(title, chunks) for _, title, chunks in self._filed(category)]

    def _filed(self, category: str) -> list[tuple[int, str, int]]:
        self.need()
        name = normalise(category)
        query = "SELECT category FROM categories WHERE folded = ? ORDER BY name != ?, name LIMIT 1"
        found = self._store.row(query, fold(name), name)
        if found is None:
            raise InputError(
                f"no article of the snapshot {self._manifest.name} is filed under {category!r}:"
                f" {self._near(name)}"
            )
        query = (
            "SELECT page_id, title, chunk_count FROM members JOIN articles USING (page_id)"
            " WHERE category = ? ORDER BY page_id"
        )
        return [
            (page_id, title, count) for page_id, title, count in self._store.walk(query, found[0])
        ]

    def _near(self, name: str) -> str:
        query = "SELECT name FROM categories WHERE instr(folded, ?) ORDER BY articles DESC, name LIMIT 3"
        near = [f"{found!r}" for (found,) in self._store.walk(query, fold(name))]
        if near:
            return f"did you mean {one_of(near)}?"
        return "`python -m corpus list DIR --what categories '*WORD*'` names those there are"
