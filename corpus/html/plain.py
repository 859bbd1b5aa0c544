"""The plain way for a page with too many elements: its words, without the form of tables and lists."""

from __future__ import annotations

import re

from corpus.form.document import PARAGRAPH, assemble
from corpus.form.lines import decode_entities, settle_spaces
from corpus.types import Text

_SCRIPT = re.compile(r"<(?:script|style)\b[^<>]*+>[^<]*+", re.IGNORECASE)
_BLOCK = re.compile(
    r"</?(?:p|div|li|tr|td|th|h[1-6]|br|table|ul|ol|dl|dd|dt)\b[^<>]*+>", re.IGNORECASE
)
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*+>")
_EMPTY_LINES = re.compile(r" ?\n\s*+")


def read_plainly(html: str, reason: str) -> Text:
    """Return the words of a page, marked as extracted in a simpler way for the reason given."""
    text = _TAG.sub("", _BLOCK.sub("\n", _SCRIPT.sub("", html)))
    text = _EMPTY_LINES.sub("\n", settle_spaces(decode_entities(text))).strip()
    return assemble([(PARAGRAPH, text)] if text else [], degraded=reason)
