"""Words and stems of a text: what lexical matching compares."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from agent.extractive.language import verbs, words

_WORD = re.compile(r"[^\W_]+(?:['’.&/\-][^\W_]+)*", re.UNICODE)


def words_of(text: str) -> list[str]:
    """Return the words of a text as written, inner hyphens, points and apostrophes kept."""
    return _WORD.findall(text)


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]
    import Stemmer

    return Stemmer.Stemmer("english")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the Snowball stem of a word, irregular verbs and plurals brought to their base first."""
    low = word.lower()
    for ending in ("'s", "’s"):
        low = low.removesuffix(ending)
    low = verbs.IRREGULAR_BASE.get(low) or words.IRREGULAR_PLURALS.get(low, low)
    return str(_stemmer().stemWord(low))


def content_stems(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, in order, repeats kept.

    CJK text has no spaces: each pair of neighbouring characters counts as a word.
    """
    out: list[str] = []
    for word in words_of(text):
        if words.CJK.search(word):
            run = "".join(words.CJK.findall(word))
            out.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        elif word.lower() not in words.FUNCTION_WORDS:
            out.append(stem(word))
    return out


def related(one: str, found: Collection[str]) -> bool:
    """Say whether a stem has a relative: "discov" and "discover", "design" and "designation"."""
    return len(one) >= 5 and any(
        other[:5] == one[:5] and abs(len(other) - len(one)) <= 4 for other in found
    )
