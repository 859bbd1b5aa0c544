"""Whether the reader, reading where a value was found, points at the same words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.reader.certainty import Pointed, pointed_at
from agent.extractive.reader.selection import select
from agent.extractive.reader.span import Reader, Span
from agent.extractive.reader.windows import Window, windows_of
from retrieval.types import Embedder

Worth = Literal["answered", "unsure", "not_found"]

CONFIRMED_FROM = 3.0
"""Margin of the reader's own words from which agreeing with them answers. Where rules and reader
point at the same words, the reader need not be sure by itself."""
MOST_READ = 8
"""Windows read for a step."""
DOUBTED_FROM = -4.0
"""Margin from which agreeing leaves a value unsure; below it the value is not found."""


def worth_of(margin: float) -> Worth:
    """Say what a value is worth that rules found, by the reader's margin of the same words."""
    if margin >= CONFIRMED_FROM:
        return "answered"
    return "unsure" if margin >= DOUBTED_FROM else "not_found"


def is_certain(
    asked: Asked,
    value: str,
    fact: Fact,
    facts: Sequence[Fact],
    reader: Reader,
    embedder: Embedder,
) -> bool:
    """Whether the reader points at a value so surely that its sentence need not repeat the question.

    Args:
        asked: the step.
        value: that was found.
        fact: where it stands.
        facts: of the same article.
        reader: reads the windows that hold the fact, and those that hold most of the question.
        embedder: compares meanings.
    """
    return reader.is_sure(asked, value, fact, pointing(asked, value, fact, facts, reader, embedder))


def pointing(
    asked: Asked,
    value: str,
    fact: Fact,
    facts: Sequence[Fact],
    reader: Reader,
    embedder: Embedder,
) -> Pointed:
    """How the reader points at a value, reading where it stands and what is likeliest beside it.

    Args: as of `is_certain`.
    """
    around = windows_around(fact, facts)
    beside = [w for w in select(asked.text, windows_of(facts), MOST_READ) if w not in around]
    spans = reader.read(asked.text, [*around, *beside])
    margin = agreement(value, fact, spans)
    return pointed_at(asked, value, fact, margin, spans, embedder)


def windows_around(fact: Fact, facts: Sequence[Fact]) -> list[Window]:
    """The windows that a fact is read in: among its neighbours, which decide which row is meant."""
    near = [one for one in facts if one.hit.chunk.id == fact.hit.chunk.id]
    return [
        window
        for window in windows_of(near or [fact])
        if any(one.start == fact.start for one in window.facts)
    ]


def is_in(span: Span, fact: Fact) -> bool:
    """Whether a span lies in a fact."""
    return (span.fact.hit.chunk.id, span.fact.start) == (fact.hit.chunk.id, fact.start)


def agreement(value: str, fact: Fact, spans: Sequence[Span]) -> float:
    """The highest margin of a span with the same words of the same fact; minus infinity without one.

    A part of the words agrees with the whole: readers leave out titles, units and places.
    """
    low = value.casefold()
    said = (
        (span.text.strip(" .,;:").casefold(), span.margin) for span in spans if is_in(span, fact)
    )
    return max((m for words, m in said if words and (words in low or low in words)),
               default=float("-inf"))  # fmt: skip
