"""Whether a quote holds the value of an answer, and whether that is of the kind asked for."""

from __future__ import annotations

import re

from agent.citations.content.dates import date_held, find_dates
from agent.citations.content.figures import NUMBER_WORDS, find_figures
from agent.citations.content.names import find_names, without_names
from agent.citations.content.words import content_words, missing_ideographs, missing_words, stems_of
from agent.citations.quotes import IDEOGRAPH
from agent.citations.support.faults import Faults
from agent.citations.support.grounds import Evidence
from agent.citations.support.subjects import name_kind

HELD = ("whole", "surname")
"""How a name stands in a quote that speaks of it; see `name_kind`."""


def value_held(value: str, evidence: Evidence) -> bool:
    """Whether a quote holds a value: in its words, or by the names, figures and dates of it."""
    bare = " ".join(value.split()).strip(' .;,“”"')
    whole = " ".join(evidence.quote.split())
    if re.search(rf"(?<![^\W_]){re.escape(bare)}(?![^\W_])", whole, re.IGNORECASE):
        return True
    if IDEOGRAPH.search(bare):
        return bare in whole or missing_ideographs(bare, whole) <= 0.1
    names = find_names(bare)
    figures, dates = find_figures(bare), find_dates(bare)
    if evidence.is_title(bare):
        return True
    if not all(name_kind(name.text, evidence) in HELD for name in names if not name.initial):
        return False
    if any(evidence.holds_figure(figure) == "no" for figure in figures):
        return False
    if not all(date_held(date, evidence.dates, evidence.framing_dates) for date in dates):
        return False
    words = [word for word in content_words(bare) if word not in NUMBER_WORDS]
    # A first word may have its capital from standing there: it counts as a word, not as a name.
    names_words = {word for n in names if not n.initial for word in content_words(n.text)}
    units = {word for figure in figures for word in content_words(figure.text)}
    months = {word for date in dates for word in content_words(date.text)}
    left = [word for word in words if word not in names_words | units | months]
    return not missing_words(left, evidence.stems)


def check_kind(question: str, held: frozenset[str], faults: Faults) -> None:
    """Doubt a value that is not of the kind asked for: a date, a number."""
    low = question.casefold()
    if re.match(r"(?:in |since |until )?(?:when|what year|which year)\b", low):
        if not any(find_dates(value) for value in held):
            faults.soft.append("the value is no date")
    elif re.match(
        r"how (?:many|much|tall|long|far|high|deep|old|large|big|wide|heavy|fast)\b", low
    ):
        if not any(find_figures(value) or find_dates(value) for value in held):
            faults.soft.append("the value is no number")
    elif re.match(r"(?:by )?whom?\b", low) and all(_is_no_name(value) for value in held):
        faults.soft.append("the value is no name")


_COUNTED = re.compile(r"\b(?:how many|number of)\s+(?P<noun>[^\W\d_]+)", re.IGNORECASE)


def counts_another(question: str, value: str, sentence: str) -> str:
    """Return what a number counts in a sentence that names what is asked for elsewhere, "" if not.

    "The undergraduates live in fourteen colleges" gives no number of undergraduates.
    """
    asked = _COUNTED.search(question)
    number = re.escape(value)
    found = re.search(
        rf"(?<!\w){number}\s+(?P<noun>(?:[a-z-]+\s+)??[a-z]+s)\b", sentence
    ) or re.search(
        rf"(?P<noun>(?:[a-z-]+\s+)??[a-z]+s),?\s+of which there (?:are|were)\s+(?:\w+\s+)?{number}\b",
        sentence,
    )
    if asked is None or found is None:
        return ""
    said = stems_of(found["noun"])
    elsewhere = stems_of(sentence[: found.start()] + " " + sentence[found.end() :])
    wanted = stems_of(asked["noun"])
    return found["noun"] if wanted & elsewhere and not wanted & said else ""


def counts_nothing(claim: str) -> bool:
    """Whether a claim has a number and, names aside, no word for what it is a number of."""
    rest = without_names(claim)
    figures = find_figures(rest)
    words = [word for word in content_words(rest) if word not in NUMBER_WORDS]
    return bool(figures) and not find_dates(rest) and not any(word.isalpha() for word in words)


_COMPARED = re.compile(
    r"\b(?:\w{2,}er|more|less|worse|further|rather|else|otherwise)\b[^.;]*\bthan\b", re.IGNORECASE
)


def compares_nothing(claim: str) -> bool:
    """Whether a claim says "than" and not what is more or less: cut off, it holds of anything."""
    return re.search(r"\bthan\b", claim) is not None and _COMPARED.search(claim) is None


def _is_no_name(value: str) -> bool:
    """Whether a value is a date, with its place or without, or holds no letter."""
    dates = find_dates(value)
    return (bool(dates) and dates[0].start <= 4) or not re.search(r"[^\W\d_]", value)
