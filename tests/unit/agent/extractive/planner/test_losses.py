"""A plan that asks of a man what a question asks of his wife does not stand."""

from __future__ import annotations

import pytest

from agent.extractive.planner.losses import loses_asked, loses_kin, loses_topic
from agent.extractive.planner.writer.model import Written
from tests.unit.agent.extractive.planning import written


@pytest.mark.parametrize(
    ("question", "step", "lost"),
    [
        (
            "Where was the wife of Ann Lee's teacher born?",
            "Where was Ann Lee's teacher born?",
            True,
        ),
        ("What was his wife called?", "What was he called?", True),
        ("What did Ro's dad do for a living?", "What did Ro do for a living?", True),
        ("What was his wife called?", "Who was his wife?", False),
        ("What was his wife called?", "Who was he married to?", False),
        # Nobody's kin is asked about.
        ("My daughter asks: how deep is Lake Como?", "How deep is Lake Como?", False),
        ("Who is the father of chemistry?", "Who founded chemistry?", False),
    ],
)
def test_kin_may_not_be_lost(question: str, step: str, lost: bool) -> None:
    assert loses_kin(question, Written("give", written(f"ask: {step}"), -1.0)) is lost


@pytest.mark.parametrize(
    ("question", "step", "lost"),
    [
        (
            "My aunts Ann and Bo sailed to Elm. Did Ida Moor reach Elm as well?",
            "Did Ann reach Elm?",
            True,
        ),
        (
            "My aunts Ann and Bo sailed to Elm. Did Ida Moor reach Elm as well?",
            "Did Ida Moor reach Elm?",
            False,
        ),
        ("Ann sailed to Elm. Who sailed to Elm with her?", "Who sailed to Elm with Ann?", False),
        ("Ann sailed to Elm. Where is Elm?", "Where is Elm?", False),
        ("Did Ann sail? Did Ida Moor?", "Did Ann sail?", False),
        ("Did Ann sail to Elm as Ida Moor did?", "Did Ann sail to Elm?", False),
    ],
)
def test_a_plan_says_whom_the_sentence_that_asks_is_about(
    question: str, step: str, lost: bool
) -> None:
    assert loses_asked(question, Written("give", written(f"ask: {step}"), -1.0)) is lost


@pytest.mark.parametrize(
    ("question", "step", "lost"),
    [
        ("Vella: how long is its way round Orr?", "How long is the way round Orr?", True),
        ("Vella: how long is its way round Orr?", "How long is Vella's way round Orr?", False),
        ("Question two: how wide is Orr?", "How wide is Orr?", False),
        ("Greetings from Ham: how wide is Orr?", "How wide is Orr?", False),
        ("Vella, Orr: how wide are they?", "How wide are Orr?", False),
        ("How wide is Orr?", "How wide is it?", False),
    ],
)
def test_a_plan_says_what_a_question_is_headed_by(question: str, step: str, lost: bool) -> None:
    assert loses_topic(question, Written("give", written(f"ask: {step}"), -1.0)) is lost
