"""A plan as a row of words: its operator, then each step's kind, bound and question.

<count> <set> what are the lakes in Finland <>> 1,000 km2 <:> how large is {1} <end>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.extractive.planner.writer.forms import words_in

OPERATORS = (
    "give", "count", "sum", "average", "difference", "same", "common", "yesno", "any", "explain",
    "none",
)  # fmt: skip
KINDS = (
    "find", "set", "names", "ask", "is", "not", "most", "least", ">", "<", ">=", "<=", "=",
    "between", "in",
)  # fmt: skip
STEPLESS = frozenset(["explain", "none"])
"""Operators without steps: the question is asked whole, or not at all."""
MOST_STEPS = 12
ASKED, BESIDE, END = "<:>", "<|>", "<end>"
"""Stands between a bound and its question, between two names, behind the last step."""
REFERENCES = tuple(f"{{{number}}}" for number in range(1, MOST_STEPS + 1))
SPECIALS = (
    END, ASKED, BESIDE, *(f"<{one}>" for one in OPERATORS), *(f"<{one}>" for one in KINDS),
    *REFERENCES,
)  # fmt: skip
_KIND = {f"<{one}>": one for one in KINDS}
_OPERATOR = {f"<{one}>": one for one in OPERATORS}


@dataclass(frozen=True, slots=True)
class Line:
    """One step as it is written."""

    kind: str
    bound: str
    """Of a comparison its bound, of "most" how many, of "in" the step; else ""."""
    said: str
    """A question, or for "names" the names with " | " between."""


_BOUND = r"(?:[^:]|(?<=\d):(?=\d))+"
"""Words with no colon but that of a time: "9:30"."""
_LINE = re.compile(
    r"(?P<kind>find|set|names|ask|is|not|(?:most|least)(?: \d+)?|in \{\d+\}|"
    rf"(?:[<>]=?|=) {_BOUND}|between {_BOUND} and {_BOUND}):\s*(?P<said>.+)"
)


def line_of(text: str) -> Line | None:
    """Read a step as bench/data/STEPS_GUIDE.md has it; None for what has no such form."""
    match = _LINE.fullmatch(text.strip())
    if match is None:
        return None
    kind, _, bound = match["kind"].partition(" ")
    return Line(kind, bound.strip(), match["said"].strip())


def row_of(operator: str, lines: Iterable[Line]) -> list[str]:
    """The words of a plan, without the question marks."""
    row = [f"<{operator}>"]
    if operator not in STEPLESS:
        for line in lines:
            row.append(f"<{line.kind}>")
            if line.bound:
                row += [*(word.text for word in words_in(line.bound)), ASKED]
            said = line.said.rstrip(" ?.")
            if line.kind == "names":
                for number, name in enumerate(said.split("|")):
                    row += [BESIDE] * (number > 0) + [word.text for word in words_in(name)]
            else:
                row += [word.text for word in words_in(said[:1].lower() + said[1:])]
    return [*row, END]


def plan_in(row: Sequence[str]) -> tuple[str, tuple[Line, ...]]:
    """Read what `row_of` wrote; what has no form of a step is left out."""
    operator = _OPERATOR.get(row[0], "give") if row else "give"
    lines: list[Line] = []
    kind = ""
    words: list[str] = []

    def close() -> None:
        if kind and words:
            bound, said = [], words
            if ASKED in words:
                at = words.index(ASKED)
                bound, said = words[:at], words[at + 1 :]
            if kind == "names":
                text = " | ".join(filter(None, map(joined, _split(said))))
            else:
                text = joined(said)
                text = f"{text[:1].upper()}{text[1:]}?"
            if text:
                lines.append(Line(kind, joined(bound), text))

    for word in row[1:]:
        if word in _KIND or word == END:
            close()
            kind, words = _KIND.get(word, ""), []
            if word == END:
                break
        else:
            words.append(word)
    return operator, tuple(lines)


def _split(words: Sequence[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == BESIDE:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


_NO_SPACE_BEFORE = re.compile(r"\s+(?=[,;:.!?)\]%”»]|['’]s\b)")
_NO_SPACE_AFTER = re.compile(
    r"(?<=[(\[“«])\s+|(?<=\d)\s+(?=[-–]\s\d)|(?<=\d\s[-–])\s+(?=\d)|"
    r"(?:(?<=\b\d:)|(?<=\b\d\d:))\s+(?=[0-5]\d\b)"
)
"""Where words are split and text has no space; the last is inside a time of day."""


def joined(words: Sequence[str]) -> str:
    """Words with the spaces that text has between them."""
    return _NO_SPACE_AFTER.sub("", _NO_SPACE_BEFORE.sub("", " ".join(words)))
