"""Whether one sentence answers a question as it was asked, so that it need not be broken up.

"Which substance caused the first blast on the Kursk?" has the form of two steps, and one sentence
that tells it. A reader that is certain of a sentence is believed before a plan is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.language.talk import ASKING
from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.reader.span import Reader
from agent.extractive.reader.told import find_told
from agent.extractive.reader.values import Value, read_value
from agent.extractive.sources import Sources
from retrieval.types import Embedder, Hit

WHOLE_FROM = 10.0
"""Margin of the reader from which a plan need not be followed: "who discovered its largest moon?" has
the moon's name in a sentence, too, and plans lead further than readers."""
_SECOND = re.compile(
    r"(?:\band|\bplus|[,;:+&?])\s+(?:\w+\s+){0,2}?(?:who|whom|whose|what|which|when|where|how)\b",
    re.IGNORECASE,
)
"""Where something else is asked as well."""


def may_be_whole(reading: Decomposition) -> bool:
    """Whether a plan's steps only lead to one value: nothing is listed, compared or computed."""
    only_on_the_way = len(reading.steps) > 1 and all(
        step.role in ("bridge", "value") for step in reading.steps
    )
    to_one_value = only_on_the_way and _asks_one_thing(reading)
    return not _is_about_many(reading) and (bool(reading.unread) or reading.counted or to_one_value)


def may_still_be_whole(reading: Decomposition) -> bool:
    """Whether a plan that gave no answer asked for one thing, which one sentence may tell after all."""
    is_plan = (len(reading.steps) > 1 or reading.counted) and not reading.unread
    return is_plan and not _is_about_many(reading) and _asks_one_thing(reading)


def _is_about_many(reading: Decomposition) -> bool:
    return reading.open_ended or bool(reading.members) or bool(reading.combine)


def _asks_one_thing(reading: Decomposition) -> bool:
    """Whether one value is asked for at most, and nothing held against a condition."""
    values = sum(step.role == "value" for step in reading.steps)
    return values <= 1 and all(step.condition is None for step in reading.steps)


def told_whole(
    question: str,
    hits: Sequence[Hit],
    sources: Sources,
    reader: Reader,
    embedder: Embedder,
    least: float = WHOLE_FROM,
) -> bool:
    """Whether a reader is certain that a sentence of some chunks answers a question, or tells its title to.

    Args:
        question: as it was asked.
        hits: found for it.
        sources: tells which articles its names lead to.
        reader: reads.
        embedder: compares meanings.
        least: margin of the reader from which it is believed.
    """
    asked = read_asked(question, sources.subject_of)
    if ASKING.search(question) is None:
        return (
            False  # "highest mountain of Elm height": which of its words is asked for is not said
        )
    if asked.many or asked.form == "yes_no" or _SECOND.search(question):
        return False
    sentences = [fact for fact in facts_of(hits) if fact.kind == "sentence"]
    value = read_value(asked, sentences, reader, embedder)
    if value is not None and _is_told(asked, value, least):
        return True
    value = find_told(asked, sentences, embedder, reader, sources.lead_of)
    return value is not None and _is_told(asked, value, least)


def _is_told(asked: Asked, value: Value, least: float) -> bool:
    """Whether a value is sure enough, from a chunk that names all that the question does."""
    chunk = value.fact.hit.chunk
    around = f"{chunk.revision.title} {chunk.section} {chunk.text}".casefold()
    named = all(name.casefold() in around for name in asked.names)
    return value.sure and value.margin >= least and named
