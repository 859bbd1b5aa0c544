"""From spans to the value of a step: what has a grammar is checked, and the rest is probability."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.extractive.asked import Asked
from agent.extractive.facts import SEPARATOR, Fact
from agent.extractive.fitting import numbers_in, value_fits
from agent.extractive.labels import best_column
from agent.extractive.naming import full_name
from agent.extractive.quantities import find_dates
from agent.extractive.read import split_values
from agent.extractive.reader.selection import select
from agent.extractive.reader.span import Reader, Span
from agent.extractive.reader.windows import windows_of

MOST_READ = 8
"""Windows read for a step."""
ANSWERED_FROM = 2.0
"""Margin of a span from which it answers; set with bench/reader_accuracy.py on what no training saw
and no figure is taken from."""
UNSURE_FROM = 0.0
"""Margin from which a span is shown, as unsure."""
_YEAR = re.compile(r"\b[12]\d{3}\b")
_EMPTY = frozenset(["none", "–", "-", "—", "n/a", "unknown", "no", "?", "tbd"])
_EDGES = " \t,;:.“”\"'|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """Words of a fact that answer a step."""

    fact: Fact
    text: str
    sure: bool
    """Whether they are asserted."""
    items: tuple[str, ...] = ()
    """The things that the words name, one by one."""


def read_value(asked: Asked, facts: Sequence[Fact], reader: Reader) -> Value | None:
    """Return the words of some facts that answer a step; None where none are likely to.

    Args:
        asked: the step.
        facts: of the hits, and of the articles that the step names.
        reader: finds the words.
    """
    spans = reader.read(asked.text, select(asked.text, windows_of(facts), MOST_READ))
    for span in spans:
        if span.margin < UNSURE_FROM:
            return None
        text = _whole(asked, span)
        if asked.form == "person" and text and " " not in text:
            text = full_name(text, span.fact, facts)
        if text and _agrees(asked, span):
            return Value(
                fact=span.fact,
                text=text,
                sure=span.margin >= ANSWERED_FROM,
                items=split_values(text, span.fact),
            )
    return None


def label_value(asked: Asked, fact: Fact) -> Value | None:
    """Return the cell of a value or row whose label names what is asked; None where it does not fit."""
    column = best_column(asked, fact)
    if column is None or fact.cells[column][1].casefold() in _EMPTY:
        return None
    text = fact.cells[column][1]
    if asked.form == "number" and "how many" in asked.text.casefold() and not numbers_in(text):
        listed = split_values(text, fact)
        return (
            Value(fact=fact, text=str(len(listed)), sure=True, items=(str(len(listed)),))
            if len(listed) > 1
            else None
        )
    if not value_fits(asked, text):
        return None
    return Value(fact=fact, text=text, sure=True, items=split_values(text, fact))


def _whole(asked: Asked, span: Span) -> str:
    """The span as a value of the form asked for, "" where it is none.

    A number gets its unit, a date its day; words of a head or label are no value.
    """
    text, start, end = span.fact.text, span.start, span.end
    for begin, stop in _cells(span.fact):
        if start < stop and end > begin:
            start, end = max(start, begin), min(end, stop)
            break
    else:
        return ""
    if asked.form == "number":
        quantity = next((q for q in numbers_in(text) if q.start < end and q.end > start), None)
        if quantity is None:
            return ""
        if quantity.dimension:
            start, end = min(start, quantity.start), max(end, quantity.end)
    if asked.form == "date":
        moment = next((m for m in find_dates(text) if m.start < end and m.end > start), None)
        if moment is None:
            return ""
        start, end = moment.start, moment.end
    said = text[start:end].strip(_EDGES)
    return "" if said.casefold() in {name.casefold() for name in asked.names} else said


def _cells(fact: Fact) -> list[tuple[int, int]]:
    """Where values stand in a fact: the whole of a sentence, what follows each head of a row."""
    if not fact.cells:
        return [(0, len(fact.text))]
    places, at = [], 0
    for part in fact.text.split(SEPARATOR):
        head, colon, _ = part.partition(": ")
        places.append((at + (len(head) + 2 if colon else 0), at + len(part)))
        at += len(part) + len(SEPARATOR)
    return places


_LINKING = frozenset(
    ["the", "and", "for", "von", "van", "der", "del", "who", "whose", "what", "which"]
)


def _agrees(asked: Asked, span: Span) -> bool:
    """Whether what was read names something that the step names, and no other year than it does.

    "Belgrade, the capital of Serbia" reads much like the capital of Romania, and what happened in
    2013 like what happened in 2018.
    """
    said = span.window.text.casefold()
    telling = {
        word
        for name in (*asked.names, *asked.subjects)
        for word in re.findall(r"[\w-]{3,}", name.casefold())
        if word not in _LINKING
    }
    if telling and not any(word in said for word in telling):
        return False
    # Two years are a span of time, and what lies between them is meant as well.
    asked_for, told = set(_YEAR.findall(asked.text)), set(_YEAR.findall(span.fact.context))
    return len(asked_for) != 1 or not told or bool(asked_for & told)
