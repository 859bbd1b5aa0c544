"""Whether what is quoted holds a claimed number.

It is held where the same stands in the evidence, in any form and unit; or where the claim rounds
what stands there, as far as the digits that it gives allow.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal

from agent.citations.content.dates import Date
from agent.citations.content.figures import Figure

Held = Literal["yes", "unsure", "no"]
COARSEST = 0.15
"""Share by which a number of one digit may miss what it rounds."""
COARSEST_BOUND = 0.34
"""Share by which "more than" and "nearly" may miss it: "more than 3 million" of 3.9."""


def figure_held(claimed: Figure, evidence: Iterable[Figure], dates: Sequence[Date]) -> Held:
    """Say whether evidence holds a claimed number; "unsure" where its unit or rounding is open."""
    best: Held = "no"
    for figure in evidence:
        held = _agree(claimed, figure)
        if held == "yes":
            return "yes"
        if held == "unsure":
            best = "unsure"
    if claimed.plain and not claimed.dimension and not claimed.about:
        # "1846" alone in a cell is a number in one place and a year in another.
        parts = {part for date in dates for part in (date.year, date.day) if part is not None}
        if claimed.value in parts:
            return "yes"
    return best


def _agree(claimed: Figure, found: Figure) -> Held:
    if claimed.ordinal != found.ordinal:
        return "no"
    if claimed.dimension and found.dimension and claimed.dimension != found.dimension:
        return "no"
    measured = bool(claimed.dimension and found.dimension)
    left = claimed.value * (claimed.factor if measured else 1.0)
    right = found.value * (found.factor if measured else 1.0)
    # A claim that names a measure, on a number that names none: the quote does not say of what.
    full: Held = "unsure" if claimed.dimension and not found.dimension else "yes"
    if math.isclose(left, right, rel_tol=1e-12):
        return full
    if claimed.ordinal or left * right <= 0:
        return "no"
    unit = claimed.step * (claimed.factor if measured else 1.0)
    if claimed.bound:
        beyond = right - left if claimed.bound == "above" else left - right
        return full if 0 < beyond <= min(unit, COARSEST_BOUND * abs(right)) else "no"
    slack = 0.5 * unit
    converted = measured and claimed.factor != found.factor
    metric = measured and _power_of_ten(claimed.factor / found.factor)
    if converted and not metric:
        slack += 0.5 * found.step * found.factor
    coarser = claimed.digits < found.digits or converted
    if not coarser or abs(left - right) > slack * (1 + 1e-9):
        return "no"
    if claimed.digits < 2 and abs(left - right) > COARSEST * abs(right):
        return "no"
    told = claimed.about or not claimed.plain or converted or not found.plain
    near = abs(left - right) <= 0.01 * abs(right)
    if claimed.digits < 2 and not (claimed.about or converted or near):
        told = False
    return full if told else "unsure"


def _power_of_ten(ratio: float) -> bool:
    power = math.log10(ratio)
    return math.isclose(power, round(power), abs_tol=1e-9)
