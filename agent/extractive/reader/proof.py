"""Whether words answer a step although their quote says it otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.attributes import IT
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.finder.keyed import keyed_row
from agent.extractive.finder.labels import gives, is_own_cell, lists_other_roles
from agent.extractive.finder.parts import is_narrowed
from agent.extractive.finder.rows import tells_of_member
from agent.extractive.finder.statements.denial import stated
from agent.extractive.finder.statements.extremes import of_an_extreme
from agent.extractive.finder.statements.polar import Articles, own_value, states
from agent.extractive.finder.statements.sets import of_a_set
from agent.extractive.planner.sets import told_of_member
from agent.extractive.reader.confirmation import is_certain
from agent.extractive.reader.span import Reader
from corpus.form.languages import LANGUAGE_NAMES
from corpus.types import Chunk
from retrieval.types import Embedder, Hit

_LANGUAGE = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, {name.casefold() for name in LANGUAGE_NAMES.values()}))})(?!\w)"
)
"""Names of languages, in lower case."""


def confirmed(
    question: str,
    value: str,
    quote: str,
    chunk: Chunk,
    known: Articles,
    reader: Reader,
    embedder: Embedder,
) -> bool:
    """Return whether words of a quote answer a question whose own words it lacks.

    Of a box or row its label must give what is asked of the very thing, or tell of a member what
    its set is told by; of a sentence the reader must be certain.

    Args:
        question: the step.
        value: the words.
        quote: that holds them.
        chunk: that holds the quote.
        known: tells which article a name leads to, and what kind of thing it is.
        reader: reads sentences.
        embedder: compares meanings.
    """
    if value != "No" and any(
        said not in quote.casefold() for said in _LANGUAGE.findall(question.casefold())
    ):
        return False  # "its motto in English": a motto is not told to be in it by being one
    facts = facts_of([Hit(chunk=chunk, score=0.0, rank=1, source="read")])
    fact = next((one for one in facts if one.text == quote), None)
    if fact is None:
        return False
    asked = read_asked(question, known.subject_of)
    if asked.form == "yes_no":
        return _is_told(asked, value, fact, facts, known)
    if not fact.cells:
        others = (one for one in known.facts_at(fact.title) if one.hit.chunk.id != chunk.id)
        return is_certain(asked, value, fact, [*facts, *others], reader, embedder)
    if asked.many and fact.kind == "row":
        told = told_of_member(question, IT)
        return told is not None and tells_of_member(asked, fact, value, *told)
    if lists_other_roles(asked, fact):
        return False
    keyed = keyed_row(asked, facts, known.facts_at)
    if keyed is not None and keyed[0].text == fact.text and value in fact.cells[keyed[1]][1]:
        return not is_narrowed(asked, fact.cells[keyed[1]][0])
    return is_own_cell(asked, fact) and gives(asked, fact, value)


def _is_told(asked: Asked, value: str, fact: Fact, facts: Sequence[Fact], known: Articles) -> bool:
    """Whether a fact settles a statement as an answer does: yes or no."""
    told = stated(asked, fact, known, facts)
    if told is None:
        settled = of_a_set(asked, facts, known) or of_an_extreme(asked, facts, known)
        told = settled[0] if settled is not None and settled[1].text == fact.text else None
    if told is not None:
        return told == (value == "Yes")
    own = own_value(asked, fact)
    return value == "Yes" and own is not None and states(asked, fact, own)
