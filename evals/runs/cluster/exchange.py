"""What all workers of a run share: one limiter, and one file of calls, in one place.

A worker asks it before every call and tells it after: the endpoint sees one client, whatever the
number of nodes, and what was paid for is on the disk of the machine that began the run at once.
Of equal calls that several make at the same moment one is sent, and the others are answered by it.
When a worker has died, its places are free and the calls that it was making are made by the next
who wants them: whoever is told of its death by the cluster says so here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from agent.llm.calls import CallCache, UnderWay
from agent.llm.limits import Limiter, Limits
from corpus.cluster import Shared

Kept = tuple[bool, dict[str, Any]]
"""As `agent.llm.calls.CallCache.get` returns it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter:
    """Ask for a place; answered when it is there."""

    worker: str
    ticket: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Give a place back, or no longer wait for it."""

    worker: str
    ticket: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Succeeded:
    """As `Limiter.succeeded`."""

    booked: int
    used: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """As `Limiter.refused`."""

    wait: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Begin a call; answered when nobody else makes it.

    The answer says whether the call was kept meanwhile, and what is kept of it, as `Get` does.
    """

    key: str
    worker: str
    ticket: int


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """End a call that was begun, or no longer wait to begin it."""

    key: str
    worker: str
    ticket: int
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """Tell that a worker has died."""

    worker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Get:
    """As `CallCache.get`."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """As `CallCache.put`."""

    key: str
    model: str
    ok: bool
    record: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Makes the one that answers, beside the run's folder."""

    calls: Path
    limits: Limits

    def __call__(self) -> Callable[[Any], Awaitable[Any]]:
        """Open the file of calls."""
        return _Desk(CallCache(self.calls), Limiter(self.limits)).answer


@dataclass(frozen=True, slots=True, eq=False)
class _Making:
    """A call that a worker makes."""

    worker: str
    ticket: int
    over: asyncio.Future[bool] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class _Desk:
    def __init__(self, calls: CallCache, limiter: Limiter) -> None:
        self._calls = calls
        self._limiter = limiter
        self._places: dict[tuple[str, int], asyncio.Task[None]] = {}
        """By worker and ticket, those that are held or waited for: each ends when it is cancelled."""
        self._making: dict[str, _Making] = {}
        self._withdrawn: set[tuple[str, int]] = set()
        """Who no longer waits to begin a call."""
        self._gone: set[str] = set()
        """Workers that died: a message of theirs may come late."""

    async def answer(self, message: Any) -> Any:
        match message:
            case Enter():
                await self._enter(message)
            case Leave(worker=worker, ticket=ticket):
                if (place := self._places.get((worker, ticket))) is not None:
                    place.cancel()
            case Succeeded(booked=booked, used=used):
                self._limiter.succeeded(booked, used)
            case Refused(wait=wait):
                self._limiter.refused(wait)
            case Begin():
                return await self._begin(message), await self._calls.get(message.key)
            case End():
                self._end(message)
            case Gone(worker=worker):
                self._bury(worker)
            case Get(key=key):
                return await self._calls.get(key)
            case Put(key=key, model=model, ok=ok, record=record):
                await self._calls.put(key, model, ok=ok, record=record)
        return None

    async def _enter(self, asked: Enter) -> None:
        if asked.worker in self._gone:
            return
        entered = asyncio.Event()
        place = asyncio.create_task(self._hold(asked.tokens, entered))
        self._places[asked.worker, asked.ticket] = place

        def leave(_: asyncio.Task[None]) -> None:
            self._places.pop((asked.worker, asked.ticket), None)
            # A task that is cancelled before it begins tells nobody.
            entered.set()

        place.add_done_callback(leave)
        await entered.wait()

    async def _hold(self, tokens: int, entered: asyncio.Event) -> None:
        """Hold a place of the limiter until this is cancelled."""
        async with self._limiter.admitted(tokens):
            entered.set()
            await asyncio.Event().wait()

    async def _begin(self, asked: Begin) -> bool:
        kept = False
        while (other := self._making.get(asked.key)) is not None:
            await asyncio.wait([other.over])
            kept = other.over.result()
        if (asked.worker, asked.ticket) in self._withdrawn:
            self._withdrawn.discard((asked.worker, asked.ticket))
        elif asked.worker not in self._gone:
            self._making[asked.key] = _Making(asked.worker, asked.ticket)
        return kept

    def _end(self, ended: End) -> None:
        made = self._making.get(ended.key)
        if made is None or (made.worker, made.ticket) != (ended.worker, ended.ticket):
            self._withdrawn.add((ended.worker, ended.ticket))
            return
        del self._making[ended.key]
        made.over.set_result(ended.kept)

    def _bury(self, worker: str) -> None:
        self._gone.add(worker)
        for (holder, _), place in self._places.items():
            if holder == worker:
                place.cancel()
        for key, made in [*self._making.items()]:
            if made.worker == worker:
                del self._making[key]
                made.over.set_result(False)


class RemoteLimiter:
    """The limiter of an exchange, as `agent.llm.limits.Admission`."""

    def __init__(self, exchange: Shared, worker: str) -> None:
        self._exchange = exchange
        self._worker = worker
        self._numbers = count()

    @asynccontextmanager
    async def admitted(self, tokens: int) -> AsyncIterator[None]:
        """Wait for a place, then hold it."""
        ticket = next(self._numbers)
        asked = Enter(worker=self._worker, ticket=ticket, tokens=tokens)
        try:
            await asyncio.wrap_future(self._exchange(asked))
            yield
        finally:
            self._exchange(Leave(worker=self._worker, ticket=ticket))

    def succeeded(self, booked: int, used: int) -> None:
        """Tell of a call that went through."""
        self._exchange(Succeeded(booked=booked, used=used))

    def refused(self, wait: float) -> None:
        """Tell of a 429."""
        self._exchange(Refused(wait=wait))


class RemoteCalls:
    """The file of calls of an exchange, as `agent.llm.calls.Calls`."""

    def __init__(self, exchange: Shared, path: Path, worker: str) -> None:
        self.path = path
        self._exchange = exchange
        self._worker = worker
        self._numbers = count()
        self._under_way = UnderWay(path.absolute())
        self._tickets: dict[str, int] = {}
        """Of the calls that are begun, or wait to be."""
        self._found: dict[str, Kept | None] = {}
        """What was kept of the calls that are begun: one message tells both."""

    async def begin(self, key: str) -> bool:
        """Wait until nobody, on any machine, makes this call, then begin it."""
        kept = await self._under_way.enter(key)
        self._tickets[key] = ticket = next(self._numbers)
        asked = Begin(key=key, worker=self._worker, ticket=ticket)
        try:
            kept_elsewhere, self._found[key] = await asyncio.wrap_future(self._exchange(asked))
        except BaseException:
            self.end(key, kept=kept)
            raise
        return kept_elsewhere or kept

    def end(self, key: str, *, kept: bool) -> None:
        """End a call that was begun."""
        self._found.pop(key, None)
        ticket = self._tickets.pop(key)
        self._exchange(End(key=key, worker=self._worker, ticket=ticket, kept=kept))
        self._under_way.end(key, kept=kept)

    async def get(self, key: str) -> Kept | None:
        """Return a call that was kept, or None."""
        if key in self._found:
            return self._found.pop(key)
        kept: Kept | None = await asyncio.wrap_future(self._exchange(Get(key=key)))
        return kept

    async def put(self, key: str, model: str, *, ok: bool, record: dict[str, Any]) -> None:
        """Keep a call; it is on its way even where the wait for it is cancelled."""
        kept = self._exchange(Put(key=key, model=model, ok=ok, record=record))
        await asyncio.wrap_future(kept)

    def close(self) -> None:
        """The file is the exchange's."""
