"""Finds the fact that answers a sub-question, and the words of it that are the answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agent.citations.support.roles import in_role
from agent.citations.support.values import points_elsewhere
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.forms import (
    PERSON,
    age_in,
    asked_numbers,
    asks_age,
    measures_in,
    value_fits,
    with_unit,
)
from agent.extractive.finder.labels import best_column, naming_score, row_name
from agent.extractive.finder.ranking import rank_facts
from agent.extractive.language import words
from agent.extractive.language.quantities import Quantity
from agent.extractive.language.stems import content_stems, stem, words_of
from agent.extractive.language.verbs import is_person_noun
from retrieval.types import Embedder

MOST_TRIED = 10
FOUND_FROM = 0.52
"""Score from which a fact answers. Below it, facts about something else are as frequent as answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A fact as an answer."""

    fact: Fact
    score: float
    """In [0, 1], roughly how likely the fact answers."""
    value: str
    """The answering words, or the whole fact."""
    values: tuple[str, ...] = ()
    """The things that the answering words name, one by one."""


def read_best(
    asked: Asked, facts: Sequence[Fact], embedder: Embedder, sure: Fact | None = None
) -> Reading | None:
    """Return the fact that answers best, None where nothing is good enough.

    Args:
        asked: the sub-question.
        facts: of the hits.
        embedder: compares meanings.
        sure: a fact that gives the very attribute, where there is one: nothing is compared then.
    """
    ranked = [(sure, 1.0)] if sure is not None else rank_facts(asked, facts, embedder)
    for fact, score in ranked[:MOST_TRIED]:
        if score < FOUND_FROM:
            return None
        value = answer_in(asked, fact)
        if fact.cells and asked.form == "person" and _PRESENT.match(asked.text):
            value = without_former(value)
        if _is_turned(asked, fact, value, facts):
            continue
        if asked.form == "person" and value and " " not in value:
            value = full_name(value, fact.title, facts)
        if value:
            listed = in_role(asked.text, fact.cells[0][1]) if fact.kind == "value" else []
            values = tuple(listed) or split_values(value, fact)
            return Reading(fact=fact, score=score, value=value, values=values)
    return None


_PRESENT = re.compile(r"(?:who|which|what)\b[^?]*?\b(?:is|are|has|have)\b", re.IGNORECASE)
_PART = re.compile(r"[^,;()]*[^,;()\s](?:\s*\([^()]*\))?")
_ENDED = re.compile(
    r"\([^()]*(?:\b(?:div(?:orced)?|died|annulled|separated|sep|dissolved|until|former)\b|\d{4}\s*[-–]\s*\d{4})",
    re.IGNORECASE,
)
"""A bracket that tells when something ended: "(m. 1977; div. 1982)"."""


def without_former(value: str) -> str:
    """Return the persons of a value without those it tells to be so no longer.

    Asked who someone's husband is, "Ann Lee (m. 1977–1982), Bo Lee" gives the second. Where all have
    ended or none, the value stays.
    """
    parts = [part.strip() for part in _PART.findall(value)]
    left = [part for part in parts if not _ENDED.search(part)]
    return ", ".join(left) if 0 < len(left) < len(parts) else value


def _is_turned(asked: Asked, fact: Fact, value: str, facts: Sequence[Fact]) -> bool:
    """Whether a row's own thing answers the wrong way round.

    Asked into which lake Erie flows, the row of Huron, which flows into Erie, does not tell: Erie
    has a row of its own.
    """
    if fact.kind != "row" or not asked.names or row_name(fact) != value.casefold():
        return False
    heads = [head for head, _ in fact.cells]
    name = asked.names[0].casefold()
    return row_name(fact) != name and any(
        row_name(other) == name and [head for head, _ in other.cells] == heads
        for other in facts
        if other.kind == "row"
    )


_ELSEWHERE = re.compile(r"(?:list|lists|table) of\b|see\s", re.IGNORECASE)
_POINTER = re.compile(r"[,;]?\s*\bsee (?:below|above|text|list)\s*$", re.IGNORECASE)
_EMPTY_VALUES = frozenset(["none", "–", "-", "—", "n/a", "unknown", "no", "?", "tbd"])


def _counted(asked: Asked, fact: Fact) -> str:
    """Count what a value lists where "how many" is asked and no number is given."""
    column = best_column(asked, fact)
    if column is None or not asked.text.casefold().count("how many"):
        return ""
    listed = split_values(fact.cells[column][1], fact)
    return str(len(listed)) if len(listed) > 1 else ""


def answer_in(asked: Asked, fact: Fact) -> str:
    """Return the words of a box or row that answer; "" where it has none of the form asked for.

    Of a sentence it is the whole: the reader picks words.
    """
    if not fact.cells:
        sized = asked.form != "number" or measures_in(asked, fact.text)
        return fact.text if sized and value_fits(asked, fact.text, plain=True) else ""
    column = best_column(asked, fact)
    if column is None and fact.kind == "value":
        # The label may say it in words the rules do not know: the meaning was compared already.
        column = 0
    if column is None:
        return fact.text if asked.form == "text" else ""
    value = _POINTER.sub("", fact.cells[column][1])
    known = {one.casefold() for one in (*asked.subjects, *asked.names)}
    if asked.form in ("name", "person", "place") and value.casefold() in _EMPTY_VALUES | known:
        return ""
    if _ELSEWHERE.match(value) or not content_stems(value):
        return ""  # the name of a list that stands elsewhere, or an article's bare "The"
    if named := in_role(asked.text, value):
        return ", ".join(named)
    plain = asked.text.startswith("What ") and asked.form == "name"
    plain = plain and naming_score(asked, fact.cells[column][0]) == 1.0
    if not value_fits(asked, value, plain=plain):
        return _counted(asked, fact) if asked.form == "number" else ""
    if asks_age(asked):
        return age_in(value)
    if asked.form == "date":
        return _year_of_part(asked, value) or value
    if asked.form != "number":
        return value
    if len(value) > 60:
        return _number_in(value, asked_numbers(asked, value))
    return with_unit(fact.cells[column][0], value)


_WITH_YEAR = re.compile(r"(?P<what>[^,;()]*[^,;()\s])\s*\((?P<year>[12]\d{3})\)")


def _year_of_part(asked: Asked, value: str) -> str:
    """The year of the one of several things in a value that a question names, "" where none is.

    Asked when somebody won the Vik Prize, "Lom Prize (1954), Vik Prize (1962)" gives 1962.
    """
    said = {*content_stems(asked.text)}
    shared = [
        (len(said.intersection(content_stems(part["what"]))), part["year"])
        for part in _WITH_YEAR.finditer(value)
    ]
    most = max((many for many, _ in shared), default=0)
    years = {year for many, year in shared if many == most}
    return years.pop() if most and len(years) == 1 else ""


def _number_in(text: str, numbers: Sequence[Quantity]) -> str:
    """The first number, with its unit where it has one."""
    if not numbers:
        return ""
    first = numbers[0]
    shown = text[first.start : first.end].strip(" -–")
    if first.unit and not first.dimension:
        # What follows a bare number is the thing counted, or just the next word.
        shown = re.sub(rf"[\s-]*{re.escape(first.unit)}$", "", shown, flags=re.IGNORECASE)
    return shown


def full_name(name: str, title: str, facts: Sequence[Fact]) -> str:
    """Return the full name that an article gives for a last name, the name itself where none."""
    counted: Counter[str] = Counter()
    for other in facts:
        if other.title == title:
            for match in re.finditer(
                rf"\b(?:[A-ZÀ-Þ][\w'’\-]+\.?\s+){{1,3}}{re.escape(name)}\b", other.text
            ):
                said = match[0].split()
                while said and said[0].lower() in words.FUNCTION_WORDS:
                    said = said[1:]
                if len(said) > 1:
                    counted[" ".join(said)] += 1
    return counted.most_common(1)[0][0] if counted else name


_REST_OF_NAME = re.compile(r"(?<=\w)(?: [A-ZÀ-Þ][\w'’-]*\w)+")
_KIND_BEFORE = re.compile(r"(?<=\w )[A-ZÀ-Þ][a-zà-þ]+ $")


def name_around(asked: Asked, text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the whole of a name stands of which some words were read: "Nasser" of "Lake Nasser"."""
    if not text[start:end].strip()[:1].isupper():
        return start, end
    rest = _REST_OF_NAME.match(text, end)
    kind = _KIND_BEFORE.search(text[:start])
    called = kind is not None and stem(kind[0].strip().lower()) in map(
        stem, (asked.kind, asked.noun)
    )
    return kind.start() if kind and called else start, rest.end() if rest else end


_AND = re.compile(r",?\s+(?:and|und|et|y)\s+(?=[A-Z0-9])")


_SHARING = re.compile(r"[A-ZÀ-Þ][\w'’.-]*\s+(?:and|&)\s+[A-ZÀ-Þ][\w'’.-]*(?:\s+[A-ZÀ-Þ][\w'’.-]*)+")
"""Two who share their last name: "Peter and Fred Asquith"."""


def _parted(plain: str) -> list[str]:
    """The parts of a list; two who share a last name stay together."""
    return [
        part
        for segment in re.split(r",\s+", plain)
        for part in ([segment] if _SHARING.fullmatch(segment) else _AND.split(segment))
    ]


_SCHOOL = re.compile(r"\b(?:University|College|Institute|School|Academy)\b")


def split_values(value: str, fact: Fact) -> tuple[str, ...]:
    """Return the things a value names: "A, B and C" gives three, a sentence gives none."""
    if _ELSEWHERE.match(value):
        return ()
    if fact.kind in ("sentence", "item") and value == fact.text and len(value.split()) > 6:
        return ()
    plain = re.sub(r"\s*\([^()]*\)", "", value).strip()
    parts = [part.strip() for part in _parted(plain) if part.strip()]
    listed = len(parts) > 1 and all(part[:1].isupper() and len(part.split()) <= 6 for part in parts)
    # "Providence, Rhode Island" is one place; two parts are a list with an "and" in it, or of schools,
    # or of people: "Laureates: Ada Holm, Otto Brik".
    several = len(parts) > 2 or _AND.search(plain) is not None
    if listed and (several or all(map(_SCHOOL.search, parts)) or _are_people(parts, value, fact)):
        return tuple(dict.fromkeys(part for part in parts if not points_elsewhere(part)))
    return (plain,) if plain else ()


def _are_people(parts: Sequence[str], value: str, fact: Fact) -> bool:
    """Whether full names stand under a head that names several people."""
    head = next((words_of(head)[-1:] for head, cell in fact.cells if cell == value), [])
    called = any(
        words.is_plural(word) and is_person_noun(words.singular(word.lower())) for word in head
    )
    return called and all(map(PERSON.fullmatch, parts))
