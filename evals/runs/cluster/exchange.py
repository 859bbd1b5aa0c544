"""What all workers of a run share: one limiter, and one file of calls, in one place.

A worker asks it before every call and tells it after: the endpoint sees one client, whatever the
number of nodes, and what was paid for is on the disk of the machine that began the run at once.
Of equal calls that several make at the same moment one is sent, and the others are answered by it.
A place that a worker took with it when it died is free again when its call would have ended; a call
that it was making is made by the next who wants it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from agent.llm.calls import CallCache, UnderWay
from agent.llm.limits import Limiter, Limits
from corpus.cluster import Shared

GRACE = 30.0
"""Seconds beyond a call's own time after which its place counts as lost."""
SILENCE = 30.0
"""Seconds after which a worker that was not heard of has died with the calls that it was making."""
BEATS = 6
"""Times that a worker is heard of in these seconds."""
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
class Alive:
    """Tell that a worker which makes calls has not died."""

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
    lease: float
    """Seconds that a place may be held."""

    def __call__(self) -> Callable[[Any], Awaitable[Any]]:
        """Open the file of calls."""
        return _Desk(CallCache(self.calls), Limiter(self.limits), self.lease).answer


@dataclass(frozen=True, slots=True, eq=False)
class _Making:
    """A call that a worker makes."""

    worker: str
    ticket: int
    over: asyncio.Future[bool] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class _Desk:
    def __init__(self, calls: CallCache, limiter: Limiter, lease: float) -> None:
        self._calls = calls
        self._limiter = limiter
        self._lease = lease
        self._held: dict[str, asyncio.Event] = {}
        self._holding: set[asyncio.Task[None]] = set()
        self._making: dict[str, _Making] = {}
        self._withdrawn: set[tuple[str, int]] = set()
        """Who no longer waits to begin a call."""
        self._heard: dict[str, float] = {}
        """When each worker was last heard of."""

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
            case Begin():
                return await self._begin(message), await self._calls.get(message.key)
            case End():
                self._end(message)
            case Alive(worker=worker):
                self._heard[worker] = time.monotonic()
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

    async def _begin(self, asked: Begin) -> bool:
        self._heard[asked.worker] = time.monotonic()
        kept = False
        while (other := self._making.get(asked.key)) is not None:
            kept = await self._outcome(asked.key, other)
        if (asked.worker, asked.ticket) in self._withdrawn:
            self._withdrawn.discard((asked.worker, asked.ticket))
        else:
            self._making[asked.key] = _Making(asked.worker, asked.ticket)
        return kept

    def _end(self, ended: End) -> None:
        made = self._making.get(ended.key)
        if made is None or (made.worker, made.ticket) != (ended.worker, ended.ticket):
            self._withdrawn.add((ended.worker, ended.ticket))
            return
        del self._making[ended.key]
        made.over.set_result(ended.kept)

    async def _outcome(self, key: str, made: _Making) -> bool:
        """Wait until a call is over; return whether it was kept."""
        while not made.over.done():
            await asyncio.wait([made.over], timeout=SILENCE / BEATS)
            silent = time.monotonic() - self._heard[made.worker] > SILENCE
            if silent and self._making.get(key) is made:
                del self._making[key]
                made.over.set_result(False)
        return made.over.result()


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
        self._exchange = exchange
        self._worker = uuid4().hex
        self._numbers = count()
        self._under_way = UnderWay(path.absolute())
        self._tickets: dict[str, int] = {}
        """Of the calls that are begun, or wait to be."""
        self._found: dict[str, Kept | None] = {}
        """What was kept of the calls that are begun: one message tells both."""
        self._beating: asyncio.Task[None] | None = None

    async def begin(self, key: str) -> bool:
        """Wait until nobody, on any machine, makes this call, then begin it."""
        kept = await self._under_way.enter(key)
        self._tickets[key] = ticket = next(self._numbers)
        if self._beating is None or self._beating.done():
            self._beating = asyncio.create_task(self._beat())
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

    async def _beat(self) -> None:
        while self._tickets:
            self._exchange(Alive(worker=self._worker))
            await asyncio.sleep(SILENCE / BEATS)

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
