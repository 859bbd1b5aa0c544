"""Chooses the rows of a table that agree with the names, years and bounds of a question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.other_names import other_names
from agent.citations.support.members import named_span
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.kinds import same_kind
from agent.extractive.finder.labels import matched, row_name
from agent.extractive.finder.parts import is_generic
from agent.extractive.language.quantities import find_quantities
from agent.extractive.language.stems import content_stems, related, stem
from agent.extractive.language.words import number_of

COMPARED = re.compile(
    r"\b(?P<how>more than|over|above|exceeding|at least|fewer than|less than|under|below|at most|"
    r"before|after|since|"
    r"(?:long|larg|high|great|tall|deep|wid|heavi|bigg|short|small|low|light)er than)\s+(?P<bound>\d[\d,.]*)"
    r"(?:\s*(?P<unit>[^\W\d_]+))?",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\b(?:\w+er|more|less|(?:more|less) \w+) than\b|\bat (?:least|most)\b", re.I)
"""Words that hold something against a bound."""
_BESIDE_A_NUMBER = re.compile(
    r"\b(?:above|over|below|under|beyond|exceed(?:s|ing)?|in excess of|up to)\s+([a-z]+)", re.I
)
"""Words that do so before a number: "above ten", not "under the Alps"."""
_DATED = ("before", "after", "since")
_A_YEAR = re.compile(r"[12]\d{3}")
_SPAN = re.compile(
    r"\b(?P<low>\d{4})\s*(?:[-–]|(?:to|until|till|through|thru)\b|(?<=between \d{4} )and\b)\s*"
    r"(?P<high>\d{4})\b",
    re.IGNORECASE,
)
"""Two years and all between them."""


def bound_in_words(asked: Asked) -> bool:
    """Whether a bound is told that no column can be held against: "fewer than one million"."""
    if COMPARED.search(asked.text):
        return False
    numbered = any(number_of(one) is not None for one in _BESIDE_A_NUMBER.findall(asked.text))
    return numbered or _BOUND.search(asked.text) is not None


def spans_years(text: str) -> bool:
    """Whether a question is about years from one on, up to one, or between two."""
    dated = (one for one in COMPARED.finditer(text) if one["how"].casefold() in _DATED)
    return _SPAN.search(text) is not None or any(_A_YEAR.fullmatch(one["bound"]) for one in dated)


def filtered(asked: Asked, rows: Sequence[Fact]) -> list[Fact]:
    """Return the rows that agree with the names, years and bounds that the question states."""
    ends, kept = between_named(asked.text, rows)
    told = _told_of_all(rows)
    for one in sorted(asked.stems - {stem(asked.noun)}):
        if one.isdigit() or number_of(one) is not None or one in told:
            continue
        saying = [row for row in kept if _says(row, one)]
        if saying and len(saying) < len(kept):
            kept = saying
    for name in asked.names:
        if told.issuperset(content_stems(name)) or name in ends:
            continue
        with_name = [row for row in kept if _names(row, name)]
        # A name that no row or every row holds does not choose among them.
        if with_name and len(with_name) < len(kept):
            kept = with_name
    years = re.findall(r"\b(1\d{3}|20\d{2})\b", asked.text)
    between = _SPAN.search(asked.text)
    if between:
        low_year, high_year = int(between["low"]), int(between["high"])
        within = [row for row in kept if _has_year(row, low_year, high_year)]
        kept = within or kept
    elif years and not COMPARED.search(asked.text):
        with_years = [row for row in kept if any(year in row.text for year in years)]
        if with_years and len(with_years) < len(kept):
            kept = with_years
    for match in COMPARED.finditer(asked.text):
        bounded = [row for row in kept if _meets(row, match, asked)]
        if bounded and len(bounded) < len(kept):
            kept = bounded
        elif not bounded:
            return []  # no column tells who meets the bound: the table does not tell who is meant
    return kept


def between_named(text: str, rows: Sequence[Fact]) -> tuple[tuple[str, ...], list[Fact]]:
    """The two names between which a question means everything, and the rows from one to the other.

    Only of a table in the order of time or of numbers, which has either name in one row: else no
    names, and all rows. "From the Nile to the Rhine" is no span of a table of lengths.
    """
    ends, _ = named_span(text)
    places = [[i for i, row in enumerate(rows) if _holds_cell(row, end)] for end in ends]
    if [len(found) for found in places] == [1, 1] and places[0] < places[1] and _ordered(rows):
        return ends, list(rows[places[0][0] : places[1][0] + 1])
    return (), list(rows)


def _holds_cell(row: Fact, name: str) -> bool:
    return any(value.casefold() == name.casefold() for _, value in row.cells)


def _ordered(rows: Sequence[Fact]) -> bool:
    """Whether rows go on by years, or by the numbers that their names end with."""
    columns = list(zip(*([value for _, value in row.cells] for row in rows), strict=False))
    for column in columns:
        numbers = [re.search(r"(?:^[12]\d{3}| \d{1,3})$", value) for value in column]
        found = [int(number[0]) for number in numbers if number is not None]
        if len(found) == len(rows) and found == sorted(set(found)):
            return True
    return False


def _names(row: Fact, name: str) -> bool:
    """Whether a row holds a name, or what its adjective comes from: "Europe" for "European"."""
    if name.casefold() in row.text.casefold():
        return True
    values = " ".join(value for _, value in row.cells) or row.text
    if any(other.casefold() in values.casefold() for other in other_names(name)):
        return True
    return " " not in name and related(stem(name), set(content_stems(values)))


def _told_of_all(rows: Sequence[Fact]) -> frozenset[str]:
    """Stems that a table's surroundings or heads hold: they choose no row."""
    first = rows[0]
    about = (first.title, first.hit.chunk.section, first.caption, *(h for h, _ in first.cells))
    return frozenset(content_stems(" ".join(about)))


def _says(row: Fact, one: str) -> bool:
    """Whether a row's values, not its heads, hold a word of this stem."""
    text = " ".join(value for _, value in row.cells) if row.cells else row.text
    return one in content_stems(text)


def _has_year(row: Fact, low: int, high: int) -> bool:
    return any(low <= int(year) <= high for year in re.findall(r"\b(1\d{3}|20\d{2})\b", row.text))


def _meets(row: Fact, match: re.Match[str], asked: Asked) -> bool:
    how = match["how"].casefold()
    bound = float(match["bound"].replace(",", "").rstrip("."))
    unit = (match["unit"] or "").casefold()
    dated = how in _DATED
    for head, value in row.cells:
        head_words = set(content_stems(head))
        unit_fits = unit and (
            unit in re.findall(r"[^\W\d_]+", head.casefold()) or unit in value.casefold()
        )
        head_fits = bool(head_words & (asked.stems | asked.hints))
        # "Since 2008" is about the year of a row, whatever happened in it.
        head_fits |= dated and _A_YEAR.fullmatch(value) is not None
        if not (unit_fits or head_fits):
            continue
        if dated:
            numbers = [float(year) for year in re.findall(r"\b(\d{3,4})\b", value)]
        else:
            numbers = [quantity.value for quantity in find_quantities(value)]
        if numbers:
            return compare(numbers[0], how, bound)
    return False


def compare(value: float, how: str, bound: float) -> bool:
    """Return whether a value stands to a bound as the words say."""
    if how.endswith("er than") and how != "fewer than":
        how = "less than" if how.startswith(("short", "small", "low", "light")) else "more than"
    if how in ("at least", "since"):
        return value >= bound
    if how == "at most":
        return value <= bound
    over = how in ("more than", "over", "above", "exceeding", "after")
    return value > bound if over else value < bound


def tells_of_member(asked: Asked, fact: Fact, member: str, called: str, told: str) -> bool:
    """Whether a row says of one of a set, in words of its own, what the set is told by.

    "Moon: Mimas | Discoverer: William Herschel" says that Mimas was first seen by Herschel,
    "Language: Java | First appeared: 1995" that Java came out in 1995, and "Year: 2010 |
    Laureates: A, B" who shared a prize in 2010, if its label gives what is asked.

    Args:
        asked: the step that asks for the set.
        fact: the row; its quote was found to hold the names and numbers of the step.
        member: one that the row names.
        called: what a member is called: a noun, and what tells it more closely, which must stand
            over the table ("programming language").
        told: what is told of each, "it" in the member's place.
    """
    places = range(len(fact.cells))
    own = next((place for place in places if member in fact.cells[place][1]), None)
    closer, _, noun = called.rpartition(" ")
    if own is None or not same_kind(noun, fact.cells[own][0]):
        return False
    if not _told_of_all([fact]).issuperset(content_stems(closer)):
        return False
    if not all(_meets(fact, match, asked) for match in COMPARED.finditer(told)):
        return False
    if row_name(fact) != member.casefold():
        return matched(asked.text, fact, own) >= 1
    keys = [name for name in asked.names if name in told]
    if not spans_years(told):
        keys += re.findall(r"(?<!\d)[12]\d{3}(?!\d)", told)
    return bool(keys) and all(
        any(
            _says_name(fact.cells[place][1], key)
            and not (key.isdigit() and is_generic(fact.cells[place][0]))
            and matched(told, fact, place) >= 1
            for place in places
            if place != own
        )
        for key in keys
    )


def _says_name(value: str, name: str) -> bool:
    return name.casefold() in value.casefold() or (
        " " not in name and related(stem(name), set(content_stems(value)))
    )
