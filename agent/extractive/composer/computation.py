"""Computes with found values: sums, differences, agreement, years between dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isclose

from agent.extractive.composer.measures import (
    comparable,
    in_no_order,
    measure,
    moment_of,
    quantity_of,
)
from agent.extractive.composer.membership import Line, column_of, distinct_steps
from agent.extractive.composer.verdict import is_among
from agent.extractive.language.names import holds_name
from agent.extractive.language.quantities import base_unit, find_dates, find_quantities, shown
from agent.extractive.planner.decomposition import Decomposition

COMPUTED = ("sum", "average", "difference")
"""What is made of values by arithmetic."""
MADE_OF_ALL = (*COMPUTED, "same", "common")
"""What is another one where a member more belongs."""


def combined(reading: Decomposition, lines: Sequence[Line]) -> str:
    """Return the computed answer, "" where nothing is to be computed or a value is missing."""
    if not reading.combine or not lines:
        return ""
    columns = [column_of(step) for step in distinct_steps(reading.steps) if step.role == "value"]
    texts = [line.text_of(columns[-1]) if columns else "" for line in lines]
    if reading.combine in COMPUTED and not comparable(texts):
        return ""
    if reading.combine == "difference" and all(map(moment_of, texts)):
        return years_between(texts)
    if reading.combine in COMPUTED:
        return _computed(reading.combine, texts)
    known = [text for text in texts if text]
    if len(known) < len(texts):
        return ""
    if reading.combine == "common":
        shared = [set(parts_of(text)) for text in known]
        in_order = [part for part in parts_of(known[0]) if all(part in one for one in shared)]
        return ", ".join(dict.fromkeys(in_order)) if in_order else "Nothing in common was found"
    if reading.combine == "same":
        return _same(known)
    truths = [text.casefold().startswith("yes") for text in known]
    if reading.combine == "all":
        return "Yes" if all(truths) else "No"
    if reading.combine == "any":
        return "Yes" if any(truths) else "No"
    return ""


def _same(texts: Sequence[str]) -> str:
    """Whether values agree, "" where they may: one is a part of the other, or told less exactly."""
    told = {_agree(one, other) for one in texts for other in texts}
    return "No" if False in told else "" if None in told else "Yes"


def _agree(one: str, other: str) -> bool | None:
    """Whether two values mean the same; None where they may."""
    mine, theirs = one.casefold(), other.casefold()
    if mine == theirs:
        return True
    here, there = moment_of(one), moment_of(other)
    if here and there and in_no_order(here, there):
        return None
    first, second = measure(one), measure(other)
    if first is not None and second is not None and comparable([one, other]):
        return isclose(first, second)
    if holds_name(mine, other) or holds_name(theirs, one) or is_among(one, [other]) is None:
        return None
    return False


def gap_between(texts: Sequence[str]) -> str:
    """How far two values lie apart, years of dates, "" where they do not compare."""
    if len(texts) != 2 or not comparable(texts):
        return ""
    if all(map(moment_of, texts)):
        return years_between(texts)
    return _computed("difference", texts)


_SCALE = re.compile(r"(?<=\d )(?:thousand|million|billion|trillion)\b")
"""What stands behind the number of every value, and so behind what is made of them."""


def parts_of(value: str) -> list[str]:
    """The things a value lists, in lower case, brackets left out."""
    plain = re.sub(r"\s*\([^()]*\)", "", value).casefold()
    return [part.strip() for part in re.split(r",|;|\band\b|/", plain) if part.strip()]


def years_between(texts: Sequence[str]) -> str:
    """Return how many years lie between two dates, "" where one is missing.

    People take years from years; where full years are fewer, both are said.
    """
    moments = [dates[0] for text in texts if (dates := find_dates(text))]
    if len(moments) != 2 or any(moment.years > 1 for moment in moments):
        return ""
    first, second = sorted(moments, key=lambda moment: moment.ordinal)
    years = second.year - first.year
    full = int(second.ordinal - first.ordinal) if first.month and second.month else years
    said = f"{years} year" if years == 1 else f"{years} years"
    return said if full == years else f"{said} ({full} full)"


def _computed(how: str, texts: Sequence[str]) -> str:
    measured = [quantity for text in texts if (quantity := quantity_of(text))]
    values = [one.value for one in measured]
    units = {one.unit if one.dimension else "" for one in measured}
    if len(units) > 1 and "" not in units:
        # Metres and kilometres: of base units is made what is said in them.
        values, units = [one.base for one in measured], {base_unit(measured[0].dimension)}
    moments = [moment for text in texts if (moment := moment_of(text))]
    values += [float(moment.year) for moment in moments if moment.years == 1]
    if len(values) < len(texts) or (how == "difference" and len(values) < 2):
        # A sum over values of which one is missing would be a wrong number.
        return ""
    made = {
        "sum": sum(values),
        "average": sum(values) / max(len(values), 1),
        "difference": max(values) - min(values),
    }[how]
    said = shown(made)
    scales = {found[0] if (found := _SCALE.search(text)) else "" for text in texts}
    if len(scales) == 1 and (scale := scales.pop()):
        said = f"{shown(made / find_quantities(f'1 {scale}')[0].value)} {scale}"
    # A unit that every value has is that of what is made of them.
    return f"{said} {''.join(units)}".strip() if len(units) == 1 else said
