"""Finds the fact that answers a sub-question, and the words of it that are the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agent.extractive import words
from agent.extractive.asked import Asked
from agent.extractive.facts import Fact
from agent.extractive.quantities import Quantity, find_dates, find_quantities
from agent.extractive.stems import content_stems, stem
from retrieval.types import Embedder

MOST_COMPARED = 14
"""Facts whose meaning is compared with the question; they are chosen by their words first."""
FOUND_FROM = 0.52
"""Score from which a fact answers. Below it, facts about something else are as frequent as answers."""
_WEIGHT_MEANING = 0.55
_WEIGHT_WORDS = 0.45


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
    ranked = rank_facts(asked, facts, embedder)
    for fact, score in ranked[:6]:
        if score < FOUND_FROM:
            return None
        value = answer_in(asked, fact)
        if value:
            return Reading(fact=fact, score=score, value=value, values=split_values(value, fact))
    return None


def rank_facts(asked: Asked, facts: Sequence[Fact], embedder: Embedder) -> list[tuple[Fact, float]]:
    """Return facts with their scores, best first.

    The score adds what the words say (subject, attribute, form of the answer) and what the embedder
    says of the meaning; the same function judges whether a passage answers a question at all.
    """
    by_words = sorted(
        ((fact, word_score(asked, fact)) for fact in facts), key=lambda pair: -pair[1]
    )[:MOST_COMPARED]
    if not by_words:
        return []
    vectors = embedder.encode([asked.text, *(fact.context[:400] for fact, _ in by_words)])
    meaning = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
    scored = [
        (fact, _WEIGHT_WORDS * score + _WEIGHT_MEANING * float(near))
        for (fact, score), near in zip(by_words, meaning, strict=True)
    ]
    return sorted(scored, key=lambda pair: -pair[1])


def word_score(asked: Asked, fact: Fact) -> float:
    """Return how well a fact fits a question by its words alone, in [0, 1]."""
    about = _about(asked, fact)
    attribute = _attribute(asked, fact)
    fits = 1.0 if _fits(asked, fact) else 0.0
    # A box or a table that gives the attribute by its name is what a reader would look at first.
    given = 0.15 if fact.cells and attribute >= 0.8 and about >= 0.5 else 0.0
    # "Estates Theatre" is a theatre: an answer often says what it is.
    called = 0.1 if asked.noun and fits and _calls_itself(asked, fact) else 0.0
    return min(1.0, 0.4 * about + 0.35 * attribute + 0.15 * fits + given + called)


def _calls_itself(asked: Asked, fact: Fact) -> bool:
    noun = stem(asked.noun)
    return any(noun in content_stems(value) for _, value in fact.cells)


def _about(asked: Asked, fact: Fact) -> float:
    """How far the fact is about what the question names."""
    if not asked.subjects:
        return 0.6
    text = f" {fact.text.casefold()} "
    title = fact.title.casefold()
    scores = []
    for subject, said in zip(asked.subjects, asked.names, strict=False):
        name, alias = subject.casefold(), said.casefold()
        bare = re.sub(r"\s*\(.*\)$", "", name)
        if bare in text or alias in text:
            scores.append(1.0)
        elif name == title or bare == re.sub(r"\s*\(.*\)$", "", title):
            # A value of an article's box is about the article; a row of a table there is about
            # what the row names.
            scores.append(0.55 if fact.kind in ("row", "item") else 1.0)
        elif alias.split()[-1] in text and len(alias) > 4:
            scores.append(0.6)
        else:
            scores.append(0.0)
    # The first name is the one a step was filled with; others narrow it down.
    first, *rest = scores
    return 0.7 * first + 0.3 * sum(rest) / len(rest) if rest else first


def _attribute(asked: Asked, fact: Fact) -> float:
    """How far the fact says what the question asks about its subject."""
    wanted = asked.stems
    if not wanted:
        return 0.5
    if fact.cells:
        column = best_column(asked, fact)
        head = _head_score(asked, fact.cells[column][0]) if column is not None else 0.0
        rest = _share(wanted, frozenset(content_stems(fact.text)))
        return max(head, 0.7 * rest)
    return _share(
        wanted, frozenset(content_stems(fact.text)) | frozenset(content_stems(fact.title))
    )


def _share(wanted: frozenset[str], found: frozenset[str]) -> float:
    hit = sum(1.0 if one in found else 0.8 if _near(one, found) else 0.0 for one in wanted)
    return hit / len(wanted)


def _near(one: str, found: frozenset[str]) -> bool:
    """Whether a stem has a relative: "discov" and "discover", "design" and "designation"."""
    return len(one) >= 5 and any(
        other[:5] == one[:5] and abs(len(other) - len(one)) <= 4 for other in found
    )


def _head_score(asked: Asked, head: str) -> float:
    """How well a label or a column's head names what is asked for."""
    stems = [one for one in content_stems(head) if not one.isdigit()]
    if not stems:
        return 0.0
    hit = [
        1.0
        if one in asked.stems
        else 0.85
        if one in asked.hints or _near(one, asked.stems)
        else 0.0
        for one in stems
    ]
    return sum(hit) / len(hit) if any(hit) else 0.0


def names_attribute(asked: Asked, fact: Fact) -> bool:
    """Whether a label names what is asked for."""
    return bool(fact.cells) and _head_score(asked, fact.cells[0][0]) >= 0.8


def best_column(asked: Asked, fact: Fact) -> int | None:
    """Return the cell of a row that answers: the one whose head fits best, if any fits."""
    names = {name.casefold() for name in (*asked.subjects, *asked.names)}
    scores = []
    for position, (head, value) in enumerate(fact.cells):
        if value.casefold() in names or not value:
            scores.append((0.0, -position))
            continue
        fits = 1.0 if _value_fits(asked, value) else 0.6
        scores.append((_head_score(asked, head) * fits, -position))
    best, position = max(scores, default=(0.0, 0))
    return -position if best > 0 else None


def _fits(asked: Asked, fact: Fact) -> bool:
    if fact.cells:
        column = best_column(asked, fact)
        return column is not None and _value_fits(asked, fact.cells[column][1])
    return _value_fits(asked, fact.text)


_PERSON = re.compile(r"\b[A-Z][\w'’.\-]+(?:\s+(?:[a-z]{1,3}\s+)?[A-Z][\w'’.\-]*)+")
_NAME = re.compile(r"[A-Z][\w'’.\-]+")


_NAMED = re.compile(r"[A-ZÀ-Þ][\w'’.\-]+|[\u3400-\u9fff]")


def _value_fits(asked: Asked, value: str) -> bool:
    """Whether a text holds an answer of the form that is asked for."""
    if asked.form == "number":
        return bool(numbers_in(value))
    if asked.form in ("name", "list") and not _NAMED.search(_without_dates(value)):
        return False
    if asked.form == "date":
        return bool(find_dates(value))
    if asked.form == "person":
        return bool(_PERSON.search(value)) or bool(_NAME.fullmatch(value.strip()))
    if asked.form == "place":
        return bool(_NAMED.search(_without_dates(value)))
    return True


_NUMBERED_NAME = re.compile(r"[A-ZÀ-Þ][\w'’.\-]*\s+\d[\d,.]*")


def numbers_in(text: str) -> list[Quantity]:
    """Return the quantities of a text that are no dates and no part of a name ("Apollo 11")."""
    taken = [(moment.start, moment.end) for moment in find_dates(text)]
    taken += [(match.start(), match.end()) for match in _NUMBERED_NAME.finditer(text)]
    return [
        quantity
        for quantity in find_quantities(text)
        if not any(start <= quantity.start < end for start, end in taken)
    ]


def _without_dates(text: str) -> str:
    for moment in reversed(find_dates(text)):
        text = text[: moment.start] + text[moment.end :]
    return text


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
    if not _value_fits(asked, value):
        return _counted(asked, fact) if asked.form == "number" else ""
    return _number_in(asked, value) if asked.form == "number" and len(value) > 60 else value


def _position_of_attribute(asked: Asked, text: str) -> int | None:
    """Return where a sentence says the attribute, for picking the value that stands nearest."""
    for match in re.finditer(r"[^\W_]+", text):
        one = stem(match[0])
        if one in asked.stems or one in asked.hints or _near(one, asked.stems):
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
    """Return the name in a sentence that stands nearest to the words of the question."""
    known = {name.casefold() for name in (*asked.subjects, *asked.names)}
    pattern = _PERSON if asked.form == "person" else _CAPITALS
    names = []
    for match in pattern.finditer(fact.text):
        name = match[0].rstrip(".,'’")
        first, _, rest = name.partition(" ")
        if match.start() == 0 and first.lower() in words.FUNCTION_WORDS:
            name = rest
        if name and name.casefold() not in known and not _MONTH.match(name):
            names.append((match.start(), match.end(), name))
    if not names:
        return ""
    anchor = _position_of_attribute(asked, fact.text)
    if anchor is None:
        return names[0][2]
    return min(names, key=lambda n: _distance(fact.text, anchor, n[0], n[1]))[2]


def _distance(text: str, anchor: int, start: int, end: int) -> int:
    """How far a name stands from a word; the other side of a clause's border is far away."""
    low, high = (end, anchor) if end <= anchor else (anchor, start)
    border = 60 if re.search(r"[;:]|,\s+(?:and|but|which|who)\b", text[low:high]) else 0
    return min(abs(start - anchor), abs(end - anchor)) + border


def _place_in(asked: Asked, text: str) -> str:
    known = {name.casefold() for name in (*asked.subjects, *asked.names)}
    places = [
        match
        for match in _PLACE.finditer(text)
        if match[1].casefold() not in known and not _MONTH.match(match[1])
    ]
    if not places:
        return ""
    anchor = _position_of_attribute(asked, text)
    nearest = places[0] if anchor is None else min(places, key=lambda m: abs(m.start() - anchor))
    return nearest[1].rstrip(".,")


_AND = re.compile(r",?\s+(?:and|und|et|y)\s+(?=[A-Z0-9])")


def split_values(value: str, fact: Fact) -> tuple[str, ...]:
    """Return the things a value names: "A, B and C" gives three, a sentence gives none."""
    if fact.kind in ("sentence", "item") and value == fact.text:
        return ()
    plain = re.sub(r"\s*\([^()]*\)", "", value).strip()
    parts = [part.strip() for part in _AND.sub(", ", plain).split(", ") if part.strip()]
    listed = len(parts) > 1 and all(part[:1].isupper() and len(part.split()) <= 6 for part in parts)
    # "Providence, Rhode Island" is one place; two parts are a list only with an "and" in it.
    if listed and (len(parts) > 2 or _AND.search(plain)):
        return tuple(dict.fromkeys(parts))
    return (plain,) if plain else ()
