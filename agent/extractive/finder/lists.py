"""Finds the members of a set: in a table's rows, a list, a box's value or a sentence's enumeration."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from agent.citations.content.names import spoken
from agent.citations.content.other_names import other_names
from agent.citations.support.values import only_referred
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact, tables_of
from agent.extractive.finder.forms import NAMED, PERSON, without_dates
from agent.extractive.finder.kinds import defined_as, is_person, same_kind
from agent.extractive.finder.ranking import rank_facts
from agent.extractive.finder.rows import COMPARED, between_named, bound_in_words, filtered
from agent.extractive.finder.titles import ANYBODY, find_titled
from agent.extractive.finder.values import split_values
from agent.extractive.language.enumerations import enumerated
from agent.extractive.language.names import without_bracket
from agent.extractive.language.stems import content_stems, stem, words_of
from agent.extractive.language.words import is_plural, is_superlative, number_of, plural
from retrieval.types import Embedder

MOST_ITEMS = 40
LIST_FROM = 0.42
"""Score from which a table or an enumeration is taken for the set that is asked for."""


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
    if bound_in_words(asked):
        return None  # "fewer than one million people", "longer than the Elbe": no list tells who is
    facts = [one for one in facts if not only_referred(asked.text, one.hit.chunk.section)]
    listings = [
        *_from_tables(asked, facts, lead_of),
        *_from_lines(asked, facts, embedder),
        *_from_titles(asked, facts, lead_of),
    ]
    listings = [one for one in listings if not asked.persons or _are_persons(one, lead_of)]
    if COMPARED.search(asked.text):
        listings = [one for one in listings if _says_bound(asked, one[0].fact)]
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


def _says_bound(asked: Asked, fact: Fact) -> bool:
    """Whether a line may settle a bound: a row that was chosen by it, or words that hold its number."""
    numbers = re.findall(r"\d[\d,.]*\d|\d", asked.text)
    return fact.kind == "row" or any(number in fact.text for number in numbers)


def _describe(members: Sequence[Member]) -> str:
    """Return what a list is about, and how it begins."""
    names = ", ".join(member.name for member in members[:4])
    return f"{members[0].fact.place}. {names}"


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
    about = f"{_describe(members)} {fact.caption} {' '.join(lines)}"
    if fact.kind in ("row", "item"):
        # An article that lists things says of them all how it begins.
        about += " " + re.split(r"(?<=[a-z\d)])\.\s", lead_of(fact.title), maxsplit=1)[0]
    found = frozenset(content_stems(about))
    low = about.casefold()
    named = [
        name
        for name in asked.names
        if any(form.casefold() in low for form in (name, *other_names(name)))
    ]
    # What names nothing of what the question names is another's list.
    unnamed = -0.2 if asked.names and not named else 0.0
    wanted_words = {one for one in wanted if not one.isdigit() and number_of(one) is None}
    share = sum(one in found for one in wanted_words) / len(wanted_words) if wanted_words else 0.5
    if wanted_words and asked.hints & found:
        share = max(share, 0.8)
    subject = len(named) / len(asked.names) if asked.names else 0.5
    noun = max(_noun_fits(asked, members[0]), _kind_fits(asked, members, lead_of))
    size = 0.5 if count is None else 1.0 if len(members) == count else 0.0
    few = 0.0 if len(members) > 1 or count == 1 else -0.1
    # A table goes through all there are; a sentence often names examples.
    place = 0.06 if fact.kind in ("row", "item") and len(members) > 2 else 0.0
    return (
        0.3 * near
        + 0.15 * share
        + 0.15 * subject
        + 0.25 * noun
        + 0.15 * size
        + few
        + place
        + unnamed
    )


def _noun_fits(asked: Asked, member: Member) -> float:
    """How far the column, label or caption calls the members what the question calls them."""
    if not asked.noun:
        return 0.5
    fact = member.fact
    own = (head for head, value in fact.cells if member.name in value)
    called = same_kind(asked.noun, next(own, fact.label))
    about = " ".join((fact.caption, fact.title, fact.hit.chunk.section))
    others = " ".join(head for head, _ in fact.cells)
    if stem(asked.noun) in content_stems(about):
        called = max(called, 0.9)
    return max(called, 0.6 if stem(asked.noun) in content_stems(others) else 0.0)


_LOOKED_UP = 4


def _kind_fits(asked: Asked, members: Sequence[Member], lead_of: Callable[[str], str]) -> float:
    """Share of the first members whose articles define them as what the question calls them."""
    if not asked.noun:
        return 0.5
    leads = [lead for member in members[:_LOOKED_UP] if (lead := lead_of(member.name))]
    if not leads or asked.noun in ANYBODY:
        return 0.0
    share = sum(defined_as(asked.noun, lead) for lead in leads) / len(leads)
    # Things whose articles all call them something else are not what is asked for.
    return share or (-0.6 if len(leads) > 1 else 0.0)


def _are_persons(members: Sequence[Member], lead_of: Callable[[str], str]) -> bool:
    """Whether members may be people: flights are not, whoever commanded them."""
    leads = [lead for member in members[:_LOOKED_UP] if (lead := lead_of(member.name))]
    return not leads or any(is_person(lead) for lead in leads)


def _from_titles(
    asked: Asked, facts: Sequence[Fact], lead_of: Callable[[str], str]
) -> list[list[Member]]:
    found = find_titled(asked, facts, lead_of)
    return [[Member(name=title, fact=fact) for title, fact in found]] if len(found) > 1 else []


def _from_tables(
    asked: Asked, facts: Sequence[Fact], lead_of: Callable[[str], str]
) -> list[list[Member]]:
    listings = []
    known = _known(asked)
    for rows in tables_of(facts):
        if len(rows) < 2:
            continue
        kept = filtered(asked, rows)
        # The first and the last of a span are named, and belong to it.
        ends, _ = between_named(asked.text, rows)
        members = [
            Member(name=name, fact=row)
            for row in kept
            for name in _names_of(asked, row, rows, lead_of)
            if name.casefold() not in known or name in ends
        ]
        unique = list({member.name.casefold(): member for member in members}.values())
        if unique:
            listings.append(unique)
    return listings


def _known(asked: Asked) -> frozenset[str]:
    """What a question names, by whole names and last ones: none is a member of the set asked for."""
    names = (*asked.names, *asked.subjects)
    last = (name.split()[-1] for name in names if spoken(name.split()[-1], name) == "surname")
    return frozenset(name.casefold() for name in (*names, *last))


def _names_of(
    asked: Asked, row: Fact, rows: Sequence[Fact], lead_of: Callable[[str], str]
) -> tuple[str, ...]:
    """Return what a row names: one thing, or several that share the row.

    "Titania and Oberon" of a list are two where there is no article of that name, and "Mascot: Ida
    and Otto" is one where no article is about either.
    """
    name = _name_of(asked, row, rows)
    if not name:
        return ()
    parts = split_values(name, row)
    if row.kind == "item" and lead_of(name):
        return (name,)
    head = next((head for head, value in row.cells if value == name), "")
    bare = all(" " not in part and not lead_of(part) for part in parts)
    if head and not is_plural(head.split()[-1]) and bare:
        return (name,)
    return parts if len(parts) > 1 else (name,)


def _name_of(asked: Asked, row: Fact, rows: Sequence[Fact]) -> str:
    if row.kind == "item":
        head = re.split(r"\s+[–—-]\s+|: |, | \(", row.text, maxsplit=1)[0].strip()
        return head if len(head.split()) <= 7 else ""
    column = _name_column(asked, row, rows)
    if column is None or column >= len(row.cells):
        return ""
    value = without_bracket(row.cells[column][1]).strip()
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
            and not _chooses(asked, rows, position)
            and (not asked.persons or _names_persons(row, position))
        ]
        if hinted and asked.form == "list":
            return hinted[0]
    for position in range(len(row.cells)):
        values = [other.cells[position][1] for other in rows if position < len(other.cells)]
        worded = [value for value in values if re.search(r"[^\W\d_]{2}", value)]
        if len(worded) * 2 > len(values) and len(set(values)) * 2 > len(values):
            return position
    return None


def _names_persons(row: Fact, position: int) -> bool:
    """Whether a cell has nothing but names as people have them: none says what was won for."""
    value = row.cells[position][1]
    return all(PERSON.fullmatch(without_bracket(one)) for one in split_values(value, row))


def _chooses(asked: Asked, rows: Sequence[Fact], position: int) -> bool:
    """Whether a column tells by the question's words which rows are meant: not what they name.

    Of those "born in Texas" the column of birthplaces says so.
    """
    said = frozenset(content_stems(asked.text))
    values = [row.cells[position][1] for row in rows if position < len(row.cells)]
    held = [not said.isdisjoint(content_stems(value)) for value in values]
    return any(held) and not all(held)


def _is_one_of(asked: Asked, names: Sequence[str]) -> bool:
    """Whether a list has whom a question asks about by a last name: with others, not with what they have."""
    return any(spoken(one, name) == "surname" for one in asked.names for name in names)


def _from_lines(asked: Asked, facts: Sequence[Fact], embedder: Embedder) -> list[list[Member]]:
    """Return enumerations in values and sentences that fit the question."""
    listings = []
    lines = [fact for fact in facts if fact.kind in ("value", "sentence")]
    for fact, score in rank_facts(asked, lines, embedder)[:8]:
        if score < LIST_FROM:
            break
        known = _known(asked)
        if fact.kind == "value":
            names: Sequence[str] = split_values(fact.cells[0][1], fact)
        else:
            names = enumerated(fact.text)
        if not asked.persons and _is_one_of(asked, names):
            continue
        if len(names) == 1 and any(map(is_superlative, words_of(fact.label.lower()))):
            continue  # "Highest: Elm Peak" gives one of the peaks
        members = [
            Member(name=name, fact=fact)
            for name in names
            if name.casefold() not in known and NAMED.search(without_dates(name))
        ]
        if members:
            listings.append(members)
    return listings
