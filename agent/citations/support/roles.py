"""Who is what: things that a claim names in another order, things listed with the role of each.

"Ann Lee (aunt), Bo Lee (uncle)" and "Ann Lee - aunt, Bo - uncle" list roles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.citations.content.names import Name
from agent.citations.content.words import fold, stem
from agent.citations.support.grounds import Evidence
from agent.citations.support.subjects import PRONOUN

_PREPOSITION = re.compile(
    r"\b(?:in|on|at|from|to|of|with|near|during|after|before|for|into|along|through|as|under|than)"
    r"\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?:^|[,;]\s*)(?P<name>[^,;()]+?)\s*\((?P<role>[^()]*)\)")
_DASHED = re.compile(
    r"(?:^|[,;]\s*)(?P<name>[^,;()–—-]+(?:-\w[^,;()–—-]*)*?)\s+[-–—]\s+(?P<role>[a-z][^,;()\d]*)"
)
_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LEAST = 3
"""Letters of a word that may be a role: "m." and "b." are none."""


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


def roles_in(value: str) -> list[tuple[str, frozenset[str]]]:
    """Return (name, stems of its role's words) for what a value lists with roles.

    A hyphenated word is one: a great-nephew is no nephew.
    """
    found = []
    for match in (*_LISTED.finditer(value), *_DASHED.finditer(value)):
        words = frozenset(stem(one) for one in _TOKEN.findall(match["role"]) if len(one) >= _LEAST)
        if words and not re.search(r"\d", match["role"]):
            found.append((match["name"].strip(), words))
    return found


def asked_roles(question: str, value: str) -> frozenset[str]:
    """Return the stems of a question that are roles in a value."""
    asked = frozenset(stem(one) for one in _TOKEN.findall(fold(question)))
    return asked & frozenset().union(*(role for _, role in roles_in(value)), frozenset())


def in_role(question: str, value: str) -> list[str]:
    """Return the names whose role a question asks for, [] where it asks for no role in the value."""
    asked = asked_roles(question, value)
    return [name for name, role in roles_in(value) if asked and asked <= role]


def other_role(question: str, values: Sequence[str], quote: str) -> str:
    """Return a name among `values` whose role is not the one a question asks for, "" for none."""
    asked = asked_roles(question, quote)
    if not asked:
        return ""
    for name, role in roles_in(quote.partition(": ")[2] or quote):
        bare = fold(name.rpartition(": ")[2])
        if not asked <= role and any(bare in fold(value) for value in values):
            return bare
    return ""
