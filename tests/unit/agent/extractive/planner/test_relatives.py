"""What is told of a part of a member, and what ties a set together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.predicates.measures import predicate_question
from agent.extractive.planner.predicates.relatives import told_of_part
from agent.extractive.planner.sets import told_of_member


@pytest.mark.parametrize(
    ("said", "text", "kind", "comparator", "bound"),
    [
        ("whose depth exceeds 250 m", "What is the depth of {1}?", "number", ">", 250.0),
        ("whose crew is at least 12", "What is the crew of {1}?", "number", ">=", 12.0),
        (
            "whose foundation dates back to a year prior to 1750",
            "When was the foundation of {1}?", "date", "<", 1750.0,
        ),
        ("whose author died before 1900", "When did the author of {1} die?", "date", "<", 1900.0),
        (
            "whose currency is the Swiss franc",
            "Does {1} have the Swiss franc as its currency?", "yes", "=", 0.0,
        ),
        (
            "where the official money is the euro",
            "Does {1} have the euro as its official money?", "yes", "=", 0.0,
        ),
        ("whose source lies in Tibet", "Does the source of {1} lie in Tibet?", "yes", "=", 0.0),
        (
            "whose ships carried over 75 tons of tea",
            "How many tons of tea did the ships of {1} carry?", "number", ">", 75.0,
        ),
        ("established earlier than 1750", "When was {1} established?", "date", "<", 1750.0),
        ("opened no later than 1901", "When was {1} opened?", "date", "<=", 1901.0),
    ],
)  # fmt: skip
def test_a_part_is_asked_about_and_held_against_its_bound(
    said: str, text: str, kind: str, comparator: str, bound: float
) -> None:
    ask = predicate_question(said, "{1}", negated=False)
    assert (ask.text, ask.condition.kind) == (text, kind)
    assert (ask.condition.comparator, ask.condition.bound) == (comparator, bound)


@given(st.text(alphabet="whoser er is of 19{}.,", max_size=50))
def test_any_condition_is_read_or_left(said: str) -> None:
    ask = told_of_part(said, "Ada")
    assert ask is None or "Ada" in ask.text


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "What are the comets first seen by Ada Kern?",
            ("comet", "Is it first seen by Ada Kern?"),
        ),
        ("What are the rivers that start in Peru?", ("river", "Does it start in Peru?")),
        ("What are the capital cities on the Danube?", None),
        ("What are the moons of Mars?", None),
        ("What are the Great Lakes?", None),
        ("", None),
    ],
)
def test_what_ties_a_set_together_is_asked_of_one_member(
    question: str, wanted: tuple[str, str] | None
) -> None:
    told = told_of_member(question, "it")
    assert (told and (told[0], told[1].text)) == wanted
