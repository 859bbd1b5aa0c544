"""Lines that say how far long work is where no bar can be drawn: in logs, pipes and notebooks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import timedelta

EVERY = 5.0
"""Seconds between two lines; work that ends sooner is not spoken of."""


class Pace:
    """Says every few seconds what is done of how much, at what rate, and how long it will take.

    Called as the build of an index reports: with what is being done, how much is, and of how much.

    Args:
        unit: what is counted.
        say: takes a line.
        clock: seconds.
    """

    def __init__(
        self, unit: str, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._unit, self._say, self._clock = unit, say, clock
        self._begun: dict[str, tuple[float, float]] = {}
        self._told = clock()

    def __call__(self, what: str, done: float, total: float, more: str = "") -> None:
        """Say a line where it is time for one; `more` ends it."""
        now = self._clock()
        since, before = self._begun.setdefault(what, (now, done))
        if now - self._told < EVERY:
            return
        self._told = now
        line = f"{what}: {done:,.0f} of {total:,.0f} {self._unit}"
        if now > since and done > before:
            rate = (done - before) / (now - since)
            left = timedelta(seconds=round((total - done) / rate))
            line += f", {rate:,.{0 if rate >= 10 else 1}f} a second, {left} left"
        self._say(f"{line}, {more}" if more else line)


def unseen() -> bool:
    """Whether standard error is no terminal, on which a bar could be drawn."""
    return not sys.stderr.isatty()
