"""The store while it is being built: what is done stays done, whenever the build is killed.

It lies in a folder beside the snapshot's (`NAME.partial`) and is renamed into place at the end.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import astuple, fields
from pathlib import Path

from corpus.database import INDEXES, SCHEMA
from corpus.errors import InputError
from corpus.extract import Extracted
from corpus.manifest import ARTICLES
from corpus.record import PackedArticle
from corpus.titles import fold, normalise

_STAGING = """
CREATE TABLE recipe (content TEXT NOT NULL);
CREATE TABLE redirects (title TEXT NOT NULL, target TEXT NOT NULL, PRIMARY KEY (title, target));
CREATE TABLE skipped (title TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (title, reason));
CREATE TABLE simplified (page_id INTEGER PRIMARY KEY);
"""
_COLUMNS = [field.name for field in fields(PackedArticle)]
_HEAD = _COLUMNS[: _COLUMNS.index("text")]
_LONGEST_REDIRECT = 5
"""Redirects followed in a row; MediaWiki follows one, and loops end here."""


class StagedStore:
    """An unfinished store.

    Args:
        folder: the staging folder, which exists.
        recipe: what the build depends on (sources with checksums, date, language, versions): a
            store begun by another recipe is refused by `open`, so that nothing is mixed.
    """

    def __init__(self, folder: Path, recipe: Mapping[str, object]) -> None:
        self.path = folder / ARTICLES
        content = json.dumps(recipe, sort_keys=True, ensure_ascii=False)
        if self.path.exists() and not self._begun_with(content):
            self.path.unlink()
            for suffix in ("-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        fresh = not self.path.exists()
        self._database = sqlite3.connect(self.path)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")
        if fresh:
            self._database.executescript(SCHEMA + _STAGING)
            self._database.execute("INSERT INTO recipe VALUES (?)", (content,))
            self._database.commit()

    def _begun_with(self, content: str) -> bool:
        try:
            database = sqlite3.connect(self.path)
            try:
                return database.execute("SELECT content FROM recipe").fetchone() == (content,)
            finally:
                database.close()
        except sqlite3.Error:
            return False

    def known(self) -> dict[int, str]:
        """Return the time of the revision that is stored of every page so far."""
        return dict(self._database.execute("SELECT page_id, timestamp FROM articles"))

    def add(
        self,
        extracted: Iterable[Extracted],
        redirects: Iterable[tuple[str, str]],
        skipped: Iterable[tuple[str, str]],
    ) -> None:
        """Store a batch in one transaction."""
        try:
            with self._database:
                for one in extracted:
                    if one.article is not None:
                        self._put(one.article, simplified=one.simplified)
                    else:
                        self._skip(one.title, one.skipped or "")
                self._database.executemany(
                    "INSERT OR IGNORE INTO redirects VALUES (?, ?)", redirects
                )
                for title, reason in skipped:
                    self._skip(title, reason)
        except sqlite3.OperationalError as error:
            raise _as_input_error(error, self.path) from None

    def _put(self, article: PackedArticle, *, simplified: bool) -> None:
        values = dict(zip(_COLUMNS, astuple(article), strict=True))
        # Of a page that several sources hold, the newest revision counts.
        newer = self._database.execute(
            "SELECT 1 FROM articles WHERE page_id = ? AND (timestamp, rev_id) >= (?, ?)",
            (article.page_id, article.timestamp, article.rev_id),
        ).fetchone()
        if newer:
            return
        marks = ", ".join("?" * len(_HEAD))
        self._database.execute(
            f"INSERT OR REPLACE INTO articles ({', '.join(_HEAD)}) VALUES ({marks})",
            [values[name] for name in _HEAD],
        )
        self._database.execute(
            "INSERT OR REPLACE INTO bodies VALUES (?, ?, ?, ?)",
            (article.page_id, article.text, article.outline, article.spans),
        )
        self._database.execute("DELETE FROM simplified WHERE page_id = ?", (article.page_id,))
        if simplified:
            self._database.execute("INSERT INTO simplified VALUES (?)", (article.page_id,))

    def _skip(self, title: str, reason: str) -> None:
        self._database.execute("INSERT OR IGNORE INTO skipped VALUES (?, ?)", (title, reason))

    def finish(self, language: str, date: str) -> Mapping[str, object]:
        """Number the rows, resolve the redirects, drop what only building needs; return the counts.

        The keys are fields of the manifest.
        """
        try:
            with self._database:
                self._number_rows()
                self._name_pages()
            with self._database:
                self._database.executescript(INDEXES)
            counts = self._count(language, date)
            with self._database:
                for table in ("recipe", "redirects", "skipped", "simplified"):
                    self._database.execute(f"DROP TABLE {table}")
            self._database.execute("PRAGMA journal_mode = DELETE")
            self._database.execute("VACUUM")
        except sqlite3.OperationalError as error:
            raise _as_input_error(error, self.path) from None
        self._database.close()
        return counts

    def close(self) -> None:
        """Close the file; what is in it stays for the next attempt."""
        self._database.close()

    def _number_rows(self) -> None:
        first = 0
        rows = self._database.execute("SELECT page_id, chunk_count FROM articles ORDER BY page_id")
        for page_id, count in rows.fetchall():
            self._database.execute(
                "UPDATE articles SET first_row = ? WHERE page_id = ?", (first, page_id)
            )
            first += count

    def _name_pages(self) -> None:
        insert = "INSERT OR IGNORE INTO names VALUES (?, ?, ?, ?)"
        self._database.execute("DELETE FROM names")
        for page_id, title in self._database.execute("SELECT page_id, title FROM articles"):
            name = normalise(title)
            self._database.execute(insert, (fold(name), name, 0, page_id))
        waiting = [
            (normalise(title), normalise(target))
            for title, target in self._database.execute(
                "SELECT title, target FROM redirects ORDER BY title, target"
            )
        ]
        for _ in range(_LONGEST_REDIRECT):
            unresolved = []
            resolved = []
            for title, target in waiting:
                found = self._database.execute(
                    "SELECT page_id FROM names WHERE folded = ?"
                    " ORDER BY title != ?, redirect, title, page_id LIMIT 1",
                    (fold(target), target),
                ).fetchone()
                if found is None:
                    unresolved.append((title, target))
                else:
                    resolved.append((fold(title), title, 1, found[0]))
            # Written after the round, so that the result does not depend on the order within it.
            self._database.executemany(insert, resolved)
            if not resolved:
                break
            waiting = unresolved
        self._database.executemany(
            "INSERT OR IGNORE INTO skipped VALUES (?, 'redirect to a page that is not here')",
            [(title,) for title, _ in waiting],
        )

    def _count(self, language: str, date: str) -> dict[str, object]:
        one = self._database.execute
        articles, chunks, newest = one(
            "SELECT COUNT(*), COALESCE(SUM(chunk_count), 0), COALESCE(MAX(timestamp), '')"
            " FROM articles"
        ).fetchone()
        return {
            "articles": articles,
            "chunks": chunks,
            "newest": newest,
            "redirects": one("SELECT COUNT(*) FROM names WHERE redirect").fetchone()[0],
            "skipped": dict(one("SELECT reason, COUNT(*) FROM skipped GROUP BY reason ORDER BY 1")),
            "simplified": one("SELECT COUNT(*) FROM simplified").fetchone()[0],
            "fingerprint": fingerprint(self._database, language, date),
        }


def fingerprint(database: sqlite3.Connection, language: str, date: str) -> str:
    """Return the SHA-256 over language, date, and every article's digest and names, in page order."""
    digest = hashlib.sha256(json.dumps([language, date]).encode())
    for page_id, article in database.execute(
        "SELECT page_id, digest FROM articles ORDER BY page_id"
    ):
        digest.update(page_id.to_bytes(8, "little"))
        digest.update(article)
    for title, page_id in database.execute(
        "SELECT title, page_id FROM names WHERE redirect ORDER BY page_id, title"
    ):
        digest.update(page_id.to_bytes(8, "little"))
        digest.update(title.encode() + b"\0")
    return digest.hexdigest()


def put_in_place(staging: Path, folder: Path) -> None:
    """Flush a finished staging folder to disk and rename it to its name."""
    for path in staging.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    staging.rename(folder)


def _as_input_error(error: sqlite3.OperationalError, path: Path) -> InputError:
    if "full" in str(error):
        return InputError(
            f"the disk of {path.parent} is full: free some space and run the same command again,"
            " it goes on where it stopped"
        )
    return InputError(f"{path} cannot be written ({error}): run the same command again")
