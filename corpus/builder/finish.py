"""The last step of a build: from what was staged, in any order, to the store in canonical order.

The finished file is written afresh, row by row in page order, so that it is the same to the byte
however many workers there were and however often the build was interrupted.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from corpus.builder.staging import explain_errors
from corpus.storage.blocks import fingerprint, read_blocks, write_blocks
from corpus.storage.categories import write_categories
from corpus.storage.database import CONTENTS, INDEXES, SCHEMA
from corpus.storage.dates import Vouched, source_caveat
from corpus.storage.manifest import ARTICLES
from corpus.storage.record import digest_names
from corpus.storage.titlesearch import index_titles

Row = tuple[Any, ...]
_REPORT_EVERY = 500
LONGEST_REDIRECT = 5
"""Redirects followed in a row; MediaWiki follows one, and loops end here."""
DANGLING = "redirect to a page that is not here"
_WINNERS = """
CREATE TEMP TABLE winners AS
SELECT page_id, id, redirect FROM (
    SELECT page_id, pages.rowid AS id, target IS NOT NULL AS redirect, row_number() OVER (
        PARTITION BY page_id ORDER BY timestamp DESC, rev_id DESC, d.day DESC, source
    ) AS place FROM pages JOIN days d USING (source)
    WHERE target IS NULL OR NOT d.late
) WHERE place = 1
"""
"""Of a page that several sources hold, the newest revision counts, and of sources with the same one
that which vouches for more. Redirects without a time, of a source that is newer than the date, may
be newer too: they do not count."""
LATE_REDIRECT = "redirect of unknown time, of a source newer than the date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What a finished store holds; the fields are those of the manifest."""

    articles: int
    redirects: int
    chunks: int
    newest: str
    skipped: dict[str, int]
    simplified: int
    caveats: dict[str, int]
    fingerprint: str


def finish_store(
    staged: sqlite3.Connection,
    folder: Path,
    language: str,
    date: str,
    sources: Sequence[Vouched],
    report: Callable[[str, int, int], None] = lambda *_: None,
) -> Counts:
    """Write the finished store into a folder and return what it holds.

    Args:
        staged: connection to the staged store, whose content is complete.
        folder: where `articles.sqlite` is written, beside it first, then renamed.
        language: part of the fingerprint.
        date: the snapshot's, part of the fingerprint.
        sources: what each vouches for, in the order of their numbers.
        report: called with the stage, and articles done and in all.

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
            counts = _fill(staged, language, date, sources, report)
        finally:
            if staged.in_transaction:
                staged.execute("ROLLBACK")
            for table in ("winners", "days"):
                staged.execute(f"DROP TABLE IF EXISTS temp.{table}")
            staged.execute("DROP TABLE IF EXISTS temp.waiting")
            staged.execute("DETACH store")
    with beside.open("rb+") as file:
        os.fsync(file.fileno())
    beside.replace(folder / ARTICLES)
    return counts


def _fill(
    staged: sqlite3.Connection,
    language: str,
    date: str,
    sources: Sequence[Vouched],
    report: Callable[[str, int, int], None],
) -> Counts:
    for statement in SCHEMA + CONTENTS:
        staged.execute(statement)
    staged.execute("BEGIN")
    staged.execute("CREATE TEMP TABLE days (source INTEGER PRIMARY KEY, day TEXT, late INTEGER)")
    staged.executemany(
        "INSERT INTO days VALUES (?, ?, ?)",
        (
            (number, vouched.day, vouched.rendered and vouched.day > date)
            for number, vouched in enumerate(sources)
        ),
    )
    staged.execute(_WINNERS)
    total = staged.execute("SELECT COUNT(*) FROM winners WHERE NOT redirect").fetchone()[0]

    def counted(stage: str) -> Callable[[Iterable[Row]], Iterator[Row]]:
        return partial(_counted, lambda done: report(stage, done, total))

    _write_names(staged)
    _write_articles(
        staged,
        [source_caveat(vouched, date) for vouched in sources],
        counted("writing articles"),
        counted("writing texts"),
    )
    write_categories(staged, counted=counted("writing categories"))
    staged.execute("COMMIT")
    for statement in INDEXES:
        staged.execute(statement)
    write_blocks(staged)
    index_titles(staged, counted=counted("indexing titles"))
    return _count(staged, language, date)


def _counted(report: Callable[[int], None], rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows, reporting how many there were, from 0 to the last."""
    report(done := 0)
    for done, row in enumerate(rows, start=1):
        yield row
        if done % _REPORT_EVERY == 0:
            report(done)
    report(done)


def _write_articles(
    staged: sqlite3.Connection,
    caveats: Sequence[str],
    heads: Callable[[Iterable[Row]], Iterator[Row]],
    bodies: Callable[[Iterable[Row]], Iterator[Row]],
) -> None:
    order = "FROM winners w JOIN pages p ON p.rowid = w.id WHERE NOT w.redirect ORDER BY w.page_id"
    staged.executemany(
        "INSERT INTO store.articles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        heads(
            _complete(
                staged.execute(
                    "SELECT p.page_id, p.rev_id, p.title, p.timestamp, p.url, p.disambiguation,"
                    f" p.chunk_count, p.digest, p.caveat, p.source {order}"
                ),
                _redirects(staged),
                caveats,
            )
        ),
    )
    columns = "p.page_id, p.spans, p.sections, p.text, p.links"
    staged.executemany(
        "INSERT INTO store.bodies VALUES (?, ?, ?, ?, ?)",
        bodies(staged.execute(f"SELECT {columns} {order}")),
    )
    staged.execute(f"INSERT INTO store.contents SELECT p.page_id, p.contents {order}")


def _redirects(staged: sqlite3.Connection) -> Iterator[tuple[int, list[str]]]:
    """Yield the redirects of each article that has some, in page order."""
    query = "SELECT page_id, title FROM store.names WHERE redirect ORDER BY page_id, title"
    for page_id, rows in groupby(staged.execute(query), key=lambda row: int(row[0])):
        yield page_id, [title for _, title in rows]


def _complete(
    rows: sqlite3.Cursor, redirects: Iterator[tuple[int, list[str]]], caveats: Sequence[str]
) -> Iterator[tuple[object, ...]]:
    """Add to each article what only the whole tells: its caveat, names' digest and first row."""
    first = 0
    following = next(redirects, None)
    for *head, disambiguation, count, digest, own, source in rows:
        caveat = "; ".join(filter(None, (own, caveats[source])))
        titles: list[str] = []
        if following is not None and following[0] == head[0]:
            titles, following = following[1], next(redirects, None)
        names = digest_names(head[2], titles)
        yield (*head, caveat, disambiguation, count, digest, names, first)
        first += count


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
    late = one(
        "SELECT COUNT(DISTINCT page_id) FROM pages JOIN days USING (source)"
        " WHERE late AND target IS NOT NULL AND page_id NOT IN (SELECT page_id FROM winners)"
    ).fetchone()[0]
    if late:
        skipped[LATE_REDIRECT] = late
    return Counts(
        articles=articles,
        chunks=chunks,
        newest=newest,
        redirects=one("SELECT COUNT(*) FROM store.names WHERE redirect").fetchone()[0],
        skipped=dict(sorted(skipped.items())),
        simplified=one(
            "SELECT COUNT(*) FROM winners w JOIN pages p ON p.rowid = w.id WHERE p.simplified"
        ).fetchone()[0],
        caveats=dict(
            one(
                "SELECT caveat, COUNT(*) FROM store.articles WHERE caveat != ''"
                " GROUP BY caveat ORDER BY caveat"
            )
        ),
        fingerprint=fingerprint(language, date, read_blocks(staged, "store")),
    )
