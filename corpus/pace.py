"""Lines that say how far long work is where no bar can be drawn: in logs, pipes and notebooks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from datetime import timedelta

EVERY = 5.0
"""Seconds between two lines; work that ends sooner is not spoken of."""
_SMALL = 10
"""Rates, and megabytes, below this have a decimal."""


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
        self._begun: dict[tuple[str, str], tuple[float, float]] = {}
        self._told = clock()

    def __call__(
        self,
        what: str,
        done: float,
        total: float,
        more: str = "",
        *,
        unit: str = "",
        beside: Sequence[tuple[float, str]] = (),
    ) -> None:
        """Say a line where it is time for one.

        Args:
            what: is being done.
            done: of `total`.
            total: amount, in units.
            more: ends the line.
            unit: of this work, where it is not the usual one.
            beside: other amounts that are done, each with its unit: told with their rates.
        """
        unit = unit or self._unit
        rate = self._rate(what, unit, done)
        rates = self.rates(what, beside)
        now = self._clock()
        if now - self._told < EVERY:
            return
        self._told = now
        digits = 0 if total >= _SMALL else 1 if unit == "MB" else 0
        line = f"{what}: {done:,.{digits}f} of {total:,.{digits}f} {unit}"
        if rate:
            left = timedelta(seconds=round((total - done) / rate))
            line += f", {_written(rate)} a second, {left} left"
        self._say(", ".join([line, *rates, *filter(None, [more])]))

    def rates(self, what: str, amounts: Sequence[tuple[float, str]]) -> list[str]:
        """Return each amount with its unit and its rate, `4,310 pages (750 a second)`."""
        told = []
        for amount, unit in amounts:
            rate = self._rate(what, unit, amount)
            told.append(f"{amount:,.0f} {unit}" + (f" ({_written(rate)} a second)" if rate else ""))
        return told

    def _rate(self, what: str, unit: str, done: float) -> float:
        """Return units a second since this work was first spoken of; 0 where there is none yet."""
        now = self._clock()
        since, before = self._begun.setdefault((what, unit), (now, done))
        return (done - before) / (now - since) if now > since and done > before else 0.0


def _written(rate: float) -> str:
    return f"{rate:.2g}" if rate < 1 else f"{rate:,.{0 if rate >= _SMALL else 1}f}"


def unseen() -> bool:
    """Whether standard error is no terminal, on which a bar could be drawn."""
    return not sys.stderr.isatty()
