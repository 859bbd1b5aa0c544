"""Where the steps of questions are kept: LangGraph's SQLite checkpoints, written by one owner.

A question's steps and the table of runs (`agent.graph.record.runlog`) lie in one file and are written through one
`Database`: nothing of one process ever waits for a lock that another part of it holds, and nothing
is written on an event loop. What is to be written at the same turn of a loop, such as the answers
of a fan-out that end together, goes to the owner at once and is one transaction.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.sqlite import SqliteSaver

from agent.storage.database import Database

T = TypeVar("T")
_Burst = tuple[list[Callable[[SqliteSaver], object]], "asyncio.Task[None]"]
"""What waits to be written together, and the task that will have it written."""


class Checkpoints(BaseCheckpointSaver[str]):
    """LangGraph's own SQLite saver, each of its calls made by the file's owner.

    Args:
        database: the file; closed by whoever opened it.
        serde: how states are written.
    """

    def __init__(self, database: Database, serde: SerializerProtocol) -> None:
        super().__init__(serde=serde)
        self._database = database
        self._saver: SqliteSaver | None = None
        self._waiting: WeakKeyDictionary[asyncio.AbstractEventLoop, _Burst] = WeakKeyDictionary()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint, the latest where the configuration names none."""
        return await self._do(lambda saver: saver.get_tuple(config))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints, the latest first."""
        found = await self._do(
            lambda saver: list(saver.list(config, filter=filter, before=before, limit=limit))
        )
        for one in found:
            yield one

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint and return the configuration that names it."""
        await self._write(lambda saver: saver.put(config, checkpoint, metadata, new_versions))
        place = {"checkpoint_ns": "", **config["configurable"], "checkpoint_id": checkpoint["id"]}
        return {"configurable": place}

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what one node wrote."""
        await self._write(lambda saver: saver.put_writes(config, writes, task_id, task_path))

    async def adelete_thread(self, thread_id: str) -> None:
        """Forget all checkpoints of one question."""
        await self._do(lambda saver: saver.delete_thread(thread_id))

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Return the version after `current`; versions sort as they follow."""
        # Written as the saver writes them, but for a random number that tells branches of one
        # thread apart: a run has none.
        before = 0 if current is None else int(current.split(".")[0])
        return f"{before + 1:032}.{0:016}"

    async def _do(self, work: Callable[[SqliteSaver], T]) -> T:
        """Have a piece of work done and kept for good."""

        def whole(connection: sqlite3.Connection) -> T:
            with connection:
                return work(self._over(connection))

        return await self._database.do(whole)

    async def _write(self, work: Callable[[SqliteSaver], object]) -> None:
        """Have a piece of writing kept, with all that this turn of the loop has to write."""
        loop = asyncio.get_running_loop()
        burst = self._waiting.get(loop)
        if burst is None:
            burst = self._waiting[loop] = [], loop.create_task(self._write_burst(loop))
        burst[0].append(work)
        # Whoever gives up waiting does so alone.
        await asyncio.shield(burst[1])

    async def _write_burst(self, loop: asyncio.AbstractEventLoop) -> None:
        pieces, _ = self._waiting.pop(loop)

        def all_of(saver: SqliteSaver) -> None:
            for piece in pieces:
                piece(saver)

        await self._do(all_of)

    def _over(self, connection: sqlite3.Connection) -> SqliteSaver:
        """Return the saver of the owner's connection: another one in a forked process."""
        if self._saver is None or self._saver.conn is not connection:
            self._saver = _Uncommitted(connection, serde=self.serde)
        return self._saver


class _Uncommitted(SqliteSaver):
    """LangGraph's saver, its commits left to whoever has several pieces of work for it."""

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        with super().cursor(transaction=False) as cursor:
            yield cursor
