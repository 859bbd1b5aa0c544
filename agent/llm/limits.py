"""One limiter for all calls to an endpoint: how many at once, how many a minute, tokens a minute.

Concurrency adapts as TCP does (additive increase, multiplicative decrease; Chiu and Jain, 1989): a
429 halves it, a window of successes adds one, never past what the user allowed. A wait that the
server asked for holds back every call, not only the one that was refused.

Calls may come from any thread and any event loop: a place is a thing of the process, and whoever is
given one is told through its own loop.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from agent.storage.futures import awaited

HALVE_AT_MOST_EVERY = 1.0
"""Seconds. The calls of one burst are refused together: that is one sign, not twenty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the user allows against one endpoint."""

    concurrency: int = 20
    calls_per_minute: float | None = None
    tokens_per_minute: float | None = None
    """Prompt and reply together; a call is booked with its largest size and settled afterwards."""


class Admission(Protocol):
    """Admits calls to an endpoint: the `Limiter` of this process, or one that many share."""

    def admitted(self, tokens: int) -> AbstractAsyncContextManager[None]:
        """Wait for a place, then hold it. `tokens` is the call's estimated size."""

    def succeeded(self, booked: int, used: int) -> None:
        """Note a call that went through."""

    def refused(self, wait: float) -> None:
        """Note a 429, and the seconds that were asked for."""


class _Bucket:
    """A token bucket that holds at most one minute's worth and may run into debt."""

    def __init__(self, per_minute: float | None, now: float) -> None:
        self.rate = None if per_minute is None else per_minute / 60
        self.level = per_minute or 0.0
        self.capacity = per_minute or 0.0
        self.at = now

    def wait(self, amount: float, now: float) -> float:
        """Return the seconds until `amount` may be taken.

        A call larger than a whole minute's worth goes when the bucket is full: refusing it for
        ever would help nobody.
        """
        if self.rate is None:
            return 0.0
        self.level = min(self.capacity, self.level + (now - self.at) * self.rate)
        self.at = now
        return max(0.0, (min(amount, self.capacity) - self.level) / self.rate)

    def take(self, amount: float) -> None:
        if self.rate is not None:
            self.level -= amount


@dataclass(frozen=True, slots=True, eq=False)
class _Ticket:
    """A call that waits for its place or has it."""

    loop: asyncio.AbstractEventLoop
    called: Future[None] = field(default_factory=Future)

    @property
    def abandoned(self) -> bool:
        """Whether its event loop ended under it, so that it will never give its place back."""
        return self.loop.is_closed()


class Limiter:
    """Admits calls in the order they asked. For one process: its threads and event loops share it."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        now = clock()
        self._lock = threading.Lock()
        """Held for a few lines at a time, never while anything is waited for."""
        self._window = float(limits.concurrency)
        self._running: set[_Ticket] = set()
        self._queue: deque[_Ticket] = deque()
        self._calls = _Bucket(limits.calls_per_minute, now)
        self._tokens = _Bucket(limits.tokens_per_minute, now)
        self._not_before = now
        self._halved_at = -HALVE_AT_MOST_EVERY

    @property
    def window(self) -> int:
        """How many calls may run at once just now."""
        return max(1, int(self._window))

    @asynccontextmanager
    async def admitted(self, tokens: int) -> AsyncIterator[None]:
        """Wait for a place, then hold it. `tokens` is the call's estimated size."""
        # A ticket in a queue rather than a semaphore: the window changes while calls wait.
        ticket = _Ticket(loop=asyncio.get_running_loop())
        with self._lock:
            self._queue.append(ticket)
        try:
            self._call_up()
            await awaited(ticket.called)
            while (delay := self._take(tokens)) > 0:
                await asyncio.sleep(delay)
            yield
        finally:
            self._leave(ticket)

    def succeeded(self, booked: int, used: int) -> None:
        """Note a call that went through: widen the window, settle the tokens booked for it."""
        with self._lock:
            self._window = min(float(self.limits.concurrency), self._window + 1 / self._window)
            self._tokens.take(used - booked)

    def refused(self, wait: float) -> None:
        """Note a 429: halve the window, and let no call start for `wait` seconds."""
        with self._lock:
            now = self._clock()
            self._not_before = max(self._not_before, now + wait)
            if now - self._halved_at >= HALVE_AT_MOST_EVERY:
                self._halved_at = now
                self._window = max(1.0, self._window / 2)

    def _take(self, tokens: int) -> float:
        """Take a call and its tokens from the minute's; or return the seconds until they are there."""
        with self._lock:
            now = self._clock()
            delay = max(
                self._not_before - now, self._calls.wait(1, now), self._tokens.wait(tokens, now)
            )
            if delay <= 0:
                self._calls.take(1)
                self._tokens.take(tokens)
            return delay

    def _leave(self, ticket: _Ticket) -> None:
        with self._lock:
            self._running.discard(ticket)
            if ticket in self._queue:
                self._queue.remove(ticket)
        self._call_up()

    def _call_up(self) -> None:
        """Give free places to those who wait longest."""
        called = []
        with self._lock:
            if len(self._running) >= self.window:
                self._running = {ticket for ticket in self._running if not ticket.abandoned}
            while self._queue and len(self._running) < self.window:
                ticket = self._queue.popleft()
                if not ticket.abandoned:
                    self._running.add(ticket)
                    called.append(ticket)
        # Outside the lock: whoever waits is told at once, and may come back here.
        for ticket in called:
            ticket.called.set_result(None)
