"""The SQLite file of model calls, and which of them are being made."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol

from agent.storage.database import BUSY, Database, write_ahead
from agent.storage.futures import awaited
from corpus.errors import BackendError, InputError
from corpus.faults import machine_fault

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    key TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    ok INTEGER NOT NULL,
    reply TEXT NOT NULL,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT
"""
_APPLICATION_ID = 0x46464331
"""Marks the file as ours; another SQLite file is refused rather than written into."""


class Calls(Protocol):
    """Keeps calls: a `CallCache` of this machine, or one that many share."""

    path: Path

    async def begin(self, key: str) -> bool:
        """Wait until nobody else makes this call, then begin it.

        Returns:
            Whether another who made it meanwhile kept it, as a reply or as a failure.
        """

    def end(self, key: str, *, kept: bool) -> None:
        """End a call that was begun, and tell who waits for it whether it was kept."""

    async def get(self, key: str) -> tuple[bool, dict[str, Any]] | None:
        """Return (ok, record) of a call, or None."""

    async def put(self, key: str, model: str, *, ok: bool, record: dict[str, Any]) -> None:
        """Keep a call, even where the wait for it is cancelled."""

    def close(self) -> None:
        """Close what is open."""


class CallCache:
    """The file of calls. Safe to share between threads, event loops and processes.

    Raises:
        InputError: a file that is none, or cannot be written or read.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._under_way = UnderWay(path.absolute())
        if read_only and not path.is_file():
            raise InputError(f"{path}: no recorded calls to replay; run without replay first")
        try:
            self._database = Database(lambda: self._connect(path, read_only))
        except sqlite3.OperationalError as error:
            wanted = "read from" if read_only else "recorded in"
            lacking = machine_fault(error)
            if lacking is not None:
                raise InputError(f"calls cannot be {wanted} {path}: {lacking}") from error
            raise InputError(
                f"calls cannot be {wanted} {path} ({error}): make room or name another file"
            ) from error
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"{path} is no file of recorded calls ({error}): move it away or name another"
            ) from error

    def close(self) -> None:
        """Close the file; the end of this object does so too."""
        self._database.close()

    @staticmethod
    def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
        if not read_only:
            path.parent.mkdir(parents=True, exist_ok=True)
        mode = "ro" if read_only else "rwc"
        if read_only and not path.with_name(f"{path.name}-wal").exists():
            # Nobody is writing: read without the files that SQLite would make beside it, which a
            # folder that may not be written or a full disk would forbid.
            mode = "ro&immutable=1"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            # The table and the mark are made at once, so a table seen first has its mark after it.
            used = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            mark = connection.execute("PRAGMA application_id").fetchone()[0]
            if mark != _APPLICATION_ID and used:
                raise sqlite3.DatabaseError("another program's database")
            if not read_only:
                write_ahead(connection)
                # Survives a killed process; a power cut may cost the last replies, no more.
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(_SCHEMA)
                connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection

    async def begin(self, key: str) -> bool:
        """Wait until nobody else in this process makes this call, then begin it; see `Calls`."""
        return await self._under_way.enter(key)

    def end(self, key: str, *, kept: bool) -> None:
        """End a call that was begun."""
        self._under_way.end(key, kept=kept)

    async def get(self, key: str) -> tuple[bool, dict[str, Any]] | None:
        """Return (ok, record) of a call, or None."""
        query = "SELECT ok, reply FROM calls WHERE key = ?"
        row = await self._database.do(lambda file: file.execute(query, (key,)).fetchone())
        return None if row is None else (bool(row[0]), json.loads(row[1]))

    async def put(self, key: str, model: str, *, ok: bool, record: dict[str, Any]) -> None:
        """Keep a call, even where the wait for it is cancelled: it was paid for.

        A reply is never overwritten by a failure, nor by a later reply.

        Raises:
            BackendError: it cannot be written.
        """
        reply = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace").decode()
        query = (
            "INSERT INTO calls (key, model, ok, reply) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET ok = excluded.ok, reply = excluded.reply, "
            "at = excluded.at WHERE calls.ok = 0"
        )
        values = (key, model, int(ok), reply)
        try:
            await self._database.do(lambda file: file.execute(query, values))
        except sqlite3.OperationalError as error:
            why = machine_fault(error) or error
            raise BackendError(f"cannot record a call in {self.path}: {why}") from error

    def __len__(self) -> int:
        query = "SELECT count(*) FROM calls"
        return int(self._database.run(lambda file: file.execute(query).fetchone()[0]))


class UnderWay:
    """The calls of one file that are being made in this process, by whichever agent and thread."""

    _calls: dict[tuple[int, Path, str], Future[bool]] = {}  # noqa: RUF012 - of the process
    _lock = threading.Lock()

    def __init__(self, path: Path) -> None:
        self._path = path

    async def enter(self, key: str) -> bool:
        """Wait until nobody makes this call, then begin it; return whether it was kept meanwhile."""
        kept = False
        while (others := self._begin(key)) is not None:
            kept = await awaited(others)
        return kept

    def _begin(self, key: str) -> Future[bool] | None:
        """Begin a call and return None; or, where it is being made, what waits for its end."""
        place = self._place(key)
        with self._lock:
            found = self._calls.get(place)
            if found is None:
                self._calls[place] = Future()
            return found

    def end(self, key: str, *, kept: bool) -> None:
        """End a call that was begun, and tell all who wait for it."""
        with self._lock:
            ended = self._calls.pop(self._place(key))
        ended.set_result(kept)

    def _place(self, key: str) -> tuple[int, Path, str]:
        # A forked process inherits the table, and none of the threads that would end its calls.
        return os.getpid(), self._path, key
