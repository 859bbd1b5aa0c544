"""Conditions on a member's value: its kind, its bound, the words that say so, and who meets it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from agent.citations.content.figures import NOTHING
from agent.extractive.language import words
from agent.extractive.language.degrees import degree_of
from agent.extractive.language.quantities import Moment, Quantity, find_dates, find_quantities
from agent.extractive.language.stems import stem, words_of

Comparator = Literal[">", ">=", "<", "<=", "=", "!=", "between", "outside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What a member's value must be for the member to count."""

    kind: Literal["yes", "no", "number", "date", "max", "min", "in"]
    """in: one of what another step lists."""
    comparator: Comparator = "="
    bound: float = 0.0
    """In base units for a number with a known unit, in years for a date."""
    upper: float = 0.0
    """The far end of "between", and of "outside"."""
    scaled: bool = False
    """Whether the bound was told in another unit than the base one: 3,000 km are 3,000,000 m."""
    dimension: str = ""
    """What the bound measures; "age" where a date tells how old something is."""
    top: int = 1
    """How many members an extreme keeps."""
    both: bool = False
    """Whether an extreme keeps those at the other end as well: the oldest and the youngest."""
    against: str = ""
    """The step whose value, or values, are the bound."""


NUM = (
    r"(?:[$€£]?\d[\d.,]*|"
    + "|".join(words.NUMBER_WORDS)
    + r")(?:[- ](?:hundred|thousand|million|billion|trillion))?"
)
QUANT = (
    r"(?P<comp>more than|over|at least|no fewer than|no less than|fewer than|less than|under|below|"
    r"at most|no more than|up to|exactly|only|greater than|larger than|higher than|longer than|"
    r"above|exceeding|just)?\s*(?P<num>" + NUM + r")\b"
)
COMPARATORS: dict[str, Comparator] = {
    "more than": ">", "over": ">", "greater than": ">", "larger than": ">", "higher than": ">",
    "longer than": ">", "above": ">", "exceeding": ">", "at least": ">=", "no fewer than": ">=",
    "no less than": ">=", "fewer than": "<", "less than": "<", "under": "<", "below": "<",
    "at most": "<=", "no more than": "<=", "up to": "<=",
}  # fmt: skip


def is_unit(word: str) -> bool:
    """Say whether a word measures something: "metres", "kg"."""
    found = find_quantities(f"1.5 {word}")
    return bool(found) and found[0].dimension not in {"", "people"}


def number_condition(comparator: str | None, amount: str) -> Condition:
    """Return the condition that "more than" and an amount make."""
    quantities = find_quantities(amount)
    if not quantities:
        return Condition(kind="yes")
    first = quantities[0]
    return Condition(
        kind="number",
        comparator=COMPARATORS.get((comparator or "").lower(), "="),
        bound=first.base,
        dimension=first.measure,
        scaled=first.base != first.value,
    )


def date_condition(relation: str, when: str) -> Condition | None:
    """The condition that a preposition and a time make: "before" and "the 1990s".

    Args:
        relation: "before", "since", "in", "between", ….
        when: the words with the time, or both times.

    Returns:
        None where the words hold no date, or one that tells no more than its year.
    """
    dates = find_dates(when)
    if not dates:
        return None
    if dates[0].month:
        return _exact(relation, dates[0])
    year = float(dates[0].year)
    if relation in {"between", "from"} and len(dates) > 1:
        upper = float(dates[1].year)
        return Condition(kind="date", comparator="between", bound=year, upper=upper)
    span = float(dates[0].years - 1)
    if relation in {"in", "during", "on", "between", "from", "to"}:
        return Condition(kind="date", comparator="between", bound=year, upper=year + span)
    comparator = _OF_DATES[relation]
    late = comparator in (">", "<=")  # what is after a century is after its last year
    return Condition(kind="date", comparator=comparator, bound=year + span * late)


_OF_DATES: dict[str, Comparator] = {
    "before": "<", "prior to": "<", "earlier than": "<", "by": "<=", "until": "<=",
    "up to": "<=", "no later than": "<=", "not later than": "<=", "after": ">",
    "later than": ">", "since": ">=",
}  # fmt: skip
_FIRST = 1000
"""A bare number from it on may be a year."""
_MONTH = 1 / 12
_DAY = 1 / 372


def _exact(relation: str, moment: Moment) -> Condition | None:
    """A day or a month as the bound: "on 4 March 1875", "before July 1969"."""
    if moment.month == 1 and moment.day <= 1:
        return None  # its ordinal is the year's own
    comparator = _OF_DATES.get(relation)
    span = _DAY if moment.day else _MONTH
    bound, upper = moment.ordinal - _DAY / 2, moment.ordinal + span - _DAY / 2
    if comparator is None:
        return Condition(kind="date", comparator="between", bound=bound, upper=upper)
    late = comparator in (">", "<=")
    return Condition(kind="date", comparator=comparator, bound=upper if late else bound)


_BOUND = re.compile(QUANT + r"|\b\d[\w.,]*|\bcentury\b|\b(?:first|square|cubic)\b", re.IGNORECASE)


def bound_words(text: str) -> frozenset[str]:
    """Stems of the words of a text that tell a bound: comparisons, numbers, units, years."""
    told = {word for match in _BOUND.finditer(text) for word in words_of(match[0])}
    for moment in find_dates(text):
        told.update(words_of(text[moment.start : moment.end]))
    for word in words_of(text):
        if degree_of(word) is not None or is_unit(word):
            told.add(word)
    return frozenset(stem(word) for word in told)


def holds(condition: Condition, value: str) -> bool | None:
    """Return whether a member's value meets a condition; None where the value does not tell."""
    if condition.kind in ("yes", "no"):
        low = value.casefold()
        if low.startswith(("yes", "no")):
            return low.startswith("yes") == (condition.kind == "yes")
        return None
    if condition.kind == "number":
        numbers = find_quantities(value)
        dates = find_dates(value)
        inside = numbers and dates and dates[0].start <= numbers[0].start < dates[0].end
        if inside and numbers[0].value != dates[0].year:
            # Of "May 25, 1754" the day is no number of things; the year may be what is meant.
            year = float(dates[0].year)
            dated = not condition.dimension and dates[0].years == 1 and condition.bound >= _FIRST
            return _within(year, condition) if dated else None
        if not numbers and value.casefold().strip(" .–—-") in _NONE:
            return _within(0.0, condition)  # "Known moons: none"
        if not numbers:
            return None
        quantity = numbers[0]
        same = condition.dimension and quantity.measure == condition.dimension
        if condition.scaled and not quantity.measure:
            return None  # 5,268 of what? 3,000 km are 3,000,000 m
        if not condition.against and _measures_another(quantity, condition):
            return None
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
        first, last = dates[0].year, dates[0].year + dates[0].years - 1
        if not whole and not dates[0].month and first <= math.floor(condition.bound) <= last:
            return None  # a year alone tells no month
        if not whole:
            return _within(dates[0].ordinal, condition)
        years = {first, last, *(int(b) for b in (condition.bound, condition.upper))}
        told = {_within(float(year), condition) for year in years if first <= year <= last}
        return told.pop() if len(told) == 1 else None  # "the 19th century" is not all before 1850
    return None


def _measures_another(quantity: Quantity, condition: Condition) -> bool:
    """Whether a quantity is not of what a bound measures; a bare number may be."""
    told = quantity.measure, condition.dimension
    timed = any(one.startswith("h:") for one in told)
    return told[0] != told[1] and (timed or all(told))


_NEAR = 0.05
"""Share of a number by which one that was rounded may differ from it."""
_COUNTED = 100
"""Numbers below it are counted, not rounded."""


def _rounded(value: float, bound: float) -> bool:
    """Whether a number may be meant by another: 1,200 km by 1,230 km."""
    near = abs(value - bound) <= _NEAR * abs(bound)
    return near and value != bound and abs(bound) >= _COUNTED


_NONE = NOTHING | {"no"}


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
