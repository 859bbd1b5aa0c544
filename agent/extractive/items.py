"""Finds the members of a set: in a table's rows, a list, a box's value or a sentence's enumeration."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agent.extractive.asked import Asked
from agent.extractive.facts import Fact, tables_of
from agent.extractive.predicates import Condition
from agent.extractive.quantities import find_quantities
from agent.extractive.read import rank_facts, split_values
from agent.extractive.stems import content_stems, stem
from agent.extractive.words import number_of, plural
from retrieval.types import Embedder

MOST_ITEMS = 40
LIST_FROM = 0.42
"""Score from which a table or an enumeration is taken for the set that is asked for."""
_COMPARED = re.compile(
    r"\b(?P<how>more than|over|at least|fewer than|less than|under|at most|before|after|since)\s+(?P<bound>\d[\d,.]*)"
    r"(?:\s*(?P<unit>[^\W\d_]+))?",
    re.IGNORECASE,
)
_ENUMERATION = re.compile(
    r"(?:[A-ZÀ-Þ0-9][\w'’.\-]*(?:\s+(?:of|the|de|da|du|and the)?\s*[A-ZÀ-Þ][\w'’.\-]*){0,4},\s+)+"
    r"(?:and\s+|or\s+)?[A-ZÀ-Þ][\w'’.\-]*(?:\s+(?:of|the|de)?\s*[A-ZÀ-Þ][\w'’.\-]*){0,4}"
    r"(?:,?\s+and\s+(?:the\s+)?[A-ZÀ-Þ][\w'’.\-]*(?:\s+(?:of|the|de)?\s*[A-ZÀ-Þ][\w'’.\-]*){0,4})?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One member of a set, and the fact that names it."""

    name: str
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A set as one place of the articles gives it."""

    members: tuple[Member, ...]
    score: float


def find_members(
    asked: Asked,
    facts: Sequence[Fact],
    embedder: Embedder,
    count: int | None = None,
    lead_of: Callable[[str], str] = lambda name: "",
) -> Listing | None:
    """Return the members of the set a question asks for, None where no list fits.

    Args:
        asked: the sub-question.
        facts: of the hits, and of the articles they belong to.
        embedder: compares meanings.
        count: how many members there should be, where the question says so.
        lead_of: returns how the article of a name begins, "" where there is none: it says what the
            thing is.
    """
    listings = [*_from_tables(asked, facts), *_from_lines(asked, facts, embedder)]
    if not listings:
        return None
    texts = [asked.text, *(_describe(members) for members in listings)]
    vectors = embedder.encode(texts)
    meaning = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
    best: Listing | None = None
    for members, near in zip(listings, meaning, strict=True):
        score = _score(asked, members, float(near), count, lead_of)
        if best is None or score > best.score:
            best = Listing(members=tuple(members[:MOST_ITEMS]), score=score)
    return best if best is not None and best.score >= LIST_FROM else None


def _describe(members: Sequence[Member]) -> str:
    """Return what a list is about: its article, section, caption and heads, and how it begins."""
    fact = members[0].fact
    heads = ", ".join(head for head, _ in fact.cells if head)
    names = ", ".join(member.name for member in members[:4])
    parts = (fact.title, fact.hit.chunk.section, fact.caption[:120], fact.label or heads, names)
    return ". ".join(part for part in parts if part)


def _score(
    asked: Asked,
    members: Sequence[Member],
    near: float,
    count: int | None,
    lead_of: Callable[[str], str],
) -> float:
    wanted = asked.stems - {stem(asked.noun)} if asked.noun else asked.stems
    fact = members[0].fact
    # What the members' own lines say counts, too: a row was chosen for the name it holds.
    lines = dict.fromkeys(member.fact.text for member in members[:_LOOKED_UP])
    about = f"{_describe(members)} {' '.join(lines)}"
    found = frozenset(content_stems(about))
    named = [name for name in asked.names if name.casefold() in about.casefold()]
    wanted_words = {one for one in wanted if not one.isdigit() and number_of(one) is None}
    share = sum(one in found for one in wanted_words) / len(wanted_words) if wanted_words else 0.5
    if wanted_words and asked.hints & found:
        share = max(share, 0.8)
    subject = len(named) / len(asked.names) if asked.names else 0.5
    noun = max(_noun_fits(asked, fact), _kind_fits(asked, members, lead_of))
    size = 0.5 if count is None else 1.0 if len(members) == count else 0.0
    few = 0.0 if len(members) > 1 or count == 1 else -0.1
    return 0.3 * near + 0.15 * share + 0.15 * subject + 0.25 * noun + 0.15 * size + few


def _noun_fits(asked: Asked, fact: Fact) -> float:
    """Whether heads, label or caption call the members what the question calls them."""
    if not asked.noun:
        return 0.5
    called = " ".join((fact.label, fact.caption, fact.title, *(head for head, _ in fact.cells)))
    return 1.0 if stem(asked.noun) in set(content_stems(called)) else 0.0


_LOOKED_UP = 4


def _kind_fits(asked: Asked, members: Sequence[Member], lead_of: Callable[[str], str]) -> float:
    """Share of the first members whose articles call them what the question calls them."""
    if not asked.noun:
        return 0.5
    leads = [lead for member in members[:_LOOKED_UP] if (lead := lead_of(member.name))]
    if not leads:
        return 0.0
    noun = stem(asked.noun)
    return sum(noun in content_stems(lead) for lead in leads) / len(leads)


def _from_tables(asked: Asked, facts: Sequence[Fact]) -> list[list[Member]]:
    listings = []
    known = {name.casefold() for name in (*asked.names, *asked.subjects)}
    for rows in tables_of(facts):
        if len(rows) < 2:
            continue
        kept = _filtered(asked, rows)
        members = [
            Member(name=name, fact=row)
            for row in kept
            for name in _names_of(asked, row, rows)
            if name.casefold() not in known
        ]
        unique = list({member.name.casefold(): member for member in members}.values())
        if unique:
            listings.append(unique)
    return listings


def _names_of(asked: Asked, row: Fact, rows: Sequence[Fact]) -> tuple[str, ...]:
    """Return what a row names: one thing, or several that share the row."""
    name = _name_of(asked, row, rows)
    if not name:
        return ()
    parts = split_values(name, row) if row.kind == "row" else ()
    return parts if len(parts) > 1 else (name,)


def _name_of(asked: Asked, row: Fact, rows: Sequence[Fact]) -> str:
    if row.kind == "item":
        head = re.split(r"\s+[–—-]\s+|: |, | \(", row.text, maxsplit=1)[0].strip()
        return head if len(head.split()) <= 7 else ""
    column = _name_column(asked, row, rows)
    if column is None or column >= len(row.cells):
        return ""
    value = re.sub(r"\s*\([^()]*\)$", "", row.cells[column][1]).strip()
    return value if any(character.isalpha() for character in value) else ""


def _name_column(asked: Asked, row: Fact, rows: Sequence[Fact]) -> int | None:
    """Return the column that names a row: under the noun asked for, else the first with words."""
    if asked.noun:
        wanted = {stem(asked.noun), stem(plural(asked.noun))}
        for position, (head, _) in enumerate(row.cells):
            if wanted & set(content_stems(head)):
                return position
        hinted = [
            position
            for position, (head, _) in enumerate(row.cells)
            if asked.hints & set(content_stems(head))
        ]
        if hinted and asked.form == "list":
            return hinted[0]
    for position in range(len(row.cells)):
        values = [other.cells[position][1] for other in rows if position < len(other.cells)]
        worded = [value for value in values if re.search(r"[^\W\d_]{2}", value)]
        if len(worded) * 2 > len(values) and len(set(values)) * 2 > len(values):
            return position
    return None


def _filtered(asked: Asked, rows: Sequence[Fact]) -> list[Fact]:
    """Return the rows that agree with the names, years and bounds that the question states."""
    kept = list(rows)
    for one in sorted(asked.stems - {stem(asked.noun)}):
        if one.isdigit() or number_of(one) is not None:
            continue
        saying = [row for row in kept if _says(row, one)]
        if saying and len(saying) < len(kept):
            kept = saying
    for name in asked.names:
        low = name.casefold()
        with_name = [row for row in kept if low in row.text.casefold()]
        # A name that no row or every row holds does not choose among them.
        if with_name and len(with_name) < len(kept):
            kept = with_name
    years = re.findall(r"\b(1\d{3}|20\d{2})\b", asked.text)
    between = re.search(r"\b(?:from|between)\s+(\d{4})\s+(?:to|and|until)\s+(\d{4})\b", asked.text)
    if between:
        low_year, high_year = int(between[1]), int(between[2])
        within = [row for row in kept if _has_year(row, low_year, high_year)]
        kept = within or kept
    elif years and not _COMPARED.search(asked.text):
        with_years = [row for row in kept if any(year in row.text for year in years)]
        if with_years and len(with_years) < len(kept):
            kept = with_years
    for match in _COMPARED.finditer(asked.text):
        bounded = [row for row in kept if _meets(row, match, asked)]
        if bounded and len(bounded) < len(kept):
            kept = bounded
    return kept


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
    dated = how in ("before", "after", "since")
    for head, value in row.cells:
        head_words = set(content_stems(head))
        unit_fits = unit and (
            unit in re.findall(r"[^\W\d_]+", head.casefold()) or unit in value.casefold()
        )
        head_fits = bool(head_words & (asked.stems | asked.hints))
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
    return {
        "more than": value > bound,
        "over": value > bound,
        "after": value > bound,
        "at least": value >= bound,
        "since": value >= bound,
        "fewer than": value < bound,
        "less than": value < bound,
        "under": value < bound,
        "before": value < bound,
        "at most": value <= bound,
    }[how]


def _from_lines(asked: Asked, facts: Sequence[Fact], embedder: Embedder) -> list[list[Member]]:
    """Return enumerations in values and sentences that fit the question."""
    listings = []
    lines = [fact for fact in facts if fact.kind in ("value", "sentence")]
    for fact, score in rank_facts(asked, lines, embedder)[:8]:
        if score < LIST_FROM:
            break
        known = {name.casefold() for name in (*asked.names, *asked.subjects)}
        if fact.kind == "value":
            names: Sequence[str] = split_values(fact.cells[0][1], fact)
        else:
            names = _enumerated(fact)
        members = [Member(name=name, fact=fact) for name in names if name.casefold() not in known]
        if members:
            listings.append(members)
    return listings


def _enumerated(fact: Fact) -> tuple[str, ...]:
    found: tuple[str, ...] = ()
    for match in _ENUMERATION.finditer(fact.text):
        parts = re.split(r",\s+(?:and\s+|or\s+)?(?:the\s+)?|\s+and\s+(?:the\s+)?", match[0])
        names = tuple(dict.fromkeys(part.strip(" .") for part in parts if part.strip(" .")))
        if len(names) > len(found):
            found = names
    return found


def holds(condition: Condition, value: str) -> bool | None:
    """Return whether a member's value meets a condition; None where the value does not tell."""
    if condition.kind in ("yes", "no"):
        low = value.casefold()
        if low.startswith(("yes", "no")):
            return low.startswith("yes") == (condition.kind == "yes")
        return None
    if condition.kind == "number":
        numbers = find_quantities(value)
        if not numbers:
            return None
        quantity = numbers[0]
        known = condition.dimension and quantity.dimension == condition.dimension
        found = quantity.base if known else quantity.value
        return _within(found, condition)
    if condition.kind == "date":
        from agent.extractive.quantities import find_dates

        dates = find_dates(value)
        return _within(dates[0].ordinal, condition) if dates else None
    return None


def _within(value: float, condition: Condition) -> bool:
    bound = condition.bound
    return {
        ">": value > bound,
        ">=": value >= bound,
        "<": value < bound,
        "<=": value <= bound,
        "=": abs(value - bound) < 1e-6 * max(1.0, abs(bound)),
        "between": bound <= value <= condition.upper,
    }[condition.comparator]
