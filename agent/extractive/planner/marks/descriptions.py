"""Marks of things brought in line with the words around them: descriptions, lists, bare names.

A description holds its relative clause and its list of names whole; words that describe nothing
are a name, and no step is spent on finding out what a name is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from agent.extractive.language import words
from agent.extractive.language.spelling import is_clause
from agent.extractive.language.verbs import is_participle, is_past, verb_base
from agent.extractive.planner.marks.lists import (
    listings,
    of_each,
    one_of_each,
    with_all_named,
)
from agent.extractive.planner.marks.question import CAPITALS
from agent.extractive.planner.marks.seams import is_comparative
from agent.extractive.planner.marks.types import Mark, Operator, around, said_in

_LED_BY = re.compile(r"(?:^|[\s,(])(?P<noun>the\s+(?:[a-z][\w'-]*\s+){1,4}(?:of|in)\s+)$")
_DESCRIBED = re.compile(
    r"\b(?:of|in|on|at|by|from|for|that|which|who|whom|whose|where|with|to|between|into)\b|['’]s?\b",
    re.IGNORECASE,
)
_EXTREME_OF = re.compile(
    r"\bthe (?:\w+est|most \w+|least \w+) (?:[a-z-]+ ){1,3}?(?:of|in|on|around|belonging to) "
)
_OF_WHOM = frozenset(["RS", "RM", "S", "M"])
_RELATIVE = re.compile(r"\s(?:who|that|whose|which|where)\s", re.IGNORECASE)
_EVENT = re.compile(r"(?P<event>(?:the\s+)?[a-z][a-z-]*(?:\s[a-z-]+)?)\s+of\s+(?P<thing>.+)")
_OF = re.compile(r"\s+of\s+(?:the\s+)?")
_OF_THE_OF = re.compile(r"\s+of\s+(?:the|its|their)\s+[a-z]+(?:\s[a-z]+)?(?=\s+of\s+(?:the\s+)?$)")
_OF_NAME = re.compile(rf"\s+(?:of|in|from)\s+(?:the\s+)?{CAPITALS}")
_BESIDE = re.compile(r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&)\s*(?:the\s+)?", re.IGNORECASE)


def described(question: str, marks: Sequence[Mark], operator: Operator) -> list[Mark]:
    """Marks of things as their words have it.

    Args:
        question: the marked text.
        marks: with extents as the guide has them.
        operator: what is made of the values.
    """
    found = [
        one
        for mark in _that_of(question, _begun(question, marks))
        if (one := _plain(question, mark, marks)) is not None
    ]
    found = [_whole_relative(question, mark, found) for mark in found]
    found = one_of_each(question, listings(question, with_all_named(question, found)))
    if operator == "explain":
        # An account is asked of a thing in the question's own words.
        found = [m for m in found if m.label != "B" or around(m, found) is None]
    found = _asked_of(question, found)
    found = _told_first(question, _led(question, _named_beside(question, found)))
    found = _with_extremes(question, found)
    if operator == "give":
        found = of_each(question, found)
    elif operator == "difference":
        found = _events(question, found)
    return found


def _with_extremes(question: str, marks: list[Mark]) -> list[Mark]:
    """Marks with "the biggest moon of each" inside what is asked, which is found out first."""
    found = list(marks)
    for asked in [mark for mark in marks if mark.label == "A"]:
        for extreme in _EXTREME_OF.finditer(question, asked.start + 1, asked.end):
            of = next((m for m in marks if m.start == extreme.end() and m.label in _OF_WHOM), None)
            if of is None or any(
                m.label == "B" and m.end > extreme.start() and m.start < of.end for m in marks
            ):
                continue
            sure = min(asked.sure, of.sure)
            found.append(Mark(label="B", start=extreme.start(), end=of.end, sure=sure))
    return found


def _that_of(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Marks in which "that of Y" beside a description of X's is the same of Y."""
    found = list(marks)
    for mark in marks:
        if mark.label != "A" or said_in(question, mark).lower() not in ("that", "those"):
            continue
        thing = _OF_NAME.match(question, mark.end)
        beside = any(
            other.label == "B" and _BESIDE.fullmatch(question[other.end : mark.start])
            for other in marks
        )
        if thing is not None and beside:
            found[found.index(mark)] = replace(mark, label="B", end=thing.end())
    return found


def _begun(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Marks without those that only repeat another, and conditions from where they begin.

    A condition begins with a verb, a preposition or a relative word: nouns before it are of its set.
    """
    found: list[Mark] = []
    for mark in marks:
        alike = {one.label[0] for one in marks if (one.start, one.end) == (mark.start, mark.end)}
        if (mark.label == "A" and "K" in alike) or (
            mark.label == "B" and is_participle(said_in(question, mark).split()[0])
        ):
            continue
        found.append(mark)
    for mark in [one for one in found if one.label in ("C", "C-")]:
        before = next((one for one in found if one.label == "S" and one.end <= mark.start), None)
        parts = list(re.finditer(r"\S+", said_in(question, mark)))
        at = next((i for i, part in enumerate(parts) if _begins(part[0])), 0)
        if at and parts[at][0] in _OBJECTS and re.fullmatch("[a-z]+", parts[at - 1][0]):
            at -= 1  # the verb stands before its object: "languages | check their types"
        if before is None or not at or question[before.end : mark.start].strip():
            continue
        start = mark.start + parts[at].start()
        found[found.index(before)] = replace(before, end=mark.start + parts[at - 1].end())
        found[found.index(mark)] = replace(mark, start=start)
    return found


_OBJECTS = frozenset(["the", "a", "an", "its", "their", "his", "her"])
"""Words that open an object, before which its verb stands."""
_ADVERBS = words.word_set(
    "not never ever also more less fewer already later still yet now always often soon"
)


def _begins(word: str) -> bool:
    """Whether a word may begin a predicate: no name does."""
    if word[:1].isupper():
        return False
    low = re.split("['’]", re.sub(r"n['’]t$", "", word.lower()))[0]
    known = words.AUXILIARY | words.PREPOSITION | words.RELATIVE | words.DETERMINER
    return (
        low in known or low in _ADVERBS or is_comparative(low) or low.endswith("lly")
        or low.endswith("ing") or words.number_of(low) is not None
        or is_past(low) or verb_base(low) is not None
    )  # fmt: skip


def _plain(question: str, mark: Mark, marks: Sequence[Mark]) -> Mark | None:
    """A description that describes nothing ("the Opera House") as a name, None inside another."""
    said = said_in(question, mark)
    parts = said.split()
    if mark.label != "B" or not parts[-1][:1].isupper() or _DESCRIBED.search(said):
        return mark
    if any(words.is_superlative(part) or part.lower() in words.ORDINALS for part in parts):
        return mark
    return None if around(mark, marks) is not None else replace(mark, label="M")


def _whole_relative(question: str, mark: Mark, marks: Sequence[Mark]) -> Mark:
    """A description inside a clause with the verb, or the words, that its relative clause ends with.

    "Where were [the composers born whose operas had their first performance in Rome]", "how many
    people has [the town in which Dartmouth College stands]".
    """
    wider = around(mark, marks)
    said = said_in(question, mark)
    if mark.label != "B" or wider is None or wider.label != "A" or mark.end >= wider.end:
        return mark
    relative = _RELATIVE.search(said)
    if relative is None:
        return mark
    before = said[: relative.start()].split()
    clause = said[relative.end() :].split()
    if len(before) > 1 and is_participle(before[-1]):
        return replace(mark, end=wider.end)  # the clause's own verb stands before it
    rest = question[mark.end : wider.end].split()
    verb = any(is_past(one) or one.lower() in words.AUXILIARY for one in clause)
    verb |= any(not one[:1].isupper() and verb_base(one) is not None for one in clause)
    if not verb and rest and verb_base(rest[0].strip(",?")) is not None:
        if len(rest) > 2 and not any(map(_may_close, rest[1:])):
            return replace(mark, end=wider.end)  # "the text that X | set to music in Y"
        end = question.index(rest[0], mark.end) + len(rest[0].rstrip(",?"))
        return replace(mark, end=end)
    return mark


def _may_close(word: str) -> bool:
    """Whether a word may be the verb that a clause ends with."""
    plain = word.strip(",?")
    return plain.islower() and (
        plain in words.AUXILIARY or is_past(plain) or verb_base(plain) is not None
    )


def _asked_of(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """What stands before "of [M …]" as the attribute it is, and a name after "[A …] of" as a thing."""
    found = [_with_noun(question, mark, marks) for mark in marks]
    marks = list(found)
    for mark in marks:
        after = question[mark.end :]
        bare = mark.label == "B" and not _DESCRIBED.search(said_in(question, mark))
        if bare and around(mark, marks) is None:
            of = _OF.match(after)
            named = of is not None and any(
                one.label == "M" and one.start == mark.end + of.end() for one in marks
            )
            if named:
                found[found.index(mark)] = replace(mark, label="A")
        elif mark.label == "A" and around(mark, marks) is None:
            of = re.match(rf"\s+of\s+(?:the\s+)?(?P<name>{CAPITALS})", after)
            if of is None or is_clause(said_in(question, mark)):
                continue
            start, end = mark.end + of.start("name"), mark.end + of.end()
            if not any(one.start < end and start < one.end for one in marks):
                found.append(Mark(label="M", start=start, end=end, sure=mark.sure))
    return found


def _with_noun(question: str, mark: Mark, marks: Sequence[Mark]) -> Mark:
    """What is asked with the noun between it and its thing: "[A the name] of the wife of [M Cato]"."""
    if mark.label != "A" or is_clause(said_in(question, mark)):
        return mark
    following = min((m.start for m in marks if m.start >= mark.end), default=mark.end)
    noun = _OF_THE_OF.match(question[:following], mark.end)
    return replace(mark, end=noun.end()) if noun else mark


def _named_beside(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """A name beside a name is a name as well, whatever it was marked as: "[S Mars] and [M Earth]"."""
    found = sorted(marks, key=lambda mark: (mark.start, -mark.end))
    for i, mark in enumerate(found):
        last = said_in(question, mark).split()[-1]
        beside = [one for one in found if one.label == "M" and one is not mark]
        if mark.label == "S" and last[:1].isupper() and any(
            _BESIDE.fullmatch(question[one.end : mark.start])
            or _BESIDE.fullmatch(question[mark.end : one.start])
            for one in beside
        ):  # fmt: skip
            found[i] = replace(mark, label="M")
    return found


def _told_first(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """A clause with the "first" after it, where there are no several to be ranked by it."""
    roots = sorted(
        (mark for mark in marks if around(mark, marks) is None), key=lambda mark: mark.start
    )
    things = [mark for mark in marks if mark.label in ("S", "M", "B")]
    if any(mark.label == "S" for mark in things) or len(things) > 1:
        return list(marks)
    found = list(marks)
    for one, other in pairwise(roots):
        told = one.label == "A" and is_clause(said_in(question, one))
        if told and other.label[0] == "K" and not question[one.end : other.start].strip():
            found.remove(other)
            found[found.index(one)] = replace(one, end=other.end)
    return found


def _led(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Named things that unmarked words describe further: "the highest mountain of [M Slovenia]"."""
    found: list[Mark] = []
    led = False
    attributes = [
        mark for mark in marks if mark.label == "A" and not is_clause(said_in(question, mark))
    ]
    for mark in marks:
        if mark.label == "M" and around(mark, marks) is None:
            before = question[: mark.start]
            match = _LED_BY.search(before)
            free = match is not None and not any(
                other.start < mark.start and match.start("noun") < other.end for other in marks
            )
            if match is not None and free:
                found.append(replace(mark, label="B", start=match.start("noun")))
                led = True
                continue
        found.append(mark)
    if not led:
        return found
    # "… or that of Germany": the second side of what is compared.
    for one in attributes:
        after = next((m for m in found if m.label == "M" and 0 < m.start - one.end <= 4), None)
        if said_in(question, one).lower() in ("that", "those") and after is not None:
            found.remove(one)
            found[found.index(after)] = replace(after, label="B", start=one.start)
    return found


def _events(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """What happened to two things as what is asked of each: "[the death] of [the king's son]"."""
    roots = [mark for mark in marks if around(mark, marks) is None]
    if len(roots) < 2 or any(mark.label != "B" for mark in roots):
        return list(marks)
    found = [mark for mark in marks if mark not in roots and mark.label not in ("A", "B")]
    for mark in roots:
        said = said_in(question, mark)
        match = _EVENT.fullmatch(said)
        if match is None:
            return list(marks)
        asked, thing = match.span("event"), match.span("thing")
        bare = re.sub(r"^the\s+", "", match["thing"])
        described_ = _DESCRIBED.search(bare) or not bare[:1].isupper()
        found += [
            replace(mark, label="A", start=mark.start + asked[0], end=mark.start + asked[1]),
            replace(mark, label="B" if described_ else "M", start=mark.start + thing[0]),
        ]
    return found
