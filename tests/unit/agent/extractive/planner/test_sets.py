"""What ties a set together, said of one member."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.sets import member_by_member, told_of_member
from agent.extractive.planner.writer.program import Line, line_of


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What are the comets first seen by Ada Kern?", ("comet", "it first seen by Ada Kern?")),
        ("What are the rivers that start in Peru?", ("river", "it start in Peru?")),
        ("What are the capital cities on the Danube?", ("capital city", "it on the Danube?")),
        ("What are the moons of Mars?", None),
        ("What are the Great Lakes?", None),
        ("", None),
    ],
)
def test_what_ties_a_set_together_is_told_of_one_member(
    question: str, wanted: tuple[str, str] | None
) -> None:
    assert told_of_member(question, "it") == wanted


@given(st.text(alphabet="whicaret sof Lk19?.,", max_size=50))
def test_any_question_is_split_or_left(question: str) -> None:
    told = told_of_member(question, "it")
    assert told is None or told[1].startswith("it ")


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (
            ("set: Which Orland towns use the crown?", "ask: How old is {1}?"),
            ("set: What are the Orland towns?", "is: Does {1} use the crown?", "ask: How old is {1}?"),
        ),
        (
            ("find: Who is Ann?", "set: Which Orland towns are owned by {1}?", "ask: Who runs {2}?"),
            (
                "find: Who is Ann?",
                "set: What are the Orland towns?",
                "is: Is {2} owned by {1}?",
                "ask: Who runs {2}?",
            ),
        ),
        (
            ("set: What are the Orland towns?", "set: Which Orland rivers lie near {1}?", "ask: Is {2} in {1}?"),
            (
                "set: What are the Orland towns?",
                "set: What are the Orland rivers?",
                "is: Does {2} lie near {1}?",
                "ask: Is {2} in {1}?",
            ),
        ),
        # Of all towns there is no list, and "founded" has no question of its own.
        (("set: Which towns use the crown?",), None),
        (("set: Which Orland towns founded in 1900?",), None),
        (("set: What were the Orland Games from 1988 to 2024?",), None),
        (("set: What are the Orland towns?", "ask: How old is {1}?"), None),
    ],
)  # fmt: skip
def test_what_is_told_of_a_set_is_asked_of_each_member(
    lines: tuple[str, ...], wanted: tuple[str, ...] | None
) -> None:
    def read(texts: tuple[str, ...]) -> list[Line]:
        return [line for text in texts if (line := line_of(text)) is not None]

    made = member_by_member(read(lines))
    assert (None if made is None else list(made)) == (None if wanted is None else read(wanted))


def test_steps_after_one_that_was_put_in_are_counted_on() -> None:
    told = (
        "set: Which Orland towns use the crown?",
        "find: Who rules {1}?",
        "ask: When was {2} born?",
    )
    lines = [line for text in told if (line := line_of(text)) is not None]
    assert [line.said for line in member_by_member(lines) or ()][2:] == [
        "Who rules {1}?", "When was {3} born?",
    ]  # fmt: skip
