"""What a value says of a bound: yes, no, or it does not tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.conditions import date_condition, holds, number_condition


@pytest.mark.parametrize(
    ("comparator", "bound", "value", "met"),
    [
        ("more than", "1000 km", "1,230 km", True),
        ("more than", "1000 km", "1,230", None),  # of what?
        ("more than", "5000 metres", "4,806 m", False),
        ("more than", "500 square kilometres", "536 km²", True),
        ("more than", "1000 km", "1,230 people", None),
        ("more than", "$5 million", "€6 million", None),
        ("more than", "$5 million", "6 million", True),
        ("more than", "30 °C", "86 °F", None),
        ("more than", "100 km/h", "20 km/s", True),
        ("exactly", "two", "2", True),
        ("exactly", "two", "3", False),
        ("exactly", "2,700,000", "2,746,388", None),  # rounded, it may be meant
        ("fewer than", "one million people", "2,746,388", False),
        ("fewer than", "1750", "May 25, 1754", False),
        ("fewer than", "1750", "28 October 1636", True),
        ("fewer than", "1750", "the 18th century", None),
        ("more than", "20", "28 October 1636", None),
        ("more than", "500", "1500", True),
    ],
)
def test_a_value_is_held_against_an_amount(
    comparator: str, bound: str, value: str, met: bool | None
) -> None:
    assert holds(number_condition(comparator, bound), value) is met


@pytest.mark.parametrize(
    ("relation", "bound", "value", "met"),
    [
        ("in", "1701", "October 9, 1701", True),
        ("in", "1702", "October 9, 1701", False),
        ("on", "4 March 1875", "3 March 1875", False),
        ("on", "3 March 1875", "3 March 1875", True),
        ("on", "3 March 1875", "1875", None),
        ("before", "July 1969", "June 30, 1969", True),
        ("before", "July 1969", "July 1, 1969", False),
        ("after", "July 1969", "July 31, 1969", False),
        ("after", "the 19th century", "1850", False),
        ("after", "the 19th century", "1901", True),
        ("until", "the 1890s", "1895", True),
        ("since", "the 1890s", "1889", False),
        ("before", "1850", "19th century", None),
        ("before", "1850", "18th century", True),
        ("in", "1850", "19th century", None),
        ("in", "the 1850s", "1850s", True),
        ("before", "400 BC", "5th century BC", True),
        ("in", "the 1700s", "1764", True),
        ("in", "the 1700s", "1800", False),
        ("in", "the 2000s", "2010", False),
    ],
)
def test_a_value_is_held_against_a_date(
    relation: str, bound: str, value: str, met: bool | None
) -> None:
    condition = date_condition(relation, bound)
    assert condition is not None
    assert holds(condition, value) is met


@given(st.integers(1000, 2025), st.integers(1000, 2025))
def test_before_is_met_where_since_is_not(year: int, other: int) -> None:
    before, since = date_condition("before", str(year)), date_condition("since", str(year))
    assert before is not None
    assert since is not None
    assert holds(before, str(other)) is not holds(since, str(other))
