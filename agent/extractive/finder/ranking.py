"""How well a fact answers a sub-question, by its words and by what the embedder says."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.forms import value_fits
from agent.extractive.finder.labels import (
    GIVEN_FROM,
    beside_role,
    best_column,
    head_score,
    naming_score,
    row_name,
)
from agent.extractive.finder.parts import asks_of_part, words_said
from agent.extractive.language.stems import content_stems, related, stem
from corpus.text import word_set
from retrieval.types import Embedder

MOST_COMPARED = 10
"""Facts whose meaning is compared with the question; they are chosen by their words first."""
_ELSEWHERE = 0.1
LONGEST_COMPARED = 280
"""Characters of a fact that are compared."""
OUT_OF_REACH = 0.55
"""Difference in word scores from which the meaning of a fact is not looked at."""
_WEIGHT_MEANING = 0.55
_WEIGHT_WORDS = 0.45


def rank_facts(asked: Asked, facts: Sequence[Fact], embedder: Embedder) -> list[tuple[Fact, float]]:
    """Return facts with their scores, best first.

    The score adds what the words say (subject, attribute, form of the answer) and what the embedder
    says of the meaning; the same function judges whether a passage answers a question at all.
    """
    by_words = sorted(
        ((fact, word_score(asked, fact)) for fact in facts), key=lambda pair: -pair[1]
    )[:MOST_COMPARED]
    if not by_words:
        return []
    # Facts far behind the best could not overtake it by their meaning.
    least = by_words[0][1] - OUT_OF_REACH
    by_words = [pair for pair in by_words if pair[1] >= least]
    vectors = embedder.encode(
        [asked.text, *(fact.context[:LONGEST_COMPARED] for fact, _ in by_words)]
    )
    meaning = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
    scored = [
        (fact, _bounded(asked, fact, _WEIGHT_WORDS * score + _WEIGHT_MEANING * float(near)))
        for (fact, score), near in zip(by_words, meaning, strict=True)
    ]
    return sorted(scored, key=lambda pair: -pair[1])


_YEAR = re.compile(r"\b[12]\d{3}\b")
_BESIDE = 0.5
"""Most that a fact gets which is about something else than the question names: too little to
answer, however alike the two read."""


def _bounded(asked: Asked, fact: Fact, score: float) -> float:
    """Return the score, bounded where the fact names nothing that the question names.

    "Belgrade, the capital of Serbia" reads much like the capital of Romania, and what happened in
    2013 like what happened in 2018.
    """
    if not asked.names:
        return score
    said = f"{fact.title} {fact.hit.chunk.section} {fact.context}".casefold()
    telling = {
        word
        for name in (*asked.names, *asked.subjects)
        for word in re.findall(r"[\w-]{2,}", name.casefold())
        if word not in _LINKING
    }
    named = not telling or any(word in said for word in telling)
    # Two years are a span, and what lies between them is meant as well.
    years = set(_YEAR.findall(asked.text))
    other = (
        len(years) == 1 and _YEAR.search(said) is not None and not years & set(_YEAR.findall(said))
    )
    return min(score, _BESIDE) if not named or other else score


_LINKING = word_set(
    """the and for von van der del of in de la le di da du at on to who whose what which"""
)


def word_score(asked: Asked, fact: Fact) -> float:
    """Return how well a fact fits a question by its words alone, in [0, 1]."""
    about = _about(asked, fact)
    attribute = _attribute(asked, fact)
    fits = 1.0 if _fits(asked, fact) else 0.0
    # A box or a table that gives the attribute by its name is what a reader would look at first.
    given = 0.15 if fact.cells and attribute >= 0.8 and about >= 0.5 else 0.0
    # "Estates Theatre" is a theatre: an answer often says what it is.
    called = 0.1 if asked.noun and fits and _calls_itself(asked, fact) else 0.0
    lead = 0.1 if fact.kind == "sentence" and is_definition(fact) else 0.0
    return min(1.0, 0.4 * about + 0.35 * attribute + 0.15 * fits + given + called + lead)


def is_definition(fact: Fact) -> bool:
    """Whether a sentence opens the article by saying what its subject is."""
    title = re.sub(r"\s*\(.*\)$", "", fact.title).split()
    opening = fact.text[:80]
    return (
        not fact.hit.chunk.section
        and opening.startswith((title[0], f"The {title[0]}"))
        and title[-1] in opening
        and bool(re.search(r"\b(?:is|was|are|were)\b", fact.text))
    )


def _calls_itself(asked: Asked, fact: Fact) -> bool:
    noun = stem(asked.noun)
    return any(noun in content_stems(value) for _, value in fact.cells)


def _about(asked: Asked, fact: Fact) -> float:
    """How far the fact is about what the question names."""
    if not asked.subjects:
        return 0.6
    text = f" {fact.text.casefold()} "
    title = fact.title.casefold()
    scores = []
    for subject, said in zip(asked.subjects, asked.names, strict=False):
        name, alias = subject.casefold(), said.casefold()
        bare = re.sub(r"\s*\(.*\)$", "", name)
        if bare in text or alias in text:
            # "Country: Austria | Capital: Vienna | …" is about Austria.
            beside = fact.kind == "row" and any(
                value.casefold() in (bare, alias) for _, value in fact.cells[1:]
            )
            scores.append(0.75 if beside and row_name(fact) not in (bare, alias) else 1.0)
        elif name == title or bare == re.sub(r"\s*\(.*\)$", "", title):
            # A value of an article's box is about the article; a row of a table there is about
            # what the row names.
            scores.append(0.55 if fact.kind in ("row", "item") else _about_title(fact, name))
        elif alias.split()[-1] in text and len(alias) > 4:
            scores.append(0.6)
        else:
            scores.append(0.0)
    # The first name is the one a step was filled with; others narrow it down.
    first, *rest = scores
    return 0.7 * first + 0.3 * sum(rest) / len(rest) if rest else first


_OTHER_NAME = re.compile(r"(?:[\"“][^\"”]+[\"”]\s+)?(?:[A-ZÀ-Þ][\w'’\-]+\s+){2,}(?=[a-z])")


def _about_title(fact: Fact, name: str) -> float:
    """How far a sentence that does not name its article's subject is about it."""
    other = _OTHER_NAME.match(fact.text) if fact.kind == "sentence" else None
    if other is None:
        return 1.0
    return 0.7 if name.split()[0] not in other[0].casefold() else 1.0


def _attribute(asked: Asked, fact: Fact) -> float:
    """How far the fact says what the question asks about its subject."""
    wanted = asked.stems
    if not wanted:
        return 0.5
    if fact.cells:
        column = best_column(asked, fact)
        head = head_score(asked, fact, column) if column is not None else 0.0
        rest = _share(wanted, frozenset(content_stems(fact.text)))
        if asked.form == "person" and fact.kind == "row" and beside_role(asked, fact) is not None:
            return _MADE_BY
        return max(head, 0.7 * rest)
    found = frozenset(content_stems(_without_inner_names(fact.text)))
    share = _share(wanted, found | frozenset(content_stems(fact.title)))
    if share < _MADE_BY and asked.form == "person" and wanted & _CREATING and _says_by(fact):
        return _MADE_BY
    return share


_MADE_BY = 0.9
_CREATING = frozenset(map(stem, word_set(
    "write compose direct create paint design invent found produce develop sculpt"
)))  # fmt: skip
_BY = re.compile(r"\bby\s+(?:[a-z\-]+\s+){0,6}[A-ZÀ-Þ]")


def _says_by(fact: Fact) -> bool:
    """Whether a sentence defines the article's subject and says whose it is: "X is a novel by Y"."""
    title = re.sub(r"\s*\(.*\)$", "", fact.title)
    by = _BY.search(fact.text)
    return by is not None and title in fact.text[:100] and " is " in fact.text[: by.start()]


def _without_inner_names(text: str) -> str:
    """Return a sentence without the capitalised words inside it: "Command Module" commands nobody."""
    return re.sub(r"(?<=[a-z,] )[A-ZÀ-Þ][\w'’\-]*", " ", text)


def _share(wanted: frozenset[str], found: frozenset[str]) -> float:
    hit = sum(1.0 if one in found else 0.8 if related(one, found) else 0.0 for one in wanted)
    return hit / len(wanted)


_WHAT_DONE = re.compile(r"what\s+(?:did|does|do)\b", re.IGNORECASE)


def given(asked: Asked, facts: Sequence[Fact]) -> Fact | None:
    """Return the label or table cell that gives the very attribute of the very thing asked about.

    Such a fact needs no comparison of meanings: it is what a reader would look at first.
    """
    if not asked.subjects or asked.form in ("yes_no", "text") or _WHAT_DONE.match(asked.text):
        return None
    if asks_of_part(asked):
        return None
    name = asked.names[0].casefold()
    best: tuple[tuple[float, int], Fact] | None = None
    for fact in facts:
        if not fact.cells:
            continue
        own = fact.kind == "value" and fact.title == asked.subjects[0]
        row = fact.kind == "row" and row_name(fact) == name
        if not (own or row) or not all(
            n.casefold() in f"{fact.context} {fact.label}".casefold() for n in asked.names
        ):
            continue
        column = best_column(asked, fact)
        if column is None:
            continue
        value = fact.cells[column][1]
        # What the thing's own article says goes before a table elsewhere.
        score = head_score(asked, fact, column) - (0.0 if own else _ELSEWHERE)
        plain = asked.text.startswith("What ") and asked.form == "name"
        plain = plain and naming_score(asked, fact.cells[column][0]) == 1.0
        fits = value_fits(asked, value, plain=plain)
        rank = score, words_said(asked, fact.cells[column][0])
        if score >= GIVEN_FROM and fits and (best is None or rank > best[0]):
            best = rank, fact
    return best[1] if best is not None else None


def _fits(asked: Asked, fact: Fact) -> bool:
    if fact.cells:
        column = best_column(asked, fact)
        return column is not None and value_fits(asked, fact.cells[column][1])
    return value_fits(asked, fact.text)
