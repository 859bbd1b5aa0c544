"""How far a run is, as it is told while it goes: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from corpus.progress import Pace, progress_bar, unseen
from corpus.terminal import say, waiting
from evals.runs.predict import Progress

Report = Callable[[Progress], None]


@contextmanager
def told(title: str) -> Iterator[Report]:
    """Tell how far a run is while the `with` block lasts; the first question opens what it needs.

    Args:
        title: what is run, in a few words.
    """
    if unseen():
        with _in_lines(title) as report:
            yield report
        return
    with progress_bar("samples") as progress:
        task = progress.add_task(title, total=None)

        def report(state: Progress) -> None:
            progress.update(
                task,
                total=state.total,
                completed=state.done,
                description=f"{state.failed} failed{_to_pay(state)}",
            )

        yield report


@contextmanager
def _in_lines(title: str) -> Iterator[Report]:
    pace = Pace("samples", lambda line: say(f"evals: {line}"))
    seen: list[Progress] = []

    def report(state: Progress) -> None:
        seen[:] = [state]
        pace(title, state.done, state.total, f"{state.failed} failed{_to_pay(state)}")

    def standing() -> str:
        if not seen:
            return f"evals: {title}: models and indexes are opened, the first question is asked"
        return f"evals: {title}: {seen[0].done} of {seen[0].total} samples"

    with waiting(standing):
        yield report


def _to_pay(state: Progress) -> str:
    cost = state.usage.cost_usd
    if not cost:
        return ""
    to_go = cost * (state.total - state.done) / (state.done - state.found)
    return f", ${cost:.2f}, about ${to_go:.2f} to go"
