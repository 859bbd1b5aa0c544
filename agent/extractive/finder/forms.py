"""Whether words can be an answer: a number, a date, a person, a place, a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.citations.content.ages import age_of, whose_age_at_death
from agent.citations.support.values import says_none
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.kinds import is_person
from agent.extractive.language import words
from agent.extractive.language.names import without_bracket
from agent.extractive.language.quantities import (
    DAY_OF_YEAR,
    Quantity,
    find_dates,
    find_quantities,
    unit_of,
)
from agent.extractive.language.stems import content_stems, words_of

_INSIDE = "of|the|de|da|di|du|do|dos|das|del|der|den|van|von|zu|ter|la|le|el|al|bin|ibn|y|e|and"
"""Small words inside the name of a person, or of two; others end it: "Ann Lee in August"."""
PERSON = re.compile(rf"\b[A-Z][\w'’.\-]+(?:\s+(?:(?:{_INSIDE})\s+){{0,2}}[A-Z][\w'’.\-]*)+")
NAME = re.compile(r"[A-Z][\w'’.\-]+")


NAMED = re.compile(r"[A-ZÀ-Þ][\w'’.\-]+|[\u3400-\u9fff]")

_FIRST = 4
"""Characters of a value that may stand before the date that it is: "c. 1850"."""


_AT_AGE = re.compile(
    r"\b(?:what|which) age\b|\bhow old (?:was|were|is|are)\b.*\b(?:when|at|on|in)\b",
    re.IGNORECASE,
)
"""Asks for an age at an event, or that was reached, which no date of birth tells."""
_OF_DAY = re.compile(r"\b(?:what|which|exact) day\b", re.IGNORECASE)
"""Asks for a day, which no month or year tells."""
YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
"""A year of four digits, "the 1990s" as well."""
_AGED = re.compile(r"\b(?:aged|age of|at age)\s+\d+\b|\b\d+(?:[ -]years?)?[ -]old\b", re.IGNORECASE)


def asks_age(asked: Asked) -> bool:
    """Whether a step asks how old someone was at an event."""
    return _AT_AGE.search(asked.text) is not None


def age_in(text: str) -> str:
    """Return the words of a text that tell an age: "aged 82"; "" where none do."""
    found = _AGED.search(text)
    return found[0] if found else ""


def told_age(asked: Asked, facts_at: Callable[[str], Sequence[Fact]]) -> tuple[int, Fact] | None:
    """Return an age at death and the sentence whose dates tell it; None where none is asked for or told.

    Args:
        asked: the step.
        facts_at: returns all facts of a title's article.
    """
    who = whose_age_at_death(asked.text)
    if not who or len(asked.subjects) != 1:
        return None
    lead = next((fact for fact in facts_at(asked.subjects[0]) if not fact.cells), None)
    age = age_of(who, lead.text) if lead is not None else None
    return None if lead is None or age is None else (age, lead)


def value_fits(asked: Asked, value: str, *, plain: bool = False) -> bool:
    """Whether a text holds an answer of the form that is asked for.

    Args:
        asked: the step.
        value: the words.
        plain: whether what has no capital may be what "which", "what" or "where" asks for: "an alloy
            of iron", "a painter", "the patent office".
    """
    if asks_age(asked):
        in_words = not value.isdecimal() and words.number_of(value) is not None
        return bool(age_in(value)) or in_words
    if asked.form == "number":
        return bool(asked_numbers(asked, value)) or says_none(asked.text, [value])
    if asked.form == "list" and asked.noun == "year":
        return YEAR.search(value) is not None
    if asked.form == "name" and _is_amount(value) and _asks_for_extreme(asked):
        return False
    if asked.form == "list" and _COUNTS.match(value):
        return False
    if asked.form in ("name", "list") and not plain and not NAMED.search(without_dates(value)):
        return False
    if asked.form == "date":
        dates = find_dates(value)
        days = DAY_OF_YEAR.search(value) or any(moment.day for moment in dates)
        return bool(days or (dates and not _OF_DAY.search(asked.text)))
    if asked.form in ("person", "place") and value.strip().casefold() in words.NUMBER_WORDS:
        return False  # "Twelve walked on the Moon": how many, not who
    if asked.form == "person":
        dates = find_dates(value)
        if dates and dates[0].start <= _FIRST:
            return False  # "1 March 1938 in Daegu": when, not who
        return bool(PERSON.search(value)) or bool(NAME.fullmatch(value.strip()))
    if asked.form == "place":
        named = NAMED.search(without_dates(value))
        return bool(named) or (plain and not find_dates(value))
    return True


_COUNTS = re.compile(rf"(?:{'|'.join(words.NUMBER_WORDS)}) [^:,;()]+$")
"""Says how many there are and names none of them: "three Italian operas"."""


def _is_amount(value: str) -> bool:
    """Whether words are an amount and no more: "97 (as of 2025)", "about 6,300 km"."""
    bare = without_bracket(value)
    found = find_quantities(bare)
    return bool(found) and not content_stems(bare[: found[0].start] + bare[found[0].end :])


def _asks_for_extreme(asked: Asked) -> bool:
    """Whether a step asks which is the most: 97 moons are not the largest one."""
    low = asked.text.casefold()
    measured = _UNMEASURED.search(low) or any(said.search(low) for said, _ in _DIMENSIONS)
    return not measured and any(map(words.is_superlative, words_of(low)))


_NUMBERED_NAME = re.compile(r"[A-ZÀ-Þ][\w'’.\-]*\s+\d[\d,.]*")


_BEFORE_NUMBERS = words.FUNCTION_WORDS | words.word_set(
    "some nearly almost around roughly approximately only over another population area length"
)
"""Words that begin a sentence before a number, and so are no part of a name."""


def numbers_in(text: str) -> list[Quantity]:
    """Return the quantities of a text that are no dates and no part of a name ("Apollo 11")."""
    taken = [(moment.start, moment.end) for moment in find_dates(text)]
    taken += [
        (match.start(), match.end())
        for match in _NUMBERED_NAME.finditer(text)
        if match[0].split()[0].lower() not in _BEFORE_NUMBERS
    ]
    return [
        quantity
        for quantity in find_quantities(text)
        if not any(start <= quantity.start < end for start, end in taken)
    ]


_DIMENSIONS = (
    (re.compile(r"\b(?:temperature|how (?:hot|warm|cold))\b"), {"temperature"}),
    (re.compile(r"\bspeed\b"), {"speed"}),
    (re.compile(r"\bhow fast\b"), {"speed", "time"}),
    (re.compile(r"\b(?:mass|weight|how heavy|weigh)\b"), {"mass"}),
    (re.compile(r"\b(?:height|depth|width|diameter|elevation|altitude|distance)\b"), {"length"}),
    (re.compile(r"\bhow (?:tall|high|deep|wide|far)\b"), {"length"}),
)
"""What a question measures, and the dimensions of what may answer it."""
_UNMEASURED = re.compile(
    r"\b(?:population|inhabitants?|price|salary|budget|density|capacity|number|percentage|share|how many)\b"
)


_COUNTED = re.compile(r"\bhow many (?P<unit>seconds|minutes|hours|days|weeks|months)\b")
"""Units that nobody asks for who may be told a larger one: days are not "29.5 years"."""


def asked_numbers(asked: Asked, text: str) -> list[Quantity]:
    """Return the quantities of a text that may answer: no days where a speed is asked for."""
    low = asked.text.casefold()
    wanted = frozenset[str]()
    if _UNMEASURED.search(low) is None:
        wanted = wanted.union(*(of for said, of in _DIMENSIONS if said.search(low)))
    counted = _COUNTED.search(low)
    unit = unit_of(counted["unit"]) if counted else None
    return [
        one
        for one in numbers_in(text)
        if (not wanted or not one.dimension or one.dimension in wanted)
        and not (unit and one.dimension == "time" and one.base > 1.01 * one.value * unit[1])
    ]


_MEASURED = re.compile(r"\bhow (?:long|tall|high|deep|wide|heavy|far|large|big|small|fast)\b", re.I)


def measures_in(asked: Asked, text: str) -> list[Quantity]:
    """Return the quantities of prose that answer: with a unit, where a size is asked.

    In a row or a label the unit may stand in the head.
    """
    sized = _MEASURED.search(asked.text) is not None
    return [one for one in asked_numbers(asked, text) if one.dimension or not sized]


def without_dates(text: str) -> str:
    """Return a text with its dates taken out."""
    for moment in reversed(find_dates(text)):
        text = text[: moment.start] + text[moment.end :]
    return text


_HEAD_UNIT = re.compile(
    r"(?:[\s(\[])(?P<scale>(?:thousand|million|billion) )?(?P<unit>[^\W\d_]+[²2³]?)[)\]]?$"
)
_BARE = re.compile(r"\d[\d,.]*")


def with_unit(head: str, value: str) -> str:
    """A bare number with the unit that its head names: "Area (km²): 505" gives 505 km²."""
    named = _HEAD_UNIT.search(head)
    known = named is not None and unit_of(named["unit"]) is not None
    if not named or not known or not _BARE.fullmatch(value):
        return value
    return f"{value} {named['scale'] or ''}{named['unit']}"


_BIRTH = re.compile(r"\b(?:born|birth\w*)\b", re.IGNORECASE)
_DEATH = re.compile(r"\b(?:die[ds]?|dying|death\w*|dead)\b", re.IGNORECASE)
_LIFE = re.compile(r"\bnative\b|\([^()]*\d{3,4}\s*[–-]", re.IGNORECASE)


def tells_other_end(text: str, quote: str) -> bool:
    """Return whether a step asks for one end of a life, and a sentence tells of none: of a first ascent.

    Or for a death, and it tells of a birth alone: "Ann Lee (born 3 May 1930) is a chemist".
    """
    if _LIFE.search(quote):
        return False
    born = _BIRTH.search(quote) is not None
    if _DEATH.search(text):
        return born and not _DEATH.search(quote)
    return _BIRTH.search(text) is not None and not born


_CALLED = re.compile(
    r"what(?: is|['’]s| was) the (?P<what>name|year) of (?:the )?(?P<of>.+?)\W*$", re.IGNORECASE
)
_WHEN_LOCATED = re.compile(
    r"(?:when|in (?:which|what) year) (?:is|was|are|were) [^?]+ (?:located|situated)\W*$",
    re.IGNORECASE,
)
_INHABITED = re.compile(
    r"^what (?:is|was) the population of \S|\binhabitants does\b", re.IGNORECASE
)
_NOBODYS = re.compile(
    r"(?:when|where|who|what|which|how \w+) (?:is|was|are|were|did|does|do) (?:his|her|their|its)\b",
    re.IGNORECASE,
)
"""Asks of somebody whom the step does not name."""
_SCHOOL = words.word_set("university college school academy institute")
_MADE = words.word_set(
    "founded established built constructed erected located situated released opened launched premiered"
)
"""What is done to things, and to nobody."""


def asks_amiss(text: str, name: str, lead: str) -> bool:
    """Return whether a step asks what no answer could be.

    When a man was built or a school is located, how Ann Lee is called, how many live in a college,
    when his prize was.

    Args:
        text: the step.
        name: of the thing that it asks about.
        lead: how its article begins, "" where there is none.
    """
    told = _CALLED.match(text)
    if told is not None and told["of"] == name:
        return told["what"].lower() == "name" or is_person(lead)
    if _WHEN_LOCATED.match(text) or _NOBODYS.match(text):
        return True
    if _INHABITED.search(text) and (is_person(lead) or _SCHOOL & set(name.lower().split())):
        return True
    done = re.search(rf"\b(?:is|was|were) (?:the )?{re.escape(name)} (?P<done>[a-z]+)\b", text)
    return done is not None and done["done"] in _MADE and is_person(lead)
