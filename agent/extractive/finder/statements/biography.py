"""What a person's box proves: whether they live, and which schools they went to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from agent.citations.content.words import content_words
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.kinds import definition
from agent.extractive.language import words
from agent.extractive.language.quantities import find_dates
from agent.extractive.language.stems import content_stems, stem

_LIVING = words.word_set("alive living live")
_DEAD = words.word_set("dead died die deceased")
_AGED = re.compile(r"\(aged? \d+\)$")
_UNIVERSITY = words.word_set("university institute naval military")
_SCHOOL = words.word_set("university institute college academy")
_COMMON = frozenset(map(stem, (*_SCHOOL, "school", "technology", "united", "state")))
"""Stems by which no school is told from another."""


class Known(Protocol):
    """What is known of names."""

    def lead_of(self, name: str) -> str:
        """Return how a name's article begins, "" where there is none."""
        ...

    def subject_of(self, name: str) -> str | None:
        """Return the title that a name leads to, None where there is none."""
        ...


def lives(asked: Asked, fact: Fact) -> bool | None:
    """Return whether a statement that someone is alive, or dead, holds by their box.

    None where something else is stated, or the line tells neither a death nor an age.

    Args:
        asked: a statement about one named person.
        fact: a line of that person's box.
    """
    said = set(content_words(asked.text)) - set(content_words(asked.names[0])) - {"still"}
    if fact.kind != "value" or not said or find_dates(asked.text):
        return None
    if not (said <= _LIVING or said <= _DEAD):
        return None
    label, value = fact.cells[0]
    stems = set(content_stems(label))
    died = stem("death") in stems and bool(find_dates(value))
    aged = stem("birth") in stems and _AGED.search(value) is not None
    return (died if said <= _DEAD else aged) if died or aged else None


def is_school(title: str, parts: Sequence[str], known: Known) -> bool | None:
    """Return whether someone went to a university, of all that a box lists; None where it is open.

    A college may be of the university of its name, and a school may have come before it.

    Args:
        title: of the school's article, or its name.
        parts: what the box lists.
        known: tells what the school is.
    """
    if title in map(known.subject_of, parts):
        return True
    lead = known.lead_of(title)
    called = set(definition(lead)) if lead else {word.lower() for word in title.split()}
    if not called & (_SCHOOL if lead else _UNIVERSITY) or "school" in called:
        return None
    mine = set(content_stems(title)) - _COMMON
    alike = any(mine & set(content_stems(known.subject_of(part) or part)) for part in parts)
    return None if alike or not mine else False
