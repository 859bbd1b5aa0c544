"""Which part of an address is of the kind asked for: the country of "Aigle, Vaud, Switzerland".

An address goes from the smaller to the larger. A part is told by its class ("Switzerland"), by its
own noun ("Black Sea"), or by what its article calls it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.extractive.finder.kinds import called, same_noun
from agent.extractive.language import words
from agent.extractive.language.classes import classes_of
from agent.extractive.language.names import holds_name
from agent.extractive.language.nouns import before_preposition
from agent.extractive.language.stems import content_stems, stem

_NESTED = words.word_set(
    """country nation state canton province county district region city town village municipality
    borough island continent planet sea ocean gulf bay lake"""
)
"""Kinds of places that lie in one another."""
_CLASSES = {
    "country": "country", "nation": "country", "state": "state", "continent": "continent",
    "planet": "planet", "sea": "sea", "city": "city of",
}  # fmt: skip
"""The closed class of a kind's names."""
_PLACED = frozenset(_CLASSES.values())
_CLOSED = words.word_set("country nation state continent planet")
"""Kinds whose names are listed: what stands last is one of them only if it is. "Georgia" may be a state."""
_BEFORE_NAMES = words.word_set("lake county")
"""Nouns that stand before the names of their things as well."""
_PARTS = re.compile(r"\s*,\s*|\s+in\s+")
_BRACKET = re.compile(r"\(([^()]*)\)")
_SINCE = re.compile(r"^(?:[a-z-]+\s+)+")
"""What stands before another name of a part: "now Poland", "present-day Ukraine"."""
_AND = re.compile(r"[;/]|\s(?:and|or|&)\s")
"""Stands between things of one kind, not between a place and where it lies."""


def part_of_kind(noun: str, value: str, label: str, lead_of: Callable[[str], str]) -> str:
    """Return the part of an address that is of a kind, "" where none is told, or several are.

    Args:
        noun: that is asked for, singular: "In which country".
        value: the answering words: "Aigle, Vaud, Switzerland".
        label: under which they stand, "" in a sentence. "Country: Vella, Switzerland" is no address.
        lead_of: returns how the article of a name begins, "" where there is none.
    """
    inside = [part for said in _BRACKET.findall(value) for part in _parts(said)]
    parts = _parts(_BRACKET.sub(" ", value))
    lists = stem(noun) in content_stems(label) or words.is_plural(label.split(" ")[-1])
    if noun not in _NESTED or len(parts) < 2 or lists:
        return ""
    told = {part: _told(noun, _SINCE.sub("", part), lead_of) for part in (*parts, *inside)}
    wanted = "same" if "same" in told.values() else "like"
    meant = {_meaning(noun, _SINCE.sub("", part)) for part in told if told[part] == wanted}
    found = [place for place, part in enumerate(parts) if told[part] == wanted]
    if len(meant) != 1 or not found:
        return ""
    part, behind = parts[found[-1]], parts[found[-1] + 1 :]
    if _told(noun, part, lead_of) != wanted:
        return ""
    if behind:
        return part if _lies_in(noun, part, behind[0], lead_of) else ""
    is_listed = _CLASSES.get(noun, "") in classes_of(part)
    return part if is_listed or noun not in _CLOSED else ""


def _parts(text: str) -> list[str]:
    """The parts of an address; none where things of one kind are listed ("Mali and Niger")."""
    parts = [part for part in _PARTS.split(text.strip(" ,;")) if part]
    return [] if any(_AND.search(part) and not classes_of(part) for part in parts) else parts


def _meaning(noun: str, name: str) -> str:
    """What a name of a kind means: "U.S." and "United States" are one country."""
    kind = _CLASSES.get(noun, "")
    alike = kind != "city of" and classes_of(name).get(kind)
    return alike or name.casefold()


def _told(noun: str, name: str, lead_of: Callable[[str], str]) -> str:
    """Whether a name is told to be of a kind ("same"), or of one like it ("like"), "" else."""
    classes = _classes(name)
    if _CLASSES.get(noun) in classes:
        return "same"
    said = name.lower().split()
    own = {before_preposition(name)[-1].lower(), said[-1]} | ({said[0]} & _BEFORE_NAMES)
    nouns = ["city"] if "city of" in classes else []
    if not classes:
        nouns = [*(own if len(said) > 1 else ()), *called(lead_of(name))]
    if any(stem(noun) == stem(one) for one in nouns):
        return "same"
    return "like" if any(same_noun(noun, one) for one in nouns) else ""


def _classes(name: str) -> set[str]:
    """The closed classes of a place's name; a country is none of its own cities."""
    known = classes_of(name)
    return {kind for kind in _PLACED & set(known) if kind != "city of" or "country" not in known}


def _lies_in(noun: str, name: str, place: str, lead_of: Callable[[str], str]) -> bool:
    """Whether what stands behind a name is where it lies: Lebanon the country is not in Ohio.

    Of what has no class its article must say so, so that the name alone leads to it.
    """
    mine, others = classes_of(name), classes_of(place)
    kind = _CLASSES.get(noun, "")
    if kind == "country" and kind in mine:
        return "continent" in others or mine[kind] == others.get(kind)
    if kind == "state" and kind in mine:
        return others.get("country") == "united states"
    if kind == "sea" and kind in mine:
        return bool(_classes(place))
    if "city of" in mine and mine["city of"] == others.get("country"):
        return True
    lead = lead_of(name)
    whole = lead_of(f"{name}, {place}")
    return holds_name(lead.replace(name, " ").casefold(), place) and whole in ("", lead)
