"""One pass over templates, links and tables, innermost first.

A stack holds what is open. Whatever closes is rendered at once and stands as plain text in what
encloses it, so nothing is read twice and the time grows with the length of the page alone. What is
never closed gives its content back as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"\{\{\{[^{}|\n]*(?:\|[^{}]*)?\}\}\}"  # a parameter of a template page
    r"|\{\{|\}\}|\[\[|\]\]"
    r"|^[ \t:*]*\{\||^[ \t]*\|\}(?!\})",
    re.M,
)
MAX_DEPTH = 60
"""Deeper nesting is no article's: its markup goes and its words stay."""

TEMPLATE, LINK, TABLE = "{{", "[[", "{|"
_CLOSES = {"}}": TEMPLATE, "]]": LINK, "|}": TABLE}


@dataclass(slots=True)
class _Frame:
    kind: str
    pieces: list[str] = field(default_factory=list)


def scan(text: str, render: dict[str, Callable[[str, str], tuple[str, int]]]) -> str:
    """Return the text with every template, link and table rendered.

    Args:
        text: protected source.
        render: for each kind, from its content and the text that follows to what replaces it, and
            how many characters of what follows it takes in (a link takes the letters behind it).
    """
    stack = [_Frame("")]
    open_kinds = dict.fromkeys((TEMPLATE, LINK, TABLE), 0)
    position = 0
    for match in _TOKEN.finditer(text):
        token = match[0].strip(" \t:*")
        start = match.start()
        if start < position:
            continue
        stack[-1].pieces.append(text[position:start])
        position = match.end()
        if token in open_kinds:
            if token == TABLE:
                stack[-1].pieces.append("\n")
            stack.append(_Frame(token))
            open_kinds[token] += 1
        elif token in _CLOSES:
            kind = _CLOSES[token]
            if not open_kinds[kind]:
                continue
            _abandon_until(stack, open_kinds, kind)
            frame = stack.pop()
            open_kinds[kind] -= 1
            content = "".join(frame.pieces)
            if len(stack) > MAX_DEPTH:
                stack[-1].pieces.append(content)
                continue
            shown, taken = render[kind](content, text[position : position + 40])
            stack[-1].pieces.append(shown)
            position += taken
    stack[-1].pieces.append(text[position:])
    while len(stack) > 1:
        _give_back(stack)
    return "".join(stack[0].pieces)


def _abandon_until(stack: list[_Frame], open_kinds: dict[str, int], kind: str) -> None:
    """Give back what was opened inside `kind` and never closed."""
    while stack[-1].kind != kind:
        open_kinds[stack[-1].kind] -= 1
        _give_back(stack)


def _give_back(stack: list[_Frame]) -> None:
    frame = stack.pop()
    # The pieces move up as they are: joining them at every level would cost the square of the depth.
    if len(frame.pieces) > len(stack[-1].pieces):
        frame.pieces[:0] = stack[-1].pieces
        stack[-1].pieces = frame.pieces
    else:
        stack[-1].pieces.extend(frame.pieces)
