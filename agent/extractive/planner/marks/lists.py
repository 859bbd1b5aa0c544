"""Marks that hold several things: each gets a mark of its own, and what is asked of each its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.language import words
from agent.extractive.planner.marks.question import CAPITALS
from agent.extractive.planner.marks.types import Mark, around, said_in

_LIST_OF = re.compile(
    rf"(?P<noun>(?:the\s+)?[a-z][\w\s'-]*?)\s+(?:of|for|in)\s+(?:both\s+|each of\s+)?"
    rf"(?P<names>{CAPITALS}(?:,\s*(?:(?:of|for|in)\s+)?{CAPITALS})*,?\s*(?:and|or|&|n|plus)\s*"
    rf"(?:(?:of|for|in)\s+)?{CAPITALS})$"
)
_JOINING = words.PREPOSITION | words.CONJUNCTION
_EXTREMES_OF = re.compile(
    r"(?:the\s+)?(?:\w+est|most\s+\w+|least\s+\w+)\s+(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*)?)\s+"
    r"(?:of|in)\s+(?P<group>(?:the|all|each of the|these|those)\s+.+)"
)
_EACH_OF = re.compile(
    r"(?P<noun>(?:the\s+)?[a-z][\w\s'-]*?)\s+(?:of|for|from)\s+"
    r"(?P<group>(?:(?:the|all|these|those)\s+)*(?:each|every|all|both|"
    rf"{'|'.join(words.NUMBER_WORDS)}|\d+)\s.+)$",
    re.IGNORECASE,
)


_BEFORE = re.compile(rf"(?<![\w.])(?P<name>(?:the )?{CAPITALS})(?:,|,? and|,? or| &) (?:the )?$")
_YEARS = re.compile(
    r"\b(?:in|of|at|for) (?P<years>(?:1[5-9]|20)\d\d(?:,? (?:and )?(?:in )?(?:1[5-9]|20)\d\d)+)"
)


def with_all_named(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Marks with every name of a list inside what is asked, its first and its years as well.

    "Where is [A the inn at Uri, [M Zug] and [M Bern]]", "who won in 2002 and 2006".
    """
    found = list(marks)
    for mark in sorted((one for one in marks if one.label == "M"), key=lambda one: -one.start):
        asked = around(mark, found)
        if asked is None or asked.label != "A":
            continue
        before = _BEFORE.search(question, asked.start, mark.start)
        while before is not None:
            start, end = before.span("name")
            led = question[asked.start : start].split()
            marked = any(one.start < end and start < one.end for one in found if one is not asked)
            if (
                marked
                or not led
                or led[-1].lower() not in words.PREPOSITION | words.AUXILIARY | {","}
            ):
                break
            found.append(Mark(label="M", start=start, end=end, sure=mark.sure))
            before = None
    if any(mark.label == "S" for mark in found):
        return found
    for asked in [one for one in found if one.label == "A" and around(one, found) is None]:
        years = _YEARS.search(question, asked.start, asked.end)
        if years is None or any(
            m is not asked and m.start < years.end() and years.start() < m.end for m in found
        ):
            continue
        found.extend(
            Mark(label="M", start=one.start(), end=one.end(), sure=asked.sure)
            for one in re.compile(r"\d{4}").finditer(question, years.start("years"), years.end())
        )
    return found


def listings(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Descriptions of several named things with a mark for each: "the designers of C and Perl"."""
    found = list(marks)
    asked = any(mark.label[0] in "ACK" for mark in marks)
    for mark in marks:
        match = _LIST_OF.fullmatch(said_in(question, mark)) if mark.label in ("S", "B") else None
        if mark not in found or match is None or not asked:
            continue
        noun = match["noun"].lower().split()
        if set(noun[:-1]) & _JOINING or noun[-1] in words.DETERMINER:
            continue  # "each of X and Y", "the games held in the capitals of X and Y"
        inside = [
            one for one in found
            if one is not mark and mark.start <= one.start and one.end <= mark.end
        ]  # fmt: skip
        names = [one for one in inside if one.label == "M"]
        if len(names) < 2:
            first = mark.start + match.start("names")
            names = [
                Mark(label="M", start=first + one.start(), end=first + one.end(), sure=mark.sure)
                for one in re.finditer(CAPITALS, match["names"])
            ]
        found = [one for one in found if one not in inside or one.label[0] in "AK"]
        found[found.index(mark)] = replace(mark, label="B")
        found.extend(names)
    return found


def one_of_each(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """A set with one extreme thing of each of a group: "the highest mountains of the [S Alpine states]"."""
    found = list(marks)
    for mark in marks:
        match = _EXTREMES_OF.fullmatch(said_in(question, mark)) if mark.label == "S" else None
        if match is None or not words.is_plural(match["noun"].split()[-1]):
            continue
        last = re.split(r"\s(?:in|on|at|that|which|who|by|of)\s", match["group"])[0].split()[-1]
        if not words.is_plural(last):
            continue
        found = [one for one in found if not (one.label[0] == "K" and around(one, found) == mark)]
        found[found.index(mark)] = replace(mark, label="B")
        found.append(replace(mark, start=mark.start + match.start("group")))
    return found


def of_each(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """A set of something of each of a group as the attribute that it is.

    "Landing sites of the six Apollo landings" asks for one of each.
    """
    roots = [mark for mark in marks if around(mark, marks) is None]
    if len(roots) != 1 or roots[0].label != "S":
        return list(marks)
    mark = roots[0]
    match = _EACH_OF.fullmatch(said_in(question, mark))
    if match is None or not words.is_plural(match["noun"].split()[-1]):
        return list(marks)
    start = mark.start + match.start("group")
    asked = Mark(label="A", start=mark.start, end=mark.start + match.end("noun"), sure=mark.sure)
    return [asked, replace(mark, start=start), *(one for one in marks if one is not mark)]
