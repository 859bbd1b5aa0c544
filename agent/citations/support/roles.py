"""Who did what to whom: whether a claim names the same things in another order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.citations.content.names import Name
from agent.citations.content.words import fold
from agent.citations.support.grounds import Evidence
from agent.citations.support.subjects import PRONOUN

_PREPOSITION = re.compile(
    r"\b(?:in|on|at|from|to|of|with|near|during|after|before|for|into|along|through|as|under|than)"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE,
)


def roles_differ(claim: str, names: Sequence[Name], evidence: Evidence) -> bool:
    """Whether two things that both name stand in another order, and no passive explains it."""
    if evidence.place.structured:
        return False
    sentence = evidence.quote
    placed = []
    for name in names:
        where = fold(sentence).find(fold(name.text))
        free = not _PREPOSITION.search(claim[: name.start]) and claim.count(name.text) == 1
        if where >= 0 and free and not _PREPOSITION.search(sentence[:where]):
            placed.append((name.start, where, name.text))
    if _is_copied(claim, sentence):
        return False
    for first, second in pairwise(placed):
        if (first[0] < second[0]) != (first[1] < second[1]):
            by_claim = _by_before(claim, first[0]) != _by_before(claim, second[0])
            by_quote = _by_before(sentence, first[1]) != _by_before(sentence, second[1])
            copula = re.search(r"\b(?:is|was|are|were)\b", claim[first[0] : second[0]])
            if by_claim == by_quote and not copula:
                return True
    return False


def _is_copied(claim: str, quote: str) -> bool:
    """Whether a claim is the quote with a name in place of its pronoun."""
    if not PRONOUN.match(quote):
        return False
    words = claim.rstrip(" .").split()
    rest = " ".join(words[min(6, len(words) // 2) :])
    return rest in " ".join(quote.split())


def _by_before(text: str, position: int) -> bool:
    return bool(re.search(r"\bby\s+(?:the\s+)?(?:[A-Z][\w.]*\s+){0,3}$", text[:position]))
