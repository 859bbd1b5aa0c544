"""How many questions are worked on at once, and how many may wait for that."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from agent.serve.problems import Problem

LONGEST_PAUSE = 60
"""Seconds that a refused client is told to wait, at most."""


class Gate:
    """Lets a bounded number of questions in, first come first served; refuses what would wait too long.

    Belongs to one event loop.

    Args:
        places: questions at once.
        waiting: questions that may wait; one more is refused.
        clock: seconds, monotonic.
    """

    def __init__(
        self, places: int, waiting: int, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.places = places
        self.longest = waiting
        self.running = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._clock = clock
        self._took = 1.0
        """Seconds that a question takes, by those that ended last."""

    @property
    def waiting(self) -> int:
        """Questions that wait now."""
        return len(self._queue)

    def check(self) -> None:
        """Refuse a question that could not even wait.

        Raises:
            Problem: 429, with the seconds after which there may be room.
        """
        if self.running >= self.places and len(self._queue) >= self.longest:
            pause = min(LONGEST_PAUSE, max(1, math.ceil(self._took * self.waiting / self.places)))
            raise Problem(
                status=429,
                detail=f"{self.waiting} questions wait already",
                mend=f"ask again after {pause} s",
                headers={"Retry-After": str(pause)},
            )

    @asynccontextmanager
    async def place(self, on_wait: Callable[[int], None] = lambda _: None) -> AsyncIterator[None]:
        """Hold a place while the block lasts.

        Args:
            on_wait: told how many questions are ahead, where this one has to wait.

        Raises:
            Problem: as `check`.
        """
        self.check()
        if self.running < self.places and not self._queue:
            self.running += 1
        else:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            on_wait(len(self._queue))
            self._queue.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._release()
                elif turn in self._queue:
                    self._queue.remove(turn)
                raise
        begun = self._clock()
        try:
            yield
        finally:
            self._took += 0.1 * (self._clock() - begun - self._took)
            self._release()

    def _release(self) -> None:
        """Give a place to the next that waits, or free it."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.running -= 1
