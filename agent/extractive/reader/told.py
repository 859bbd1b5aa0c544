"""Things that their own articles tell: "which moon has lakes of methane?" is the one whose article has them.

The answer stands in no sentence, which says "it" or "the moon", but in front of them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from agent.citations.content.words import content_words, stems_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.kinds import bears_names, defined_as, is_person, other_kind
from agent.extractive.language.names import bare_title, holds_name, without_bracket
from agent.extractive.reader.certainty import (
    LEAST_MARGIN,
    Told,
    certainty_of_title,
    share_held,
)
from agent.extractive.reader.confirmation import MOST_READ, windows_around
from agent.extractive.reader.selection import select
from agent.extractive.reader.span import Reader
from agent.extractive.reader.values import EDGES, Value, read_spans
from agent.extractive.reader.windows import Window, windows_of
from corpus.text import word_set
from retrieval.types import Embedder

TOLD_FROM = 0.6
"""Probability from which a title is asserted."""
SHOWN_FROM = 0.4
"""Probability from which it is shown, as unsure."""
_FORMS = frozenset(["name", "person", "place", "text"])
"""Forms of what a thing may be asked for by: no number, date, yes or no."""


def find_told(
    asked: Asked,
    facts: Sequence[Fact],
    embedder: Embedder,
    reader: Reader,
    lead_of: Callable[[str], str],
    more: Sequence[Fact] = (),
    least: float = TOLD_FROM,
) -> Value | None:
    """Return the thing whose article tells what a step asks for; None where none is likely to.

    Args:
        asked: the step.
        facts: of the hits.
        embedder: compares meanings.
        reader: says how likely a title answers.
        lead_of: returns how the article of a title begins.
        more: of the articles that the step names, beyond the hits: words of theirs may be likelier.
        least: probability from which it is asserted.
    """
    found = likeliest_told(asked, facts, embedder, reader, lead_of, more)
    if found is None:
        return None
    fact, told = found
    title = without_bracket(fact.title)
    certainty = certainty_of_title(asked, told)
    if certainty < SHOWN_FROM:
        return None
    sure = certainty >= least
    return Value(
        fact=fact, text=title, sure=sure, items=(title,), margin=told.margin, by_title=True
    )


def likeliest_told(
    asked: Asked,
    facts: Sequence[Fact],
    embedder: Embedder,
    reader: Reader,
    lead_of: Callable[[str], str],
    more: Sequence[Fact] = (),
) -> tuple[Fact, Told] | None:
    """The sentence whose article is likeliest to be about what a step asks for, and how it tells it.

    None where the reader refuses it. Args: as of `find_told`.
    """
    found = all_told(asked, facts, embedder, reader, lead_of)
    if not found or found[0][1].margin <= LEAST_MARGIN:
        return None  # refused, whatever other articles say of it
    fact, told = found[0]
    rival = next((other.worth for one, other in found if one.title != fact.title), None)
    told = told if rival is None else replace(told, lead=told.worth - rival)
    read = read_spans(asked, [*facts, *more], reader)
    return fact, replace(told, named=bool(read) and _names(fact.title, read[0].text))


def _names(title: str, words: str) -> bool:
    """Whether words hold a title, or are a part of it."""
    name, said = bare_title(title), words.casefold().strip(EDGES)
    return holds_name(said, name) or (bool(said) and holds_name(name, said))


def all_told(
    asked: Asked,
    facts: Sequence[Fact],
    embedder: Embedder,
    reader: Reader,
    lead_of: Callable[[str], str],
) -> list[tuple[Fact, Told]]:
    """A sentence of every article that may be about what a step asks for, likeliest first.

    Args: as of `find_told`.
    """
    if asked.many or asked.form not in _FORMS or not asked.stems:
        return []
    named = {bare_title(name) for name in (*asked.names, *asked.subjects)}
    sentences = [
        fact
        for fact in facts
        if fact.kind == "sentence"
        and bare_title(fact.title) not in named
        and _may_be(asked, fact.title, lead_of)
    ]
    windows = windows_of(sentences)
    chosen = _one_of_each(select(asked.text, windows, len(windows)))[:MOST_READ]
    return _telling(asked, chosen, embedder, reader)


_DOER = re.compile(r"\w+(?:er|or|ist|ian|man|woman)")
"""How nouns of persons end, of whom no list has all: "stargazer"."""


_LOOSELY = word_set(
    """thing spot land crew trip journey voyage mission flight outing probe craft ship vessel machine
    device gadget tool piece work show tune story play poem body outfit firm maker company group team
    club event contest battle war chap guy fellow bloke lady girl boy kid hero heroine"""
)
"""Nouns that people call things by which have a name and are defined as something else."""


def _may_be(asked: Asked, title: str, lead_of: Callable[[str], str]) -> bool:
    """Whether a title may be a thing of the kind asked for: one that goes by a name, if none other.

    "Which part of the body" is told by no title, though "part" is a kind of which nothing is known.
    """
    kind, lead = asked.kind or asked.noun, lead_of(title)
    if other_kind(kind, title, lead_of):
        return False
    if not kind:
        return asked.form != "person" or is_person(lead)
    person = is_person(lead) and _DOER.fullmatch(kind) is not None
    return kind in _LOOSELY or bears_names(kind) or person or defined_as(kind, lead) > 0


def is_told(
    asked: Asked,
    fact: Fact,
    facts: Sequence[Fact],
    embedder: Embedder,
    reader: Reader,
) -> bool:
    """Whether a sentence, read among its neighbours, tells of its article's thing what is asked for.

    Args: as of `find_told`, with the sentence.
    """
    windows = windows_around(fact, facts) if asked.stems else []
    found = _telling(asked, windows, embedder, reader)
    return bool(found) and certainty_of_title(asked, found[0][1]) >= TOLD_FROM


def _one_of_each(windows: Sequence[Window]) -> list[Window]:
    """The first window of every article, in order, then the others."""
    first = {window.facts[0].title: window for window in reversed(windows)}.values()
    return sorted(windows, key=lambda window: window not in first)


def _telling(
    asked: Asked, windows: Sequence[Window], embedder: Embedder, reader: Reader
) -> list[tuple[Fact, Told]]:
    """The sentence of each window that is nearest to what is asked, and how it tells it, best first."""
    facts = [fact for window in windows for fact in window.facts]
    texts = [asked.text, *(f"{fact.title}: {fact.text}" for fact in facts)]
    vectors = embedder.encode(texts)
    near = dict(zip(map(id, facts), (vectors[1:] @ vectors[0]).tolist(), strict=True))
    words = content_words(asked.text)
    found = []
    for one in reader.read_titles(asked.text, windows):
        fact = max(one.window.facts, key=lambda fact: near[id(fact)])
        said = share_held(words, stems_of(one.window.text))
        found.append((fact, Told(margin=one.margin, nearness=near[id(fact)], said=said)))
    return sorted(found, key=lambda one: -one[1].worth)
