"""What kind of thing something is: whether it is called, or defined as, what a question calls it."""

from __future__ import annotations

import re
from functools import lru_cache

from agent.extractive.finder.attributes import embedded_matcher
from agent.extractive.language import words
from agent.extractive.language.stems import content_stems, stem, words_of
from agent.extractive.language.verbs import is_person_noun

SAME_FROM = 0.6
"""Probability from which another word is taken for the same kind of thing: "school" for a
university, not "lake" for a river."""
_COPULA = re.compile(r"\b(?:is|was|are|were)\s+")
_OF_SEVERAL = re.compile(
    r"(?:one of (?:the )?(?:\w+\s+)?|(?:a|the) (?:\w+ )?(?:type|kind|form|sort|member|part|group) of )",
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
    if stem(noun) in content_stems(head):
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


def is_person(lead: str) -> bool:
    """Whether an article defines its subject as a person: "was an American astronaut"."""
    return any(is_person_noun(words.singular(word)) for word in definition(lead))


def definition(lead: str) -> list[str]:
    """The words of the first definition in a text up to what limits it: ["innermost", "moon"]."""
    found = _COPULA.search(lead)
    if found is None:
        return []
    said = lead[found.end() :]
    several = _OF_SEVERAL.match(said)
    taken: list[str] = []
    for word in words_of(said[several.end() if several else 0 :])[:_SAID_OF]:
        low = word.lower()
        if low in _ENDS and taken:
            break
        if low not in words.FUNCTION_WORDS:
            taken.append(low)
    return taken
