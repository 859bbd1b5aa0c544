"""Finds the fact that answers a sub-question, and the words of it that are the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.extractive import words
from agent.extractive.asked import Asked
from agent.extractive.facts import Fact
from agent.extractive.fitting import PERSON, numbers_in, value_fits
from agent.extractive.quantities import find_dates
from agent.extractive.ranking import best_column, given, rank_facts
from agent.extractive.stems import content_stems, related, stem
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


def read_best(asked: Asked, facts: Sequence[Fact], embedder: Embedder) -> Reading | None:
    """Return the fact that answers best, None where nothing is good enough."""
    sure = given(asked, facts)
    ranked = [(sure, 1.0)] if sure is not None else rank_facts(asked, facts, embedder)
    for fact, score in ranked[:MOST_TRIED]:
        if score < FOUND_FROM:
            return None
        value = answer_in(asked, fact)
        if value:
            return Reading(fact=fact, score=score, value=value, values=split_values(value, fact))
    return None


def answer_in(asked: Asked, fact: Fact) -> str:
    """Return the words of a fact that answer; "" where it has none of the form asked for."""
    if fact.cells:
        return _cell_answer(asked, fact)
    if asked.form == "number":
        return _number_in(asked, fact.text)
    if asked.form == "date":
        return _date_in(asked, fact.text)
    if asked.form == "place":
        return _place_in(asked, fact.text)
    if asked.form in ("person", "name") and not asked.many:
        return _name_in(asked, fact)
    return fact.text


_EMPTY_VALUES = frozenset(["none", "–", "-", "—", "n/a", "unknown", "no", "?", "tbd"])


def _counted(asked: Asked, fact: Fact) -> str:
    """Count what a value lists where "how many" is asked and no number is given."""
    column = best_column(asked, fact)
    if column is None or not asked.text.casefold().count("how many"):
        return ""
    listed = split_values(fact.cells[column][1], fact)
    return str(len(listed)) if len(listed) > 1 else ""


def _cell_answer(asked: Asked, fact: Fact) -> str:
    column = best_column(asked, fact)
    if column is None and fact.kind == "value":
        # The label may say it in words the rules do not know: the meaning was compared already.
        column = 0
    if column is None:
        return fact.text if asked.form == "text" else ""
    value = fact.cells[column][1]
    if asked.form in ("name", "person", "place") and value.casefold() in _EMPTY_VALUES:
        return ""
    if not value_fits(asked, value):
        return _counted(asked, fact) if asked.form == "number" else ""
    return _number_in(asked, value) if asked.form == "number" and len(value) > 60 else value


def _position_of_attribute(asked: Asked, text: str) -> int | None:
    """Return where a sentence says the attribute, for picking the value that stands nearest."""
    for match in re.finditer(r"[^\W_]+", text):
        one = stem(match[0])
        if one in asked.stems or one in asked.hints or related(one, asked.stems):
            return match.start()
    return None


def _number_in(asked: Asked, text: str) -> str:
    numbers = numbers_in(text)
    if not numbers:
        return ""
    anchor = _position_of_attribute(asked, text)
    nearest = numbers[0]
    if anchor is not None:
        nearest = min(numbers, key=lambda q: min(abs(q.start - anchor), abs(q.end - anchor)))
    shown = text[nearest.start : nearest.end].strip(" -–")
    if nearest.unit and not nearest.dimension:
        # What follows a bare number is the thing counted, or just the next word.
        shown = re.sub(rf"[\s-]*{re.escape(nearest.unit)}$", "", shown, flags=re.IGNORECASE)
    return shown


def _date_in(asked: Asked, text: str) -> str:
    dates = find_dates(text)
    if not dates:
        return ""
    anchor = _position_of_attribute(asked, text)
    nearest = dates[0] if anchor is None else min(dates, key=lambda d: abs(d.start - anchor))
    return text[nearest.start : nearest.end]


_CAPITALS = re.compile(
    r"(?<![\w])[A-ZÀ-Þ][\w'’.\-]*(?:\s+(?:(?:of|de|da|di|van|von|der|la|le|the)\s+){0,2}[A-ZÀ-Þ][\w'’.\-]*)*"
)
_PLACE = re.compile(
    r"\b(?:in|at|near|from|to|on)\s+(?:the\s+)?"
    r"([A-ZÀ-Þ][\w'’.\-]*(?:\s+(?:(?:of|de|da|di|am|an|the)\s+)?[A-ZÀ-Þ][\w'’.\-]*)*(?:,\s+[A-ZÀ-Þ][\w'’.\-]*(?:\s+[A-ZÀ-Þ][\w'’.\-]*)*)?)"
)
_MONTH = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)


def _name_in(asked: Asked, fact: Fact) -> str:
    """Return the name in a sentence that stands nearest to the words of the question.

    A name that carries the noun asked for ("university") goes before others; where the sentence
    says "he" or begins with the last word of the article's title, the title is a name in it.
    """
    known = {name.casefold() for name in (*asked.subjects, *asked.names)}
    names = [
        (start, end, name)
        for start, end, name in _names_with_places(asked, fact)
        if name.casefold() not in known and _can_be_asked(asked, name)
    ]
    if not names:
        return ""
    noun = stem(asked.noun) if asked.noun else ""
    called = [one for one in names if noun and noun in content_stems(one[2])]
    anchor = _position_of_attribute(asked, fact.text)
    if anchor is None:
        return (called or names)[0][2]
    return min(called or names, key=lambda n: _distance(fact.text, anchor, n[0], n[1]))[2]


_SUBJECT_PRONOUN = re.compile(r"(?:He|She|It|They)\b")


def _names_with_places(asked: Asked, fact: Fact) -> list[tuple[int, int, str]]:
    names = []
    title = re.sub(r"\s*\([^()]*\)$", "", fact.title)
    opening = _SUBJECT_PRONOUN.match(fact.text) or re.match(
        rf"{re.escape(title.split()[-1])}\b", fact.text
    )
    if opening is not None:
        names.append((opening.start(), opening.end(), title))
    pattern = PERSON if asked.form == "person" else _CAPITALS
    for match in pattern.finditer(fact.text):
        name = match[0].rstrip(".,'’")
        first, _, rest = name.partition(" ")
        if match.start() == 0 and first.lower() in words.FUNCTION_WORDS:
            name = rest
        if name and not _MONTH.match(name) and (opening is None or match.start() > 0):
            names.append((match.start(), match.end(), name))
    return names


def _can_be_asked(asked: Asked, name: str) -> bool:
    """Whether a name is not just the question's own words, or a number, in capitals."""
    stems = content_stems(name)
    asking = frozenset(content_stems(asked.text)) - {stem(asked.noun)}
    if words.number_of(name) is not None or (stems and asking >= set(stems)):
        return False
    # A person does not share a last name with the thing asked about: "Summer Olympics".
    return asked.form != "person" or not stems or stems[-1] not in asking


_BORDER = re.compile(r"[;:]|,\s+(?:and|but|which|who)\b")


def _distance(text: str, anchor: int, start: int, end: int) -> int:
    """How far a name stands from a word; the other side of a clause's border is far away."""
    low, high = (end, anchor) if end <= anchor else (anchor, start)
    border = 60 if _BORDER.search(text[low:high]) else 0
    return min(abs(start - anchor), abs(end - anchor)) + border


_OTHER_CLAUSE = re.compile(
    r"[;)]|\b(?:is|was|are|were|who|which|and (?:had|has|grew|went|moved))\b"
)


def _place_in(asked: Asked, text: str) -> str:
    """Return the place that a sentence gives for what is asked, in the same clause."""
    known = {name.casefold() for name in (*asked.subjects, *asked.names)}
    places = [
        match
        for match in _PLACE.finditer(text)
        if match[1].casefold() not in known and not _MONTH.match(match[1])
    ]
    anchor = _position_of_attribute(asked, text)
    if anchor is None:
        if asked.stems:
            return ""
        return places[0][1].rstrip(".,") if places else ""
    near_by = [
        match
        for match in places
        if not _OTHER_CLAUSE.search(text[min(anchor, match.end()) : max(anchor, match.start())])
    ]
    if not near_by:
        return ""
    # What stands after the verb is its place; before it only where nothing follows.
    after = [match for match in near_by if match.start() > anchor]
    nearest = min(after or near_by, key=lambda m: abs(m.start() - anchor))
    return nearest[1].rstrip(".,")


_AND = re.compile(r",?\s+(?:and|und|et|y)\s+(?=[A-Z0-9])")


def split_values(value: str, fact: Fact) -> tuple[str, ...]:
    """Return the things a value names: "A, B and C" gives three, a sentence gives none."""
    if fact.kind in ("sentence", "item") and value == fact.text and len(value.split()) > 6:
        return ()
    plain = re.sub(r"\s*\([^()]*\)", "", value).strip()
    parts = [part.strip() for part in _AND.sub(", ", plain).split(", ") if part.strip()]
    listed = len(parts) > 1 and all(part[:1].isupper() and len(part.split()) <= 6 for part in parts)
    # "Providence, Rhode Island" is one place; two parts are a list only with an "and" in it.
    if listed and (len(parts) > 2 or _AND.search(plain)):
        return tuple(dict.fromkeys(parts))
    return (plain,) if plain else ()
