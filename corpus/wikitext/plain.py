"""The plain way: text of a page that is too long to be read in full.

Markup is cut away by single regular expressions that look at each character a fixed number of
times; headings and sections stay, the structure of tables and boxes does not.
"""

from __future__ import annotations

import re

from corpus.form.document import assemble
from corpus.types import Text
from corpus.wikitext.blocks import read_blocks

_MARKUP = re.compile(
    r"<!--[^<>]{0,2000}-->|<ref\b[^<>]{0,300}>[^<>]{0,2000}</ref\s*>|<[^<>\n]{1,300}>|\{\{[^{}\n]{0,300}\}\}"
    r"|\[\[(?:[^\[\]|\n]{1,200}\|)?|\]\]|\{\{|\}\}|'''?",
    re.IGNORECASE,
)


def read_plainly(source: str, title: str, reason: str) -> Text:
    """Return the words of a page, marked as extracted in a simpler way for the reason given."""
    return assemble(read_blocks(_MARKUP.sub("", source)), degraded=reason)
