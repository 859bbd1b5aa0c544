"""Statements about how many there are of a kind, whichever they are, by a line of a thing's box."""

from __future__ import annotations

import re

from agent.citations.content.words import content_words
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.kinds import same_kind
from agent.extractive.finder.labels import APART_FROM, chances
from agent.extractive.language import words
from agent.extractive.language.stems import content_stems

_HAS = re.compile(
    r"(?:do|does|did|has|have|had) .+ (?:a|an|any) (?P<noun>[a-z]+)(?: at all)?\W*$", re.IGNORECASE
)
"""How a statement ends that a thing has one or more of a kind, whichever they are."""
_NOTHING = re.compile(r"(?:none|no|nil|0)\b", re.IGNORECASE)


def has_any(asked: Asked, fact: Fact) -> bool | None:
    """Return whether a box's line counts or names what a statement says that the thing has.

    None where the statement says something else, or the line is about something else.
    """
    found = _HAS.match(asked.text)
    if found is None or fact.kind != "value":
        return None
    label, value = fact.cells[0]
    if not same_kind(
        words.singular(found["noun"].lower()), words.singular(label.split()[-1].lower())
    ):
        return None
    return _NOTHING.match(value) is None


OF_ONE = re.compile(
    r"\b(?<!than )(?<!least )(?<!not )(?<!no )(?:one|a single) (?!of\b|or\b)(?P<noun>[a-z]+)",
    re.IGNORECASE,
)
"""How a statement says that a thing has to do with no more than one of a kind, whichever it is."""

_SEVERAL = re.compile(r"[,;/]|\band\b")


def is_of_one(asked: Asked, fact: Fact) -> bool | None:
    """Return whether a box's line names one thing where a statement says so: "in a single country".

    None as of `has_any`, and where the statement says a word of another label of the box: "its
    source" is in one country, of all that a river flows through.
    """
    found = OF_ONE.search(asked.text)
    if found is None or fact.kind != "value":
        return None
    label, value = fact.cells[0]
    noun = words.singular(found["noun"].lower())
    if not same_kind(noun, words.singular(label.split()[-1].lower())):
        return None
    names = content_words(" ".join((*asked.names, *asked.subjects)))
    said = " ".join(one for one in content_words(asked.text) if one not in names)
    others = content_stems(re.sub(r"\d", "", " ".join(head for head, _ in fact.beside)))
    chance, beside = chances(asked.about, fact, 0)
    if not set(content_stems(said)).isdisjoint(others) or chance < max(APART_FROM, beside):
        return None
    if _SEVERAL.search(value) is None:
        return True
    # "Location: Elm, Kern" is one place, "Countries: A, B" are two.
    return False if words.is_plural(label.split()[-1].lower()) else None
