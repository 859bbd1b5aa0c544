"""What all workers of a run share: one limiter, and one file of calls, in one place.

A worker asks it before every call and tells it after: the endpoint sees one client, whatever the
number of nodes, and what was paid for is on the disk of the machine that began the run at once.
A place that a worker took with it when it died is free again when its call would have ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from agent.llm.calls import CallCache, UnderWay
from agent.llm.limits import Limiter, Limits
from corpus.cluster import Shared

GRACE = 30.0
"""Seconds beyond a call's own time after which its place counts as lost."""
Kept = tuple[bool, dict[str, Any]]
"""As `agent.llm.calls.CallCache.get` returns it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enter:
    """Ask for a place; answered when it is there."""

    ticket: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Give a place back."""

    ticket: str


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
    lease: float
    """Seconds that a place may be held."""

    def __call__(self) -> Callable[[Any], Awaitable[Any]]:
        """Open the file of calls."""
        return _Desk(CallCache(self.calls), Limiter(self.limits), self.lease).answer


class _Desk:
    def __init__(self, calls: CallCache, limiter: Limiter, lease: float) -> None:
        self._calls = calls
        self._limiter = limiter
        self._lease = lease
        self._held: dict[str, asyncio.Event] = {}
        self._holding: set[asyncio.Task[None]] = set()

    async def answer(self, message: Any) -> Any:
        match message:
            case Enter(ticket=ticket, tokens=tokens):
                entered = asyncio.get_running_loop().create_future()
                task = asyncio.create_task(self._hold(ticket, tokens, entered))
                self._holding.add(task)
                task.add_done_callback(self._holding.discard)
                await entered
            case Leave(ticket=ticket):
                if (left := self._held.pop(ticket, None)) is not None:
                    left.set()
            case Succeeded(booked=booked, used=used):
                self._limiter.succeeded(booked, used)
            case Refused(wait=wait):
                self._limiter.refused(wait)
            case Get(key=key):
                return await self._calls.get(key)
            case Put(key=key, model=model, ok=ok, record=record):
                await self._calls.put(key, model, ok=ok, record=record)
        return None

    async def _hold(self, ticket: str, tokens: int, entered: asyncio.Future[None]) -> None:
        """Hold a place of the limiter until it is given back, or its worker must have died."""
        left = self._held[ticket] = asyncio.Event()
        async with self._limiter.admitted(tokens):
            if not entered.done():
                entered.set_result(None)
            try:
                await asyncio.wait_for(left.wait(), self._lease)
            except TimeoutError:
                self._held.pop(ticket, None)


class RemoteLimiter:
    """The limiter of an exchange, as `agent.llm.limits.Admission`."""

    def __init__(self, exchange: Shared) -> None:
        self._exchange = exchange
        self._name = uuid4().hex
        self._numbers = count()

    @asynccontextmanager
    async def admitted(self, tokens: int) -> AsyncIterator[None]:
        """Wait for a place, then hold it."""
        ticket = f"{self._name}-{next(self._numbers)}"
        try:
            await asyncio.wrap_future(self._exchange(Enter(ticket=ticket, tokens=tokens)))
            yield
        finally:
            self._exchange(Leave(ticket=ticket))

    def succeeded(self, booked: int, used: int) -> None:
        """Tell of a call that went through."""
        self._exchange(Succeeded(booked=booked, used=used))

    def refused(self, wait: float) -> None:
        """Tell of a 429."""
        self._exchange(Refused(wait=wait))


class RemoteCalls:
    """The file of calls of an exchange, as `agent.llm.calls.Calls`."""

    def __init__(self, exchange: Shared, path: Path) -> None:
        self.path = path
        self.under_way = UnderWay(path.absolute())
        self._exchange = exchange

    async def get(self, key: str) -> Kept | None:
        """Return a call that was kept, or None."""
        kept: Kept | None = await asyncio.wrap_future(self._exchange(Get(key=key)))
        return kept

    async def put(self, key: str, model: str, *, ok: bool, record: dict[str, Any]) -> None:
        """Keep a call; it is on its way even where the wait for it is cancelled."""
        kept = self._exchange(Put(key=key, model=model, ok=ok, record=record))
        await asyncio.wrap_future(kept)

    def close(self) -> None:
        """The file is the exchange's."""
