"""Marks that say of one thing that it is several, or of no thing that it is one.

A unit is nothing that is asked for, people in the mass are no members to be gone through, and a
name in the singular is one thing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.language import words
from agent.extractive.language.nouns import before_preposition
from agent.extractive.language.quantities import unit_of
from agent.extractive.language.spelling import is_clause
from agent.extractive.language.verbs import is_person_noun
from agent.extractive.planner.marks.question import CAPITALS
from agent.extractive.planner.marks.types import Mark, around, said_in

_MASS = words.word_set(
    """men women people children adults humans voters citizens inhabitants residents workers farmers
    peasants soldiers civilians tourists visitors immigrants refugees slaves consumers customers
    taxpayers owners fans bacteria viruses germs animals insects plants cells"""
)
"""Nouns of what nobody lists one by one."""
_COLLECTIVE = words.word_set(
    """crew team family staff board cast group band league council cabinet jury senate parliament
    series trilogy set pair dynasty alliance union set line-up lineup squad top list"""
)
"""Nouns in the singular whose things may be gone through all the same."""
_ONE_BY_ONE = words.word_set("each every any all both which what no every other whose")
_TOLD = re.compile(r"\b(?:who|that|which|whose|\w+ed)\b", re.IGNORECASE)
_IN_UNITS = re.compile(r"(?:(?:in|sq|square|cubic)\s+)*(?P<unit>[^\W\d_]+[²2³]?)", re.IGNORECASE)
_COUNTS = frozenset(["people", "time", "money", "moons"])
"""Dimensions whose units may themselves be what is asked for: "inhabitants", "years"."""
_ONE_OF = re.compile(r"\b(?:one|part|some) (?:of (?:the )?)?$")


def of_single_things(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Return marks without units, without masses, and with names in the singular as one thing.

    Args:
        question: the marked text.
        marks: whose extents hold.
    """
    marks = _apposed(question, marks)
    found = [mark for mark in marks if not _is_unit(question, mark, marks)]
    found = [mark for mark in found if not _is_mass(question, mark, found)]
    found = [mark for mark in found if not _is_asked(question, mark, found)]
    chosen = any(mark.label[0] in "CK" for mark in found)
    found = found if chosen else [_named(question, mark) for mark in found]
    return [_one_of(question, mark) for mark in found]


_KIND_OF_NAME = re.compile(
    r"(?:the )?(?:city|town|village|island|peninsula|state|republic|kingdom|province|county|canton|"
    rf"continent|lake|river|language|planet) of (?:the )?{CAPITALS}"
)
_AMOUNT = re.compile(r"the (?:most|least|fewest) [a-z]+(?= (?:in|at|of|on|from|for)\b|$)")
_KIND = re.compile(r"(?:the )?(?P<noun>[a-z]+)")


def _apposed(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Marks in which a name with its kind before it is a name: "the city of Bern", "the planet Mars".

    What a thing of that kind is called need not be found out first.
    """
    found: list[Mark] = []
    for mark in marks:
        said = said_in(question, mark)
        if mark.label == "B" and _AMOUNT.match(said):
            continue  # "took the most gold": of one thing nothing is described
        kind = _KIND.fullmatch(said) if mark.label == "B" else None
        name = re.match(rf" {CAPITALS}", question[mark.end :])
        if kind is not None and name is not None and kind["noun"] in KINDS_OF_THING:
            found.append(replace(mark, label="M", end=mark.end + name.end()))
        elif mark.label == "B" and _KIND_OF_NAME.fullmatch(said):
            found.append(replace(mark, label="M"))
        else:
            found.append(mark)
    named = [mark for mark in found if mark not in marks]
    return [
        mark
        for mark in found
        if mark in named or not any(n.start <= mark.start and mark.end <= n.end for n in named)
    ]


def _is_unit(question: str, mark: Mark, marks: Sequence[Mark]) -> bool:
    """Whether a mark holds only the unit that a value is wanted in: "length, km"."""
    unit = _IN_UNITS.fullmatch(said_in(question, mark))
    if mark.label not in ("A", "M") or unit is None or around(mark, marks) is not None:
        return False
    known = unit_of(unit["unit"])
    behind = question[: mark.start].rstrip().endswith((",", " in", "("))
    return behind and known is not None and known[0] not in _COUNTS and len(marks) > 1


def _is_mass(question: str, mark: Mark, marks: Sequence[Mark]) -> bool:
    """Whether a set inside a clause is of people or things in the mass: "the women of Uri".

    Nor is gone through what only tells of one: "[B the man who found [S the moons of Mars]]".
    """
    said = said_in(question, mark)
    inside = around(mark, marks)
    if mark.label == "S" and inside is not None and inside.label == "B":
        return _tells_of_one(question, mark, inside)
    if mark.label != "S" or inside is None or inside.label != "A" or words.count_of(said):
        return False
    listed = _ONE_BY_ONE & {*said.lower().split(), *question[: mark.start].lower().split()[-1:]}
    return before_preposition(said)[-1] in _MASS and not listed and not _TOLD.search(said)


def _tells_of_one(question: str, mark: Mark, described: Mark) -> bool:
    """Whether a set stands in the relative clause of a description of one thing."""
    head = before_preposition(re.sub(r"^the ", "", said_in(question, described)))
    led = re.search(r"\b(?:who|that|which|whose|where)\b", question[described.start : mark.start])
    each = _ONE_BY_ONE & set(question[described.start : mark.end].lower().split()) - {
        "which", "whose",
    }  # fmt: skip
    return led is not None and not each and not words.is_plural(head[-1])


def _is_asked(question: str, mark: Mark, marks: Sequence[Mark]) -> bool:
    """Whether a superlative only opens what is asked: "[A [K+ deepest] point] of Loch Ness"."""
    wider = around(mark, marks)
    if mark.label[0] != "K" or wider is None or wider.label != "A" or mark.start != wider.start:
        return False
    return not is_clause(said_in(question, wider))


def _named(question: str, mark: Mark) -> Mark:
    """A set whose words are a name in the singular as the one thing it is: "Iron Gate power plant"."""
    said = said_in(question, mark)
    if mark.label != "S" or not re.match(r"(?:the )?[A-ZÀ-Þ]", said):
        return mark
    head = before_preposition(said)[-1]
    before = question[: mark.start].lower().split()[-1:]
    several = words.is_plural(head) or head.lower() in _COLLECTIVE or is_person_noun(head)
    if several or not head.islower() or _ONE_BY_ONE & {*said.lower().split(), *before}:
        return mark
    if re.search(r"[,&]|\band\b|\bof\b", said) or words.count_of(before[0] if before else ""):
        return mark
    return replace(mark, label="M")


def _one_of(question: str, mark: Mark) -> Mark:
    """A condition with the "one of" before it: "is X [one of | the Ivy League schools]"."""
    before = _ONE_OF.search(question, 0, mark.start)
    if mark.label not in ("C", "C-") or before is None or question[: mark.start][-1:] != " ":
        return mark
    return replace(mark, start=before.start())
