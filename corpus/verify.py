"""The proof of a snapshot: every article against the date, its digest, its chunks, the manifest."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from corpus.database import connect_read_only, make_revision
from corpus.finish import fingerprint
from corpus.manifest import ARTICLES, read_manifest
from corpus.record import decompress, digest_article, unpack_spans
from corpus.types import CHUNK_LIMIT

MOST_FAULTS = 100
"""Faults that are named; a snapshot with more is beyond mending."""


def verify_snapshot(folder: Path) -> list[str]:
    """Return the faults of a snapshot, at most `MOST_FAULTS`; an empty list is the proof.

    Checked are: no revision newer than the date; each article's digest over its id, time, text,
    outline and chunk spans; spans in order, inside the text, at most 1,024 characters long; rows
    without gaps; counts, newest time and fingerprint as the manifest says.

    Raises:
        InputError: the folder is no finished snapshot.
    """
    manifest = read_manifest(folder)
    database = connect_read_only(folder / ARTICLES)
    try:
        faults = list(
            islice(_article_faults(database, manifest.cutoff, manifest.base_url), MOST_FAULTS)
        )
        counted = {
            "articles": "SELECT COUNT(*) FROM articles",
            "chunks": "SELECT COALESCE(SUM(chunk_count), 0) FROM articles",
            "redirects": "SELECT COUNT(*) FROM names WHERE redirect",
            "newest": "SELECT COALESCE(MAX(timestamp), '') FROM articles",
        }
        for name, query in counted.items():
            found = database.execute(query).fetchone()[0]
            if found != getattr(manifest, name):
                faults.append(
                    f"{name}: {found} in the store, {getattr(manifest, name)} in the manifest"
                )
        if fingerprint(database, manifest.language, manifest.date) != manifest.fingerprint:
            faults.append("the fingerprint is not the manifest's")
    except sqlite3.DatabaseError as error:
        faults = [f"{ARTICLES} is damaged: {error}"]
    finally:
        database.close()
    return faults[:MOST_FAULTS]


def _article_faults(database: sqlite3.Connection, cutoff: str, base_url: str) -> Iterator[str]:
    query = (
        "SELECT a.page_id, a.rev_id, a.title, a.timestamp, a.url, a.disambiguation, a.chunk_count,"
        " a.digest, a.first_row, b.text, b.outline, b.spans"
        " FROM articles a JOIN bodies b USING (page_id) ORDER BY a.page_id"
    )
    row = 0
    for record in database.execute(query):
        page_id, rev_id, title, timestamp, url, disambiguation, count, digest, first = record[:9]
        if timestamp > cutoff:
            yield f"{title!r} is of {timestamp}, after the snapshot's date"
        if first != row:
            yield f"{title!r} begins at row {first}, expected {row}"
        row += count
        try:
            body, outline = decompress(record[9]), decompress(record[10])
        except Exception as error:  # zstandard raises its own kind for damaged frames
            yield f"{title!r} cannot be decompressed: {error}"
            continue
        revision = make_revision(base_url, page_id, rev_id, title, timestamp, url)
        if digest_article(revision, bool(disambiguation), body, outline, record[11]) != digest:
            yield f"{title!r} differs from its digest"
        yield from _span_faults(
            title, body.decode("utf-8", "replace"), unpack_spans(record[11]), count
        )


def _span_faults(title: str, text: str, spans: list[tuple[int, int]], count: int) -> Iterator[str]:
    if len(spans) != count:
        yield f"{title!r} has {len(spans)} chunks, its row says {count}"
    last = 0
    for start, end in spans:
        if not last <= start < end <= len(text) or end - start > CHUNK_LIMIT:
            yield f"{title!r} has a chunk at {start}–{end}, which cannot be"
        last = end
