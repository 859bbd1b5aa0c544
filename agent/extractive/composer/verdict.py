"""Whether a value meets a condition: yes, no, or it does not tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.composer.measures import comparable, measure
from agent.extractive.language.quantities import find_dates, find_quantities
from agent.extractive.planner.conditions import Comparator, Condition


def verdict(condition: Condition, value: str, bound: str = "") -> bool | None:
    """Whether a value meets a condition, held against another value where it names a step.

    None where either does not tell, or they do not measure the same.
    """
    if not condition.against:
        return holds(condition, value)
    bounded = bound_to(condition, bound)
    if bounded is None or not comparable([value, bound]):
        return None
    return holds(bounded, value)


_TURNED: dict[Comparator, Comparator] = {">": "<", "<": ">"}


def bound_to(condition: Condition, text: str) -> Condition | None:
    """A condition with another value as its bound: what is older has the earlier date."""
    bound = measure(text)
    if bound is None:
        return None
    if condition.dimension == "age" and find_dates(text):
        turned = _TURNED.get(condition.comparator, condition.comparator)
        return replace(condition, kind="date", comparator=turned, bound=bound, dimension="")
    return replace(condition, bound=bound)


def holds(condition: Condition, value: str) -> bool | None:
    """Return whether a member's value meets a condition; None where the value does not tell."""
    if condition.kind in ("yes", "no"):
        low = value.casefold()
        if low.startswith(("yes", "no")):
            return low.startswith("yes") == (condition.kind == "yes")
        return None
    if condition.kind == "number":
        numbers = find_quantities(value)
        if not numbers and value.casefold().strip(" .–—-") in _NONE:
            return _within(0.0, condition)  # "Known moons: none"
        if not numbers:
            return None
        quantity = numbers[0]
        same = condition.dimension and quantity.dimension == condition.dimension
        if condition.scaled and not quantity.dimension:
            return None  # 5,268 of what? 3,000 km are 3,000,000 m
        known = same or bool(condition.against)
        found = quantity.base if known else quantity.value
        if condition.comparator in ("=", "!=") and _rounded(found, condition.bound):
            return None
        return _within(found, condition)
    if condition.kind == "date":
        dates = find_dates(value)
        if not dates:
            return None
        # "In 1930" and "after 1930" are about whole years.
        whole = float(condition.bound).is_integer()
        if not whole and not dates[0].month and dates[0].year == int(condition.bound):
            return None  # a year alone tells no month
        return _within(float(dates[0].year) if whole else dates[0].ordinal, condition)
    return None


_NEAR = 0.05
"""Share of a number by which one that was rounded may differ from it."""
_COUNTED = 100
"""Numbers below it are counted, not rounded."""


def _rounded(value: float, bound: float) -> bool:
    """Whether a number may be meant by another: 1,200 km by 1,230 km."""
    near = abs(value - bound) <= _NEAR * abs(bound)
    return near and value != bound and abs(bound) >= _COUNTED


_NONE = frozenset(["none", "no", "nil"])


def _within(value: float, condition: Condition) -> bool:
    bound = condition.bound
    equal = abs(value - bound) < 1e-6 * max(1.0, abs(bound))
    return {
        ">": value > bound,
        ">=": value >= bound,
        "<": value < bound,
        "<=": value <= bound,
        "=": equal,
        "!=": not equal,
        "between": bound <= value <= condition.upper,
        "outside": not bound <= value <= condition.upper,
    }[condition.comparator]


def is_among(value: str, names: Sequence[str]) -> bool:
    """Whether a value names one of some things."""
    low = value.casefold()
    return any(name.casefold() in low for name in names if name)
