"""How alike an own step and a gold step are: they ask the same of the same things.

The meaning of a short question is mostly that of the names in it: "When did William Grenville die?"
lies near "Who is the head of William Grenville?", and one state's senators near another's. So names
that a step has beyond the whole question's must agree, and what is left is compared without them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from evals.benchmarks.plans.questions import ask_the_same

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from retrieval.types import Embedder

WHOLE_FROM = 0.95
"""Cosine with the whole question from which a step is that question, not a part of it."""
NEAR = 0.6
"""Cosine of two words from which they mean nearly the same."""
SHARED = 4
"""Letters at their beginning by which words are of one stem."""
_WORD = re.compile(r"\{[\w.]+\}|[^\W_][\w'’.-]*[^\W_]|[^\W_]")
_POLAR = re.compile(r"(?:is|are|was|were|does|do|did|has|have|had|can|could)\b", re.IGNORECASE)
_DIGITS = {word: str(n) for n, word in enumerate(
    ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 2
)}  # fmt: skip
_INITIALS = re.compile(r"(?:[A-Z]\.?){1,2}")
_OPEN = "it"


def likeness(
    question: str, gold: Sequence[str], own: Sequence[str], embedder: Embedder, *, filled: bool
) -> NDArray[np.float32]:
    """Return how alike every gold and every own step are, 0 where they cannot be the same.

    Args:
        question: the whole one.
        gold: steps.
        own: steps as they were asked.
        embedder: compares what is left of two steps without their names.
        filled: whether own steps were asked one by one, so that one which still holds a placeholder
            `{1}` was not; otherwise a placeholder stands for any name.

    Returns:
        [gold, own], cosines.
    """
    named = _names(question)
    gold_names = [_names(text) - named for text in gold]
    own_names = [_names(text) - named for text in own]
    pairs = [
        (g, o)
        for g in range(len(gold))
        for o in range(len(own))
        if not (filled and "{" in own[o])
        and _same_form(gold[g], own[o])
        and _same_names(gold[g], own[o], named)
        and ask_the_same(gold[g], own[o], lambda one, other: _near(one, other, embedder))
    ]
    found = np.zeros((len(gold), len(own)), dtype=np.float32)
    if not pairs:
        return found
    masked = [(_masked(gold[g], gold_names[g]), _masked(own[o], own_names[o])) for g, o in pairs]
    texts = list(dict.fromkeys([question, *gold, *own, *(t for pair in masked for t in pair)]))
    place = {text: number for number, text in enumerate(texts)}
    vectors = embedder.encode(texts)
    whole = vectors @ vectors[place[question]]
    for (g, o), (first, second) in zip(pairs, masked, strict=True):
        is_whole = whole[place[own[o]]] >= WHOLE_FROM
        if is_whole and whole[place[gold[g]]] < WHOLE_FROM:
            continue
        found[g, o] = vectors[place[first]] @ vectors[place[second]]
    return found


def _near(one: str, other: str, embedder: Embedder) -> bool:
    """Whether two words begin alike or mean nearly the same: "leads" and "leader"."""
    if one[:SHARED] == other[:SHARED] and len(one) >= SHARED:
        return True
    first, second = embedder.encode([one, other])
    return float(first @ second) >= NEAR


def _same_form(gold: str, own: str) -> bool:
    """Whether both are answered by yes or no, or neither is."""
    return bool(_POLAR.match(gold)) == bool(_POLAR.match(own))


def _same_names(gold: str, own: str, named: set[str]) -> bool:
    """Whether two steps may be about the same, by their names and numbers.

    Args:
        gold: a step.
        own: a step.
        named: names of the whole question, which say less than others.
    """
    of_gold, of_own = _names(gold), _names(own)
    in_gold, in_own = _words(gold), _words(own)
    if of_gold - in_own and of_own - in_gold:
        return False  # each has a name that the other lacks
    # A name may be shortened, or written in small letters, on one side: one of its words is enough.
    told = not of_own - named or not in_gold.isdisjoint(of_own - named)
    return told and ("{" in own or not of_gold - named or not in_own.isdisjoint(of_gold - named))


def _words(text: str) -> set[str]:
    return {bare for word in _WORD.findall(text) for bare in _bare(word.casefold())}


def _names(text: str) -> set[str]:
    """Return the words of names, and the numbers, of a text; its first word is neither.

    Initials are left out: "J. D. Drew" is "JD Drew".
    """
    return {
        bare.casefold()
        for found in _WORD.finditer(text)
        if found.start()
        for bare in _bare(found[0])
        if bare[0].isdigit() or (bare[0].isupper() and not _INITIALS.fullmatch(bare))
    }


def _bare(word: str) -> list[str]:
    """Return the parts of a word: "2019-2023" is two years, "Odo's" is Odo's, "five" is 5."""
    bare = word.removesuffix("'s").removesuffix("’s")
    return [_DIGITS.get(part.casefold(), part) for part in re.split(r"[-–]", bare) if part]


def _masked(text: str, names: set[str]) -> str:
    """Return a text with "it" for every name of its own and every placeholder."""

    def shown(found: re.Match[str]) -> str:
        word = found[0]
        own = found.start() and not names.isdisjoint(_bare(word.casefold()))
        return _OPEN if word.startswith("{") or own else word

    return re.sub(r"\bit(?:[\s,]+(?:the |of )?it\b)+", _OPEN, _WORD.sub(shown, text))
