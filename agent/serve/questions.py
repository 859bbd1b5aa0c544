"""A question under way: its work in a task of its own, what it says in a queue.

Whoever listens may vanish at any moment: the work is then cancelled, and its place at the gate is
free once it has ended.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from agent import events
from agent.agent import Agent
from agent.budget import KEPT_BACK, Budget
from agent.events import Event
from agent.serve.access.gate import Gate
from agent.serve.problems import Problem
from agent.types import Answer
from corpus.errors import BackendError

T = TypeVar("T")
SPARE_SECONDS = 10.0
"""Beyond its budget of seconds a question ends by itself in; then it is ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """A question waits for a place."""

    ahead: int


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing has happened for a while."""


Said = Event | Queued | Silence


class Asked(Protocol):
    """A question that somebody asked: one under way, or one answered before."""

    @property
    def agent(self) -> Agent:
        """Which answers it, or did."""
        ...

    @property
    def kept(self) -> bool:
        """Whether it was answered before."""
        ...

    def events(self, silence: float | None = None) -> AsyncGenerator[Said, None]:
        """Yield what happens, the answer last."""
        ...

    async def answer(self) -> Answer:
        """Return the answer."""
        ...

    def leave(self) -> None:
        """End the work; nobody listens any more."""
        ...


class Retold:
    """A question that was answered before.

    Args:
        agent: which answered it.
        told: all that happened, the answer last.
    """

    kept = True

    def __init__(self, agent: Agent, told: Sequence[Event]) -> None:
        self.agent = agent
        self._told = told

    async def events(self, silence: float | None = None) -> AsyncGenerator[Said, None]:
        """Yield what happened, at once."""
        for event in self._told:
            yield event

    async def answer(self) -> Answer:
        """Return the answer."""
        last = self._told[-1]
        assert isinstance(last, events.Answered)
        return last.answer

    def leave(self) -> None:
        """Nothing is under way."""


class Question:
    """One question, asked of an agent through a gate.

    Args:
        agent: answers.
        question: in words.
        budget: of this question, with seconds.
        gate: where it takes its place.
        ending: done when the server ends what is still under way, with what clients are told.
    """

    kept = False

    def __init__(
        self,
        agent: Agent,
        question: str,
        *,
        budget: Budget,
        gate: Gate,
        ending: asyncio.Future[Problem],
    ) -> None:
        self.agent = agent
        self.text = question
        self._budget = budget
        self._gate = gate
        self._ending = ending
        self._queue: asyncio.Queue[Said | None] = asyncio.Queue()
        self.told: list[Event] = []
        """What has happened."""
        # What cannot even wait is refused before anything is sent.
        self._turn = gate.take(lambda ahead: self._queue.put_nowait(Queued(ahead=ahead)))
        self.task = asyncio.create_task(self._work())
        self.task.add_done_callback(self._end)

    async def events(self, silence: float | None = None) -> AsyncGenerator[Said, None]:
        """Yield what happens, the answer last. Leaving ends the work.

        Args:
            silence: seconds without an event after which `Silence` is one.

        Raises:
            Problem: the queue is full, the time is up, or the server ends.
            FanfoldError: as `Agent.events`.
        """
        try:
            while True:
                try:
                    said = await asyncio.wait_for(self._queue.get(), silence)
                except TimeoutError:
                    said = Silence()
                if said is None:
                    break
                yield said
            await self.task
        finally:
            self.leave()

    async def answer(self) -> Answer:
        """Return the answer; raises as `events`."""
        async with aclosing(self.events()) as stream:
            async for said in stream:
                if isinstance(said, events.Answered):
                    return said.answer
        raise AssertionError("a question ended without an answer")

    def leave(self) -> None:
        """End the work; nobody listens any more. What has its answer ends by itself."""
        if not (self.told and isinstance(self.told[-1], events.Answered)):
            self.task.cancel()

    async def _work(self) -> None:
        await _until(self._ending, self._ask())

    async def _ask(self) -> None:
        await self._turn
        assert self._budget.seconds is not None
        begun = time.monotonic()
        try:
            async with asyncio.timeout(self._budget.seconds + SPARE_SECONDS):
                await self._listen()
        except (TimeoutError, BackendError) as error:
            # What failed for want of time is no failure of a model.
            late = time.monotonic() - begun >= (1 - KEPT_BACK) * self._budget.seconds
            if isinstance(error, BackendError) and not late:
                raise
            raise Problem(
                status=504,
                detail=f"the {self._budget.seconds:g} s of this question are used up",
                mend="ask for less at once, or give it more `max_seconds`",
            ) from None

    async def _listen(self) -> None:
        said = self.agent.events(self.text, budget=self._budget)
        async with aclosing(cast("AsyncGenerator[Event, None]", said)) as stream:
            async for event in stream:
                self.told.append(event)
                self._queue.put_nowait(event)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._gate.give_back(self._turn)
        self._queue.put_nowait(None)


async def _until(ending: asyncio.Future[Problem], work: Coroutine[Any, Any, T]) -> T:
    """Return the result of work, unless the server ends first.

    Raises:
        Problem: as the server's end says.
    """
    task = asyncio.create_task(work)
    both: set[asyncio.Future[Any]] = {task, ending}
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ending.result()
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])


async def attended(gone: Callable[[], Awaitable[Any]], work: Awaitable[T]) -> T | None:
    """Return the result of work, or None where the client has gone and the work was ended.

    Args:
        gone: returns once the client has gone.
        work: for that client.
    """
    task, absence = asyncio.ensure_future(work), asyncio.ensure_future(gone())
    try:
        await asyncio.wait({task, absence}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for one in (task, absence):
            one.cancel()
        await asyncio.wait([task, absence])
