"""Noun phrases of marks: their head, whether it is a plural, and the plural of one that is not."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.extractive.language import words
from agent.extractive.language.verbs import is_participle, is_past, verb_base
from agent.extractive.language.words import count_of


def is_plural_phrase(phrase: str) -> bool:
    """Whether a noun phrase's head is a plural, or the phrase says how many there are."""
    if count_of(phrase) is not None or re.search(r"[\w.'-]+ (?:and|&) ", phrase):
        return True
    head = without_end([part.strip(",") for part in before_preposition(phrase)], is_trailing)
    # "The moons found by her": the noun may stand before its participle.
    before = any(words.is_plural(part) and part.islower() for part in head[:-1])
    return before or (bool(head) and words.is_plural(head[-1]))


_WHEN_DONE = frozenset(
    ["first", "originally", "once", "ever", "newly", "recently", "jointly", "now", "still", "also"]
)
"""Adverbs between a noun and its participle: "every comet first seen by"."""


def is_trailing(word: str) -> bool:
    """Whether a word before a preposition may be a participle behind its noun: "comets seen by"."""
    return is_past(word) or word.endswith("ing")


def without_end(head: list[str], drops: Callable[[str], bool]) -> list[str]:
    """The words of a noun phrase without those at its end that are none of it; one at least stays."""
    end = len(head)
    while end > 1 and drops(head[end - 1]):
        end -= 1
    return head[:end]


def before_preposition(phrase: str) -> list[str]:
    """The words of a noun phrase up to its first preposition, relative or trailing participle."""
    parts = phrase.split()
    for i, part in enumerate(parts):
        # "Each country the Rhine flows through": an article begins what describes the noun.
        plain = re.split("['’]", part.lower())[0]
        ends = plain in words.PREPOSITION | words.RELATIVE | {"the"}
        done = is_participle(part) and i + 1 < len(parts) and not _no_noun(parts[:i])
        if i and (ends or done):
            return parts[:i]
    return parts


def _no_noun(parts: list[str]) -> bool:
    """Whether words only lead to a noun: "the ten often (performed operas)"."""
    return all(
        part.lower() in words.DETERMINER | _HOW_OFTEN
        or words.number_of(part) is not None
        or part.endswith("ly")
        for part in parts
    )


_HOW_OFTEN = frozenset(["often", "most", "best", "well", "much", "more", "just"])
"""Adverbs before a participle that stands before its noun."""


def pluralised(phrase: str, *, counted: bool = False) -> str:
    """A noun phrase with its head in the plural, and its relative clause's verb with it.

    Args:
        phrase: without its article.
        counted: whether "each" or "every" stood before it: then it is no name of one thing, however
            it is written ("every Great Lake").
    """
    head = without_end(
        before_preposition(phrase), lambda part: is_trailing(part) or part.lower() in _WHEN_DONE
    )
    rest = phrase.split()[len(head) :]
    if not head or (head[-1][:1].isupper() and not counted) or head[-1][-1].isdigit():
        return phrase
    if len(rest) > 1 and rest[0].lower() in ("that", "which", "who"):
        rest[1] = {"is": "are", "was": "were", "has": "have"}.get(
            rest[1].lower(), rest[1] if is_past(rest[1]) else verb_base(rest[1]) or rest[1]
        )
    return " ".join([*head[:-1], words.plural(head[-1]), *rest])


_PRAISED = re.compile(
    rf"(?P<count>^(?:the\s+)?(?:\d+|{'|'.join(words.NUMBER_WORDS)})\s+)"
    r"(?:(?:very\s+)?(?:famous|big|important|celebrated|renowned|notable)\s+)+"
)


def without_praise(phrase: str) -> str:
    """A counted noun phrase without a word that its count makes idle: "the ten famous operas"."""
    return _PRAISED.sub(r"\g<count>", phrase)


_LISTING = re.compile(
    r"(?:the\s+)?(?:table|list|listing|overview|chart)\s+(?:of|with|on|about)\s+", re.IGNORECASE
)


def without_listing(phrase: str) -> str:
    """A noun phrase without where its things are listed: "the table with well-known bridges"."""
    plain = _LISTING.sub("", phrase, count=1)
    return plain if plain != phrase and is_plural_phrase(plain) else phrase
