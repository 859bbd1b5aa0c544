"""What kind of thing something is: whether it is called, or defined as, what a question calls it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from agent.citations.content.words import are_synonyms
from agent.extractive.finder.asked import PLACE_NOUNS, SOMEBODY
from agent.extractive.finder.attributes import embedded_matcher
from agent.extractive.finder.facts import Fact
from agent.extractive.language import words
from agent.extractive.language.classes import classes_of
from agent.extractive.language.nouns import before_preposition
from agent.extractive.language.stems import content_stems, stem, words_of
from agent.extractive.language.verbs import is_participle, is_person_noun

SAME_FROM = 0.8
"""Probability from which another word is taken for the same kind of thing: "school" for a
university, not "lake" for a river."""
_COPULA = re.compile(r"\b(?:is|was|are|were)\s+")
_OF_SEVERAL = re.compile(
    r"(?:one of (?:the )?(?:\w+\s+)?|(?:a|the) (?:\w+ )?(?:type|kind|form|sort|member|part|group|family|class|set) of )",
    re.IGNORECASE,
)
_ENDS = words.PREPOSITION | words.RELATIVE | words.AUXILIARY
_SAID_OF = 12
"""Words of a definition that are read for what it calls its subject."""


def same_kind(noun: str, head: str) -> float:
    """How likely a table's head, or a definition's noun, is another word for a noun, in [0, 1].

    Args:
        noun: singular, of a question: "school".
        head: "University".
    """
    if not noun or not head:
        return 0.0
    named = words_of(head.split("(")[0])
    if stem(noun) in content_stems(head) or (named and are_synonyms(noun, named[-1])):
        return 1.0
    chance = _chance(noun, head)
    return chance if chance >= SAME_FROM else 0.0


@lru_cache(maxsize=4096)
def _chance(noun: str, head: str) -> float:
    """The mean of two ways to ask: either alone takes neighbours for the same more often."""
    matcher = embedded_matcher()
    several = words.plural(noun)
    asked = (f"Which {several}?", f"Name the {several}")
    return sum(matcher.chance(text, head) for text in asked) / len(asked)


def defined_as(noun: str, lead: str) -> float:
    """How likely an article defines its subject as a kind of thing, in [0, 1].

    Args:
        noun: singular.
        lead: how the article begins: "Io is the innermost moon of the planet Jupiter" calls it a
            moon and no planet.
    """
    nouns = definition(lead)
    if stem(noun) in {stem(word) for word in nouns}:
        return 1.0
    return max((same_kind(noun, word) for word in nouns[-1:]), default=0.0)


_BORN = re.compile(r"[^().]{1,80}\([^()]*\bborn\b")
"""How an article begins whose subject was born, whatever it calls him."""


def is_person(lead: str) -> bool:
    """Whether an article defines its subject as a person: "was an American astronaut"."""
    return _BORN.match(lead) is not None or any(
        is_person_noun(words.singular(word)) for word in definition(lead)
    )


def definition(lead: str) -> list[str]:
    """The words of the first definition in a text up to what limits it: ["innermost", "moon"]."""
    taken: list[str] = []
    for word in words_of(_defining(lead))[:_SAID_OF]:
        low = word.lower()
        if low in _ENDS and taken:
            break
        if low not in words.FUNCTION_WORDS:
            taken.append(low)
    return taken


def called(lead: str) -> list[str]:
    """The nouns that the first definition of a text calls its subject by, singular.

    "Paris is the capital and largest city of France" gives ["capital", "city"], and "X is a country
    town in Kent" gives no country.
    """
    nouns: list[str] = []
    head = ""
    for word in _WORD_OR_COMMA.findall(_defining(lead))[:_SAID_OF]:
        low = word.lower()
        if low in _ENDS or low == ".":
            break
        if low in _JOINS:
            nouns.append(head)
            head = ""
        elif low not in words.FUNCTION_WORDS and not (head and is_participle(low)):
            head = low
    return [words.singular(noun) for noun in (*nouns, head) if noun]


def _defining(lead: str) -> str:
    """What follows the first "is" or "was one of" of a text, "" where it defines nothing."""
    found = _COPULA.search(lead)
    said = lead[found.end() :] if found is not None else ""
    several = _OF_SEVERAL.match(said)
    return said[several.end() :] if several else said


_WORD_OR_COMMA = re.compile(r"[\w'’-]+|[,.]")
_JOINS = frozenset([",", "and", "or"])
"""Stand between two nouns of a definition."""


_ALIKE = tuple(map(words.word_set, (
    "river stream creek brook", "lake reservoir pond lagoon", "sea ocean gulf bay",
    "mountain peak hill volcano mount", "forest desert", "island peninsula",
    "city town village municipality capital settlement borough metropolis seat", "country nation republic kingdom",
    "continent", "planet", "moon satellite", "star galaxy", "university college school academy institute",
    "language", "company corporation firm", "opera", "airport", "bridge",
    "prize award medal trophy", "theatre theater playhouse auditorium house", "stadium arena",
    "film movie", "novel book", "song album",
)))  # fmt: skip
"""Kinds of things that are no things of another kind; words of one line may mean the same."""
_PERSON = "person"
_PLACES = frozenset(
    min(line)
    for line in _ALIKE
    if not line
    & {"language", "company", "opera", "planet", "star", "prize", "film", "novel", "song"}
)
"""Kinds of things that someone is born in or lives at, or something stands at."""
_DOERS = frozenset(
    min(line) for line in _ALIKE if line & {"city", "country", "university", "company", "continent"}
) | {_PERSON}
"""Kinds of those who do something: "who" asks for no opera, and no river."""
_OF_CLASS = {
    "country": "country", "language": "language", "sea": "sea", "continent": "continent",
    "planet": "planet",
}  # fmt: skip


def other_kind(noun: str, value: str, lead_of: Callable[[str], str]) -> bool:
    """Whether a value is told to be another kind of thing than the one asked for.

    "Niagara River" is no lake by its name, "Vienna" no country by its article. A value of which
    nothing is told is none of another kind.

    Args:
        noun: that is asked for, singular: "Into which lake".
        value: the answering words.
        lead_of: returns how the article of a name begins, "" where there is none.
    """
    wanted = _kinds_wanted(noun)
    parts = [part.strip() for part in re.split(r",|;|\band\b", _BRACKETED.sub(" ", value))]
    parts = [part for part in parts if part]
    if not wanted or not parts:
        return False
    if noun == "state":
        return all(classes_of(part).get("country") == "united states" for part in parts)
    whole = _BRACKETED.sub(" ", value).strip()
    # "Cornell, Ontario" is what its own article calls it, whatever "Cornell" leads to.
    told = [_told_kinds(part, lead_of) for part in ([whole] if lead_of(whole) else parts)]
    # "Lyon, France" may be asked for by either; what nothing is told of may be what is asked for.
    return bool(told[0]) and not any(wanted & one for one in told)


_BRACKETED = re.compile(r"\([^()]*\)")


def _kinds_wanted(noun: str) -> frozenset[str]:
    """The kinds that a noun asks for: a state may be a country, only not the one that is made of them."""
    return _kinds_of_noun(noun) or frozenset(["state"] if noun == "state" else [])


def _kinds_of_noun(noun: str) -> frozenset[str]:
    if noun in PLACE_NOUNS:
        return _PLACES
    if noun == SOMEBODY:
        return _DOERS
    if is_person_noun(noun) or noun == _PERSON:
        return frozenset([_PERSON])
    return frozenset(min(line) for line in _ALIKE if noun in line)


def _told_kinds(name: str, lead_of: Callable[[str], str]) -> frozenset[str]:
    """The kinds that a name, its class or its article's first sentence tell."""
    said = name.lower().split()
    nouns = [said[0], said[-1], before_preposition(name)[-1].lower()] if len(said) > 1 else []
    nouns += [noun for kind, noun in _OF_CLASS.items() if kind in classes_of(name)]
    lead = lead_of(name)
    nouns += [words.singular(word) for word in definition(lead)]
    found = frozenset(kind for noun in nouns for kind in _kinds_of_noun(noun) if kind != _PERSON)
    return found | {_PERSON} if lead and is_person(lead) else found


def apposed(name: str, text: str) -> str:
    """What a text says behind a name and a comma that it is, as a definition; "" where it says nothing.

    "the CWI, a research institute in Ostby" says that the CWI is a research institute.
    """
    found = re.search(rf"(?<!\w){re.escape(name)}, (?P<what>an? [^,.;()]+)", text)
    return f"{name} is {found['what']}" if found is not None else ""


def bears_names(noun: str) -> bool:
    """Whether things of a kind go by names of their own: a lake does, an alloy does not."""
    return bool(_kinds_of_noun(noun))


def same_noun(one: str, other: str) -> bool:
    """Whether two nouns may mean the same kind of thing: "town" and "village"."""
    return not _kinds_of_noun(one).isdisjoint(_kinds_of_noun(other))


def names_other_kind(noun: str, label: str) -> bool:
    """Whether a label names several things by a kind that is not the noun's: "Cities", of capitals.

    "Location" names no kind: where a theatre is asked for, it gives one.
    """
    named = words_of(label) if words.is_plural(label) else []
    kind = words.singular(named[-1].lower()) if named else ""
    same = stem(kind) == stem(noun) or are_synonyms(noun, kind)
    return bool(noun and _kinds_of_noun(kind)) and not same


_HOW_MANY = re.compile(r"\bhow many (?P<of>(?:[a-z-]+ ){0,3}[a-z-]+)", re.IGNORECASE)
_COUNTED = re.compile(r"[\W\d]*(?P<of>(?:[a-z-]+ ){0,2}[a-z-]+)")
_WEIGHED = re.compile(r"\b(?:mass|weight|weigh(?:s|ed)?|how heavy)\b", re.IGNORECASE)
_OF_WHAT = re.compile(r" of (?P<what>[a-z]+)")
_AGED = re.compile(
    r"\b(?:who|he|she) (?:is|was) (?:only |then |already )?$|\baged $", re.IGNORECASE
)
"""What stands before a number that tells an age."""


def counts_others(question: str, value: str, text: str) -> bool:
    """Whether a number in a sentence is told to count other things than a question asks for.

    "A storm sank eight ships" does not say how many sailors drowned, nor "Ann Lee, who was 97" how
    many prizes she has, nor "34 kg of samples" what the ship weighs that carried them.

    Args:
        question: the step.
        value: the words that answer, which begin with the number.
        text: the sentence.
    """
    asked, at = _HOW_MANY.search(question), text.find(value)
    said = value.split()
    if at < 0 or not said:
        return False
    measured = _OF_WHAT.match(text, at + len(value)) if _WEIGHED.search(question) else None
    if measured is not None:
        return stem(measured["what"]) not in content_stems(question)
    if asked is None:
        return False
    if _AGED.search(text, 0, at):
        return "year" not in asked["of"]
    counted = _COUNTED.match(text, at + len(said[0]))
    wanted = next(filter(words.is_plural, asked["of"].split()), "")
    nouns = takewhile(
        lambda word: word not in words.FUNCTION_WORDS, counted["of"].split() if counted else ()
    )
    told = next(filter(words.is_plural, nouns), "")
    # "Three times" counts what the sentence says.
    return bool(wanted and told) and told != "times" and not same_kind(words.singular(wanted), told)


def fitting(noun: str, facts: Sequence[Fact], lead_of: Callable[[str], str]) -> list[Fact]:
    """Return facts without the values of cells that are told to be of another kind than is asked for.

    Args:
        noun: that is asked for, singular; "" where none is.
        facts: boxes and rows among them; a box's line that loses its value is left out.
        lead_of: returns how the article of a name begins.
    """
    if not _kinds_wanted(noun):
        return list(facts)
    kept = []
    for fact in facts:
        cells = tuple(
            # What a row is about stands first, whatever is asked of it.
            (
                head,
                ""
                if (place or fact.kind == "value") and other_kind(noun, value, lead_of)
                else value,
            )
            for place, (head, value) in enumerate(fact.cells)
        )
        if cells == fact.cells:
            kept.append(fact)
        elif any(value for _, value in cells):
            kept.append(replace(fact, cells=cells))
    return kept
