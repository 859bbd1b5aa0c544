"""What values measure, and whether they measure the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.figures import NOTHING
from agent.extractive.language.quantities import Moment, Quantity, find_dates, find_quantities

WIDEST = 1e6
"""Ratio of the largest to the smallest of bare numbers beyond which they measure different things."""


def comparable(texts: Sequence[str]) -> bool:
    """Whether values measure the same: dates with dates, metres with feet, never kg with people."""
    kinds: set[str] = set()
    bare: list[float] = []
    scaled = False
    for text in texts:
        if moment_of(text) is not None:
            kinds.add("date")
        elif quantity := quantity_of(text):
            kinds.add(quantity.measure)
            if not quantity.measure:
                bare.append(abs(quantity.value))
            scaled |= quantity.base != quantity.value
    if len(kinds - {"", "people"}) > 1 or (kinds & _ALONE and len(kinds) > 1):
        return False
    # A bare number may stand beside one with a unit, since boxes leave units out; but not where the
    # unit changes the number: a table's 3,530 under "Length (km)" is not less than 2,850 km.
    if bare and scaled:
        return False
    return not bare or min(bare) == 0 or max(bare) / min(bare) <= WIDEST


_ALONE = {"date", "h:m", "h:m:s"}
"""What no bare number measures."""


_BRACKETED = re.compile(r"\s*\([^()]*\)")
_DAYS = 31
"""A number up to it that stands before a date without a unit may be one of its days: "5–7 May 1901"."""
_ORDINAL = frozenset(["st", "nd", "rd", "th"])


def moment_of(text: str) -> Moment | None:
    """Return the date that a value is, None where it measures something else.

    "97 (as of 2025)" and "2,100,000 in 2019" are numbers, with the time that they are of.
    """
    said = _said(text)
    dates, quantities = find_dates(said), find_quantities(said)
    if not dates or not quantities or quantities[0].start >= dates[0].start:
        return dates[0] if dates else None
    first = quantities[0]
    counted = first.value > _DAYS or (first.unit and first.unit not in _ORDINAL)
    return None if counted else dates[0]


def quantity_of(text: str) -> Quantity | None:
    """Return the first quantity of a value that is no date, None where it has none."""
    if text.casefold().strip(" .") in NOTHING:
        return Quantity(value=0, unit="", dimension="", base=0, start=0, end=len(text))
    quantities = find_quantities(_said(text)) if moment_of(text) is None else []
    return quantities[0] if quantities else None


def measure(text: str) -> float | None:
    """Return what a value measures, in base units, or its date as a number of years."""
    moment, quantity = moment_of(text), quantity_of(text)
    return moment.ordinal if moment else quantity.base if quantity else None


def _said(text: str) -> str:
    """What a value says itself, without what stands in brackets where anything else has a number."""
    bare = _BRACKETED.sub(" ", text)
    return bare if any(map(str.isdigit, bare)) else text


def in_no_order(one: Moment, other: Moment) -> bool:
    """Whether of two times neither is told to be earlier: a day of a year, and that year alone."""
    apart = one.year + one.years <= other.year or other.year + other.years <= one.year
    return not apart and not (one.month and other.month)
