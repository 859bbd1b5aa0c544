"""From the rows of chunks, their positions in a snapshot's canonical order, to chunks and revisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corpus.errors import InputError
from corpus.storage.blocks import Blocks
from corpus.storage.connections import Connections
from corpus.storage.manifest import Manifest
from corpus.storage.rows import CHUNKS, JOIN, REVISION, Rows
from corpus.types import Chunk, Revision

_LAST_ROW = " ORDER BY first_row DESC LIMIT 1"
_AT_ONCE = 500
"""Values of one statement."""


class Places:
    """Finds what stands at rows. Its methods raise as those of `Snapshot`."""

    def __init__(self, manifest: Manifest, blocks: Blocks, store: Connections, rows: Rows) -> None:
        self._manifest = manifest
        self._blocks = blocks
        self._store = store
        self._rows = rows

    def chunks(self, rows: Sequence[int]) -> list[Chunk]:
        """Return the chunks at these rows, in the order asked for."""
        places = self._of([int(row) for row in rows])
        wanted: dict[int, set[int]] = {}
        for page_id, ordinal in places:
            wanted.setdefault(page_id, set()).add(ordinal)
        found: dict[tuple[int, int], Chunk] = {}
        for pages in _parts(list(wanted)):
            query = f"SELECT {CHUNKS} FROM {JOIN} WHERE a.page_id IN ({_marks(pages)})"
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

    def revisions(self, rows: Sequence[int]) -> list[Revision]:
        """Return the revisions that the chunks at these rows belong to, in the order asked for."""
        return [self._revision(int(row)) for row in rows]

    def _revision(self, row: int) -> Revision:
        query = f"SELECT {REVISION} FROM articles a WHERE first_row <= ?" + _LAST_ROW
        found = self._store.row(query, row) if 0 <= row < self._manifest.chunks else None
        if found is None:
            raise self._no_row(row)
        return self._rows.revision(found)

    def _of(self, rows: Sequence[int]) -> list[tuple[int, int]]:
        """Return the page and the ordinal of the chunk at each row."""
        of_row = "SELECT page_id FROM articles WHERE first_row <= column1" + _LAST_ROW
        pages: dict[int, int | None] = {}
        for part in _parts(list(dict.fromkeys(rows))):
            values = ", ".join(["(?)"] * len(part))
            query = f"SELECT column1, ({of_row}) FROM (VALUES {values})"
            pages.update(self._store.walk(query, *part))
        places = []
        for row in rows:
            page_id = pages.get(row) if 0 <= row < self._manifest.chunks else None
            if page_id is None:
                raise self._no_row(row)
            ordinal = row - (entry := self._blocks.entry(page_id)).first_row
            if not 0 <= ordinal < entry.chunk_count:
                raise self._blocks.changed(f"row {row} is not of page {page_id}")
            places.append((page_id, ordinal))
        return places

    def _no_row(self, row: int) -> InputError:
        count = self._manifest.chunks
        return InputError(
            f"no row {row} in the snapshot {self._manifest.name}: it has {count} chunks"
        )


def _parts(values: list[int]) -> Iterator[list[int]]:
    """Yield values in parts, each of which fits into one statement."""
    for start in range(0, len(values), _AT_ONCE):
        yield values[start : start + _AT_ONCE]


def _marks(values: Sequence[int]) -> str:
    return ", ".join("?" * len(values))
