"""What a box or a row says of a statement: yes, no by another value, or nothing.

"Was Ann born in Norway?" is denied by "Birth place: Lund, Sweden" and not by a box without a birth
place. It takes a label that has one value by its nature, no word of the statement that the label
leaves open, and a value that excludes the one stated: another country, language or person, or
another cell of the same column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.citations.content.words import KINDS_OF_THING, content_words, missing_words, stems_of
from agent.citations.support.polarity import turned_words
from agent.extractive.finder.asked import Asked, hints_of
from agent.extractive.finder.attributes import about_it
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.kinds import is_person
from agent.extractive.finder.labels import (
    SAME_MATTER_FROM,
    head_score,
    is_about,
    matched,
)
from agent.extractive.finder.statements.biography import is_school, lives
from agent.extractive.finder.statements.counts import has_any, is_of_one
from agent.extractive.finder.statements.others import (
    Known,
    country_of,
    is_another_person,
    is_elsewhere,
)
from agent.extractive.language import words
from agent.extractive.language.classes import classes_of, excludes, members_in
from agent.extractive.language.quantities import begins_with_date, find_dates
from agent.extractive.language.stems import content_stems, stem, words_of
from agent.extractive.language.words import is_superlative

_ONE_VALUED = frozenset(map(stem, words.word_set(
    "born birth birthplace died death deathplace capital currency language composer librettist author "
    "writer designer architect director discoverer inventor founder mouth source continent planet "
    "satellite country state location mascot host premiere premiered landing city painter sculptor mater"
)))  # fmt: skip
"""Stems of labels that have one value, or all there are, by their nature."""
_NAMING_CLASS = ("language", "currency")
"""Classes whose members count only under a label that names the class."""
SAYS_CLASS = {
    "language": words.word_set("write written sung sing compose composed speak spoken official"),
    "currency": words.word_set("use used pay paid money official legal tender cash"),
}
"""What is done with the members of a class, though no label says it."""
_LASTING = frozenset(map(stem, words.word_set(
    "capital currency country state director location continent city official mascot host"
)))  # fmt: skip
"""Stems of labels whose value was another before: only what is said of today is denied by them."""
_TODAY = re.compile(
    r"(?:is|are|does|do|can|may)\b(?!.*\b(?:ever|once|formerly|used to)\b)", re.IGNORECASE
)
_OPENING = re.compile(r"\b(?:first|premi[eè]red?s?|debut\w*|original\w*)\b", re.IGNORECASE)
"""Words by which the first performance is meant, not any."""
_REPEATED = re.compile(r"\b(?:perform|give|given|stage|show|play|visit|sung|sing|held|hold)\w*\b")
_PASSING = re.compile(r"\b(?:through|across|along|past|by|cross\w*|pass\w*)\b", re.IGNORECASE)
_ENDS = frozenset(map(stem, ["mouth", "source"]))
"""Labels of where a river begins and ends, which say nothing of what it passes."""
NEGATED = re.compile(r"\b(?:not|never|no|without|neither|nor)\b|n['’]t\b", re.IGNORECASE)
_AGAINST = re.compile(
    r"\b(?:reject|expel|refus|declin|turn\w* (?:down|away)|drop|flunk|quit|leav|left|fle[ed]|los[et]|fail|avoid|oppos|boycott|(?:miss(?:ed|es)?|ban(?:ned|s)?)\b)",
    re.IGNORECASE,
)
"""Beginnings of verbs by which a thing has not to do with another what its label says of others."""
_ORDER = words.word_set("first originally last ever born native")
_LIES = words.word_set("belong lie located situated")
"""Words that say no more of a thing than "in" does."""
_WORLD = "part of the world"
_AREAS = ("country", "state", _WORLD)
"""Classes of what other places lie in."""
_PARTS = re.compile(r"\s*(?:,|;|/|\band\b|\bor\b)\s*")
_BRACKETS = re.compile(r"\([^()]*\)")


def stated(asked: Asked, fact: Fact, known: Known, beside: Sequence[Fact] = ()) -> bool | None:
    """Say whether a box or a row proves a statement, or denies it; None where it does neither.

    Args:
        asked: a yes-or-no question.
        fact: a line of a box, or a row.
        known: tells what kind of thing a name is.
        beside: facts of the same chunk: the other rows of a table show what its columns hold.
    """
    if not fact.cells or NEGATED.search(asked.text):
        return None
    if len(asked.names) == 1 and is_about(asked, fact):
        told = lives(asked, fact)
        told = has_any(asked, fact) if told is None else told
        told = is_of_one(asked, fact) if told is None else told
        if told is not None:
            return told
    for place in range(len(asked.names)):
        about = _turned(asked, place)
        if not is_about(about, fact) or re.search(
            rf"{re.escape(about.names[0])}['’]s?\b", asked.text
        ):
            continue
        for column, (label, value) in enumerate(fact.cells):
            if value.casefold() == about.names[0].casefold():
                continue
            if not gives_all(label, value) and not _places_all(about, label):
                if _lists(about, value) and is_meant(about, column, fact):
                    return True
                continue
            asked_of = head_score(about, fact, column) >= SAME_MATTER_FROM
            if not asked_of and not _only_lies(about, label):
                continue
            if _ENDS & set(content_stems(label)) and _PASSING.search(asked.text):
                continue
            told = _told(about, column, fact, known, beside)
            if told is not None:
                return told
    return None


def _lists(asked: Asked, value: str) -> bool:
    """Whether a value has each of the other things that a statement names, and no time is told of it."""
    listed = {part.strip().casefold() for part in _PARTS.split(_BRACKETS.sub(" ", value))}
    said = list(zip(asked.names[1:], asked.subjects[1:], strict=False))
    each = all(not listed.isdisjoint((name.casefold(), title.casefold())) for name, title in said)
    return bool(said) and each and not find_dates(asked.text)


def _told(
    asked: Asked, column: int, fact: Fact, known: Known, beside: Sequence[Fact]
) -> bool | None:
    """Whether the value of a label is the one stated, another, or neither is shown."""
    label, value = fact.cells[column]
    meant = is_meant(asked, column, fact)
    truths = []
    for said, title in _objects(asked, label):
        if not meant and _left_over(asked, said, label, fact):
            continue
        truths.append(_is_it(said, title, label, value, known))
        if truths[-1] is None and _is_cell_of_another((said, title), column, fact, beside, meant):
            truths[-1] = False
    if False in truths:
        return False if _is_denied_for_good(asked, label) else None
    # Of what also tells a time the value is a half at most.
    proven = truths and all(truths) and not find_dates(asked.text)
    return True if proven else None


def _is_denied_for_good(asked: Asked, label: str) -> bool:
    """Whether another value of a label denies a statement, and not only of another time."""
    if _OPENING.search(asked.text):
        return True
    stems = set(content_stems(label))
    if stems & _LASTING and (_TODAY.match(asked.text) is None or find_dates(asked.text)):
        return False
    done = _REPEATED.search(asked.text)
    # What is sung again and again is sung in its language each time.
    said = (done_by for kind, done_by in SAYS_CLASS.items() if stem(kind) in stems)
    return done is None or any(done[0].lower() in one for one in said)


def _turned(asked: Asked, place: int) -> Asked:
    """The same question, asked of another of the things that it names."""
    names = (asked.names[place], *asked.names[:place], *asked.names[place + 1 :])
    subjects = asked.subjects
    if place < len(subjects):
        subjects = (subjects[place], *subjects[:place], *subjects[place + 1 :])
    return replace(asked, names=names, subjects=subjects, about=about_it(asked.text, names[:1]))


def gives_all(label: str, value: str) -> bool:
    """Whether a label gives all there is: no list of cities, and no date that is no place."""
    said = words_of(label)
    stems = set(content_stems(label))
    if any(map(is_superlative, said)):
        return not begins_with_date(value)
    several = bool(said) and words.is_plural(said[-1].lower()) and stem("language") not in stems
    return bool(stems & _ONE_VALUED) and not several and not begins_with_date(value)


def _places_all(asked: Asked, label: str) -> bool:
    """Whether a label lists countries, which all lie in a part of the world or not in it."""
    area = any(classes_of(name).get(_WORLD) == name.casefold() for name in asked.names[1:])
    return area and stem("country") in content_stems(label)


def _only_lies(asked: Asked, label: str) -> bool:
    """Whether a statement says no more than where its thing lies, which a label tells."""
    names = content_words(" ".join(asked.names))
    said = [word for word in content_words(asked.text) if word not in names]
    areas = any(kind in _AREAS for name in asked.names[1:] for kind in classes_of(name))
    tells = {stem("country"), stem("continent"), stem("state")} & set(content_stems(label))
    return areas and bool(tells) and _LIES.union(KINDS_OF_THING).issuperset(said)


def _objects(asked: Asked, label: str) -> Iterator[tuple[str, str]]:
    """What a statement says of its thing: other names with their titles, or words of a class."""
    yield from zip(asked.names[1:], asked.subjects[1:], strict=False)
    for kind in _NAMING_CLASS:
        if stem(kind) in content_stems(label):
            named = {name.casefold() for name in asked.names}
            yield from (
                (one, one) for one in members_in(asked.text, kind) if one.casefold() not in named
            )


def is_meant(asked: Asked, column: int, fact: Fact) -> bool:
    """Return whether a label is what a statement is about, in whatever words: "first seen in".

    What was refused, lost or left is not told by what a label says of those that were not, nor is
    what holds of the largest alone, nor where someone taught, which other labels are known to tell.
    """
    heads = set(content_stems(" ".join(head for head, _ in fact.cells)))
    extreme = (one for one in words_of(asked.text) if is_superlative(one))
    against = turned_words(asked.text) or _AGAINST.search(asked.text)
    if against or any(stem(one) not in heads for one in extreme):
        return False
    names = content_words(" ".join((*asked.names, *asked.subjects)))
    hints = (hints_of(one) for one in content_words(asked.text) if one not in names)
    if any(told and heads.isdisjoint(told) for told in hints):
        return False
    return matched(asked.about, fact, column) >= 1


def _left_over(asked: Asked, said: str, label: str, fact: Fact) -> bool:
    """Whether a statement has words that neither its names nor the labels say: "whose father"."""
    known = content_words(" ".join((*asked.names, *asked.subjects, said)))
    wanted = [
        word
        for word in content_words(asked.text)
        if word not in known and word not in KINDS_OF_THING | _ORDER | _LIES
    ]
    stems = set(content_stems(label))
    for kind in _NAMING_CLASS:
        if stem(kind) in stems:
            wanted = [word for word in wanted if word not in SAYS_CLASS[kind]]
    # The other heads of a row say as well what it tells: "First performance: 1900 | City: Rome".
    held = stems_of(" ".join((label, *(head for head, _ in fact.cells))))
    return any(not stems & hints_of(word) for word in missing_words(wanted, held))


def _is_it(said: str, title: str, label: str, value: str, known: Known) -> bool | None:
    """Whether a value is what is said, another thing, or it does not tell."""
    parts = [part.strip() for part in _PARTS.split(_BRACKETS.sub(" ", value)) if part.strip()]
    for kind, meant in classes_of(said).items():
        if kind in _NAMING_CLASS and stem(kind) not in content_stems(label):
            continue
        own = [part for part in parts if kind in classes_of(part)]
        if own:
            told = {classes_of(part)[kind] == meant for part in own}
            whole = kind in _AREAS and said.casefold() == meant and told == {True}
            named = any(content_stems(one) in map(content_stems, own) for one in (said, title))
            return False if told == {False} else True if named or whole else None
        if kind == "country" and any("state" in classes_of(part) for part in parts):
            return meant == "united states"
        if kind in _AREAS and (country := country_of(parts, known)):
            of_states = "United States" if kind == "state" else said
            area = _WORLD if kind == _WORLD else "country"
            if excludes(country, of_states, area):
                return False
            same = classes_of(country).get(area) == meant
            return True if same else None
    if stem("mater") in content_stems(label):
        return is_school(title, parts, known)
    mine, theirs = set(content_stems(said)), set(content_stems(value))
    if mine and mine <= theirs:
        return True
    thing = set(content_stems(title))
    if thing and thing <= theirs:
        return True
    person = is_person(known.lead_of(title))
    if (mine | thing) & theirs and not person:
        return None  # two Williams are two men
    if person:
        return (
            False
            if parts and all(is_another_person(part, title, known) for part in parts)
            else None
        )
    return False if is_elsewhere(title, parts, known) else None


def _is_cell_of_another(
    names: Sequence[str], column: int, fact: Fact, beside: Sequence[Fact], meant: bool
) -> bool:
    """Whether another row of the table has what is said under the same head: "City: Milan".

    The head must be what is meant or name a kind of thing, so that its cells are alike: a town and
    its state are not.
    """
    label, value = fact.cells[column]
    head = words_of(label)
    if fact.kind != "row" or not head:
        return False
    if not meant and words.singular(head[-1].lower()) not in KINDS_OF_THING:
        return False
    lows = {name.casefold() for name in names}
    return not _PARTS.search(value) and any(
        row.kind == "row" and (label, cell) in row.cells
        for row in beside
        for name, cell in row.cells
        if name == label and cell.casefold() in lows
    )
