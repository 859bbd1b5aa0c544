"""Whether a value meets a condition: yes, no, or it does not tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.composer.measures import comparable, in_no_order, measure, moment_of
from agent.extractive.language.classes import OF_WHOLES, classes_of
from agent.extractive.language.names import holds_name
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
    here, there = moment_of(value), moment_of(bound)
    if condition.comparator not in ("=", "!=") and here and there and in_no_order(here, there):
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


def is_among(value: str, names: Sequence[str]) -> bool | None:
    """Whether a value names one of some things; None where it may, by another name or a part of it."""
    low = value.casefold()
    if any(holds_name(low, name) for name in names if name):
        return True
    meant = {member for name in names for member in _meant(name)}
    parts = _PARTS.split(value)
    return None if any(meant & _meant(part) for part in parts) else False


_PARTS = re.compile(r"[,;/()]|\band\b")


def _meant(name: str) -> set[tuple[str, str]]:
    """What a name means by its closed classes: "U.S." the country that "United States" is."""
    return {(kind, one) for kind, one in classes_of(name).items() if kind not in OF_WHOLES}
