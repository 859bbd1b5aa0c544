"""Names in a question: where one ends, lists of them, alternatives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive import words
from agent.extractive.phrases import Token, slice_of, tokenise

_COMMON_LIST = re.compile(
    r"\b(?:of|for)\s+(?P<list>(?:the\s+)?[a-z]+(?:,\s+(?:the\s+)?[a-z]+)*,?\s+and\s+(?:the\s+)?[a-z]+)$"
)


def common_list(text: str) -> tuple[str, ...]:
    """Return the things of "the atomic numbers of argon, arsenic and neon", () where there are none.

    Two things count only where the plural before them shows that each has one of its own.
    """
    match = _COMMON_LIST.search(text)
    if match is None:
        return ()
    before = text[: match.start()].split()
    parts = re.split(r",\s+(?:and\s+)?|\s+and\s+", match["list"])
    several = bool(before) and words.is_plural(before[-1])
    return tuple(parts) if several and len(parts) >= 2 else ()


def without_article(name: str) -> str:
    """Return a name without a leading article; "The" in capitals is part of a title."""
    return re.sub(r"^the\s+", "", name)


def listed_spans(
    tokens: Sequence[Token], start: int, end: int
) -> tuple[int, int, list[Sequence[Token]]] | None:
    """Return (start, end, the parts) of the first list of names, None where there is none."""
    for i in range(start, end):
        if i > start and tokens[i - 1].is_name and tokens[i].text not in {'"'}:
            continue
        parts: list[Sequence[Token]] = []
        j = i
        joined = False
        while j < end:
            stop = name_end(tokens, j, end)
            if stop == j:
                break
            parts.append(tokens[j:stop])
            j = stop
            if joined:
                break
            k = j
            if k < end and tokens[k].text == ",":
                k += 1
            if k < end and tokens[k].low in {"and", "&"}:
                k += 1
                joined = True
            if k == j:
                break
            if name_end(tokens, k, end) == k:
                joined = False
                break
            j = k
        if joined and len(parts) >= 2:
            return i, j, parts
    return None


_NAME_LINKS = words.word_set("of the de la le van von der den di du da al el and's")


def name_end(tokens: Sequence[Token], start: int, end: int) -> int:
    """Return the index after the name that begins at `start`, `start` where none does."""
    i = start
    if i < end and tokens[i].low in {"the", "a", "an"}:
        i += 1
    if i >= end or not tokens[i].is_name or tokens[i].low in words.FUNCTION_WORDS:
        return start
    if tokens[i].text.endswith(("'s", "’s")):
        return start
    i += 1
    while i < end:
        if tokens[i].is_name and tokens[i].text[0] not in '"“{':
            i += 1
            continue
        number = tokens[i].text[0].isdigit() and tokens[i - 1].is_name
        if number:
            i += 1
            continue
        j = i
        while j < end and tokens[j].low in _NAME_LINKS:
            j += 1
        if i < j < end and tokens[j].is_name and tokens[j].text[0] not in '"“{':
            i = j + 1
            continue
        break
    return i


_OR_NAMES = re.compile(r"^(?P<rest>.+?)\s*[,:]\s*(?P<list>[^,:]+(?:,[^,]+)*?,?\s+or\s+[^,]+)$")


def alternatives(clause: str) -> tuple[tuple[str, ...], str] | None:
    """Return the things a clause sets against each other, and the clause without them.

    "Which is longer, the Rhine or the Elbe" gives ("Rhine", "Elbe") and "Which is longer".
    Without a comma the alternatives must be names.
    """
    match = _OR_NAMES.match(clause) if re.search(r"\bor\b", clause) else None
    if match is not None and re.match(r"(?:which|what|who|when|where|how)\b", match["rest"], re.I):
        parts = re.split(r",\s*(?:or\s+)?|\s+or\s+", match["list"])
        names = tuple(part.strip(' "“”') for part in parts if part.strip())
        if len(names) >= 2 and all(len(name.split()) <= 8 for name in names):
            return names, match["rest"]
    tokens = tokenise(clause)
    for i, token in enumerate(tokens):
        if token.low != "or" or i == 0:
            continue
        end = name_end(tokens, i + 1, len(tokens))
        start = i
        while start > 0 and (tokens[start - 1].is_name or tokens[start - 1].low in _NAME_LINKS):
            start -= 1
        while start < i and not (tokens[start].is_name or tokens[start].low == "the"):
            start += 1
        if end == len(tokens) and start < i and start > 1:
            names = (slice_of(clause, tokens[start:i]), slice_of(clause, tokens[i + 1 : end]))
            rest = clause[: tokens[start].start].rstrip(" ,:-")
            return tuple(name.strip('"“”') for name in names), rest
    return None
