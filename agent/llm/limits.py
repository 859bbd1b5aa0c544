"""One limiter for all calls to an endpoint: how many at once, how many a minute, tokens a minute.

Concurrency adapts as TCP does (additive increase, multiplicative decrease; Chiu and Jain, 1989): a
429 halves it, a window of successes adds one, never past what the user allowed. A wait that the
server asked for holds back every call, not only the one that was refused.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

HALVE_AT_MOST_EVERY = 1.0
"""Seconds. The calls of one burst are refused together: that is one sign, not twenty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the user allows against one endpoint."""

    concurrency: int = 20
    calls_per_minute: float | None = None
    tokens_per_minute: float | None = None
    """Prompt and reply together; a call is booked with its largest size and settled afterwards."""


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


class Limiter:
    """Admits calls in the order they asked. For one process; works across event loops in turn."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        now = clock()
        self._window = float(limits.concurrency)
        self._running = 0
        self._queue: deque[asyncio.Future[None]] = deque()
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
        await self._enter(tokens)
        try:
            yield
        finally:
            self._running -= 1
            self._wake()

    def succeeded(self, booked: int, used: int) -> None:
        """Note a call that went through: widen the window, settle the tokens booked for it."""
        self._window = min(float(self.limits.concurrency), self._window + 1 / self._window)
        self._tokens.take(used - booked)

    def refused(self, wait: float) -> None:
        """Note a 429: halve the window, and let no call start for `wait` seconds."""
        now = self._clock()
        self._not_before = max(self._not_before, now + wait)
        if now - self._halved_at >= HALVE_AT_MOST_EVERY:
            self._halved_at = now
            self._window = max(1.0, self._window / 2)

    async def _enter(self, tokens: int) -> None:
        # A ticket in a queue rather than a semaphore: the window changes while calls wait.
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(ticket)
        self._wake()
        try:
            await ticket
            while (delay := self._delay(tokens)) > 0:
                await asyncio.sleep(delay)
        except asyncio.CancelledError:
            if ticket in self._queue:
                self._queue.remove(ticket)
            elif not ticket.cancelled():
                self._running -= 1
                self._wake()
            raise
        self._calls.take(1)
        self._tokens.take(tokens)

    def _delay(self, tokens: int) -> float:
        now = self._clock()
        return max(self._not_before - now, self._calls.wait(1, now), self._tokens.wait(tokens, now))

    def _wake(self) -> None:
        while self._queue and self._running < self.window:
            ticket = self._queue.popleft()
            # A ticket of a loop that has ended is never waited for again.
            if ticket.done() or ticket.get_loop().is_closed():
                continue
            self._running += 1
            ticket.set_result(None)
