"""A SQLite file with one owner: the one thread of this process that reads and writes it.

SQLite lets one writer in at a time. Where several connections of one process write, they wait for
each other's locks, and a lock whose holder needs the event loop that waits for it is never given
back. Here all work on a file is done by its owner, piece after piece, each whole; whoever wants it
done waits without a lock, and without holding up a loop. Other processes are waited for as SQLite
does (`timeout`), by the owner alone.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from agent.storage.futures import awaited

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
BUSY = 30.0
"""Seconds that another process's lock is waited for."""
_CLOSING = 10.0
"""Seconds that closing waits for work under way."""


def write_ahead(connection: sqlite3.Connection) -> None:
    """Turn a file to write-ahead logging, waiting for others who open it: SQLite itself does not."""
    until = time.monotonic() + BUSY
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)


class Database:
    """A file that work is done on. May be shared by threads, event loops and forked processes.

    Args:
        connect: opens the file; called at once, and again in a forked process. The connection is
            handed to the owner, so it has to be opened with `check_same_thread=False`.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._closed = False
        self._start()

    def run(self, work: Work[T]) -> T:
        """Have a piece of work done and return its result; not for use on an event loop.

        What it leaves uncommitted when it fails is taken back, and its error raised here.

        Raises:
            sqlite3.ProgrammingError: the file was closed.
        """
        return self._put(work).result()

    async def do(self, work: Work[T]) -> T:
        """Have a piece of work done and return its result; done even where the wait is cancelled."""
        return await awaited(self._put(work))

    def close(self) -> None:
        """Finish what was asked for and close the file."""
        with self._lock:
            self._closed = True
        self._end()

    def _put(self, work: Work[T]) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise sqlite3.ProgrammingError("the file was closed")
            if self._process != os.getpid():
                # Threads do not follow into a forked process, and a connection must not.
                self._start()
            self._pieces.put((work, future))
        return future

    def _start(self) -> None:
        self._process = os.getpid()
        self._pieces: SimpleQueue[tuple[Work[Any], Future[Any]] | None] = SimpleQueue()
        thread = threading.Thread(
            target=_serve, args=(self._connect(), self._pieces), name="database owner", daemon=True
        )
        thread.start()
        self._end = weakref.finalize(self, _stop, self._pieces, thread, self._process)


def _serve(
    connection: sqlite3.Connection, pieces: SimpleQueue[tuple[Work[Any], Future[Any]] | None]
) -> None:
    while (piece := pieces.get()) is not None:
        _do(connection, *piece)
        # What is asked next may be long in coming: nothing is held until then.
        del piece
    connection.close()


def _do(connection: sqlite3.Connection, work: Work[T], future: Future[T]) -> None:
    try:
        result = work(connection)
    except BaseException as error:
        if connection.in_transaction:
            connection.rollback()
        future.set_exception(error)
    else:
        future.set_result(result)


def _stop(pieces: SimpleQueue[Any], thread: threading.Thread, process: int) -> None:
    if process != os.getpid():
        return
    pieces.put(None)
    if thread is not threading.current_thread():
        thread.join(_CLOSING)
