"""Statements about who belongs to a set: settled by a list that holds as many as its article says.

"The club has six members" beside six rows leaves room for nobody else. A list without a number
may go on elsewhere, and denies nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.citations.content.other_names import other_names
from agent.citations.content.words import content_words, missing_words, stems_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact, tables_of
from agent.extractive.finder.kinds import defined_as, is_person, same_kind
from agent.extractive.finder.statements.counts import OF_ONE
from agent.extractive.language import words
from agent.extractive.language.classes import classes_of
from agent.extractive.language.degrees import degree_of
from agent.extractive.language.enumerations import enumerated
from agent.extractive.language.names import bare_title, without_bracket
from agent.extractive.language.quantities import find_dates
from agent.extractive.language.stems import words_of

LEAST = 3
"""Members from which a list and a number agree by more than chance."""
MOST = 60
ARTICLES = 8
"""Articles that are looked through for a list."""
_LONGEST_NOUN = 5
"""Words after a number among which its noun stands: "eight private research universities"."""
_NOT_ALL = words.word_set(
    """other others further more additional remaining first last least about around over under some
    nearly almost than only top main major best largest selected next another up least most
    approximately roughly known famous"""
)
"""Words beside a number by which there may be others."""
_ANYONE = words.word_set("people person persons individuals humans member members one part")
_SAYING = words.word_set("one ones member members part parts among counted belong belongs include")
_MEMBER = re.compile(r"\b(?:one of|members? of|part of|among|belongs? to|counted)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[;:]\s+|,\s+|\s+and\s+(?=[a-z]+ed\b|have\b|has\b|flows?\b|[a-z]+s\b)|\.\s|\.$"
)


class Library(Protocol):
    """What is known of names and of whole articles."""

    def subject_of(self, name: str) -> str | None:
        """Return the title that a name leads to, None where there is none."""
        ...

    def lead_of(self, name: str) -> str:
        """Return how a name's article begins, "" where there is none."""
        ...

    def facts_at(self, title: str) -> Sequence[Fact]:
        """Return all facts of an article, none where articles may not be read whole."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A list that is all there is."""

    members: tuple[str, ...]
    counted: Fact
    """What says how many there are."""
    noun: str
    words: frozenset[str]
    """Words of content that tell of what it is the list, without those of its title."""
    lines: tuple[Fact, ...] = ()
    """The row of each member, where the list is a table."""


def of_a_set(asked: Asked, facts: Sequence[Fact], known: Library) -> tuple[bool, Fact] | None:
    """Return whether something belongs to a set that is listed whole, and the fact that tells.

    None where no such list is about what the statement says.

    Args:
        asked: a yes-or-no question: "Is Elm one of the six towns?", "Did Ida cross the Mere?".
        facts: of the hits; what else their articles say is read.
        known: reads them.
    """
    if find_dates(asked.text) or any(map(degree_of, words_of(asked.text))):
        return None
    if OF_ONE.search(asked.text):
        return None  # in how many countries a lake lies is not told by its being one of five
    titles = dict.fromkeys((*asked.subjects, *(fact.title for fact in facts)))
    seen = [known.facts_at(title) for title in list(titles)[: ARTICLES + len(asked.subjects)]]
    for own in filter(None, seen):
        for whole in wholes(own):
            for place in range(len(asked.names)):
                told = _told(asked, place, whole, known)
                if told is not None:
                    return told
    return None


def _told(asked: Asked, place: int, whole: Whole, known: Library) -> tuple[bool, Fact] | None:
    """Whether the thing named at a place of a statement is of a whole list."""
    name = asked.names[place]
    title = asked.subjects[place] if place < len(asked.subjects) else name
    fact = whole.counted
    if bare_title(fact.title) == bare_title(title):
        return None  # a thing is no member of itself
    own = frozenset(content_words(f"{name} {title}"))
    wanted = [
        one
        for one in content_words(asked.text)
        if one not in own | _SAYING and words.number_of(one) is None
    ]
    about = stems_of(
        " ".join((fact.title, fact.hit.chunk.section, fact.text, *(r.caption for r in whole.lines)))
    )
    lacking = missing_words(wanted, about)
    # "Schools", of universities, and "a Mere League school".
    called = [one for one in lacking if words.is_plural(one) or same_kind(one, whole.noun)]
    if (
        len(lacking) == len(wanted)
        or lacking != called[:1]
        or not all(same_kind(words.singular(one), whole.noun) for one in called)
    ):
        return None
    place_of = _place_in(name, title, whole.members, known)
    if place_of is not None:
        line = whole.lines[place_of] if whole.lines else fact
        return True, line
    held = stems_of(" ".join((*wanted, fact.title)))
    nouns = _ANYONE | (
        {whole.noun, words.plural(whole.noun)} if _is_a(whole.noun, name, known) else set()
    )
    narrower = missing_words(sorted(whole.words - nouns), held)
    counts = words.count_of(asked.text) == len(whole.members)
    named = _named_by(asked, place, fact)
    bare = whole.words <= {whole.noun, words.plural(whole.noun)}
    # "The eight rivers" of a country's article are not all there are.
    title = re.escape(bare_title(fact.title))
    # A town may be in a country of six states; a state is not in it that is none of the six.
    inside = re.search(rf"\bin (?:the )?{title}(?: too| as well)?\W*$", asked.text, re.IGNORECASE)
    member = (
        _MEMBER.search(asked.text)
        or re.search(rf"\ban? {title} [a-z]+\W*$", asked.text, re.IGNORECASE)
        or (inside and _is_a(whole.noun, name, known))
    )
    defined = _defines(fact, whole) and member
    if (narrower and not defined) or not (named or counts or not bare):
        return None
    return None if _is_near(name, title, whole.members) else (False, fact)


def _is_a(noun: str, name: str, known: Library) -> bool | None:
    """Whether something is of the kind that was counted, None where nothing tells what it is."""
    lead = known.lead_of(name)
    if noun in _ANYONE:
        return is_person(lead) if lead else None
    if noun in classes_of(name) or (lead and defined_as(noun, lead) > 0):
        return True
    return False if lead or classes_of(name) else None


def _named_by(asked: Asked, place: int, fact: Fact) -> bool:
    """Whether a statement names, beside a thing, the article that has the list."""
    others = (*asked.names[:place], *asked.names[place + 1 :], *asked.subjects[:place])
    others = (*others, *asked.subjects[place + 1 :])
    return bare_title(fact.title) in {bare_title(one) for one in others}


def _defines(fact: Fact, whole: Whole) -> bool:
    """Whether the number stands in the definition of the article's subject, or in its box."""
    if fact.kind == "value":
        return True
    title = re.escape(without_bracket(fact.title))
    start = re.match(rf"(?:The\s+)?{title}\s+(?:is|are|was|were|has|have|consists?)\b", fact.text)
    return start is not None and len(whole.members) >= LEAST


def wholes(facts: Sequence[Fact]) -> Iterator[Whole]:
    """Yield the lists of an article that hold as many members as the article says there are."""
    tables = [table for table in tables_of(facts) if LEAST <= len(table) <= MOST]
    for fact in sorted(facts, key=lambda fact: fact.kind == "value"):
        for number, noun, told in _counts(fact):
            if fact.kind == "sentence":
                members = enumerated(fact.text)
                if len(members) == number:
                    yield Whole(members=members, counted=fact, noun=noun, words=told)
            for table in tables:
                column = _names_of(table, noun)
                if len(table) == number and column:
                    lines = tuple(table)
                    yield Whole(members=column, counted=fact, noun=noun, words=told, lines=lines)


def _counts(fact: Fact) -> Iterator[tuple[int, str, frozenset[str]]]:
    """Yield the numbers of things that a fact counts, with their noun and what is said of them."""
    if fact.kind == "value":
        label, value = fact.cells[0]
        number = words.number_of(value.strip())
        noun = label.split()[-1].lower()
        if number is not None and LEAST <= number <= MOST and words.is_plural(noun):
            yield number, words.singular(noun), frozenset(content_words(label))
        return
    if fact.kind != "sentence":
        return
    for clause in _CLAUSE.split(fact.text):
        parts = words_of(clause)
        for place, word in enumerate(parts):
            number = None if word.isdigit() and len(word) > 2 else words.number_of(word)
            if number is None or not LEAST <= number <= MOST:
                continue
            noun = _noun_after(parts[place + 1 :])
            if noun and not _NOT_ALL & {one.lower() for one in parts[max(0, place - 2) : place]}:
                rest = " ".join((*parts[:place], *parts[place + 1 :]))
                yield number, words.singular(noun), frozenset(content_words(rest))
            break


def _noun_after(parts: Sequence[str]) -> str:
    """The plural noun that a number counts, "" where there is none, or others may be beside them."""
    for word in parts[:_LONGEST_NOUN]:
        low = word.lower()
        if low in _NOT_ALL | words.FUNCTION_WORDS:
            return ""
        if words.is_plural(low) and word.islower():
            return low
    return ""


def _names_of(table: Sequence[Fact], noun: str) -> tuple[str, ...]:
    """What the rows of a table name: under the noun that was counted, else in the first column."""
    if table[0].kind == "item":
        return tuple(re.split(r"\s+[–—-]\s+|: |, | \(", row.text)[0].strip() for row in table)
    heads = [head for head, _ in table[0].cells]
    fitting = [place for place, head in enumerate(heads) if same_kind(noun, head)]
    for place in (*fitting, *range(len(heads))):
        cells = [row.cells[place][1] for row in table if place < len(row.cells)]
        if len(cells) == len(table) == len(set(cells)) and all(
            re.search(r"[^\W\d_]{2}", cell) and not find_dates(cell) for cell in cells
        ):
            return tuple(without_bracket(cell).strip() for cell in cells)
    return ()


def _place_in(name: str, title: str, members: Sequence[str], known: Library) -> int | None:
    forms = {one.casefold() for one in (name, title, bare_title(title), *other_names(name))}
    for place, member in enumerate(members):
        if member.casefold() in forms or known.subject_of(member) == title:
            return place
    return None


def _is_near(name: str, title: str, members: Sequence[str]) -> bool:
    """Whether a thing may be one of the members by another name: they share a telling word."""
    own = {one for one in content_words(f"{name} {title}") if len(one) > 2}
    shared = {one for member in members for one in content_words(member)}
    often = {
        one for one in own if sum(one in content_words(member) for member in members) > 1
    } | words.word_set("university college lake river mount saint north south east west new")
    return bool((own & shared) - often)
