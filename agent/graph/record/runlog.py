"""Which questions were asked, how, and how they ended: a table beside the checkpoints.

Kept in the same SQLite file, and written by the same owner. A finished run keeps its answer here and gives up its checkpoints, so
the file holds a few hundred kilobytes a question; the oldest runs are forgotten.
"""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from agent.graph.planfile import plan_from_json, plan_to_json
from agent.settings import Settings
from agent.storage.database import BUSY, Database, write_ahead
from agent.types import SubQuestion
from corpus.errors import InputError
from corpus.faults import machine_fault
from corpus.storage.manifest import Manifest

T = TypeVar("T")
KEPT = 200
"""Runs remembered; older ones can no longer be resumed."""
_ID = re.compile(r"[0-9a-z]{1,40}")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY,
    begun TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    question TEXT NOT NULL,
    settings TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    plan TEXT NOT NULL,
    form TEXT,
    answer BLOB
) STRICT
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One question that was begun."""

    id: str
    question: str
    settings: Settings
    fingerprint: str
    """Of the snapshot; another one would not give the same chunks."""
    plan: tuple[SubQuestion, ...]
    """As it was given; empty where the reasoner makes it."""
    answer: tuple[str, bytes] | None
    """As `agent.graph.assembly.Serializer` writes it, once the run has ended."""


class RunLog:
    """The table of runs. Its methods wait for the file's owner: not for use on an event loop.

    Args:
        path: the file; opened, and made where it is missing, when it is first needed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database: Database | None = None
        self._lock = threading.Lock()

    @property
    def database(self) -> Database:
        """The file, for what else is kept in it.

        Raises:
            InputError: it cannot be opened or written; says why.
        """
        with self._lock:
            if self._database is None:
                try:
                    self._path.parent.mkdir(parents=True, exist_ok=True)
                    self._database = Database(self._connect)
                except (OSError, sqlite3.DatabaseError) as error:
                    raise self._unusable(error) from error
            return self._database

    def close(self) -> None:
        """Close the file; what is asked of the table later opens it again."""
        with self._lock:
            database, self._database = self._database, None
        if database is not None:
            database.close()

    def check_writable(self) -> None:
        """Write a little, as the first of many times.

        Raises:
            InputError: the file cannot be written; says why.
        """
        self._run(lambda file: file.execute("PRAGMA user_version = 1"))

    def begin(
        self,
        run_id: str,
        question: str,
        settings: Settings,
        fingerprint: str,
        plan: Sequence[SubQuestion] = (),
    ) -> list[str]:
        """Note a question that is being asked; return the ids of runs now forgotten.

        Raises:
            InputError: a run of this id exists, or the file cannot be written.
        """
        if not _ID.fullmatch(run_id):
            raise InputError(f"{run_id!r} is no id of a run: small letters and digits, at most 40")
        begun = (
            *(run_id, question, json.dumps(settings.to_json()), fingerprint),
            json.dumps(plan_to_json(plan)),
        )

        def note(file: sqlite3.Connection) -> list[str]:
            file.execute(
                "INSERT INTO runs (id, question, settings, fingerprint, plan) "
                "VALUES (?, ?, ?, ?, ?)",
                begun,
            )
            old = file.execute(
                "SELECT id FROM runs ORDER BY begun DESC, rowid DESC LIMIT -1 OFFSET ?", (KEPT,)
            ).fetchall()
            file.executemany("DELETE FROM runs WHERE id = ?", old)
            return [id_ for (id_,) in old]

        try:
            return self._run(note)
        except sqlite3.IntegrityError:
            raise InputError(f"a run {run_id} exists already: resume it") from None

    def end(self, run_id: str, answer: tuple[str, bytes]) -> None:
        """Keep the answer of a run."""
        query = "UPDATE runs SET form = ?, answer = ? WHERE id = ?"
        self._run(lambda file: file.execute(query, (*answer, run_id)))

    def find(self, run_id: str) -> Run:
        """Return a run.

        Raises:
            InputError: there is none of this id; names the latest.
        """
        wanted = "SELECT question, settings, fingerprint, plan, form, answer FROM runs WHERE id = ?"
        last = "SELECT id, question FROM runs ORDER BY begun DESC, rowid DESC LIMIT 1"
        row = latest = None
        if self._path.is_file():
            row, latest = self._run(
                lambda file: (
                    file.execute(wanted, (run_id,)).fetchone(),
                    file.execute(last).fetchone(),
                )
            )
        if row is None:
            known = f"the latest is {latest[0]} ({latest[1][:60]})" if latest else "there is none"
            raise InputError(f"no run {run_id!r} to resume: {known}")
        question, settings, fingerprint, plan, form, answer = row
        return Run(
            id=run_id,
            question=question,
            settings=Settings.from_json(json.loads(settings)),
            fingerprint=fingerprint,
            plan=tuple(plan_from_json(json.loads(plan), "the plan")) if plan != "[]" else (),
            answer=None if answer is None else (form, answer),
        )

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=BUSY, check_same_thread=False)
        try:
            # A step's state is a hundred kilobytes and more: in larger pages it takes two thirds of
            # the time. Of a file that is there it changes nothing.
            connection.execute("PRAGMA page_size = 16384")
            write_ahead(connection)
            # Survives a killed process; only a power cut may cost the last step, which is redone.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_SCHEMA)
        except BaseException:
            connection.close()
            raise
        return connection

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def whole(file: sqlite3.Connection) -> T:
            with file:
                return work(file)

        try:
            return self.database.run(whole)
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> InputError:
        lacking = machine_fault(error)
        if lacking is not None:
            return InputError(f"{self._path}: runs cannot be kept here: {lacking}")
        return InputError(
            f"{self._path}: runs cannot be kept here ({error}): make room, or move it away"
        )


def check_same(run: Run, settings: Settings, manifest: Manifest) -> None:
    """Refuse to go on with a run in other circumstances than it was begun in.

    Budgets may differ: more of them is why many a run is resumed.

    Raises:
        InputError: names the difference.
    """
    here = replace(settings, budget=run.settings.budget, approve=run.settings.approve)
    before = run.settings.to_json()
    for name, value in here.to_json().items():
        if value != before[name]:
            raise InputError(
                f"the run {run.id} was begun with {name} {before[name]!r}, "
                f"this agent has {value!r}: resume it as it was begun"
            )
    if run.fingerprint != manifest.fingerprint:
        raise InputError(
            f"the run {run.id} was begun on another snapshot than {manifest.name}: "
            "ask the question anew"
        )


def new_id() -> str:
    """Return a fresh id: eight hexadecimal digits, short enough to type."""
    return secrets.token_hex(4)
