"""What ties a set together, said of one member."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.sets import of_several, told_of_member, uncounted


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


MOONS = "What are the moons of Saturn?"
FOUR = "What are the four moons of Saturn?"


@pytest.mark.parametrize(
    ("step", "question", "wanted"),
    [
        (FOUR, "Which are the four moons of Saturn that Cassini found?", (MOONS, 4)),
        (FOUR, "Of the four moons of Saturn, which did Cassini find?", (FOUR, 0)),
        (FOUR, "Which of the four moons of Saturn did Cassini find?", (FOUR, 0)),
        (MOONS, "Which moons of Saturn did Cassini find?", (MOONS, 0)),
        ("Who were the 12 men of Brod?", "the 12 men of Brod who left", ("Who were the men of Brod?", 12)),
        ("What are the Apollo 11 crew?", "the crew", ("What are the Apollo 11 crew?", 0)),
        ("What is the one moon of Mars?", "the one moon of Mars", ("What is the one moon of Mars?", 0)),
    ],
)  # fmt: skip
def test_of_a_set_from_which_some_are_chosen_a_number_counts_those(
    step: str, question: str, wanted: tuple[str, int]
) -> None:
    assert uncounted(step, question) == wanted


@pytest.mark.parametrize(
    ("step", "wanted"),
    [
        ("Who walked on the Moon?", "Which people walked on the Moon?"),
        ("Who won it in 1990?", "Which people won it in 1990?"),
        ("Who were the men of Brod?", "Who were the men of Brod?"),
        ("Who leads them?", "Who leads them?"),
        ("Which men walked?", "Which men walked?"),
    ],
)
def test_who_did_something_together_are_several(step: str, wanted: str) -> None:
    assert of_several(step) == wanted
