"""Computes with found values: which members remain, which is the most, sums, agreement."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from agent.extractive.language.quantities import find_dates, find_quantities, shown
from agent.extractive.planner.conditions import Comparator, Condition
from agent.extractive.planner.decomposition import Decomposition, Step


class Line(Protocol):
    """A member with the values found for it."""

    name: str

    def text_of(self, step_id: str) -> str:
        """Return the values of one step."""
        ...

    def is_sure(self, step_id: str) -> bool:
        """Whether the values of one step were found and are proven by what they cite."""
        ...


L = TypeVar("L", bound=Line)


@dataclass(frozen=True, slots=True)
class Kept(Generic[L]):
    """The members that meet every condition, as far as what was found settles it."""

    lines: list[L]
    said: str = ""
    """How many meet the conditions, or among how many the most was sought."""
    shown: int = 0
    """Members that are shown to meet them."""
    open: int = 0
    """Members of which it stays open whether they meet the conditions."""
    withheld: str = ""
    """Why nothing should be asserted, "" where something may be."""


def _column(step: Step) -> str:
    return step.column or step.id


def keep_members(
    reading: Decomposition, lines: Sequence[L], found: Mapping[str, Sequence[str]] | None = None
) -> Kept[L]:
    """Return the members that meet every condition, and how many stay open.

    A member whose value is unknown or does not tell is left out: nothing shows that it belongs, and
    nothing that it does not. `found` has what steps about no member found, by their ids: bounds that
    others are held against.
    """
    kept = list(lines)
    met: dict[str, list[bool | None]] = {line.name: [] for line in lines}
    ranked = ""
    for step in _distinct(reading.steps):
        condition = step.condition
        if condition is None:
            continue
        column = _column(step)
        if condition.kind in ("max", "min"):
            if reading.members and not _all_ranked(kept, column, condition):
                # "Who died earlier, A or B?": what is known of A alone rules nothing.
                ranked = "Not every value that this compares was found; what was found of each:"
                continue
            if any(None in one and False not in one for one in met.values()):
                return Kept(list(lines), withheld="it stays open among which members it is")
            asked = len(kept)
            kept = extremes(kept, column, condition)
            if any(not line.is_sure(column) for line in kept if line.text_of(column)):
                return Kept(list(lines), withheld="which it is hangs on a value that is unsure")
            known = sum(1 for line in lines if line.text_of(column))
            ranked = f"Among the {known} of {asked} whose value was found:" if known < asked else ""
            continue
        against = (found or {}).get(condition.against, ())
        if condition.against and condition.kind != "in":
            bounded = _bounded(condition, against[0]) if against else None
            if bounded is None:
                return Kept(
                    kept, "What they are compared with was not found; what was found of each:"
                )
            condition = bounded
        for line in kept:
            text = line.text_of(column)
            among = _is_among(text, against) if text else None
            told = among if condition.kind == "in" else holds(condition, text)
            met[line.name].append(told if told is None or line.is_sure(column) else None)
        kept = [line for line in kept if _belongs(condition, line.text_of(column), against)]
    truths = [False if False in one else None if None in one else True for one in met.values()]
    if not any(met.values()):
        return Kept(kept, ranked, len(kept))
    shown, open_ = truths.count(True), truths.count(None)
    if open_ and not shown:
        return Kept(kept, open=open_, withheld="of no member it is shown that it is meant")
    said = f"{shown} of {len(lines)} meet the condition, by the values cited:"
    if open_:
        said = f"{shown} of {len(lines)} are shown to meet the condition, {open_} stay open:"
    return Kept(kept, ranked or said, shown, open_)


def _all_ranked(lines: Sequence[L], column: str, condition: Condition) -> bool:
    return all(_rank_of(line.text_of(column), condition) is not None for line in lines)


def _is_among(value: str, names: Sequence[str]) -> bool:
    low = value.casefold()
    return any(name.casefold() in low for name in names if name)


def _belongs(condition: Condition, value: str, names: Sequence[str]) -> bool:
    """Whether a member is shown; one that nothing is said of only for "which are not …"."""
    if condition.kind == "in":
        return _is_among(value, names)
    met = holds(condition, value)
    return condition.kind == "no" if met is None else met


def _distinct(steps: Sequence[Step]) -> list[Step]:
    return list({_column(step): step for step in steps}.values())


def extremes(lines: Sequence[L], column: str, condition: Condition) -> list[L]:
    """Return the members with the largest or smallest values, as many as the condition keeps."""
    measured = [
        (value, line)
        for line in lines
        if (value := _rank_of(line.text_of(column), condition)) is not None
    ]
    if not comparable([line.text_of(column) for line in lines]):
        return list(lines)
    measured.sort(key=lambda pair: pair[0], reverse=condition.kind == "max")
    return [line for _, line in measured[: condition.top]]


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


def _rank_of(text: str, condition: Condition) -> float | None:
    value = measure(text)
    if value is not None and condition.dimension == "age" and find_dates(text):
        # The earlier the date, the older.
        return -value
    return value


def measure(text: str) -> float | None:
    """Return what a value measures, in base units, or its date as a number of years."""
    dates = find_dates(text)
    quantities = find_quantities(text)
    if dates and (
        not quantities or quantities[0].start >= dates[0].start or not quantities[0].unit
    ):
        return dates[0].ordinal
    return quantities[0].base if quantities else None


def combined(reading: Decomposition, lines: Sequence[Line]) -> str:
    """Return the computed answer, "" where nothing is to be computed or a value is missing."""
    if not reading.combine or not lines:
        return ""
    columns = [_column(step) for step in _distinct(reading.steps) if step.role == "value"]
    texts = [line.text_of(columns[-1]) if columns else "" for line in lines]
    if reading.combine in ("sum", "average", "difference") and not comparable(texts):
        return ""
    if reading.combine == "difference" and all(
        text and find_dates(text) and measure(text) == find_dates(text)[0].ordinal for text in texts
    ):
        return years_between(texts)
    if reading.combine in ("sum", "average", "difference"):
        return _computed(reading.combine, texts)
    known = [text for text in texts if text]
    if len(known) < len(texts):
        return ""
    if reading.combine == "common":
        shared = [set(parts_of(text)) for text in known]
        in_order = [part for part in parts_of(known[0]) if all(part in one for one in shared)]
        return ", ".join(dict.fromkeys(in_order)) if in_order else "Nothing in common was found"
    if reading.combine == "same":
        return "Yes" if len({text.casefold() for text in known}) == 1 else "No"
    truths = [text.casefold().startswith("yes") for text in known]
    if reading.combine == "all":
        return "Yes" if all(truths) else "No"
    if reading.combine == "any":
        return "Yes" if any(truths) else "No"
    return ""


def verdict(condition: Condition, value: str, bound: str = "") -> bool | None:
    """Whether a value meets a condition, held against another value where it names a step.

    None where either does not tell, or they do not measure the same.
    """
    if not condition.against:
        return holds(condition, value)
    bounded = _bounded(condition, bound)
    if bounded is None or not comparable([value, bound]):
        return None
    return holds(bounded, value)


_TURNED: dict[Comparator, Comparator] = {">": "<", "<": ">"}


def _bounded(condition: Condition, text: str) -> Condition | None:
    """A condition with another value as its bound: what is older has the earlier date."""
    bound = measure(text)
    if bound is None:
        return None
    if condition.dimension == "age" and find_dates(text):
        turned = _TURNED.get(condition.comparator, condition.comparator)
        return replace(condition, kind="date", comparator=turned, bound=bound, dimension="")
    return replace(condition, bound=bound)


def ruled(
    reading: Decomposition, lines: Sequence[Line], found: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Yes or no of a statement about all members, or any, by its conditions; "" where open."""
    conditions = [
        (step, step.condition)
        for step in _distinct(reading.steps)
        if step.condition is not None and step.condition.kind in ("yes", "no", "number", "date")
    ]
    if not conditions or not lines:
        return ""
    truths: list[bool | None] = []
    for line in lines:
        met = [
            verdict(
                one, line.text_of(_column(step)), next(iter((found or {}).get(one.against, ())), "")
            )
            for step, one in conditions
        ]
        truths.append(False if False in met else None if None in met else True)
    settling = reading.combine == "any"
    if settling in truths:
        return "Yes" if settling else "No"
    return "" if None in truths else "No" if settling else "Yes"


def gap_between(texts: Sequence[str]) -> str:
    """How far two values lie apart, years of dates, "" where they do not compare."""
    if len(texts) != 2 or not comparable(texts):
        return ""
    if all(find_dates(text) and measure(text) == find_dates(text)[0].ordinal for text in texts):
        return years_between(texts)
    return _computed("difference", texts)


def parts_of(value: str) -> list[str]:
    """The things a value lists, in lower case, brackets left out."""
    plain = re.sub(r"\s*\([^()]*\)", "", value).casefold()
    return [part.strip() for part in re.split(r",|;|\band\b|/", plain) if part.strip()]


def years_between(texts: Sequence[str]) -> str:
    """Return the full years between two dates, "" where one is missing."""
    moments = [dates[0] for text in texts if (dates := find_dates(text))]
    if len(moments) != 2:
        return ""
    first, second = sorted(moments, key=lambda moment: moment.ordinal)
    if not (first.month and second.month):
        return str(second.year - first.year)
    return str(int(second.ordinal - first.ordinal))


def _computed(how: str, texts: Sequence[str]) -> str:
    values = []
    for text in texts:
        quantities = find_quantities(text)
        if quantities:
            values.append(quantities[0].value)
            continue
        dates = find_dates(text)
        if not dates:
            # A sum over values of which one is missing would be a wrong number.
            return ""
        values.append(float(dates[0].year))
    if how == "sum":
        return shown(sum(values))
    if how == "average":
        return shown(sum(values) / len(values))
    return shown(max(values) - min(values)) if len(values) > 1 else ""


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
        known = same or bool(condition.against)
        found = quantity.base if known else quantity.value
        return _within(found, condition)
    if condition.kind == "date":
        dates = find_dates(value)
        if not dates:
            return None
        # "In 1930" and "after 1930" are about whole years.
        whole = float(condition.bound).is_integer()
        return _within(float(dates[0].year) if whole else dates[0].ordinal, condition)
    return None


_NONE = frozenset(["none", "no", "nil"])


def _within(value: float, condition: Condition) -> bool:
    bound = condition.bound
    return {
        ">": value > bound,
        ">=": value >= bound,
        "<": value < bound,
        "<=": value <= bound,
        "=": abs(value - bound) < 1e-6 * max(1.0, abs(bound)),
        "between": bound <= value <= condition.upper,
    }[condition.comparator]
