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
from agent.extractive.planner.marks.types import Mark, Operator

_CAPITALS = r"[A-Z][\w'’.-]*(?:\s+(?:(?:of|the|de|la)\s+)?[A-Z\d][\w'’.-]*)*"
_LIST_OF = re.compile(
    rf"(?P<noun>(?:the\s+)?[a-z][\w\s'-]*?)\s+(?:of|for|in)\s+(?:both\s+|each of\s+)?"
    rf"(?P<names>{_CAPITALS}(?:,\s*{_CAPITALS})*,?\s*(?:and|or|&)\s*{_CAPITALS})$"
)
_LED_BY = re.compile(r"(?:^|[\s,(])(?P<noun>the\s+(?:[a-z][\w'-]*\s+){1,4}(?:of|in)\s+)$")
_DESCRIBED = re.compile(
    r"\b(?:of|in|on|at|by|from|for|that|which|who|whom|whose|where|with|to|between|into)\b|['’]s?\b",
    re.IGNORECASE,
)
_JOINING = words.PREPOSITION | words.CONJUNCTION
_RELATIVE = re.compile(r"\s(?:who|that|whose|which|where)\s", re.IGNORECASE)
_EXTREMES_OF = re.compile(
    r"(?:the\s+)?(?:\w+est|most\s+\w+|least\s+\w+)\s+(?P<noun>[a-z][\w-]*(?:\s[a-z][\w-]*)?)\s+"
    r"(?:of|in)\s+(?P<group>(?:the|all|each of the|these|those)\s+.+)"
)
_EVENT = re.compile(r"(?P<event>(?:the\s+)?[a-z][a-z-]*(?:\s[a-z-]+)?)\s+of\s+(?P<thing>.+)")
_OF = re.compile(r"\s+of\s+(?:the\s+)?")
_BESIDE = re.compile(r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&)\s*(?:the\s+)?", re.IGNORECASE)
_EACH_OF = re.compile(
    r"(?P<noun>(?:the\s+)?[a-z][\w\s'-]*?)\s+(?:of|for|from)\s+"
    r"(?P<group>(?:(?:the|all|these|those)\s+)*(?:each|every|all|both|"
    rf"{'|'.join(words.NUMBER_WORDS)}|\d+)\s.+)$",
    re.IGNORECASE,
)


def described(question: str, marks: Sequence[Mark], operator: Operator) -> list[Mark]:
    """Marks of things as their words have it.

    Args:
        question: the marked text.
        marks: with extents as the guide has them.
        operator: what is made of the values.
    """
    found = [
        one
        for mark in _begun(question, marks)
        if (one := _plain(question, mark, marks)) is not None
    ]
    found = [_whole_relative(question, mark, found) for mark in found]
    found = _one_of_each(question, _listings(question, found))
    if operator == "explain":
        # An account is asked of a thing in the question's own words.
        found = [m for m in found if m.label != "B" or _around(m, found) is None]
    found = _asked_of(question, found)
    found = _told_first(question, _led(question, _named_beside(question, found)))
    if operator == "give":
        found = _of_each(question, found)
    elif operator == "difference":
        found = _events(question, found)
    return found


def _said(question: str, mark: Mark) -> str:
    return question[mark.start : mark.end]


def _around(mark: Mark, marks: Sequence[Mark]) -> Mark | None:
    """The narrowest mark that is wider than a mark and holds it."""
    around = [
        one for one in marks
        if one.start <= mark.start and mark.end <= one.end
        and one.end - one.start > mark.end - mark.start
    ]  # fmt: skip
    return min(around, key=lambda one: one.end - one.start, default=None)


def _begun(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Marks without those that only repeat another, and conditions from where they begin.

    A condition begins with a verb, a preposition or a relative word: nouns before it are of its set.
    """
    found: list[Mark] = []
    for mark in marks:
        alike = {one.label[0] for one in marks if (one.start, one.end) == (mark.start, mark.end)}
        if (mark.label == "A" and "K" in alike) or (
            mark.label == "B" and is_participle(_said(question, mark).split()[0])
        ):
            continue
        found.append(mark)
    for mark in [one for one in found if one.label in ("C", "C-")]:
        before = next((one for one in found if one.label == "S" and one.end <= mark.start), None)
        parts = list(re.finditer(r"\S+", _said(question, mark)))
        at = next((i for i, part in enumerate(parts) if _begins(part[0])), 0)
        if before is None or not at or question[before.end : mark.start].strip():
            continue
        start = mark.start + parts[at].start()
        found[found.index(before)] = replace(before, end=mark.start + parts[at - 1].end())
        found[found.index(mark)] = replace(mark, start=start)
    return found


def _begins(word: str) -> bool:
    """Whether a word may begin a predicate: no name does."""
    if word[:1].isupper():
        return False
    low = re.split("['’]", word.lower())[0]
    known = words.AUXILIARY | words.PREPOSITION | words.RELATIVE | words.DETERMINER
    return (
        low in known or low in ("not", "never", "ever", "also", "more", "less", "fewer")
        or low.endswith("ing") or words.number_of(low) is not None
        or is_past(low) or verb_base(low) is not None
    )  # fmt: skip


def _plain(question: str, mark: Mark, marks: Sequence[Mark]) -> Mark | None:
    """A description that describes nothing ("the Opera House") as a name, None inside another."""
    said = _said(question, mark)
    parts = said.split()
    if mark.label != "B" or not parts[-1][:1].isupper() or _DESCRIBED.search(said):
        return mark
    if any(words.is_superlative(part) or part.lower() in words.ORDINALS for part in parts):
        return mark
    return None if _around(mark, marks) is not None else replace(mark, label="M")


def _whole_relative(question: str, mark: Mark, marks: Sequence[Mark]) -> Mark:
    """A description inside a clause with the verb, or the words, that its relative clause ends with.

    "Where were [the composers born whose operas had their first performance in Rome]", "how many
    people has [the town in which Dartmouth College stands]".
    """
    around = _around(mark, marks)
    said = _said(question, mark)
    if mark.label != "B" or around is None or around.label != "A" or mark.end >= around.end:
        return mark
    relative = _RELATIVE.search(said)
    if relative is None:
        return mark
    before = said[: relative.start()].split()
    clause = said[relative.end() :].split()
    if len(before) > 1 and is_participle(before[-1]):
        return replace(mark, end=around.end)  # the clause's own verb stands before it
    rest = question[mark.end : around.end].split()
    verb = any(is_past(one) or one.lower() in words.AUXILIARY for one in clause)
    verb |= any(not one[:1].isupper() and verb_base(one) is not None for one in clause)
    if not verb and rest and verb_base(rest[0].strip(",?")) is not None:
        end = question.index(rest[0], mark.end) + len(rest[0].rstrip(",?"))
        return replace(mark, end=end)
    return mark


def _listings(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Descriptions of several named things with a mark for each: "the designers of C and Perl"."""
    found = list(marks)
    asked = any(mark.label[0] in "ACK" for mark in marks)
    for mark in marks:
        match = _LIST_OF.fullmatch(_said(question, mark)) if mark.label in ("S", "B") else None
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
                for one in re.finditer(_CAPITALS, match["names"])
            ]
        found = [one for one in found if one not in inside or one.label[0] in "AK"]
        found[found.index(mark)] = replace(mark, label="B")
        found.extend(names)
    return found


def _one_of_each(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """A set with one extreme thing of each of a group: "the highest mountains of the [S Alpine states]"."""
    found = list(marks)
    for mark in marks:
        match = _EXTREMES_OF.fullmatch(_said(question, mark)) if mark.label == "S" else None
        if match is None or not words.is_plural(match["noun"].split()[-1]):
            continue
        last = re.split(r"\s(?:in|on|at|that|which|who|by|of)\s", match["group"])[0].split()[-1]
        if not words.is_plural(last):
            continue
        found = [one for one in found if not (one.label[0] == "K" and _around(one, found) == mark)]
        found[found.index(mark)] = replace(mark, label="B")
        found.append(replace(mark, start=mark.start + match.start("group")))
    return found


def _asked_of(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """What stands before "of [M …]" as the attribute it is, and a name after "[A …] of" as a thing."""
    found = list(marks)
    for mark in marks:
        after = question[mark.end :]
        bare = mark.label == "B" and not _DESCRIBED.search(_said(question, mark))
        if bare and _around(mark, marks) is None:
            of = _OF.match(after)
            named = of is not None and any(
                one.label == "M" and one.start == mark.end + of.end() for one in marks
            )
            if named:
                found[found.index(mark)] = replace(mark, label="A")
        elif mark.label == "A" and _around(mark, marks) is None:
            of = re.match(rf"\s+of\s+(?:the\s+)?(?P<name>{_CAPITALS})", after)
            if of is None or is_clause(_said(question, mark)):
                continue
            start, end = mark.end + of.start("name"), mark.end + of.end()
            if not any(one.start < end and start < one.end for one in marks):
                found.append(Mark(label="M", start=start, end=end, sure=mark.sure))
    return found


def _named_beside(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """A name beside a name is a name as well, whatever it was marked as: "[S Mars] and [M Earth]"."""
    found = sorted(marks, key=lambda mark: (mark.start, -mark.end))
    for i, mark in enumerate(found):
        last = _said(question, mark).split()[-1]
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
        (mark for mark in marks if _around(mark, marks) is None), key=lambda mark: mark.start
    )
    things = [mark for mark in marks if mark.label in ("S", "M", "B")]
    if any(mark.label == "S" for mark in things) or len(things) > 1:
        return list(marks)
    found = list(marks)
    for one, other in pairwise(roots):
        told = one.label == "A" and is_clause(_said(question, one))
        if told and other.label[0] == "K" and not question[one.end : other.start].strip():
            found.remove(other)
            found[found.index(one)] = replace(one, end=other.end)
    return found


def _led(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """Named things that unmarked words describe further: "the highest mountain of [M Slovenia]"."""
    found: list[Mark] = []
    led = False
    attributes = [
        mark for mark in marks if mark.label == "A" and not is_clause(_said(question, mark))
    ]
    for mark in marks:
        if mark.label == "M" and _around(mark, marks) is None:
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
        if _said(question, one).lower() in ("that", "those") and after is not None:
            found.remove(one)
            found[found.index(after)] = replace(after, label="B", start=one.start)
    return found


def _of_each(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """A set of something of each of a group as the attribute that it is.

    "Landing sites of the six Apollo landings" asks for one of each.
    """
    roots = [mark for mark in marks if _around(mark, marks) is None]
    if len(roots) != 1 or roots[0].label != "S":
        return list(marks)
    mark = roots[0]
    match = _EACH_OF.fullmatch(_said(question, mark))
    if match is None or not words.is_plural(match["noun"].split()[-1]):
        return list(marks)
    start = mark.start + match.start("group")
    asked = Mark(label="A", start=mark.start, end=mark.start + match.end("noun"), sure=mark.sure)
    return [asked, replace(mark, start=start), *(one for one in marks if one is not mark)]


def _events(question: str, marks: Sequence[Mark]) -> list[Mark]:
    """What happened to two things as what is asked of each: "[the death] of [the king's son]"."""
    roots = [mark for mark in marks if _around(mark, marks) is None]
    if len(roots) < 2 or any(mark.label != "B" for mark in roots):
        return list(marks)
    found = [mark for mark in marks if mark not in roots and mark.label not in ("A", "B")]
    for mark in roots:
        said = _said(question, mark)
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
