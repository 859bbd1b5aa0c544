"""The proof of a snapshot: every article against the date, its digest, its chunks, the manifest."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zstandard

from corpus.errors import InputError
from corpus.faults import machine_fault
from corpus.files import sha256_of
from corpus.proof.tables import category_faults, name_faults, table_faults, word_faults
from corpus.storage.blocks import block_faults, fingerprint, read_blocks
from corpus.storage.database import connect_read_only, make_revision
from corpus.storage.dates import check_date, is_timestamp, snapshot_date
from corpus.storage.manifest import (
    ARTICLES,
    MANIFEST,
    WITH_CONTENTS,
    Manifest,
    check_store,
    read_manifest,
    seal_of,
)
from corpus.storage.record import (
    decompress,
    digest_article,
    unpack_contents,
    unpack_links,
    unpack_sections,
    unpack_spans,
)
from corpus.types import CHUNK_LIMIT, Section

MOST_FAULTS = 100
"""Faults that are named; a snapshot with more is beyond mending."""
_REPORT_EVERY = 100
_COUNTS = {
    "articles": "SELECT COUNT(*) FROM articles",
    "chunks": "SELECT COALESCE(SUM(chunk_count), 0) FROM articles",
    "redirects": "SELECT COUNT(*) FROM names WHERE redirect",
    "newest": "SELECT COALESCE(MAX(timestamp), '') FROM articles",
}
_TEXTS = ("bodies", "texts")
_OF_ARTICLES = dict([_TEXTS, ("contents", "contents")])
_Check = Callable[[], Iterator[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What was found; without faults, the snapshot is what its manifest says."""

    date: str
    asked: str
    """The day that was asked for, which the sources may not vouch for."""
    articles: int
    newest: str
    fingerprint: str
    caveats: Mapping[str, int]
    """Articles that are not wholly as of the date, by what keeps them from it: no faults."""
    faults: tuple[str, ...]
    """At most `MOST_FAULTS`."""


def verify_snapshot(
    folder: Path, report: Callable[[int, int], None] = lambda done, total: None
) -> Proof:
    """Check a snapshot, reading all of it.

    The manifest is as it was written; its date is the earlier of what was asked for and what its
    sources vouch for; the store's checksum is the manifest's. The tables are those of a store, and
    nothing else is in it. No revision is newer than the date; each article's digests are those of
    its id, time, text, sections, links, chunk spans, title and redirects; spans are in order,
    inside the text, at most 1,024 characters long; sections are in order and inside the text; rows
    have no gaps. Every article is found under its own title and key, every redirect leads to its
    article, and the words of titles are those of the titles. Counts, caveats, newest time and
    fingerprint are the manifest's.

    What it cannot see is a snapshot forged as a whole, with every digest made anew: its fingerprint
    is then another one than that which you, or an answer, noted.

    Args:
        folder: the snapshot's.
        report: called with the articles checked, and their number.

    Raises:
        InputError: the folder is no finished snapshot, or its store cannot be opened at all.
    """
    manifest = read_manifest(folder, sealed=False)
    faults: list[str] = list(_manifest_faults(manifest))
    check_store(folder)
    if sha256_of(folder / ARTICLES) != manifest.checksum:
        faults.append(f"{ARTICLES} differs from its checksum")
    database = connect_read_only(folder / ARTICLES)
    try:
        for fault in _faults(database, folder, manifest, report):
            faults.append(fault)
            if len(faults) >= MOST_FAULTS:
                break
    finally:
        database.close()
    return Proof(
        date=manifest.date,
        asked=manifest.asked,
        articles=manifest.articles,
        newest=manifest.newest,
        fingerprint=manifest.fingerprint,
        caveats=manifest.caveats,
        faults=tuple(faults[:MOST_FAULTS]),
    )


def _manifest_faults(manifest: Manifest) -> Iterator[str]:
    if manifest.seal != seal_of(manifest):
        yield f"{MANIFEST} differs from its seal"
    try:
        check_date(manifest.date)
        check_date(manifest.asked)
    except InputError as error:
        yield f"{MANIFEST}: {error}"
    # A day that had not come when it was asked for counts as that day: no later than vouched for.
    most = snapshot_date(manifest.asked, [source.vouched for source in manifest.sources])
    if manifest.date > most:
        yield f"the date is {manifest.date}, but the sources vouch for {most}"


def _faults(
    database: sqlite3.Connection,
    folder: Path,
    manifest: Manifest,
    report: Callable[[int, int], None],
) -> Iterator[str]:
    """Yield the faults of each check; one that the store's damage stops is a fault itself."""
    checks: tuple[_Check, ...] = (
        lambda: table_faults(database, contents=_keeps_contents(manifest)),
        lambda: _count_faults(database, manifest),
        lambda: name_faults(database),
        lambda: _each_article(database, manifest, report),
        lambda: block_faults(database),
        lambda: _fingerprint_faults(database, manifest),
        lambda: word_faults(folder / ARTICLES),
        lambda: category_faults(folder / ARTICLES) if _keeps_contents(manifest) else iter(()),
    )
    for check in checks:
        try:
            yield from check()
        except (sqlite3.DatabaseError, TypeError, ValueError, LookupError, OverflowError) as error:
            if machine_fault(error) is not None:
                raise
            yield f"{ARTICLES} is damaged: {error}"


def _keeps_contents(manifest: Manifest) -> bool:
    return manifest.format >= WITH_CONTENTS


def _count_faults(database: sqlite3.Connection, manifest: Manifest) -> Iterator[str]:
    for name, query in _COUNTS.items():
        found, said = database.execute(query).fetchone()[0], getattr(manifest, name)
        if found != said:
            yield f"{name}: {found} in the store, {said} in the manifest"
    query = "SELECT caveat, COUNT(*) FROM articles WHERE caveat != '' GROUP BY caveat"
    if dict(database.execute(query)) != dict(manifest.caveats):
        yield "the caveats are not the manifest's"
    for table, what in _OF_ARTICLES.items() if _keeps_contents(manifest) else [_TEXTS]:
        if extra := database.execute(
            f"SELECT COUNT(*) FROM {table} WHERE page_id NOT IN (SELECT page_id FROM articles)"
        ).fetchone()[0]:
            yield f"{extra} {what} of no article"


def _fingerprint_faults(database: sqlite3.Connection, manifest: Manifest) -> Iterator[str]:
    found = fingerprint(manifest.language, manifest.date, read_blocks(database))
    if found != manifest.fingerprint:
        yield "the fingerprint is not the manifest's"


def _each_article(
    database: sqlite3.Connection, manifest: Manifest, report: Callable[[int, int], None]
) -> Iterator[str]:
    kept = _keeps_contents(manifest)
    query = (
        "SELECT a.page_id, a.rev_id, a.title, a.timestamp, a.url, a.caveat, a.disambiguation,"
        " a.chunk_count, a.digest, a.first_row, b.spans, b.sections, b.text, b.links"
        f"{', c.packed' if kept else ''} FROM articles a LEFT JOIN bodies b USING (page_id)"
        f"{' LEFT JOIN contents c USING (page_id)' if kept else ''} ORDER BY a.page_id"
    )
    row = 0
    for done, record in enumerate(database.execute(query), 1):
        title, count, first = record[2], record[7], record[9]
        if first != row:
            yield f"{title!r} begins at row {first}, expected {row}"
        row += count
        yield from (f"{title!r} {fault}" for fault in _article_faults(record, manifest))
        if done % _REPORT_EVERY == 0 or done == manifest.articles:
            report(done, manifest.articles)


def _article_faults(record: tuple[Any, ...], manifest: Manifest) -> Iterator[str]:
    *columns, disambiguation, count, digest, _ = record[:10]
    timestamp = columns[3]
    if not is_timestamp(timestamp):
        yield f"is of {timestamp!r}, which is no time"
    elif timestamp > manifest.cutoff:
        yield f"is of {timestamp}, after the snapshot's date {manifest.date}"
    try:
        parts = (record[10], *map(decompress, record[11:]))
        spans, sections, text = unpack_spans(parts[0]), unpack_sections(parts[1]), parts[2].decode()
        unpack_links(parts[3])
        for contents in parts[4:]:
            unpack_contents(contents)
    except (zstandard.ZstdError, ValueError, TypeError, struct.error) as error:
        yield f"cannot be read ({error})"
        return
    revision = make_revision(manifest.base_url, *columns)
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
