"""What is told of a set, asked of each of its members."""

from __future__ import annotations

import pytest

from agent.extractive.planner.by_member import member_by_member
from agent.extractive.planner.writer.program import Line, line_of


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
