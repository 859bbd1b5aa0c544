"""The sentences that give an account: near to what is asked, in sections that are.

A sentence alone is a poor witness of what it is about: "It may have to rise" belongs to its section
and its article. So each is compared with its title and headings in front, and gains what its heading
and the best sentences of its section are worth. Choosing them to differ from one another (facility
location, Lin and Bilmes 2011) held fewer key points of 48 development questions than choosing the
nearest (docs/extractive.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agent.extractive.finder.facts import PATH, Fact
from agent.extractive.weights.vectors import Encode
from retrieval.dense.runtime import Array

MOST_TOLD = 12
"""Sentences of an account."""
MOST_COMPARED = 160
"""Sentences that are compared with a question, those of the hits first."""
SHORTEST = 25
"""Characters: what is shorter is no statement."""
_SENTENCE = re.compile(r"[.!?。！？…][)\]\"'”’»]*(?:\s*\[\d+\])*$")
"""How a sentence ends: what is written under a picture, or leads to a list, mostly does not."""
BEST = 3
"""Sentences whose mean nearness is that of their section, or their article."""
HEADING = 0.5
"""What the nearness of a heading counts beside that of a sentence."""
BESIDE = 0.12
"""How far behind the nearest article another may be that is quoted as well."""
NEAR_FROM = 0.44
"""Nearness of an article from which it is about the question at all, with the embedded encoder."""
STANDS_OUT = 0.15
"""How much nearer than its article one sentence may be. One that stands out more says the very thing
that is asked about, and the others nothing of it: "women voted from 1984 on" does not say why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Sentences that are near a question."""

    facts: tuple[Fact, ...]
    """The best article's first, those of an article in its order."""
    nearness: float
    """Mean cosine of the question and the best sentences of the best article."""
    ahead: float
    """How much nearer than that the nearest sentence is."""

    @property
    def is_account(self) -> bool:
        """Whether several sentences are about what is asked."""
        return self.nearness >= NEAR_FROM and self.ahead <= STANDS_OUT


def telling_sentences(
    question: str, facts: Sequence[Fact], encode: Encode, most: int = MOST_TOLD
) -> Telling | None:
    """Return the sentences that tell most of what a question asks; None where there are none.

    Args:
        question: that asks for an account.
        facts: of the hits, and of their articles.
        encode: makes vectors of texts, whose cosines compare meanings.
        most: sentences returned, at most.
    """
    lines = {
        (fact.title, fact.text): fact
        for fact in reversed(facts)
        if len(fact.text) >= SHORTEST and _is_said(fact)
    }
    sentences = list(reversed(lines.values()))[:MOST_COMPARED]
    if not sentences:
        return None
    headings = list(dict.fromkeys(_heading(fact) for fact in sentences))
    contexts = [fact.context for fact in sentences]
    vectors = encode([question, *contexts, *headings])
    cosines = vectors[1:] @ vectors[0]
    near, of_headings = np.split(cosines, [len(sentences)])
    heading = dict(zip(headings, of_headings, strict=True))
    articles = _means(near, [fact.title for fact in sentences])
    sections = _means(near, [_heading(fact) for fact in sentences])
    nearest = max(articles.values())
    worth = {
        place: near[place] + sections[_heading(fact)] + HEADING * heading[_heading(fact)]
        for place, fact in enumerate(sentences)
        if articles[fact.title] >= nearest - BESIDE
    }
    chosen = sorted(worth, key=lambda place: -worth[place])[:most]
    chosen.sort(key=lambda place: _order(sentences[place], articles))
    return Telling(
        facts=tuple(sentences[place] for place in chosen),
        nearness=float(nearest),
        ahead=float(near.max() - nearest),
    )


def _is_said(fact: Fact) -> bool:
    """Whether a fact is prose that states something, or a line of a list."""
    return fact.kind == "item" or (
        fact.kind == "sentence" and _SENTENCE.search(fact.text) is not None
    )


def _heading(fact: Fact) -> str:
    return f"{last_of(fact.section)} of {fact.title}"


def last_of(section: str) -> str:
    """The last heading of a section's path: the one right above its sentences."""
    return section.split(PATH)[-1]


def _means(near: Array, groups: Sequence[object]) -> dict[object, float]:
    """The mean nearness of the best sentences of each group."""
    of_group: dict[object, list[float]] = {}
    for group, value in zip(groups, near, strict=True):
        of_group.setdefault(group, []).append(float(value))
    return {group: float(np.mean(sorted(values)[-BEST:])) for group, values in of_group.items()}


def _order(fact: Fact, articles: dict[object, float]) -> tuple[float, str, int]:
    return -articles[fact.title], fact.title, fact.hit.chunk.start + fact.start
