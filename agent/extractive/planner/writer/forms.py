"""Words of a question, and the forms in which a step may say them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.extractive.language import verbs, words
from agent.extractive.language.degrees import degree_of

_WORD = re.compile(
    r"\{\d+\}|['’]s\b|\w+(?:(?:[.,&+]|(?<!\d)-|-(?!\d)|/(?=\w{1,2}\b)|['’](?!s\b))\w+)*[+#]*|[^\w\s]"
)
"""Between two numbers a hyphen stands alone: each end of "1988-2024" may be a bound."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a mark of punctuation, and where it stands."""

    text: str
    start: int
    end: int


def words_in(text: str) -> list[Word]:
    """Split a text into words, possessive endings and marks of punctuation."""
    return [Word(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]


CASES = 3
"""How a piece's word is written: without capitals, with one in front, with others."""


def cases(question: str, offsets: Sequence[tuple[int, int]]) -> list[int]:
    """How the word of each piece is written, which the encoder's lower-case pieces do not tell."""
    found = []
    for start, end in offsets:
        first = start
        while first > 0 and question[first - 1].isalnum():
            first -= 1
        last = end
        while last < len(question) and question[last].isalnum():
            last += 1
        word = question[first:last]
        found.append(0 if word == word.lower() else 2 if word[1:] != word[1:].lower() else 1)
    return found


def _same(word: str) -> str | None:
    return word


def _base(word: str) -> str | None:
    return verbs.verb_base(word.lower())


def _singular(word: str) -> str | None:
    return words.singular(word)


def _plural(word: str) -> str | None:
    return words.plural(word) if word[:1].isalpha() else None


def _past(word: str) -> str | None:
    base = verbs.verb_base(word.lower())
    return verbs.past(base) if base else None


def _participle(word: str) -> str | None:
    base = verbs.verb_base(word.lower())
    return verbs.participle(base) if base else None


def _adjective(word: str) -> str | None:
    degree = degree_of(word.lower())
    return degree[0] if degree else None


FORMS: tuple[Callable[[str], str | None], ...] = (
    _same, _base, _singular, _plural, _past, _participle, _adjective,
)  # fmt: skip
"""How a word of the question may be said: as it is, a verb's base, singular, plural, past,
participle, the adjective of a comparative or superlative."""


@lru_cache(maxsize=65536)
def forms_of(word: str) -> tuple[str | None, ...]:
    """Every form of a word, None where it has none, or it is one before it."""
    found: list[str | None] = []
    for form in FORMS:
        made = form(word)
        found.append(None if made is None or made in found else made)
    return tuple(found)
