"""Rows of a finished store as revisions, articles and chunks, each proven against the fingerprint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from zstandard import ZstdError

from corpus.storage.blocks import Blocks
from corpus.storage.connections import Connections
from corpus.storage.database import make_revision
from corpus.storage.record import (
    cut_chunk,
    decompress,
    digest_contents,
    digest_head,
    digest_links,
    digest_names,
    digest_text,
    unpack_contents,
    unpack_links,
    unpack_sections,
    unpack_spans,
)
from corpus.types import Article, Chunk, Contents, Revision

REVISION = "a.page_id, a.rev_id, a.title, a.timestamp, a.url, a.caveat, a.disambiguation"
CHUNKS = f"{REVISION}, b.spans, b.sections, b.text"
FULL = f"{CHUNKS}, b.links"
JOIN = "articles a JOIN bodies b USING (page_id)"


class Rows:
    """Reads rows, and refuses those that are not what was built.

    Args:
        base_url: of the snapshot, from which permanent links are made.
        blocks: the digests that the fingerprint is made of.
        store: the open store.

    Its methods raise InputError where a text, its revision or its titles were changed.
    """

    def __init__(self, base_url: str, blocks: Blocks, store: Connections) -> None:
        self._base_url = base_url
        self._blocks = blocks
        self._store = store

    def revision(self, row: Sequence[Any]) -> Revision:
        """Return the revision of a row that begins with the columns `REVISION`."""
        *columns, disambiguation = row[:7]
        revision = make_revision(self._base_url, *columns)
        entry = self._blocks.entry(revision.page_id)
        digest = digest_head(revision, bool(disambiguation))
        if (digest, revision.caveat) != (entry.digest[:16], entry.caveat):
            raise self._blocks.changed(f"the revision of {revision.title!r} is not its own")
        return revision

    def article(self, row: Sequence[Any]) -> Article:
        """Return the article of a row of the columns `FULL`."""
        revision = self.revision(row)
        _, sections, text = self._unpack(revision, row)
        try:
            links = decompress(row[10])
        except (ZstdError, TypeError):
            links = b""
        if digest_links(links) != self._blocks.entry(revision.page_id).digest[32:48]:
            raise self._blocks.changed(f"the links of {revision.title!r} are not its own")
        return Article(
            revision=revision,
            text=text.decode(),
            sections=unpack_sections(sections),
            redirects=tuple(self.names(revision.page_id)[1]),
            links=unpack_links(links),
            disambiguation=bool(row[6]),
        )

    def chunks(self, row: Sequence[Any], ordinals: Iterable[int] | None) -> list[Chunk]:
        """Return the chunks of a row of the columns `CHUNKS`.

        Those with these ordinals, or all; ordinals that the article lacks are left out.
        """
        revision = self.revision(row)
        packed = self._unpack(revision, row)
        spans, sections, text = (
            unpack_spans(packed[0]),
            unpack_sections(packed[1]),
            packed[2].decode(),
        )
        return [
            cut_chunk(revision, ordinal, spans[ordinal], text, sections)
            for ordinal in (range(len(spans)) if ordinals is None else ordinals)
            if ordinal < len(spans)
        ]

    def contents(self, page_id: int, packed: bytes) -> Contents:
        """Return the contents of a page, as they were built."""
        try:
            contents = decompress(packed)
        except (ZstdError, TypeError):
            contents = b""
        if digest_contents(contents) != self._blocks.entry(page_id).digest[48:]:
            raise self._blocks.changed(f"the contents of page {page_id} are not its own")
        return unpack_contents(contents)

    def names(self, page_id: int) -> tuple[str, list[str]]:
        """Return the title of a page and its redirects, as they were built."""
        found = self._store.row("SELECT title FROM articles WHERE page_id = ?", page_id)
        query = "SELECT title FROM names WHERE page_id = ? AND redirect ORDER BY title"
        redirects = [title for (title,) in self._store.walk(query, page_id)]
        title = str(found[0]) if found else ""
        if digest_names(title, redirects) != self._blocks.entry(page_id).names_digest:
            raise self._blocks.changed(f"the titles of {title!r} are not its own")
        return title, redirects

    def _unpack(self, revision: Revision, row: Sequence[Any]) -> tuple[bytes, bytes, bytes]:
        """The spans, sections and text of an article, as they were built."""
        try:
            spans, sections, text = row[7], decompress(row[8]), decompress(row[9])
        except (ZstdError, TypeError) as error:
            detail = f"the text of {revision.title!r} cannot be read ({error})"
            raise self._blocks.changed(detail) from None
        if digest_text(spans, sections, text) != self._blocks.entry(revision.page_id).digest[16:32]:
            raise self._blocks.changed(f"the text of {revision.title!r} is not its own")
        return spans, sections, text
