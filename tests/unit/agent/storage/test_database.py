"""One owner for a file, whoever wants something of it, from wherever."""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from agent.storage.database import Database
from agent.storage.futures import awaited


def opening(path: Path) -> Callable[[], sqlite3.Connection]:
    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE IF NOT EXISTS kept (value INTEGER)")
        return connection

    return connect


def keep(value: int) -> Callable[[sqlite3.Connection], None]:
    def work(file: sqlite3.Connection) -> None:
        with file:
            file.execute("INSERT INTO kept VALUES (?)", (value,))

    return work


def kept(file: sqlite3.Connection) -> list[int]:
    return [value for (value,) in file.execute("SELECT value FROM kept ORDER BY rowid")]


def owners() -> int:
    return sum(thread.name == "database owner" for thread in threading.enumerate())


def test_threads_and_loops_share_an_owner(tmp_path: Path) -> None:
    database = Database(opening(tmp_path / "f"))

    def from_a_loop(value: int) -> None:
        asyncio.run(database.do(keep(value)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(from_a_loop, range(40)))
        list(pool.map(database.run, map(keep, range(40, 80))))
    assert sorted(database.run(kept)) == list(range(80))
    database.close()
    with pytest.raises(sqlite3.ProgrammingError, match="was closed"):
        database.run(kept)


def test_what_fails_is_taken_back_and_told(tmp_path: Path) -> None:
    database = Database(opening(tmp_path / "f"))

    def torn(file: sqlite3.Connection) -> None:
        file.execute("INSERT INTO kept VALUES (1)")
        raise ValueError("half of it")

    with pytest.raises(ValueError, match="half of it"):
        database.run(torn)
    database.run(keep(2))
    assert database.run(kept) == [2]
    database.close()


async def test_work_whose_wait_is_cancelled_is_done_all_the_same(tmp_path: Path) -> None:
    database = Database(opening(tmp_path / "f"))
    task = asyncio.create_task(database.do(lambda file: (time.sleep(0.05), keep(1)(file))))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await database.do(kept) == [1]
    database.close()


async def test_another_writer_is_waited_for_without_holding_up_the_loop(tmp_path: Path) -> None:
    database = Database(opening(tmp_path / "f"))
    other = sqlite3.connect(tmp_path / "f", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    writing = asyncio.create_task(database.do(keep(1)))
    begun, longest = time.monotonic(), 0.0
    while time.monotonic() - begun < 0.3:
        before = time.monotonic()
        await asyncio.sleep(0.01)
        longest = max(longest, time.monotonic() - before)
    assert not writing.done()
    assert longest < 0.25
    other.execute("COMMIT")
    await writing
    other.close()
    database.close()


def test_an_owner_ends_with_its_file(tmp_path: Path) -> None:
    gc.collect()
    before = owners()
    database = Database(opening(tmp_path / "f"))
    database.run(keep(1))
    assert owners() == before + 1
    del database
    gc.collect()
    assert owners() == before


def test_a_forked_process_has_an_owner_of_its_own(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from tests.unit.agent.storage.test_database import Database, keep, kept, opening\n"
        "database = Database(opening(Path(sys.argv[1])))\n"
        "database.run(keep(1))\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    database.run(keep(2))\n"
        "    os._exit(0)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert database.run(kept) == [1, 2]\n"
    )
    root = Path(__file__).parents[4]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", script, str(tmp_path / "f")]
    assert subprocess.run(command, env=environment, timeout=60).returncode == 0


def test_a_result_outlives_the_loop_that_waited_for_it() -> None:
    future: Future[int] = Future()
    loop = asyncio.new_event_loop()
    waiting = loop.create_task(awaited(future))
    loop.run_until_complete(asyncio.sleep(0))
    waiting.cancel()
    loop.run_until_complete(asyncio.wait([waiting]))
    loop.close()
    future.set_result(7)
    assert asyncio.run(awaited(future)) == 7
