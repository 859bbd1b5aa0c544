"""Plans for tests: of steps that a person wrote, or of the embedded writer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.plan import plans_of
from agent.extractive.planner.writer.model import Written, embedded_writer
from agent.extractive.planner.writer.program import Line, line_of
from agent.extractive.planner.writer.steps import reading_of


def written(*lines: str) -> tuple[Line, ...]:
    """Steps as bench/data/STEPS_GUIDE.md has them: `ask: How long is the Elbe?`."""
    read = [line_of(line) for line in lines]
    assert None not in read, lines
    return tuple(line for line in read if line is not None)


def planned(question: str, operator: str, *lines: str) -> Decomposition:
    """The plan that written steps tell."""
    reading = reading_of(question, operator, written(*lines))
    assert reading is not None, lines
    return reading


def read(question: str) -> Decomposition:
    """The plan of a question as the embedded writer writes it, without any titles."""
    return replace(plans_of(question, embedded_writer())[0], unread="")


class Told:
    """A planner that writes of every question what it was told."""

    def __init__(
        self, operator: str, *lines: str, score: float = -0.1, others: Sequence[Written] = ()
    ) -> None:
        self._plans = (Written(operator, written(*lines), score), *others)
        self.asked: list[str] = []

    def write(self, question: str) -> Sequence[Written]:
        """As told."""
        self.asked.append(question)
        return self._plans
