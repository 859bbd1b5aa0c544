"""How many questions are worked on at once, and how many may wait for that."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable

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
        on_change: called when a question begins to wait, gets a place or ends.
    """

    def __init__(
        self,
        places: int,
        waiting: int,
        *,
        clock: Callable[[], float] = time.monotonic,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self.places = places
        self.longest = waiting
        self._begun: dict[asyncio.Future[None], float] = {}
        """Turns that have a place, with the moment in which they got it."""
        self._queue: deque[asyncio.Future[None]] = deque()
        self._clock = clock
        self._on_change = on_change
        self._took = 1.0
        """Seconds that a question takes, by those that ended last."""

    @property
    def running(self) -> int:
        """Questions that have a place now."""
        return len(self._begun)

    @property
    def waiting(self) -> int:
        """Questions that wait now."""
        return len(self._queue)

    def take(self, on_wait: Callable[[int], None] = lambda _: None) -> asyncio.Future[None]:
        """Return a turn: done at once where a place is free, later where it has to wait for one.

        Whoever takes a turn gives it back, whatever became of it.

        Args:
            on_wait: told how many are ahead, where this one has to wait.

        Raises:
            Problem: 429, too many wait; with the seconds after which there may be room.
        """
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.running < self.places and not self._queue:
            self._begin(turn)
            return turn
        if len(self._queue) >= self.longest:
            pause = min(LONGEST_PAUSE, max(1, math.ceil(self._took * self.waiting / self.places)))
            raise Problem(
                status=429,
                detail=f"{self.waiting} questions wait already",
                mend=f"ask again after {pause} s",
                headers={"Retry-After": str(pause)},
            )
        on_wait(len(self._queue))
        self._queue.append(turn)
        self._on_change()
        return turn

    def give_back(self, turn: asyncio.Future[None]) -> None:
        """Leave the queue, or free the place for the next that waits."""
        begun = self._begun.pop(turn, None)
        if begun is None:
            if turn in self._queue:
                self._queue.remove(turn)
        else:
            self._took += 0.1 * (self._clock() - begun - self._took)
            if self._queue:
                self._begin(self._queue.popleft())
        self._on_change()

    def _begin(self, turn: asyncio.Future[None]) -> None:
        self._begun[turn] = self._clock()
        if not turn.done():
            turn.set_result(None)
        self._on_change()
