"""Prizes by their whole titles: "the chemistry Nobel", and "the physics Nobel" that no article is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from agent.extractive.language import words
from corpus.text import word_set

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_PRIZES = frozenset(["prize", "award", "medal"])
"""What is left out of a title where the rest says which one is meant: "the chemistry Nobel"."""
_JOINTS = frozenset([" ", " for ", " in ", " of ", " for the "])
"""What may stand between both words: "the Nobel for chemistry"."""
_SHORTEST = 4
"""Letters that may stand for a longer word: "chem"."""


_FIELDS = word_set(
    """physics chemistry medicine physiology literature peace economics mathematics biology geology
    astronomy architecture music drama fiction poetry history journalism engineering"""
)
"""What prizes are given for."""


def with_prizes(text: str, near: Callable[[str], Sequence[str]]) -> str:
    """A text with the whole titles of prizes that it says short.

    Args:
        text: a question: "who won the chemistry Nobel in 2017".
        near: returns titles like a text.
    """
    found = [one for one in _WORD.finditer(text) if one[0].lower() not in words.FUNCTION_WORDS]
    # The last first: what stands before it stays where it is.
    for first, second in reversed(list(pairwise(found))):
        between = text[first.end() : second.start()]
        said = (first[0].lower(), second[0].lower())
        if between in _JOINTS and all(len(one) >= _SHORTEST for one in said):
            titles = (one for one in near(f"{first[0]} {second[0]}") if one not in text)
            meant = next(filter(None, (_meant(said, title) for title in titles)), None)
            if meant is not None:
                text = f"{text[: first.start()]}{meant}{text[second.end() :]}"
    return text


def _meant(said: tuple[str, str], title: str) -> str:
    """The prize of a title that two words mean, or the one like it for another field; "" for neither.

    "The physics Nobel" is the Nobel Prize in Physics, not the one in chemistry that has an article.
    """
    whole = [word.lower() for word in _WORD.findall(title)]
    named = [word for word in whole if word not in words.FUNCTION_WORDS | _PRIZES]
    if _PRIZES.isdisjoint(whole) or len(named) != len(said):
        return ""
    unsaid = [word for word in named if not word.startswith(said)]
    if not unsaid:
        return title
    others = [one for one in said if not any(word.startswith(one) for word in named)]
    if len(unsaid) != 1 or not _FIELDS.issuperset([*unsaid, *others]):
        return ""
    return re.sub(unsaid[0], others[0].capitalize(), title, flags=re.IGNORECASE)
