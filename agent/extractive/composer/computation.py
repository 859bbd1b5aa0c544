"""Computes with found values: sums, differences, agreement, years between dates."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.composer.measures import comparable, measure
from agent.extractive.composer.membership import Line, column_of, distinct_steps
from agent.extractive.language.quantities import find_dates, find_quantities, shown
from agent.extractive.planner.decomposition import Decomposition

COMPUTED = ("sum", "average", "difference")
"""What is made of values by arithmetic."""


def combined(reading: Decomposition, lines: Sequence[Line]) -> str:
    """Return the computed answer, "" where nothing is to be computed or a value is missing."""
    if not reading.combine or not lines:
        return ""
    columns = [column_of(step) for step in distinct_steps(reading.steps) if step.role == "value"]
    texts = [line.text_of(columns[-1]) if columns else "" for line in lines]
    if reading.combine in COMPUTED and not comparable(texts):
        return ""
    if reading.combine == "difference" and all(
        text and find_dates(text) and measure(text) == find_dates(text)[0].ordinal for text in texts
    ):
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
        return "Yes" if len({text.casefold() for text in known}) == 1 else "No"
    truths = [text.casefold().startswith("yes") for text in known]
    if reading.combine == "all":
        return "Yes" if all(truths) else "No"
    if reading.combine == "any":
        return "Yes" if any(truths) else "No"
    return ""


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
    """Return how many years lie between two dates, "" where one is missing.

    People take years from years; where full years are fewer, both are said.
    """
    moments = [dates[0] for text in texts if (dates := find_dates(text))]
    if len(moments) != 2:
        return ""
    first, second = sorted(moments, key=lambda moment: moment.ordinal)
    years = second.year - first.year
    full = int(second.ordinal - first.ordinal) if first.month and second.month else years
    return str(years) if full == years else f"{years} ({full} full years)"


def _computed(how: str, texts: Sequence[str]) -> str:
    values = []
    units = set()
    for text in texts:
        quantities = find_quantities(text)
        if quantities:
            values.append(quantities[0].value)
            units.add(quantities[0].unit if quantities[0].dimension else "")
            continue
        dates = find_dates(text)
        if not dates:
            # A sum over values of which one is missing would be a wrong number.
            return ""
        values.append(float(dates[0].year))
    if how == "difference" and len(values) < 2:
        return ""
    made = {
        "sum": sum(values),
        "average": sum(values) / max(len(values), 1),
        "difference": max(values) - min(values),
    }[how]
    # A unit that every value has is that of what is made of them.
    return f"{shown(made)} {''.join(units)}".strip() if len(units) == 1 else shown(made)
