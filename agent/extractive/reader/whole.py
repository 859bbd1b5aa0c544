"""Whether one sentence answers a question as it was asked, where its plans gave no answer.

"Which substance caused the first blast on the Kursk?" has the form of two steps, and one sentence
that tells it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.citations.content.names import find_names
from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.language.stems import content_stems
from agent.extractive.language.talk import ASKING
from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.plan import whole_question, whole_text
from agent.extractive.reader.span import Reader
from agent.extractive.reader.told import find_told
from agent.extractive.reader.values import Value, is_of_other_kind, read_value
from agent.extractive.sources import Sources
from retrieval.types import Embedder, Hit

TITLE_FROM = 0.75
"""Probability from which a title answers a question whole: of what kind it must be is seldom said."""
TELLING = 3
"""Words that say which thing is meant, and what is asked of it, from which a question is read whole."""
_ASKED = re.compile(
    r"(?:^|\b(?:and|plus)\s+|[.,;:+&?!]\s+|\s[-–—]\s)(?:\w+\s+){0,2}?"
    r"(?:who|whom|whose|what|which|when|where|how)\b",
    re.IGNORECASE,
)
"""Where something is asked: twice, where something else is asked as well."""
_PART = re.compile(r"(?<=[.!?;:])\s+")
"""Between the sentences of a question."""
_CLAUSE = re.compile(
    r",\s+(?:(?:so|and|but|then) )?(?=(?:what|which|who|whose|when|where|how)\b)", re.IGNORECASE
)
"""Before the clause of a sentence that asks: "the river in Italy, what mountain does it start on?"."""


def may_still_be_whole(reading: Decomposition) -> bool:
    """Whether a plan that gave no answer asked for one thing, which one sentence may tell after all.

    Several values that no set is asked for are rather one that the plan took apart: "send its soldiers
    home and do away with the army".
    """
    if reading.unread or _is_about_many(reading):
        return False
    return _holds_statements(reading) and (reading.set_step is None or _asks_one_thing(reading))


def _is_about_many(reading: Decomposition) -> bool:
    return reading.open_ended or bool(reading.members) or bool(reading.combine)


_STATED = frozenset(["yes", "no"])
"""Conditions that are statements: which things they hold of, one sentence may tell; no order or bound."""


def _asks_one_thing(reading: Decomposition) -> bool:
    """Whether one value is asked for at most."""
    return sum(step.role == "value" and step.condition is None for step in reading.steps) <= 1


def _holds_statements(reading: Decomposition) -> bool:
    """Whether nothing is compared with a bound, nor counted by what is stated of it."""
    kinds = {step.condition.kind for step in reading.steps if step.condition is not None}
    return not kinds if reading.counted else kinds <= _STATED


def told_whole(
    question: str,
    hits: Sequence[Hit],
    sources: Sources,
    reader: Reader,
    embedder: Embedder,
) -> Value | None:
    """Return what a reader is certain that a sentence of some chunks, or its title, answers a question.

    Args:
        question: as it was asked.
        hits: found for it.
        sources: tells which articles its names lead to.
        reader: reads.
        embedder: compares meanings.
    """
    asked = _without_openings(as_asked(question, sources), sources)
    if ASKING.search(question) is None:
        return None  # "highest mountain of Elm height": which of its words is asked for is not said
    if asked.many or asked.form == "yes_no" or len(_ASKED.findall(question)) > 1:
        return None
    if len(content_stems(question)) < TELLING:
        return None  # "Who found that moon?" may be told of many
    sentences = [fact for fact in facts_of(hits) if fact.kind == "sentence"]
    value = read_value(asked, sentences, reader, embedder)
    if value is not None and is_of_other_kind(asked.kind_of_answer, value, sources.told_of):
        value = None
    if value is not None and _is_told(asked, value):
        return value
    value = find_told(asked, sentences, embedder, reader, sources.lead_of, least=TITLE_FROM)
    return value if value is not None and _is_told(asked, value) else None


def as_asked(question: str, sources: Sources) -> Asked:
    """Read a question of several sentences or clauses: the last that asks says what form the answer has."""
    asked = read_asked(question, sources.subject_of)
    asking = next((one for one in reversed(_PART.split(question)) if ASKING.search(one)), question)
    clause = None if ASKING.match(asking) else _CLAUSE.search(asking)
    asking = asking[clause.end() :] if clause is not None else asking
    if asking == question:
        return asked
    last = read_asked(asking, sources.subject_of)
    return replace(asked, form=last.form, kind=last.kind, noun=last.noun, many=last.many)


def _without_openings(asked: Asked, sources: Sources) -> Asked:
    """A person's question, whose sentences begin with no names but those of articles: "Trouble with …"."""
    found = find_names(asked.text)
    names = [one.text for one in found if not one.initial or sources.title_of(one.text)]
    subjects = [sources.subject_of(name) or name for name in names]
    return replace(asked, names=tuple(names), subjects=tuple(subjects))


def _is_told(asked: Asked, value: Value) -> bool:
    """Whether a value is sure enough, from a chunk that names all that the question does."""
    chunk = value.fact.hit.chunk
    around = f"{chunk.revision.title} {chunk.section} {chunk.text}".casefold()
    named = all(name.casefold() in around for name in asked.names)
    return value.sure and named


def _asks_whole(reading: Decomposition) -> bool:
    """Whether a question's plan is the question itself."""
    return [step.text for step in reading.steps] == [whole_text(reading.question)]


def with_whole(plans: tuple[Decomposition, ...]) -> tuple[Decomposition, ...]:
    """Return plans with the question whole among them, where one sentence may tell what they ask.

    Behind a plan of one step, which may have lost words of it; behind all plans of several steps, of
    which a reader sees the last thing alone.
    """
    first = plans[0]
    if not may_still_be_whole(first) or any(map(_asks_whole, plans)):
        return plans
    place = 1 if len(first.steps) == 1 else len(plans)
    whole = replace(whole_question(first.question), by_sentence=True)
    return (*plans[:place], whole, *plans[place:])
