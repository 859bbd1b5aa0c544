"""What is asked: of a thing itself, or of what belongs to it; what a label says, or what a longer noun does.

"Lunar module" is not its pilot, and "Commander" no backup commander; asked for the module alone,
"Lunar module" is as good as "Command module".
"""

from __future__ import annotations

import re

from agent.citations.content.words import (
    KINDS_OF_THING,
    content_words,
    missing_words,
    stems_of,
)
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.language import words
from agent.extractive.language.stems import content_stems, stem
from agent.extractive.language.verbs import is_participle, is_person_noun, verb_base
from agent.extractive.language.words import is_superlative

_PART = r"(?:(?P<owns>['’]s?)\s+(?P<owned>[a-z][\w-]+)|\s+(?P<part>[a-z][\w-]+)(?=\s+(?P<done>[a-z]+)\b))"
_OF_PART = re.compile(r"(?:how (?!many|much)\w+|when|where|who|by whom)\b", re.IGNORECASE)


_BESIDE = "(?:up|to|at|over|near|around|across|along|under|through|outside|beside|behind)"
"""Between a thing and another that only says where it is."""
_SAME = words.word_set(
    "city town village state island county province region district country continent kingdom "
    "republic canton commune municipality university college river lake planet"
)
"""Kinds of thing before "of" and the name of the very thing: "the island of Crete"."""
_SAID = words.word_set("motto slogan name nickname title")
"""What is said of a thing: what it means or when it was chosen stands in the thing's own box."""
_ADVERBS = words.word_set("now then first last once again already still today later well best")


def asks_of_part(asked: Asked) -> bool:
    """Whether a step asks of something that belongs to the first thing it names, not of that thing.

    "When was the Yale library founded?" and "How old is Hall's house?" are answered by no box of
    Yale or Hall; "Who was Hall's wife?" is.
    """
    if not asked.names:
        return False
    name = re.escape(asked.names[0])
    if of_it := re.search(rf"\bof (?:the|its) (?P<part>[a-z]+) of (?:the )?{name}\W*$", asked.text):
        # The diameter of the moon of Saturn is not Saturn's; the area of the state of Texas is its.
        return of_it["part"] not in _SAME | _SAID
    if re.search(rf"\bthe (?:[a-z]+ ){{1,2}}{_BESIDE} (?:the )?{name}\b", asked.text):
        return True  # the toll road up the mountain is not the mountain
    if _OF_PART.match(asked.text) is None:
        return False
    if one := re.search(rf"\bthe (?P<who>[a-z]+) of (?:the )?{name}\W*$", asked.text):
        # Where was born the mother of Ann Lee is not where Ann Lee was.
        return not asked.text.lower().startswith("who") and is_person_noun(one["who"])
    if owned := re.search(rf"(?<=\bthe )(?P<part>[a-z]+) of (?:the )?{name} \w", asked.text):
        # "Where was the mother of Ann Lee born?" is not about Ann Lee.
        return owned["part"] not in words.FUNCTION_WORDS | KINDS_OF_THING
    if one := re.search(rf"\bthe (?P<end>\w+est|most \w+|least \w+) {name} [a-z]", asked.text):
        # The newest Ivy League university is not the Ivy League.
        return is_superlative(one["end"].split()[0])
    found = re.search(rf"(?<!\w){name}{_PART}", asked.text)
    if found is None:
        return False
    part = found["owned"] or found["part"]
    if found["owns"]:
        # What stands behind an owned thing, or asks how old it is, is said of it.
        rest = content_stems(asked.text[found.end() :]) or asked.text[:4].lower() == "how "
        return bool(rest)
    plain = part in words.FUNCTION_WORDS | KINDS_OF_THING | _ADVERBS or part.endswith("ly")
    return not plain and verb_base(part) is None and is_participle(found["done"])


def asks_what_it_has(asked: Asked) -> bool:
    """Whether a step asks for something of a thing, not what it is of: "the moons of Io", "Io's moon"."""
    name = re.escape(asked.names[0]) if asked.names else ""
    said = rf"\bof (?:the )?{name}\b|\b{name}['’]|\b(?:do|does|did)\b.*{name} have\b"
    return bool(name) and re.search(said, asked.text) is not None


GENERIC = frozenset(map(stem, words.word_set(
    "place date name year location number total type time value estimate census count"
)))  # fmt: skip
"""Words of labels that say what kind of value follows, not of what."""
_NOUN_AFTER = re.compile(
    r" (?!names?\b|\w+(?:ed|ing)\b)(?P<noun>[a-z]{3,})(?= of\b| in\b|['’]s|\W*$)"
)


def is_part_of_noun(asked: Asked, head: str) -> bool:
    """Whether a label is but a part of the noun that is asked for: "Lunar module", of its pilot."""
    text = asked.text.casefold()
    at = text.find(f" {head.casefold()} ")
    match = _NOUN_AFTER.match(text, at + 1 + len(head)) if at >= 0 else None
    return match is not None and bool(content_stems(match["noun"]))


_UNMARKED = frozenset(content_stems(
    "official total main full common primary national max maximum surface"
))  # fmt: skip
"""What may be left unsaid of a label: the depth of a lake is its greatest."""


def is_one_of_several(asked: Asked, fact: Fact, column: int) -> bool:
    """Whether another label differs by a word that the question does not say, nor this one's own.

    Asked for the module, "Lunar module" is as good as "Command module", and neither answers.
    """
    head = fact.cells[column][0]
    own = content_stems(head)
    said = asked.stems | asked.hints | _UNMARKED
    for label, _ in (*fact.beside, *fact.cells):
        other = content_stems(label)
        if own == other or len(own) != len(other) or own[-1:] != other[-1:]:
            continue
        # "Birth place" and "Death place" share no more than that a place is asked for.
        shared = (asked.stems - GENERIC).intersection(own, other)
        if shared and not (set(own) - set(other)) & said:
            return True
    return False


_TAKEN_AS_SAID = frozenset(content_stems(
    "official total full main primary known current present whole exact own"
))  # fmt: skip
"""What a question may put before a label's word without asking for anything narrower."""


def is_narrowed(asked: Asked, head: str) -> bool:
    """Whether a question asks for a narrower thing than a label says: its "backup commander".

    Told by the words between an article and the label's own.
    """
    match = re.search(
        rf"(?:\b(?:the|an?|its|his|her|their)|['’]s) (?P<narrow>(?:[a-z][a-z-]+ ){{1,2}}){re.escape(head.lower())}\b",
        asked.text,
    )
    narrow = frozenset(content_stems(match["narrow"])) if match else frozenset()
    return bool(narrow - _TAKEN_AS_SAID)


def words_said(asked: Asked, head: str) -> int:
    """How many words of a head the question says: more of "Command module pilot" than of "Commander"."""
    return len(asked.stems.intersection(content_stems(head)))


def is_generic(head: str) -> bool:
    """Whether a label says what kind of value follows, and not of what: "Year", "Date"."""
    return all(one in GENERIC for one in content_stems(head))


_TAKES_PLACE = words.word_set(
    """get gets got gotten win wins won receive receives received award awarded give gives given be
    become became host hosts hosted hold holds held stage stages staged put take takes took taken
    place happen happened occur occurred year date day time"""
)
"""What a question says of a row's event that the row need not say."""


def dates_another(asked: Asked, fact: Fact, column: int) -> bool:
    """Whether a question asks when something else was than what a row's year is of.

    "Year: 2010 | Laureates: Ann Lee" does not say when she took her doctorate.

    Args:
        asked: the step.
        fact: a row of a table, or a line of a box.
        column: of its cells.
    """
    if asked.form != "date" or fact.kind != "row" or not is_generic(fact.cells[column][0]):
        return False
    held = stems_of(f"{fact.context} {fact.text}")
    return not _TAKES_PLACE.issuperset(missing_words(content_words(asked.text), held))
