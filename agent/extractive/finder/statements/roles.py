"""Statements that something is what there is one of in its country, state or range: "the capital of its country"."""

from __future__ import annotations

import re
from typing import Protocol

from agent.citations.content.words import missing_words, stems_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.statements.others import Known
from agent.extractive.finder.statements.sets import Library
from agent.extractive.language.classes import classes_of
from agent.extractive.language.names import bare_title
from agent.extractive.language.stems import content_stems
from agent.extractive.language.words import is_superlative

_NAME = r"[A-ZÀ-Þ][\w'’.-]*(?: (?:of |the |and )?[A-ZÀ-Þ][\w'’.-]*)*"
_NATIONAL = re.compile(r"\b(?:a|the) national (?P<role>[a-z]+)\W*$", re.IGNORECASE)
_OF_ITS = re.compile(
    r"\b(?:an?|the) (?P<role>[a-z]+(?: [a-z]+)?) of (?:an?|its|their|the|his|her)(?: own)? (?P<kind>[a-z]+)\W*$",
    re.IGNORECASE,
)
_COUNTRY = "country"
_PAST = re.compile(r"\b(?:was|were|been|became|former|until|once)\b")


class Articles(Known, Library, Protocol):
    """What is known of things and of whole articles."""


def of_its_kind(asked: Asked, known: Articles) -> tuple[bool, Fact] | None:
    """Return whether a thing has a part in what it lies in, and what its own article or that one's says.

    "Brod is the capital of Elm": yes where Elm is the country of Brod's box, or a country as everyone
    knows, no where its country is another. None where neither article tells.

    Args:
        asked: a yes-or-no question: "Is Brod the capital of its country?", "Is Brod a national capital?"
        known: reads them.
    """
    national = _NATIONAL.search(asked.text)
    wanted = national or _OF_ITS.search(asked.text)
    if (
        wanted is None
        or not asked.names
        or not re.match(r"(?:is|are)\b", asked.text, re.IGNORECASE)
    ):
        return None
    kind = _COUNTRY if national or wanted["kind"].lower() == "nation" else wanted["kind"].lower()
    name = asked.names[0]
    title = known.subject_of(name) or name
    holder = known.box_value(name, kind.capitalize())
    role = wanted["role"].lower()
    if any(map(is_superlative, role.split())):
        return None  # the second largest city is not the largest (`extremes`)
    for fact in known.facts_at(title):
        if fact.kind != "sentence":
            continue
        told = _told(fact, title, role, kind, holder)
        if told is not None:
            return told, fact
    return _boxed(title, role, holder, known) if holder else None


def _told(fact: Fact, title: str, role: str, kind: str, holder: str) -> bool | None:
    """Whether a sentence of a thing's own article says of what it is, as a thing or no longer."""
    said = re.search(rf"\b{re.escape(role)}\b[^.;]*?\bof (?:the )?(?P<whole>{_NAME})", fact.text)
    if said is None or not re.match(
        rf"(?:The )?(?:{re.escape(bare_title(title))}|It)\b", fact.text, re.IGNORECASE
    ):
        return None
    whole = said["whole"].rstrip(".,")
    of_it = holder.casefold() == whole.casefold()
    if _PAST.search(fact.text):
        return False if of_it and "until" in fact.text else None
    if of_it or kind in classes_of(whole):
        return True
    return False if holder else None


def _boxed(title: str, role: str, holder: str, known: Articles) -> tuple[bool, Fact] | None:
    """Whether the box of what a thing lies in gives it under the role's label."""
    for fact in known.facts_at(known.subject_of(holder) or holder):
        if fact.kind != "value" or content_stems(fact.cells[0][0]) != content_stems(role):
            continue
        value = fact.cells[0][1]
        own = stems_of(bare_title(title))
        same = not missing_words(tuple(own), stems_of(value))
        return same, fact
    return None
