"""The last step of a build: from what was staged, in any order, to the store in canonical order.

The finished file is written afresh, row by row in page order, so that it is the same to the byte
however many workers there were and however often the build was interrupted.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.database import INDEXES, SCHEMA
from corpus.manifest import ARTICLES
from corpus.staging import explain_errors
from corpus.titlesearch import index_titles

LONGEST_REDIRECT = 5
"""Redirects followed in a row; MediaWiki follows one, and loops end here."""
DANGLING = "redirect to a page that is not here"
_WINNERS = """
CREATE TEMP TABLE winners AS
SELECT page_id, id, redirect FROM (
    SELECT page_id, rowid AS id, target IS NOT NULL AS redirect, row_number() OVER (
        PARTITION BY page_id ORDER BY timestamp DESC, rev_id DESC, source
    ) AS place FROM pages
) WHERE place = 1
"""
"""Of a page that several sources hold, the newest revision counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What a finished store holds; the fields are those of the manifest."""

    articles: int
    redirects: int
    chunks: int
    newest: str
    skipped: dict[str, int]
    simplified: int
    fingerprint: str


def finish_store(staged: sqlite3.Connection, folder: Path, language: str, date: str) -> Counts:
    """Write the finished store into a folder and return what it holds.

    Args:
        staged: connection to the staged store, whose content is complete.
        folder: where `articles.sqlite` is written, beside it first, then renamed.
        language: part of the fingerprint.
        date: part of the fingerprint.

    Raises:
        InputError: the disk is full or refuses.
    """
    beside = folder / f"{ARTICLES}.new"
    beside.unlink(missing_ok=True)
    with explain_errors(folder):
        staged.execute("ATTACH ? AS store", (str(beside),))
        try:
            # A crash here is answered by writing the file again.
            staged.execute("PRAGMA store.journal_mode = OFF")
            staged.execute("PRAGMA store.synchronous = OFF")
            staged.execute("PRAGMA temp_store = FILE")
            counts = _fill(staged, language, date)
        finally:
            if staged.in_transaction:
                staged.execute("ROLLBACK")
            staged.execute("DROP TABLE IF EXISTS temp.winners")
            staged.execute("DROP TABLE IF EXISTS temp.waiting")
            staged.execute("DETACH store")
    with beside.open("rb+") as file:
        os.fsync(file.fileno())
    beside.replace(folder / ARTICLES)
    return counts


def _fill(staged: sqlite3.Connection, language: str, date: str) -> Counts:
    for statement in SCHEMA:
        staged.execute(statement)
    staged.execute("BEGIN")
    staged.execute(_WINNERS)
    _write_articles(staged)
    _write_names(staged)
    staged.execute("COMMIT")
    for statement in INDEXES:
        staged.execute(statement)
    index_titles(staged)
    return _count(staged, language, date)


def _write_articles(staged: sqlite3.Connection) -> None:
    order = "FROM winners w JOIN pages p ON p.rowid = w.id WHERE NOT w.redirect ORDER BY w.page_id"
    staged.executemany(
        "INSERT INTO store.articles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _with_first_rows(
            staged.execute(
                "SELECT p.page_id, p.rev_id, p.title, p.timestamp, p.url, p.disambiguation,"
                f" p.chunk_count, p.digest {order}"
            )
        ),
    )
    staged.execute(
        f"INSERT INTO store.bodies SELECT p.page_id, p.spans, p.sections, p.text, p.links {order}"
    )


def _with_first_rows(rows: sqlite3.Cursor) -> Iterator[tuple[object, ...]]:
    first = 0
    for row in rows:
        yield (*row, first)
        first += row[6]


def _write_names(staged: sqlite3.Connection) -> None:
    staged.execute(
        "INSERT INTO store.names SELECT p.folded, p.title, 0, p.page_id"
        " FROM winners w JOIN pages p ON p.rowid = w.id WHERE NOT w.redirect ORDER BY 1, 2, 4"
    )
    staged.execute(
        "CREATE TEMP TABLE waiting AS SELECT p.folded, p.title, p.target, p.target_folded,"
        " NULL AS page_id FROM winners w JOIN pages p ON p.rowid = w.id WHERE w.redirect"
    )
    for _ in range(LONGEST_REDIRECT):
        # All of a round are resolved before any is written: the result has no order within it.
        staged.execute(
            "UPDATE temp.waiting SET page_id = (SELECT page_id FROM ("
            " SELECT page_id, redirect, title, title != waiting.target AS other"
            " FROM store.names WHERE folded = waiting.target_folded"
            ") ORDER BY other, redirect, title, page_id LIMIT 1)"
        )
        resolved = staged.execute(
            "INSERT OR IGNORE INTO store.names SELECT folded, title, 1, page_id"
            " FROM temp.waiting WHERE page_id IS NOT NULL ORDER BY 1, 2, 4"
        )
        staged.execute("DELETE FROM temp.waiting WHERE page_id IS NOT NULL")
        if not resolved.rowcount:
            return


def _count(staged: sqlite3.Connection, language: str, date: str) -> Counts:
    one = staged.execute
    articles, chunks, newest = one(
        "SELECT COUNT(*), COALESCE(SUM(chunk_count), 0), COALESCE(MAX(timestamp), '')"
        " FROM store.articles"
    ).fetchone()
    skipped = dict(
        one(
            "SELECT reason, COUNT(DISTINCT page_id) + SUM(iif(page_id IS NULL, count, 0))"
            " FROM skipped s WHERE NOT EXISTS"
            " (SELECT 1 FROM pages p WHERE p.page_id = s.page_id) GROUP BY reason"
        )
    )
    dangling = one("SELECT COUNT(*) FROM temp.waiting").fetchone()[0]
    if dangling:
        skipped[DANGLING] = dangling
    return Counts(
        articles=articles,
        chunks=chunks,
        newest=newest,
        redirects=one("SELECT COUNT(*) FROM store.names WHERE redirect").fetchone()[0],
        skipped=dict(sorted(skipped.items())),
        simplified=one(
            "SELECT COUNT(*) FROM winners w JOIN pages p ON p.rowid = w.id WHERE p.simplified"
        ).fetchone()[0],
        fingerprint=fingerprint(staged, language, date, schema="store"),
    )


def fingerprint(
    database: sqlite3.Connection, language: str, date: str, *, schema: str = "main"
) -> str:
    """Return the SHA-256 over language, date, every article's digest, and every redirect."""
    digest = hashlib.sha256(json.dumps([language, date]).encode())
    for page_id, article in database.execute(
        f"SELECT page_id, digest FROM {schema}.articles ORDER BY page_id"
    ):
        digest.update(page_id.to_bytes(8, "little"))
        digest.update(article)
    for page_id, title in database.execute(
        f"SELECT page_id, title FROM {schema}.names WHERE redirect ORDER BY page_id, title"
    ):
        digest.update(page_id.to_bytes(8, "little"))
        digest.update(title.encode() + b"\0")
    return digest.hexdigest()
