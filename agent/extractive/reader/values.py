"""From spans to the value of a step: what has a grammar is checked, and the rest is probability."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent.extractive.finder.asked import ANYWHERE, Asked
from agent.extractive.finder.facts import SEPARATOR, Fact
from agent.extractive.finder.forms import asked_numbers, measures_in, value_fits
from agent.extractive.finder.kinds import apposed, bears_names, other_kind
from agent.extractive.finder.labels import head_score, is_own_cell, names_attribute
from agent.extractive.finder.ranking import is_definition
from agent.extractive.finder.values import full_name, name_around, read_best, split_values
from agent.extractive.language.quantities import DAY_OF_YEAR, find_dates
from agent.extractive.language.stems import content_stems
from agent.extractive.language.subjects import is_held_against
from agent.extractive.reader.certainty import pointed_at
from agent.extractive.reader.confirmation import (
    DOUBTED_FROM,
    MOST_READ,
    agreement,
    is_in,
    windows_around,
    worth_of,
)
from agent.extractive.reader.selection import select
from agent.extractive.reader.span import Reader, Span
from agent.extractive.reader.windows import windows_of
from retrieval.types import Embedder

SURE_FROM = 0.7
"""Score of what rules propose below which the whole articles that a step names are read as well."""
DEFINED_FROM = 0.8
"""Score from which a definition ("X is an opera by Y") stands though the reader looks elsewhere."""
RIVAL = 4.0
"""How much surer than of what rules propose the reader must be of other words to cast doubt on it."""
UNSURE_FROM = 0.0
"""Margin from which a span is shown, as unsure."""
READ_FROM = -3.0
"""Margin from which a span is looked at, whether it is certain all the same."""
_TOLD_APART = ("date", "number", "person", "place")
"""Forms of answers by which a value is known from others."""
_YEAR = re.compile(r"\b[12]\d{3}\b")
EDGES = " \t,;:.“”\"'|"


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """Words of a fact that answer a step."""

    fact: Fact
    text: str
    sure: bool
    """Whether they are asserted."""
    items: tuple[str, ...] = ()
    """The things that the words name, one by one."""
    margin: float = 0.0
    """The reader's, of its own words or of those it agrees with."""
    by_title: bool = False
    """Whether they are what the fact's article is about."""


def find_value(
    asked: Asked,
    facts: Sequence[Fact],
    embedder: Embedder,
    reader: Reader,
    more: Sequence[Fact] = (),
) -> Value | None:
    """Return the words of some facts that answer a step; None where none are likely to.

    What ranks first is proposed: the value of a box or row, or a sentence, in which the reader picks
    the words. A box or row of the very thing asked about, whose label says what is asked, stands by
    itself, and so does a sentence that has the question's own words, or defines its article's
    subject, fits well and is not refused by the reader. Elsewhere the reader, reading it among its
    neighbours, confirms, doubts or refuses it, and what it doubts is not asserted. Otherwise the
    reader's own words answer, from wherever it is sure.

    Args:
        asked: the step.
        facts: of the hits.
        embedder: compares meanings.
        reader: finds and checks words.
        more: of the articles that the step names, beyond the hits.
    """
    proposed = read_best(asked, facts, embedder)
    if more and (proposed is None or proposed.score < SURE_FROM):
        better = read_best(asked, more, embedder)
        if better is not None and (proposed is None or better.score > proposed.score):
            proposed = better
    facts = [*facts, *more]
    if proposed is None:
        return read_value(asked, facts, reader, embedder)
    fact = proposed.fact
    value = Value(fact=fact, text=proposed.value, sure=True, items=proposed.values)
    if is_own_cell(asked, fact):
        return value
    spans = reader.read(asked.text, windows_around(fact, facts))
    if not fact.cells:
        read = (_whole(asked, span, facts) for span in spans if is_in(span, fact))
        text = next(filter(None, read), "")
        if not text:
            return read_value(asked, facts, reader, embedder)
        value = replace(value, text=text, items=split_values(text, fact))
    margin = agreement(value.text, fact, spans)
    if not fact.cells:
        if _is_said(asked, fact):
            return value
        if proposed.score >= DEFINED_FROM and is_definition(fact):
            return replace(value, sure=margin >= DOUBTED_FROM)
    worth = worth_of(margin)
    own = read_value(asked, facts, reader, embedder)
    if worth == "answered" and not _speaks_against(own, fact, margin):
        return value
    if own is not None and own.sure:
        return own
    known = not fact.cells and asked.form in _TOLD_APART
    if known and _is_sure(asked, value.text, fact, margin, spans, embedder, reader):
        return value
    doubted = worth != "not_found" or names_attribute(asked, fact)
    return replace(value, sure=False) if doubted else own


_ASKING = re.compile(r"(?:who|which \w+)\s+", re.IGNORECASE)
SAID_FROM = 3
"""Words of a question from which a sentence that has them as they stand says what is asked."""


def _is_said(asked: Asked, fact: Fact) -> bool:
    """Whether a sentence has the question's own words after "who": "Ann invented the safety pin"."""
    asking = _ASKING.match(asked.text)
    said = asked.text[asking.end() :].rstrip(" ?").casefold() if asking is not None else ""
    return (
        fact.kind == "sentence" and len(said.split()) >= SAID_FROM and said in fact.text.casefold()
    )


def _speaks_against(own: Value | None, fact: Fact, margin: float) -> bool:
    """Whether the reader is much surer of words of another fact."""
    return own is not None and own.fact != fact and own.margin > margin + RIVAL


def read_value(
    asked: Asked, facts: Sequence[Fact], reader: Reader, embedder: Embedder
) -> Value | None:
    """Return the words that the reader finds by itself; None where none are likely to answer.

    Args:
        asked: the step.
        facts: of the hits, and of the articles that the step names.
        reader: finds the words.
        embedder: compares meanings.
    """
    spans = read_spans(asked, facts, reader)
    first: Value | None = None
    for span in sorted(spans, key=lambda span: -span.margin - _gain(asked, span)):
        value = _value_of(asked, span, spans, facts, reader, embedder, first)
        if value is not None and value.sure:
            return value
        if first is None and span.margin < UNSURE_FROM:
            return None
        # The same words may be told elsewhere in a sentence that leaves no doubt.
        first = first or value
    return first


def read_spans(asked: Asked, facts: Sequence[Fact], reader: Reader) -> list[Span]:
    """Return what the reader points at in the windows of facts that say most of a step, best first."""
    return reader.read(asked.text, select(asked.text, windows_of(facts), MOST_READ))


def _value_of(
    asked: Asked,
    span: Span,
    spans: Sequence[Span],
    facts: Sequence[Fact],
    reader: Reader,
    embedder: Embedder,
    first: Value | None,
) -> Value | None:
    """The value that the words of one span are, None where they are none of the form asked for.

    Nor are they where another value came first: how certain they are is not worked out for nothing.
    """
    read = span.margin >= (READ_FROM if asked.form in _TOLD_APART else UNSURE_FROM)
    text = _whole(asked, span, facts) if read else ""
    if not text or (first is not None and text != first.text) or not _agrees(asked, span):
        return None
    certain = _is_sure(asked, text, span.fact, span.margin, spans, embedder, reader)
    return Value(
        fact=span.fact, text=text, sure=certain and _head_fits(asked, span),
        items=split_values(text, span.fact), margin=span.margin,
    )  # fmt: skip


def is_of_other_kind(noun: str, value: Value, told_of: Callable[[str], str]) -> bool:
    """Whether a value's article, or its own sentence, tells that it is no thing of the kind asked for.

    Args:
        noun: that is asked for, singular; "" where none is.
        value: that was found.
        told_of: returns how the article begins that a name may stand for, "" where there is none.
    """
    said = value.fact.text
    return other_kind(noun, value.text, lambda name: told_of(name) or apposed(name, said))


def _is_sure(
    asked: Asked,
    text: str,
    fact: Fact,
    margin: float,
    spans: Sequence[Span],
    embedder: Embedder,
    reader: Reader,
) -> bool:
    """Whether the reader is certain of words, by how far they are ahead of all others as well."""
    return reader.is_sure(asked, text, fact, pointed_at(asked, text, fact, margin, spans, embedder))


SAYS_ALL = 3.0
"""What the margin of words gains whose sentence has every word of what is asked."""


def _gain(asked: Asked, span: Span) -> float:
    """What the words of the question add to a margin: "landed on Titan" beside "found Titan"."""
    said = {*content_stems(span.fact.text), *content_stems(span.fact.title)}
    return SAYS_ALL if asked.stems and asked.stems <= said else 0.0


def _whole(asked: Asked, span: Span, facts: Sequence[Fact]) -> str:
    """The span as a value of the form asked for, "" where it is none.

    A number gets its unit, a date its day, a last name the others that the article gives; words of a
    head or label are no value.
    """
    text, start, end = span.fact.text, span.start, span.end
    for begin, stop in _cells(span.fact):
        if start < stop and end > begin:
            start, end = max(start, begin), min(end, stop)
            break
    else:
        return ""
    if asked.form == "number":
        numbers = asked_numbers if span.fact.cells else measures_in
        quantity = next((q for q in numbers(asked, text) if q.start < end and q.end > start), None)
        if quantity is None:
            return ""
        if quantity.dimension:
            start, end = min(start, quantity.start), max(end, quantity.end)
    if asked.form == "date":
        dates = [(moment.start, moment.end) for moment in find_dates(text)]
        days = [day.span() for day in DAY_OF_YEAR.finditer(text)]
        told = next(((a, b) for a, b in (*dates, *days) if a < end and b > start), None)
        if told is None:
            return ""
        start, end = told
    if not span.fact.cells and asked.form not in ("number", "date"):
        start, end = name_around(asked, text, start, end)
    said = text[start:end].strip(EDGES)
    # "The northern shore" is no lake, "an alloy" may be what something is made of.
    is_prose = not span.fact.cells
    where = asked.form == "place" and asked.kind == ANYWHERE
    plain = is_prose and (where or (asked.form == "name" and not bears_names(asked.kind)))
    if said.casefold() in {name.casefold() for name in asked.names} or not value_fits(
        asked, said, plain=plain
    ):
        return ""
    last = asked.form == "person" and said and " " not in said
    return full_name(said, span.fact.title, facts) if last else said


def _head_fits(asked: Asked, span: Span) -> bool:
    """Whether the head of the cell that was read says what is asked; a sentence needs none.

    The row is mostly right and the reader sure of it, whatever was asked of the row's thing.
    """
    for column, (begin, stop) in enumerate(_cells(span.fact) if span.fact.cells else ()):
        if span.start < stop and span.end > begin:
            return head_score(asked, span.fact, column) > 0
    return not span.fact.cells


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
    said = f"{span.window.text} {span.fact.hit.chunk.text}".casefold()
    telling = {
        word
        for name in (*asked.names, *asked.subjects)
        for word in re.findall(r"[\w-]{3,}", name.casefold())
        if word not in _LINKING
    }
    if telling and not any(word in said for word in telling):
        return False
    if is_held_against(asked.text, span.fact.title, span.fact.text):
        return False
    # Two years are a span of time, and what lies between them is meant as well.
    asked_for, told = set(_YEAR.findall(asked.text)), set(_YEAR.findall(span.fact.context))
    return len(asked_for) != 1 or not told or bool(asked_for & told)
