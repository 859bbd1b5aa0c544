"""Marks that were cut where one thing goes on, or run together where two begin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.language import words
from agent.extractive.language.degrees import degree_of
from agent.extractive.language.spelling import is_clause
from agent.extractive.language.verbs import is_past
from agent.extractive.planner.marks.question import CAPITALS
from agent.extractive.planner.marks.types import Mark, around, said_in

_YEAR = r"(?:the\s+)?(?:\w+\s+)?(?:1[0-9]|20)\d{2}s?"
_TIME = re.compile(
    rf"(?:(?:in|since|from|between|during|until|after|before|on|of)\s+)?{_YEAR}"
    rf"(?:\s*(?:,\s*and|,|to|and|until|till|thru|through|[-–—])\s*{_YEAR})*(?:\s+on(?:wards?)?)?"
)
_HANGS = re.compile(r"\s+(?:in|since|from|between|during|until|after|before|on|of)$")
_LED = re.compile(r"(?:who|that|which|whose|whom)\b", re.IGNORECASE)


def joined(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Return marks with their seams mended.

    A time right behind a set belongs to it ("the winners of the Tour de France from 1990 to 1999"),
    a relative clause behind the verb of what is asked tells of its set ("When were [the poets] born
    who won it"), a comparative behind a set opens the condition that says than what, and a name around
    other marked names is a list of them.

    Args:
        question: the marked text.
        marks: whose extents hold otherwise.
    """
    found = _with_ends(question, _with_owners(question, _without_lists(marks)))
    for mark in sorted((one for one in found if one.label == "S"), key=lambda one: one.start):
        found = _with_time(question, found, mark)
    found = [_with_alternative(question, found, mark) for mark in found]
    found = _with_stranded(question, found)
    return _extraposed(question, _with_relative(question, _with_comparative(question, found)))


_STRANDED_END = re.compile(
    r" (?:is|was|are|were|[a-z]+s|[a-z]+ed)(?: [a-z]+)? (?:in|on|at|by|from|through|to|into)"
)


def _with_ends(question: str, marks: list[Mark]) -> list[Mark]:
    """Descriptions inside others with the end of their clause: "top of [B the land Bern] is in"."""
    found = list(marks)
    for place, mark in enumerate(found):
        wider = around(mark, found)
        if mark.label != "B" or wider is None or wider.label != "B":
            continue
        if _STRANDED_END.fullmatch(question[mark.end : wider.end]):
            found[place] = replace(mark, end=wider.end)
    return found


_COMPOUND = re.compile(r" (?:[a-z][a-z-]+ ){1,2}")
_OWNER = re.compile(rf"(?:^|[:,;] |\bof )(?P<name>{CAPITALS}) $")


def _with_owners(question: str, marks: list[Mark]) -> list[Mark]:
    """Nouns that are asked with the words between them and their thing, and with the thing.

    "[M Fram 2] deck [A plate width]" asks for the deck plate width, "Peru [A capital]" that of Peru.
    """
    found = list(marks)
    for place, mark in enumerate(marks):
        if mark.label != "A" or is_clause(said_in(question, mark)):
            continue
        before = [one for one in marks if one.end <= mark.start and one.label == "M"]
        last = max(before, key=lambda one: one.end, default=None)
        gap = question[last.end : mark.start] if last is not None else ""
        if last is not None and _COMPOUND.fullmatch(gap):
            if not words.FUNCTION_WORDS & set(gap.split()) and not _is_marked(
                marks, last.end, mark.start
            ):
                found[place] = replace(mark, start=last.end + 1)
            continue
        if said_in(question, mark).split()[0].lower() in words.DETERMINER:
            continue  # "Subtract the weight": no owner stands before an article
        owner = _OWNER.search(question[: mark.start])
        if owner is not None and not _is_marked(marks, *owner.span("name")):
            found.append(
                Mark(label="M", start=owner.start("name"), end=owner.end("name"), sure=mark.sure)
            )
    return found


def _is_marked(marks: Sequence[Mark], start: int, end: int) -> bool:
    return any(mark.start < end and start < mark.end for mark in marks)


def _with_comparative(question: str, marks: list[Mark]) -> list[Mark]:
    """Conditions with the comparative that a set before them ends in: "lakes | deeper than"."""
    found = list(marks)
    for place, mark in enumerate(found):
        first, _, last = said_in(question, mark).rpartition(" ")
        if mark.label != "S" or not first or not is_comparative(last):
            continue
        for at, other in enumerate(found):
            if other.label[0] == "C" and question[mark.end : other.start] == " ":
                before, than, _ = f" {said_in(question, other)} ".partition(" than ")
                if than and not any(map(is_comparative, before.split())):
                    start = mark.end - len(last)
                    found[place] = replace(mark, end=start - 1)
                    found[at] = replace(other, start=start)
    return found


_OR = re.compile(
    r"(?:\b(?:the|an?)\s+)?\b(?!(?:who|what|which|than)\b)[a-z]+(?:\s+[a-z]+)?\s+or\s+$"
)


def _with_alternative(question: str, marks: Sequence[Mark], mark: Mark) -> Mark:
    """An attribute or description with the other word for it: "the home town or | city of each"."""
    before = _OR.search(question[: mark.start])
    if before is None or mark.label not in ("A", "B"):
        return mark
    if any(one is not mark and before.start() < one.end <= mark.start for one in marks):
        return mark  # what stands before is marked by itself
    return replace(mark, start=before.start())


_BARE_CLAUSE = re.compile(r"(?:the )?(?P<noun>[a-z]+s) (?:the )?[A-ZÀ-Þ](?:(?! and )[^,&])*")


def _with_stranded(question: str, marks: list[Mark]) -> list[Mark]:
    """Sets with the rest of the clause that tells of them: "countries the Elbe | goes through".

    So do "films Ann Lee | made in Ghent".
    """
    found = list(marks)
    for mark in marks:
        if mark.label != "S" or _BARE_CLAUSE.fullmatch(said_in(question, mark)) is None:
            continue
        for other in marks:
            if other.label != "C" or question[mark.end : other.start] != " ":
                continue
            told = said_in(question, other).lower().split()
            if told[-1] in words.PREPOSITION or told[0] in words.DO or is_past(told[0]):
                found.remove(other)
                found[found.index(mark)] = replace(mark, end=other.end)
    return found


_RELATIVE = re.compile(r"\s(?P<clause>whose\s.+)$", re.IGNORECASE)


def _with_relative(question: str, marks: list[Mark]) -> list[Mark]:
    """Conditions with the clause that a set before them ends in: "planets whose moons number | above ten"."""
    found = list(marks)
    for place, mark in enumerate(found):
        clause = _RELATIVE.search(said_in(question, mark)) if mark.label == "S" else None
        if clause is None:
            continue
        for at, other in enumerate(found):
            if other.label[0] == "C" and question[mark.end : other.start] == " ":
                start = mark.start + clause.start("clause")
                found[place] = replace(mark, end=start - 1)
                found[at] = replace(other, start=start)
    return found


def is_comparative(word: str) -> bool:
    """Whether a word compares: "deeper", "more"."""
    return word.lower() in ("more", "less") or (word.endswith("er") and degree_of(word) is not None)


def _without_lists(marks: Sequence[Mark]) -> list[Mark]:
    def held(mark: Mark) -> int:
        return sum(
            one is not mark and one.label == "M" and mark.start <= one.start and one.end <= mark.end
            for one in marks
        )

    return [mark for mark in marks if mark.label != "M" or held(mark) < 2]


def _with_time(question: str, marks: list[Mark], mark: Mark) -> list[Mark]:
    """A set with the time that stands right behind it, marked as a condition or cut off."""
    hanging = _HANGS.search(said_in(question, mark))
    start = mark.start + hanging.start() if hanging else mark.end
    time = _TIME.match(question, start + len(question[start:]) - len(question[start:].lstrip()))
    if time is None or not question[start : time.start()].isspace():
        return marks
    within = [one for one in marks if mark.end <= one.start and one.end <= time.end()]
    overlapping = [one for one in marks if one.label[0] == "C" and start <= one.start < time.end()]
    if any(one.end > time.end() for one in overlapping):
        return marks  # a predicate of its own: "in 2010 did better"
    inside = any(
        one.label == "A" and one.start <= mark.start and time.end() <= one.end for one in marks
    )
    told = _LED.search(said_in(question, mark)) is not None
    if not overlapping and not (inside and told) and not hanging:
        return marks
    dropped = {id(one) for one in (*within, *overlapping)}
    return [
        replace(one, end=time.end()) if one is mark else one
        for one in marks
        if id(one) not in dropped
    ]


def _extraposed(question: str, marks: list[Mark]) -> list[Mark]:
    """A clause without the relative clause at its end that tells of the set inside it."""
    for mark in [one for one in marks if one.label == "A"]:
        inner = [one for one in marks if one.label == "S" and mark.start <= one.start < mark.end]
        told = [
            one for one in marks
            if one.label == "C" and mark.start < one.start and one.end == mark.end
            and _LED.match(said_in(question, one))
        ]  # fmt: skip
        if inner and told and inner[-1].end < told[0].start:
            end = len(question[: told[0].start].rstrip())
            marks[marks.index(mark)] = replace(mark, end=end)
    return marks
