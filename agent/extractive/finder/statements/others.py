"""Whether the value of a label is another thing than the one that a statement names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agent.extractive.finder.forms import PERSON
from agent.extractive.finder.kinds import definition, is_person
from agent.extractive.finder.statements.biography import Known as Articles
from agent.extractive.language import words
from agent.extractive.language.classes import classes_of, excludes
from agent.extractive.language.names import bare_title

_SETTLEMENT = words.word_set("city town capital village municipality")


class Known(Articles, Protocol):
    """What is known of things beyond the facts at hand."""

    def box_value(self, name: str, label: str) -> str:
        """Return what the box of a name's article has under a label, "" where it has none."""
        ...


def is_another_person(part: str, title: str, known: Known) -> bool:
    """Whether a part of a value is a person, and not the one of a title."""
    lead = known.lead_of(part)
    return known.subject_of(part) != title and (
        is_person(lead) if lead else PERSON.fullmatch(part.strip()) is not None
    )


def country_of(parts: Sequence[str], known: Known) -> str:
    """The country that a place's parts name, or the box of one of them."""
    for part in parts:
        if "country" in classes_of(part):
            return part
    # "London, Ontario": only what stands last is sure to be the place of that name.
    country = known.box_value(parts[-1], "Country") if parts else ""
    if "country" in classes_of(country):
        return country
    return classes_of(parts[-1]).get("city of", "") if parts else ""


def is_elsewhere(title: str, parts: Sequence[str], known: Known) -> bool:
    """Whether a place lies in another country than a value, or is another town than it names."""
    lead = known.lead_of(title)
    if not lead or not _SETTLEMENT & set(definition(lead)):
        return False
    here, there = known.box_value(title, "Country"), country_of(parts, known)
    if here and there and excludes(here, there, "country"):
        return True
    town = known.lead_of(parts[-1]) if parts else ""
    is_town = bool(town) and bool(_SETTLEMENT & set(definition(town)))
    return is_town and bare_title(title) not in town.casefold()
