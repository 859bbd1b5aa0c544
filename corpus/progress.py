"""How far long work is: a bar on a terminal, lines in logs, pipes and notebooks, and never silence."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from corpus.terminal import say, waiting

if TYPE_CHECKING:
    from rich.progress import Progress

Report = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and of how much."""
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


@contextmanager
def followed(name: str, unit: str, first: str) -> Iterator[Report]:
    """Tell how far work is while the `with` block lasts, also while it reports nothing.

    Args:
        name: of the command, which lines begin with.
        unit: what is counted.
        first: what is done before anything is reported.
    """
    standing = first
    if unseen():
        pace = Pace(unit, lambda line: say(f"{name}: {line}"))

        def tell(what: str, done: int, total: int) -> None:
            nonlocal standing
            # The first block of a slow machine takes long: "0 of 7,012" would look like standing still.
            begun = f"{done:,} of" if done else "the first of"
            standing = f"{what}: {begun} {total:,} {unit}"
            pace(what, done, total)

        with waiting(lambda: f"{name}: {standing}"):
            yield tell
        return
    with progress_bar(unit) as bar:
        tasks = {"": bar.add_task(first, total=None)}

        def draw(what: str, done: int, total: int) -> None:
            if "" in tasks:
                bar.remove_task(tasks.pop(""))
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=None)
            # Until something is done the bar moves without a count.
            bar.update(tasks[what], completed=done, total=total if done else None)

        yield draw


def progress_bar(unit: str = "") -> Progress:
    """Return a progress bar on standard error with count, rate and time left.

    Where standard error is not a terminal nothing is drawn. Tasks count in `unit`, or in a field
    `unit` of their own; one whose total is not known yet, or is 0, has no count and no time left.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class RateColumn(ProgressColumn):
        """Finished units a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            counted = task.fields.get("unit", unit)
            shown = "" if speed is None else f"{speed:,.{0 if speed >= 10 else 1}f} {counted}/s"
            return Text(shown)

    class CountColumn(MofNCompleteColumn):
        """Finished units of how many."""

        def render(self, task: Task) -> Text:
            return super().render(task) if task.total or task.completed else Text("")

    class LeftColumn(TimeRemainingColumn):
        """Time left."""

        def render(self, task: Task) -> Text:
            return super().render(task) if task.total else Text("")

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        CountColumn(),
        RateColumn(),
        LeftColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )
