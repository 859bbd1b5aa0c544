"""Whether a value meets a condition: yes, no, or it does not tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.composer.measures import comparable, measure
from agent.extractive.language.quantities import find_dates
from agent.extractive.planner.conditions import Comparator, Condition, holds


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


def is_among(value: str, names: Sequence[str]) -> bool:
    """Whether a value names one of some things."""
    low = value.casefold()
    return any(name.casefold() in low for name in names if name)
