from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint

from agent.graph.assembly import Serializer
from agent.graph.record.checkpoints import Checkpoints
from agent.storage.database import Database

PLACE: RunnableConfig = {"configurable": {"thread_id": "r1", "checkpoint_ns": ""}}


def opened(file: Path, commits: list[str]) -> tuple[Database, Checkpoints]:
    """Return a file's owner, which notes each end of a transaction, and what is kept in it."""

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(file, check_same_thread=False)
        connection.set_trace_callback(
            lambda said: commits.append(said) if said == "COMMIT" else None
        )
        return connection

    database = Database(connect)
    return database, Checkpoints(database, Serializer())


def test_what_ends_together_is_one_transaction_and_is_found_by_another_process(
    tmp_path: Path,
) -> None:
    commits: list[str] = []
    database, kept = opened(tmp_path / "runs.sqlite", commits)

    async def fan_out() -> Any:
        checkpoint = empty_checkpoint()
        place = await kept.aput(PLACE, checkpoint, {"step": 1}, {})
        before = len(commits)
        await asyncio.gather(
            *(kept.aput_writes(place, [("found", f"answer {n}")], f"task {n}") for n in range(20))
        )
        return len(commits) - before

    assert asyncio.run(fan_out()) == 1
    other, seen = opened(tmp_path / "runs.sqlite", [])
    found = asyncio.run(seen.aget_tuple(PLACE))
    assert found is not None
    assert {(task, value) for task, _, value in found.pending_writes or ()} == {
        (f"task {n}", f"answer {n}") for n in range(20)
    }
    database.close()
    other.close()


def test_a_write_that_fails_is_told_to_all_that_stand_in_its_transaction(tmp_path: Path) -> None:
    database, kept = opened(tmp_path / "runs.sqlite", [])

    async def two() -> list[Any]:
        place = await kept.aput(PLACE, empty_checkpoint(), {"step": 1}, {})
        return await asyncio.gather(
            kept.aput_writes(place, [("found", "kept")], "good"),
            kept.aput_writes(place, [("found", lambda: None)], "bad"),
            return_exceptions=True,
        )

    with pytest.raises(TypeError):
        raise next(one for one in asyncio.run(two()) if one is not None)
    found = asyncio.run(kept.aget_tuple(PLACE))
    assert found is not None
    assert not found.pending_writes
    database.close()
