"""Names that a sentence lists."""

from __future__ import annotations

import re

_ITEM = r"(?:the\s+)?[A-ZÀ-Þ{first}][\w'’.\-]*(?:\s+(?:of|the|de|da|du|and the)?\s*[A-ZÀ-Þ][\w'’.\-]*){{0,4}}"
_ENUMERATION = re.compile(
    rf"(?:{_ITEM.format(first='0-9')},\s+)+(?:and\s+|or\s+)?{_ITEM.format(first='')}"
    rf"(?:,?\s+and\s+{_ITEM.format(first='')})?"
)
"""Names one after the other, with "the" or without: "Mali, the Gambia and Niger"."""
_PAIR = re.compile(
    rf"[,:(–—]\s+(?:the\s+)?{_ITEM.format(first='')}\s+and\s+(?:the\s+)?{_ITEM.format(first='')}(?=[.;)]|,|$)"
)
"""Two names that tell what was said before them: "two small moons, Phobos and Deimos"."""


def enumerated(text: str) -> tuple[str, ...]:
    """The names of the longest list in a sentence, none where it has none."""
    found: tuple[str, ...] = ()
    told = (*_ENUMERATION.finditer(text), *_PAIR.finditer(text))
    for listed in (match[0].lstrip(",:(–— ") for match in told):
        parts = re.split(r",\s+(?:and\s+|or\s+)?(?:the\s+)?|\s+and\s+(?:the\s+)?", listed)
        names = tuple(dict.fromkeys(part.strip(" .") for part in parts if part.strip(" .")))
        if len(names) > len(found):
            found = names
    return found
