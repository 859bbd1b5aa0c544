"""Where the steps of questions are kept: LangGraph's SQLite checkpoints, written by one owner.

A question's steps and the table of runs (`agent.graph.record.runlog`) lie in one file and are written through one
`Database`: nothing of one process ever waits for a lock that another part of it holds, and nothing
is written on an event loop.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, TypeVar

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
        return await self._do(lambda saver: saver.put(config, checkpoint, metadata, new_versions))

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep what one node wrote."""
        await self._do(lambda saver: saver.put_writes(config, writes, task_id, task_path))

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
        return await self._database.do(lambda connection: work(self._over(connection)))

    def _over(self, connection: sqlite3.Connection) -> SqliteSaver:
        """Return the saver of the owner's connection: another one in a forked process."""
        if self._saver is None or self._saver.conn is not connection:
            self._saver = SqliteSaver(connection, serde=self.serde)
        return self._saver
