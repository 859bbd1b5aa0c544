"""The store while it is being built: what is in it stays, whenever the build is killed.

It lies in a folder beside the snapshot's (`NAME.partial`). A batch's pages and its interval are
written in one transaction, so after any interruption the store knows exactly what is missing.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from pathlib import Path

from corpus.builder.extraction import Extracted
from corpus.errors import InputError
from corpus.faults import is_damage, machine_fault
from corpus.sources.types import MALFORMED, OUTSIDE, Batch, Done, Source
from corpus.storage.record import PackedArticle, PackedRedirect

STAGED = "build.sqlite"
_SCHEMA = """
CREATE TABLE recipe (content TEXT NOT NULL);
CREATE TABLE sources (
    source INTEGER PRIMARY KEY, name TEXT NOT NULL, identity TEXT NOT NULL, notice TEXT
);
CREATE TABLE done (
    source INTEGER, start INTEGER, end INTEGER, newest TEXT, undated INTEGER,
    PRIMARY KEY (source, start)
) WITHOUT ROWID;
CREATE TABLE pages (
    page_id INTEGER NOT NULL,
    source INTEGER NOT NULL,
    rev_id INTEGER NOT NULL,
    timestamp TEXT NOT NULL,
    title TEXT NOT NULL,
    folded TEXT NOT NULL,
    target TEXT,
    target_folded TEXT,
    url TEXT,
    disambiguation INTEGER,
    simplified INTEGER,
    chunk_count INTEGER,
    caveat TEXT,
    digest BLOB,
    spans BLOB,
    sections BLOB,
    text BLOB,
    links BLOB,
    contents BLOB,
    UNIQUE (page_id, source)
);
CREATE INDEX versions ON pages (page_id, timestamp, rev_id, source);
CREATE TABLE skipped (
    source INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    page_id INTEGER,
    reason TEXT NOT NULL,
    title TEXT NOT NULL,
    count INTEGER NOT NULL
);
CREATE INDEX skipped_by_batch ON skipped (source, batch);
"""
_ARTICLE = [field.name for field in fields(PackedArticle)]
_REDIRECT = [field.name for field in fields(PackedRedirect)]


class Staging:
    """An unfinished store.

    Args:
        folder: the staging folder, which exists.
        recipe: what the result depends on beside the sources' content: nothing begun by another
            recipe is mixed in.
        sources: in the order of their numbers.

    Raises:
        InputError: the folder holds what another command began.
    """

    def __init__(
        self, folder: Path, recipe: Mapping[str, object], sources: Sequence[Source]
    ) -> None:
        self.path = folder / STAGED
        self._sources = sources
        with explain_errors(folder):
            self.database = sqlite3.connect(self.path, isolation_level=None)
            self.database.execute("PRAGMA journal_mode = WAL")
            # A commit then waits for no disk: what a power cut takes is read again.
            self.database.execute("PRAGMA synchronous = NORMAL")
            with transaction(self.database):
                self._begin(json.dumps(recipe, sort_keys=True), folder)

    def _begin(self, content: str, folder: Path) -> None:
        names = [source.name for source in self._sources]
        if not self.database.execute("PRAGMA table_info(recipe)").fetchall():
            for statement in _SCHEMA.split(";\n"):
                self.database.execute(statement)
            self.database.execute("INSERT INTO recipe VALUES (?)", (content,))
            for number, name in enumerate(names):
                self.database.execute("INSERT INTO sources VALUES (?, ?, '', NULL)", (number, name))
        begun = self.database.execute("SELECT content FROM recipe").fetchone()[0]
        begun_names = [name for (name,) in self.database.execute("SELECT name FROM sources")]
        if (begun, begun_names) != (content, names):
            raise InputError(
                f"{folder} holds a build that another command began ({_tell(begun, begun_names)}):"
                " run that one again to end it, or delete the folder to begin anew"
            )
        for number, source in enumerate(self._sources):
            known = "SELECT identity FROM sources WHERE source = ?"
            if self.database.execute(known, (number,)).fetchone()[0] != source.identity():
                self.forget(number)
                self.database.execute(
                    "UPDATE sources SET identity = ? WHERE source = ?", (source.identity(), number)
                )

    def forget(self, source: int) -> None:
        """Drop what came from a source."""
        for table in ("pages", "skipped", "done"):
            self.database.execute(f"DELETE FROM {table} WHERE source = ?", (source,))

    def forget_bad(self, kinds: Container[str]) -> None:
        """Drop what came from sources of these kinds of which records were left out as malformed."""
        query = "SELECT DISTINCT source FROM skipped WHERE reason = ?"
        with transaction(self.database):
            for (source,) in self.database.execute(query, (MALFORMED,)).fetchall():
                if self._sources[source].kind in kinds:
                    self.forget(source)

    def done(self, source: int) -> Done:
        """Return what of a source is stored."""
        return Done(
            self.database.execute("SELECT start, end FROM done WHERE source = ?", (source,))
        )

    def seen(self, source: int) -> tuple[str, int]:
        """Return the time of the newest revision seen in a source, and its articles without one."""
        query = (
            "SELECT COALESCE(MAX(newest), ''), COALESCE(SUM(undated), 0) FROM done WHERE source = ?"
        )
        newest, undated = self.database.execute(query, (source,)).fetchone()
        return newest, undated

    def count_articles(self) -> int:
        """Return how many articles are stored so far."""
        query = "SELECT COUNT(*) FROM pages WHERE target IS NULL"
        count: int = self.database.execute(query).fetchone()[0]
        return count

    def add(self, source: int, batch: Batch, extracted: Extracted) -> None:
        """Store what became of a batch of a source, in one transaction.

        Raises:
            InputError: the disk is full or refuses.
        """
        with explain_errors(self.path.parent), transaction(self.database):
            self._put(_ARTICLE, source, extracted.articles)
            self._put(_REDIRECT, source, extracted.redirects)
            self._skip(source, batch.start, extracted)
            if batch.end > batch.start:
                self.database.execute(
                    "INSERT OR REPLACE INTO done VALUES (?, ?, ?, ?, ?)",
                    (source, batch.start, batch.end, extracted.newest, extracted.undated),
                )

    def _put(
        self, columns: list[str], source: int, rows: Sequence[PackedArticle | PackedRedirect]
    ) -> None:
        names = ", ".join(columns)
        marks = ", ".join("?" * len(columns))
        updates = ", ".join(f"{name} = excluded.{name}" for name in columns)
        # A source may hold a page twice: the newer one counts, whatever the order.
        self.database.executemany(
            f"INSERT INTO pages ({names}, source) VALUES ({marks}, {source})"
            f" ON CONFLICT (page_id, source) DO UPDATE SET {updates}"
            " WHERE (excluded.timestamp, excluded.rev_id) > (timestamp, rev_id)",
            (astuple(row) for row in rows),
        )

    def _skip(self, source: int, batch: int, extracted: Extracted) -> None:
        outside = sum(skipped.reason == OUTSIDE for skipped in extracted.skipped)
        rows = [
            (source, batch, skipped.page_id, skipped.reason, skipped.title, 1)
            for skipped in extracted.skipped
            if skipped.reason != OUTSIDE
        ]
        if outside:
            rows.append((source, batch, None, OUTSIDE, "", outside))
        self.database.executemany("INSERT INTO skipped VALUES (?, ?, ?, ?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file; what is in it stays for the next attempt."""
        self.database.close()


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Commit what the block writes, or nothing of it."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


@contextmanager
def explain_errors(folder: Path) -> Iterator[None]:
    """Turn what SQLite says about a disk into a message for the user."""
    try:
        yield
    except sqlite3.OperationalError as error:
        name = getattr(error, "sqlite_errorname", "")
        fault = machine_fault(error)
        if fault is not None:
            raise InputError(f"{folder}: {fault}, it goes on where it stopped") from None
        if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
            raise InputError(
                f"{folder} cannot be written ({error}): choose a place you may write to"
            ) from None
        raise
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        raise InputError(
            f"{folder} is damaged ({error}): delete it and run the command again"
        ) from None


def _tell(recipe: str, names: list[str]) -> str:
    wanted = json.loads(recipe)
    return f"--date {wanted['date']} --lang {wanted['language']}, of {', '.join(names)}"
