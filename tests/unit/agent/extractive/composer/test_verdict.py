"""What a value says of a bound: yes, no, or it does not tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.conditions import holds
from agent.extractive.planner.predicates.measures import predicate_question


@pytest.mark.parametrize(
    ("said", "value", "met"),
    [
        ("is longer than 1000 km", "1,230 km", True),
        ("is longer than 1000 km", "1,230", None),  # of what?
        ("is higher than 5000 metres", "4,806 m", False),
        ("is larger than 500 square kilometres", "536 km²", True),
        ("has two moons", "2", True),
        ("has two moons", "3", False),
        ("has 2,700,000 inhabitants", "2,746,388", None),  # rounded, it may be meant
        ("was founded in 1701", "October 9, 1701", True),
        ("was founded in 1702", "October 9, 1701", False),
        ("was first performed on 4 March 1875", "3 March 1875", False),
        ("was first performed on 3 March 1875", "3 March 1875", True),
        ("was first performed on 3 March 1875", "1875", None),
        ("was opened before July 1969", "June 30, 1969", True),
        ("was opened before July 1969", "July 1, 1969", False),
        ("was opened after July 1969", "July 31, 1969", False),
        ("has fewer than one million people", "2,746,388", False),
    ],
)
def test_a_value_is_held_against_a_bound(said: str, value: str, met: bool | None) -> None:
    ask = predicate_question(said, "it", negated=False)
    assert ask.condition.kind in ("number", "date")
    assert holds(ask.condition, value) is met


@given(st.integers(1000, 2025), st.integers(1000, 2025))
def test_a_negation_is_met_where_the_statement_is_not(year: int, other: int) -> None:
    for said in (f"founded before {year}", f"founded in {year}", "founded in the 18th century"):
        plain = predicate_question(f"was {said}", "it", negated=False).condition
        turned = predicate_question(f"was not {said}", "it", negated=True).condition
        assert holds(plain, str(other)) is not holds(turned, str(other))


@pytest.mark.parametrize(
    ("said", "asked", "than"),
    [
        ("bigger across than the Ilm", "How wide is it?", "the Ilm"),
        ("larger in area than Arn", "What is the area of it?", "Arn"),
        ("deeper than 20 m", "How deep is it?", ""),
    ],
)
def test_what_is_compared_may_stand_before_than(said: str, asked: str, than: str) -> None:
    ask = predicate_question(said, "it", negated=False)
    assert (ask.text, ask.than, ask.condition.kind) == (asked, than, "number")
