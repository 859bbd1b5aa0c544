"""Clauses put into plain order, completed, and events named by nouns."""

from __future__ import annotations

import pytest

from agent.extractive.elapsed import event_question
from agent.extractive.rephrase import complete, rephrase, split_adjuncts


@pytest.mark.parametrize(
    ("phrase", "question"),
    [
        ("the discovery of neon", "When was neon discovered"),
        ("the outbreak of the war", "When did the war begin"),
        ("Caesar's death", "When did Caesar die"),
        ("when the bridge was opened", "When was the bridge opened"),
        ("the Battle of Hastings", "When was the Battle of Hastings"),
    ],
)
def test_events_named_by_nouns(phrase: str, question: str) -> None:
    assert event_question(phrase) == question


def test_questions_that_leave_out_what_was_said() -> None:
    earlier = "Did {1} take a degree at a Scottish university?"
    assert complete("at which one", earlier) == (
        "At which Scottish university did {1} take a degree"
    )
    assert complete("and nothing", earlier) is None
    assert complete("when", "Who wrote {1}?") == "When was {1} written"
    assert complete("in which year", "Was {1} built?") == "In which year was {1} built"
    assert complete("at which one", "At which college did {1} study?") == (
        "At which college did {1} study"
    )
    assert complete("when", "Rome") is None


def test_rephrasing_leaves_other_clauses_alone() -> None:
    for clause in ("Who wrote Hamlet", "Where was the man who wrote it born", "List the moons"):
        assert rephrase(clause) == clause
    assert rephrase("How long are the rivers of Spain, in kilometres") == (
        "How long are the rivers of Spain"
    )
    assert split_adjuncts("Who won in Rome") is None
