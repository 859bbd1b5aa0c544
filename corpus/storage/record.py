"""How one article is packed: text, sections, links, chunk spans, and the digest of them all."""

from __future__ import annotations

import json
import struct
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import zstandard

from corpus.storage.titles import fold, normalise, permanent_link
from corpus.types import Chunk, Contents, Link, Page, Revision, Section, Table, Text

LEVEL = 3
"""zstd level: 6 saves 4 % more and takes twice as long."""

Spans = list[tuple[int, int]]
"""Chunk spans of one article: offsets in characters, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedArticle:
    """One article as a row of the store."""

    page_id: int
    rev_id: int
    title: str
    folded: str
    """The title as `corpus.storage.titles.fold` writes it."""
    timestamp: str
    url: str
    """Empty where `permanent_link` makes it from the wiki's base address."""
    disambiguation: int
    simplified: int
    """1 where the text was taken in a simpler way."""
    chunk_count: int
    caveat: str
    """What the page alone tells; the sources' dates add to it."""
    digest: bytes
    """As in `digest_article`."""
    spans: bytes
    sections: bytes
    text: bytes
    links: bytes
    contents: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedRedirect:
    """One redirect, with both titles in canonical form and folded."""

    page_id: int
    rev_id: int
    title: str
    folded: str
    timestamp: str
    target: str
    target_folded: str


def pack_article(revision: Revision, text: Text, spans: Spans, *, base_url: str) -> PackedArticle:
    """Pack an article for the store of a wiki with this base address."""
    compressor = zstandard.ZstdCompressor(level=LEVEL)
    parts = (
        _pack_spans(spans),
        _pack_sections(text.sections),
        text.text.encode(),
        _pack_links(text.links),
        _pack_contents(text.contents),
    )
    usual = permanent_link(base_url, revision.title, revision.rev_id)
    return PackedArticle(
        page_id=revision.page_id,
        rev_id=revision.rev_id,
        title=revision.title,
        folded=fold(revision.title),
        timestamp=revision.timestamp,
        url="" if revision.url == usual else revision.url,
        disambiguation=int(text.disambiguation),
        simplified=int(text.degraded is not None),
        chunk_count=len(spans),
        caveat=revision.caveat,
        digest=digest_article(revision, text.disambiguation, parts),
        spans=parts[0],
        sections=compressor.compress(parts[1]),
        text=compressor.compress(parts[2]),
        links=compressor.compress(parts[3]),
        contents=compressor.compress(parts[4]),
    )


def pack_redirect(page: Page) -> PackedRedirect:
    """Pack a page that is a redirect."""
    target = page.redirect or ""
    return PackedRedirect(
        page_id=page.page_id,
        rev_id=page.rev_id,
        title=normalise(page.title),
        folded=fold(page.title),
        timestamp=page.timestamp,
        target=normalise(target),
        target_folded=fold(target),
    )


def digest_article(revision: Revision, disambiguation: bool, parts: Sequence[bytes]) -> bytes:
    """Return 64 bytes over everything a reader can see of an article, caveat and redirects apart.

    Sixteen bytes each for the revision, for the text with its spans and sections, for the links,
    and for the contents: who reads only some of them checks only those.

    Args:
        revision: the article's.
        disambiguation: whether it is a disambiguation page.
        parts: its spans, sections, text, links and contents, packed but not compressed; without
            contents, as in snapshots of format 2, there are 48 bytes.
    """
    head = digest_head(revision, disambiguation) + digest_text(*parts[:3])
    return head + b"".join(map(_digest, parts[3:]))


def digest_head(revision: Revision, disambiguation: bool) -> bytes:
    """Return 16 bytes over an article's revision."""
    head = (revision.page_id, revision.rev_id, revision.title, revision.timestamp, revision.url)
    return _digest(json.dumps([*head, disambiguation]).encode())


def digest_text(spans: bytes, sections: bytes, text: bytes) -> bytes:
    """Return 16 bytes over what chunks are cut of, not compressed."""
    return _digest(spans, sections, text)


def digest_links(links: bytes) -> bytes:
    """Return 16 bytes over an article's links, not compressed."""
    return _digest(links)


def digest_contents(contents: bytes) -> bytes:
    """Return 16 bytes over an article's contents, not compressed."""
    return _digest(contents)


def digest_names(title: str, redirects: Sequence[str]) -> bytes:
    """Return 16 bytes over an article's title and the titles that redirect to it, sorted."""
    return _digest(json.dumps([title, *redirects]).encode())


def _digest(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


def decompress(blob: bytes) -> bytes:
    """Undo the compression of a text, its sections or its links."""
    return zstandard.ZstdDecompressor().decompress(blob)


def _dump(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _pack_sections(sections: Sequence[Section]) -> bytes:
    # Paths are not written: they follow from the levels.
    return _dump([[part.title, part.level, part.start, part.end] for part in sections])


def unpack_sections(packed: bytes) -> tuple[Section, ...]:
    """Return the sections of an article (their bytes uncompressed)."""
    sections = []
    stack: list[tuple[int, str]] = []
    for title, level, start, end in json.loads(packed):
        while stack and stack[-1][0] >= level:
            stack.pop()
        if title:
            stack.append((level, title))
        path = tuple(name for _, name in stack)
        sections.append(Section(title=title, level=level, start=start, end=end, path=path))
    return tuple(sections)


def _pack_links(links: Sequence[Link]) -> bytes:
    return _dump([[link.anchor, link.target] for link in links])


def unpack_links(packed: bytes) -> tuple[Link, ...]:
    """Return the links of an article (their bytes uncompressed)."""
    return tuple(Link(anchor=anchor, target=target) for anchor, target in json.loads(packed))


def _pack_contents(contents: Contents) -> bytes:
    tables = [[table.caption, *table.heads] for table in contents.tables]
    return _dump([contents.categories, contents.boxes, tables])


def unpack_contents(packed: bytes) -> Contents:
    """Return the contents of an article (their bytes uncompressed)."""
    categories, boxes, tables = json.loads(packed)
    return Contents(
        categories=tuple(categories),
        boxes=tuple(boxes),
        tables=tuple(Table(caption=caption, heads=tuple(heads)) for caption, *heads in tables),
    )


def _pack_spans(spans: Spans) -> bytes:
    return struct.pack(f"<{2 * len(spans)}I", *(offset for span in spans for offset in span))


def unpack_spans(blob: bytes) -> Spans:
    """Return the chunk spans packed as pairs of little-endian 32-bit numbers."""
    return list(struct.iter_unpack("<II", blob))


def cut_chunk(
    revision: Revision, ordinal: int, span: tuple[int, int], text: str, sections: Sequence[Section]
) -> Chunk:
    """Return one chunk of an article."""
    start, end = span
    place = bisect_right(sections, start, key=lambda section: section.start) - 1
    return Chunk(
        id=chunk_id(revision, ordinal),
        revision=revision,
        start=start,
        end=end,
        section=" > ".join(sections[place].path) if place >= 0 else "",
        text=text[start:end],
    )


def chunk_id(revision: Revision, ordinal: int) -> str:
    """Return a chunk's id, `page:rev:ordinal`."""
    return f"{revision.page_id}:{revision.rev_id}:{ordinal}"
