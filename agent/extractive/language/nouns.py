"""Noun phrases: where their head ends."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.extractive.language import words
from agent.extractive.language.verbs import is_participle, is_past


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
