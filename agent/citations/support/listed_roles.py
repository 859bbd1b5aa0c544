"""Things listed with the role of each: "Ann Lee (aunt), Bo Lee (uncle)", "Ann Lee - aunt, Bo - uncle"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.words import fold, stem

_LISTED = re.compile(r"(?:^|[,;]\s*)(?P<name>[^,;()]+?)\s*\((?P<role>[^()]*)\)")
_DASHED = re.compile(
    r"(?:^|[,;]\s*)(?P<name>[^,;()–—-]+(?:-\w[^,;()–—-]*)*?)\s+[-–—]\s+(?P<role>[a-z][^,;()\d]*)"
)
_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LEAST = 3
"""Letters of a word that may be a role: "m." and "b." are none."""


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
