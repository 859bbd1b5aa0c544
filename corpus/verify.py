"""The proof of a snapshot: every article against the date, its digest, its chunks, the manifest."""

from __future__ import annotations

import re
import sqlite3
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zstandard

from corpus.database import connect_read_only, make_revision
from corpus.finish import fingerprint
from corpus.manifest import ARTICLES, Manifest, read_manifest
from corpus.record import decompress, digest_article, unpack_links, unpack_sections, unpack_spans
from corpus.sources.streams import file_digest
from corpus.types import CHUNK_LIMIT, Section

MOST_FAULTS = 100
"""Faults that are named; a snapshot with more is beyond mending."""
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_REPORT_EVERY = 100
_COUNTS = {
    "articles": "SELECT COUNT(*) FROM articles",
    "chunks": "SELECT COALESCE(SUM(chunk_count), 0) FROM articles",
    "redirects": "SELECT COUNT(*) FROM names WHERE redirect",
    "newest": "SELECT COALESCE(MAX(timestamp), '') FROM articles",
}
_NAMES = {
    "articles that no title leads to": "SELECT COUNT(*) FROM articles WHERE page_id NOT IN"
    " (SELECT page_id FROM names WHERE NOT redirect)",
    "titles that lead nowhere": "SELECT COUNT(*) FROM names WHERE page_id NOT IN"
    " (SELECT page_id FROM articles)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What was found; without faults, the snapshot is what its manifest says."""

    date: str
    articles: int
    newest: str
    fingerprint: str
    faults: tuple[str, ...]
    """At most `MOST_FAULTS`."""


def verify_snapshot(
    folder: Path, report: Callable[[int, int], None] = lambda done, total: None
) -> Proof:
    """Check a snapshot, reading all of it.

    The store's checksum is the manifest's; no revision is newer than the date; each article's
    digest is that of its id, time, text, sections, links and chunk spans; spans are in order, inside the text, at most 1,024 characters long; sections
    are in order and inside the text; rows have no gaps; every article has its title, every redirect
    its article; counts, newest time and fingerprint are the manifest's.

    Args:
        folder: the snapshot's.
        report: called with the articles checked, and their number.

    Raises:
        InputError: the folder is no finished snapshot, or its store cannot be opened at all.
    """
    manifest = read_manifest(folder)
    faults: list[str] = []
    if file_digest(folder / ARTICLES) != manifest.checksum:
        faults.append(f"{ARTICLES} differs from its checksum")
    database = connect_read_only(folder / ARTICLES)
    try:
        for fault in _faults(database, manifest, report):
            faults.append(fault)
            if len(faults) == MOST_FAULTS:
                break
    except sqlite3.DatabaseError as error:
        faults.append(f"{ARTICLES} is damaged: {error}")
    finally:
        database.close()
    return Proof(
        date=manifest.date,
        articles=manifest.articles,
        newest=manifest.newest,
        fingerprint=manifest.fingerprint,
        faults=tuple(faults),
    )


def _faults(
    database: sqlite3.Connection, manifest: Manifest, report: Callable[[int, int], None]
) -> Iterator[str]:
    for name, query in _COUNTS.items():
        found, said = database.execute(query).fetchone()[0], getattr(manifest, name)
        if found != said:
            yield f"{name}: {found} in the store, {said} in the manifest"
    for what, query in _NAMES.items():
        if found := database.execute(query).fetchone()[0]:
            yield f"{found} {what}"
    query = (
        "SELECT a.page_id, a.rev_id, a.title, a.timestamp, a.url, a.disambiguation, a.chunk_count,"
        " a.digest, a.first_row, b.spans, b.sections, b.text, b.links"
        " FROM articles a LEFT JOIN bodies b USING (page_id) ORDER BY a.page_id"
    )
    row = 0
    for done, record in enumerate(database.execute(query), 1):
        title, count, first = record[2], record[6], record[8]
        if first != row:
            yield f"{title!r} begins at row {first}, expected {row}"
        row += count
        yield from (f"{title!r} {fault}" for fault in _article_faults(record, manifest))
        if done % _REPORT_EVERY == 0 or done == manifest.articles:
            report(done, manifest.articles)
    if fingerprint(database, manifest.language, manifest.date) != manifest.fingerprint:
        yield "the fingerprint is not the manifest's"


def _article_faults(record: tuple[Any, ...], manifest: Manifest) -> Iterator[str]:
    page_id, rev_id, title, timestamp, url, disambiguation, count, digest, _ = record[:9]
    if not _TIMESTAMP.fullmatch(timestamp):
        yield f"is of {timestamp!r}, which is no time"
    elif timestamp > manifest.cutoff:
        yield f"is of {timestamp}, after the snapshot's date {manifest.date}"
    try:
        parts = (record[9], *map(decompress, record[10:]))
        spans, sections, text = unpack_spans(parts[0]), unpack_sections(parts[1]), parts[2].decode()
        unpack_links(parts[3])
    except (zstandard.ZstdError, ValueError, TypeError, struct.error) as error:
        yield f"cannot be read ({error})"
        return
    revision = make_revision(manifest.base_url, page_id, rev_id, title, timestamp, url)
    if digest_article(revision, bool(disambiguation), parts) != digest:
        yield "differs from its digest"
    if len(spans) != count:
        yield f"has {len(spans)} chunks, its row says {count}"
    last = 0
    for start, end in spans:
        if not last <= start < end <= len(text) or end - start > CHUNK_LIMIT:
            yield f"has a chunk at {start}–{end}, which cannot be"
        last = end
    yield from _section_faults(sections, len(text))


def _section_faults(sections: tuple[Section, ...], length: int) -> Iterator[str]:
    last = 0
    for section in sections:
        if not last == section.start <= section.end:
            yield f"has a section at {section.start}–{section.end} after {last}"
        last = section.end
    if last != length:
        yield f"has sections up to {last}, but text up to {length}"
