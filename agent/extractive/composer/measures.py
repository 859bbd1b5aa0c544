"""What values measure, and whether they measure the same."""

from __future__ import annotations

from collections.abc import Sequence

from agent.extractive.language.quantities import find_dates, find_quantities

WIDEST = 1e6
"""Ratio of the largest to the smallest of bare numbers beyond which they measure different things."""


def comparable(texts: Sequence[str]) -> bool:
    """Whether values measure the same: dates with dates, metres with feet, never kg with people."""
    kinds: set[str] = set()
    bare: list[float] = []
    scaled = False
    for text in texts:
        if find_dates(text) and measure(text) == find_dates(text)[0].ordinal:
            kinds.add("date")
        elif quantities := find_quantities(text):
            kinds.add(quantities[0].dimension)
            if not quantities[0].dimension:
                bare.append(abs(quantities[0].value))
            scaled |= quantities[0].base != quantities[0].value
    if len(kinds - {"", "people"}) > 1 or ("date" in kinds and len(kinds) > 1):
        return False
    # A bare number may stand beside one with a unit, since boxes leave units out; but not where the
    # unit changes the number: a table's 3,530 under "Length (km)" is not less than 2,850 km.
    if bare and scaled:
        return False
    return not bare or min(bare) == 0 or max(bare) / min(bare) <= WIDEST


def measure(text: str) -> float | None:
    """Return what a value measures, in base units, or its date as a number of years."""
    dates = find_dates(text)
    quantities = find_quantities(text)
    if dates and (
        not quantities or quantities[0].start >= dates[0].start or not quantities[0].unit
    ):
        return dates[0].ordinal
    return quantities[0].base if quantities else None
