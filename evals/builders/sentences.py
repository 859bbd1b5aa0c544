"""Prose cut into sentences, English and Chinese."""

from __future__ import annotations

import re

_END = re.compile(
    r"(?:[!?]|(?<![A-Z]\.)(?<!\.[a-z])(?<!\b[A-Z])(?<!\b(?:Dr|St|Mr|Mt|No|vs|ca|Jr|Sr|Co))"
    r"(?<!\b(?:Mrs|Inc|Ltd))\.)"
    r"[\"”’)]*\s+(?=[\"“(]?[A-Z0-9])|[。！？][”’」』]*(?=.)|\n+",
    re.DOTALL,
)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, stripped; a line ends one, an initial does not."""
    sentences: list[str] = []
    start = 0
    for end in _END.finditer(text):
        sentences.append(text[start : end.end()].strip())
        start = end.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]
