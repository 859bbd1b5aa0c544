"""The plain way: the words of a page that is too large to be read in full.

Markup is cut away by expressions that look at each character a fixed number of times. Headings and
sections stay; boxes, tables and lists lose their form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.form.document import PARAGRAPH, Block, assemble
from corpus.form.lines import settle
from corpus.form.marks import restore
from corpus.types import Text

_MARKUP = re.compile(
    r"<!--[^<>]{0,2000}+-->|<ref\b[^<>]{0,300}+>[^<>]{0,2000}+</ref\s*>|<[a-zA-Z/!][^<>\n]{0,300}+>"
    r"|\{\{[^{}\n]{0,300}+\}\}|\[\[(?:[^\[\]|\n]{1,200}+\|)?|\]\]+|\{\{+|\}\}+|\{\|[^\n]{0,300}+|\|\}+"
    r"|(?<=\n)[|!][-+]?|</?ref\b"
)
_EMPTY_LINES = re.compile(r"\n[ \t]*+\n\s*+")
_HEADING = re.compile(r"\n(={2,6})[ \t]*+([^\n=]{1,200}+)\1[ \t]*+(?=\n)")


def read_plainly(source: str, reason: str) -> Text:
    """Return the words of a page, marked as extracted in a simpler way for the reason given."""
    text = _EMPTY_LINES.sub("\n\n", restore(settle(_MARKUP.sub("", f"\n{source}\n"))))
    return assemble(_blocks(text), degraded=reason)


def _blocks(text: str) -> Iterator[Block]:
    position = 0
    for heading in _HEADING.finditer(text):
        if before := text[position : heading.start()].strip():
            yield PARAGRAPH, before
        yield len(heading[1]), heading[2].strip()
        position = heading.end()
    if rest := text[position:].strip():
        yield PARAGRAPH, rest
