"""When two plans count as the same need (bench/plans_alike.py)."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from agent.extractive.planner.writer.program import Line, line_of

BENCH = Path(__file__).resolve().parents[2] / "bench"


def plan(*steps: str) -> tuple[Line, ...]:
    return tuple(line for step in steps if (line := line_of(step)) is not None)


LAKES = "set: What are the lakes in Vik?"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("ask: How high is Elm Peak?",), ("ask: What is the height of Elm Peak?",), True),
        (("ask: In what year was Bo Vik born?",), ("ask: When was Bo Vik born?",), True),
        (("ask: Where was Bo Vik born?",), ("ask: When was Bo Vik born?",), False),
        (("ask: How high is Elm Peak?",), ("ask: How deep is Elm Peak?",), False),
        (
            (LAKES, "ask: How deep is {1}?", "ask: Who owns {1}?"),
            (LAKES, "ask: Who owns {1}?", "ask: What is the depth of {1}?"),
            True,
        ),
        (
            ("find: Who built Elm Hall?", "find: Who taught {1}?", "ask: Where was {2} born?"),
            ("find: Who built Elm Hall?", "find: Who taught {1}?", "ask: Where was {1} born?"),
            False,
        ),
        ((LAKES, "> 9 m: How deep is {1}?"), (LAKES, "< 9 m: How deep is {1}?"), False),
        ((LAKES, "> 9 m: How deep is {1}?"), (LAKES, "> 8 m: How deep is {1}?"), False),
    ],
)
def test_other_words_are_the_same_need_and_other_things_are_not(
    one: tuple[str, ...], other: tuple[str, ...], same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    alike = importlib.import_module("plans_alike")
    told = [alike.told("give", plan(*steps), alike.EQUAL) for steps in (one, other)]
    assert (told[0] == told[1]) is same


def test_another_operator_is_another_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    alike = importlib.import_module("plans_alike")
    for degree in (alike.EXACT, alike.LOOSE, alike.EQUAL):
        assert alike.told("give", plan(LAKES), degree) != alike.told("count", plan(LAKES), degree)
