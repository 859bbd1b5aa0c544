"""A second writer is asked where the first is not sure, and what both say counts for more."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from agent.extractive.planner import second_opinion
from agent.extractive.planner.second_opinion import SURE, SecondOpinion, embedded_planner
from agent.extractive.planner.smollm2.gguf import PACKAGE
from agent.extractive.planner.writer.model import Planner, Written, embedded_writer
from agent.extractive.planner.writer.program import Line

QUESTION = "How deep is the lake that Ostby lies on?"
FIND = Line("find", "", "On which lake does Ostby lie?")
DEEP = Line("ask", "", "How deep is {1}?")
WHERE = Line("ask", "", "Where is {1}?")


class Saying:
    """A writer of the same plans for every question, which counts how often it is asked."""

    def __init__(self, *plans: tuple[float, Line]) -> None:
        self._plans = [Written("give", (FIND, last), math.log(p)) for p, last in plans]
        self.asked = 0

    def write(self, question: str) -> Sequence[Written]:
        self.asked += 1
        return self._plans


def planner(first: Planner, second: Planner) -> SecondOpinion:
    return SecondOpinion(first, lambda: second)


def test_one_that_is_sure_needs_no_second() -> None:
    first, second = Saying((math.exp(SURE / 2), WHERE)), Saying((0.9, DEEP))
    assert planner(first, second).write(QUESTION) == first.write(QUESTION)
    assert second.asked == 0


def test_what_both_say_comes_before_what_one_is_surer_of() -> None:
    first, second = Saying((0.5, WHERE), (0.3, DEEP)), Saying((0.6, DEEP))
    found = planner(first, second).write(QUESTION)
    assert [plan.lines[1] for plan in found] == [DEEP, WHERE]
    assert [math.exp(plan.score) for plan in found] == pytest.approx([0.45, 0.25])


def test_a_question_is_planned_once() -> None:
    first, second = Saying((0.5, WHERE)), Saying((0.6, DEEP))
    both = planner(first, second)
    assert both.write(QUESTION) == both.write(QUESTION)
    assert second.asked == 1


def test_one_that_writes_nothing_is_not_doubted() -> None:
    second = Saying((0.6, DEEP))
    assert planner(Saying(), second).write("?") == []
    assert second.asked == 0


def test_without_the_package_the_small_writer_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    embedded_planner.cache_clear()
    monkeypatch.setattr(
        second_opinion, "find_spec", lambda name: None if name == PACKAGE else object()
    )
    assert embedded_planner() is embedded_writer()
    embedded_planner.cache_clear()
