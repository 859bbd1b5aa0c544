"""Numbers, dates and stems in text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.language.quantities import find_dates, find_quantities, shown
from agent.extractive.language.stems import content_stems, related


def test_numbers_and_dates() -> None:
    assert [q.value for q in find_quantities("1,200 km, 3.5 million people and twenty-two")] == [
        1200,
        3.5e6,
        22,
    ]
    assert find_quantities("5 km²")[0].base == 5e6
    assert [
        d.year for d in find_dates("in 2021, rounded, on 3 May 1902, 44 BC, the 19th century")
    ] == [
        2021,
        1902,
        -44,
        1801,
    ]
    assert shown(1234567.0) == "1,234,567"
    assert shown(2.5) == "2.5"


@given(st.integers(1, 10**9))
def test_a_number_is_read_as_it_is_shown(number: int) -> None:
    quantities = find_quantities(f"has {shown(number)} members")
    assert [quantity.value for quantity in quantities] == [number]


def test_relatives() -> None:
    assert related("discov", {"discover"})
    assert not related("son", {"sonar"})
    assert content_stems("那座城市") == ["那座", "座城", "城市"]
    assert re.match("writ|write", content_stems("wrote")[0])
