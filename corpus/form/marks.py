"""Characters that carry meaning between the steps of an extraction and never reach the text.

They are Unicode noncharacters (U+FDD0 to U+FDEF), which no valid page may use: `sanitize` takes
them out of the source, `restore` turns what is left of them into what they stand for.
"""

from __future__ import annotations

import re

PIPE = "\ufdd0"
"""A `|` that is text: from a link, a template or `<nowiki>`, never a cell's border."""
LINE = "\ufdd1"
"""At the start of a line: the line is finished (a table row, a box value) and is kept as it is."""
BREAK = "\ufdd2"
"""`<br>`: a new line in running text, a comma in a cell."""
NOTE = "\ufdd3"
"""Where a reference stood: it must neither glue two words nor leave a space before a comma."""
ICON, ICON_END = "\ufdd6", "\ufdd7"
"""Around what a small picture means: shown in a cell that holds nothing else."""
CAPTION, CAPTION_END = "\ufdd4", "\ufdd5"
"""Around a picture's caption, which goes below the paragraph that the picture stands in."""

TABLE = "\ufdea"
"""At the start of a block: a table begins with it."""
TITLE, HEADS = "\ufdeb", "\ufdec"
"""At the start of a block: it is the table's caption, a row of its heads."""
BOX, BOX_END = "\ufded", "\ufdee"
"""At the start of a block, around the name of the box that begins with it."""

_SPECIAL = "[]{}'=*#:;!<>&_-~\n"
_ESCAPES = {ord(char): chr(0xFDD8 + i) for i, char in enumerate(_SPECIAL)} | {ord("|"): PIPE}
_UNESCAPES = {ord(mark): chr(code) for code, mark in _ESCAPES.items()}
_ESCAPED = re.compile("[\ufdd0\ufdd8-\ufdef]")

_ROLE = re.compile(f"[{TABLE}{TITLE}{HEADS}{BOX_END}]|{BOX}[^{BOX_END}]*(?:{BOX_END}|$)")

_FOREIGN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_NEWLINES = re.compile("\r\n?|[\x85\u2028\u2029]")


def sanitize(source: str) -> str:
    """Return the source without control characters, lone surrogates and noncharacters."""
    if _FOREIGN.search(source):
        source = _FOREIGN.sub("", source)
    return _NEWLINES.sub("\n", source)


def escape(text: str) -> str:
    """Return text in which no character has a meaning in wikitext, as `<nowiki>` asks."""
    return text.translate(_ESCAPES)


def forget_roles(text: str) -> str:
    """Return text without the marks of boxes and tables: what is put on one line is none any more."""
    return _ROLE.sub("", text) if _ROLE.search(text) else text


def restore(text: str) -> str:
    """Undo `escape`."""
    return text.translate(_UNESCAPES) if _ESCAPED.search(text) else text
