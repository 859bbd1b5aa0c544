"""Questions out of their usual order as they are asked most plainly."""

from __future__ import annotations

import pytest

from agent.extractive.planner.fragments import as_question
from agent.extractive.planner.inversions import in_order
from tests.unit.agent.extractive.planning import read


@pytest.mark.parametrize(
    ("asked", "plain"),
    [
        ("Who did build the Elm Tower?", "Who built the Elm Tower?"),
        ("Which two firms did own the Heron?", "Which two firms owned the Heron?"),
        ("How much is the greatest depth of the Mere?", "What is the greatest depth of the Mere?"),
        ("What was the name of the wife of Bo Orr?", "Who was the wife of Bo Orr?"),
        ("Who is the person who painted the Mill?", "Who painted the Mill?"),
        ("In which state lies the Mere?", "In which state does the Mere lie?"),
        ("how long the river is that runs through Ham", "how long is the river that runs through Ham"),
    ],
)  # fmt: skip
def test_what_is_asked_is_asked_plainly(asked: str, plain: str) -> None:
    assert in_order(asked) == plain


@pytest.mark.parametrize(
    "asked",
    [
        "Who did Ann Lee marry?",
        "Which lake did the probe visit?",
        "What did people in Ham eat?",
        "What is the name of the largest moon of Elmo?",
        "Who was the first man who walked on Elmo?",
        "How much is the ticket to the Mill?",
    ],
)
def test_what_is_in_order_stays(asked: str) -> None:
    assert in_order(asked) == asked


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("Flight 15 launch pad name?", "What is the launch pad name of Flight 15?"),
        ("Ham, Elm population 2020?", "What is the population of Ham, Elm in 2020?"),
        ("What is the population 2020 of Ham?", "What is the population of Ham in 2020?"),
        ("Ann Lee died young", "Ann Lee died young"),
    ],
)
def test_a_name_and_what_is_asked_of_it(typed: str, asked: str) -> None:
    assert as_question(typed) == asked


@pytest.mark.parametrize(
    "question",
    [
        "Which animal can be seen on the arms of the city of Ostby?",
        "Who is the mayor of the city of Ghent?",
        "How far away from the old mill did Flight 9 touch down?",
        "Which person made the word fanfold common?",
        "Which country took the most gold in Ostby?",
    ],
)
def test_a_name_with_its_kind_and_a_distance_are_asked_in_one_step(question: str) -> None:
    assert [step.text for step in read(question).steps] == [question]
