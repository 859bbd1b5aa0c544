"""Cuts an article's text into chunks: exact spans of at most 1,024 characters.

A chunk ends where the text itself pauses: before a heading, between paragraphs, lines, sentences,
clauses, words, in this order. A line is cut only where it alone is longer than a chunk, so a table
row or an infobox line always stands whole. White space between chunks belongs to none.
"""

from __future__ import annotations

import re
import unicodedata

from corpus.text import STOP
from corpus.types import CHUNK_LIMIT

_SUBSTANTIAL = 0.5
"""Share of the limit from which a chunk may end early, at a heading or between paragraphs: chunks
that cross into the next section answer two questions badly, but tiny chunks answer none."""
_CLAUSE = re.compile(r"[,;:–—)](?=\s)|[，、；：]")
_BLANK = re.compile(r"\S")


def spans(text: str, limit: int = CHUNK_LIMIT) -> list[tuple[int, int]]:
    """Return the chunks of a text as (start, end) offsets, in order and disjoint.

    Every character that is not white space lies in exactly one span. Takes time in proportion to
    the text.

    Args:
        text: the article's text.
        limit: longest chunk, in characters; at least 1.
    """
    if limit < 1:
        raise ValueError(f"a chunk needs at least one character, not {limit}")
    found: list[tuple[int, int]] = []
    position = _next_visible(text, 0)
    while position < len(text):
        end = len(text) if len(text) - position <= limit else _cut(text, position, limit)
        visible_end = position + len(text[position:end].rstrip())
        found.append((position, visible_end))
        position = _next_visible(text, end)
    return found


def _next_visible(text: str, position: int) -> int:
    match = _BLANK.search(text, position)
    return match.start() if match else len(text)


def _cut(text: str, start: int, limit: int) -> int:
    """Return where the chunk that begins at `start` ends, start < end <= start + limit."""
    stop = start + limit
    least = start + int(limit * _SUBSTANTIAL)
    heading = text.rfind("\n\n#", least, stop + 2)
    if heading > start:
        return heading
    paragraph = text.rfind("\n\n", least, stop + 1)
    if paragraph > start:
        return _before_heading(text, start, paragraph)
    line = text.rfind("\n", start, stop + 1)
    if line > start:
        # Cutting at a line leaves the next one whole, unless that one is longer than any chunk: it
        # will be cut anyway, and filling up this chunk with its first sentences is better.
        next_end = text.find("\n", line + 1, line + 2 + limit)
        fits = next_end >= 0 or len(text) - line - 1 <= limit
        if fits or line >= least:
            return _before_heading(text, start, line)
    return _cut_line(text, max(start, line), start, stop)


def _before_heading(text: str, start: int, end: int) -> int:
    """Leave a heading that would end the chunk to the next one, which it is the head of."""
    last_line = text.rfind("\n", start, end) + 1
    if last_line > start + 1 and text.startswith("#", last_line):
        return last_line
    return end


def _cut_line(text: str, line: int, start: int, stop: int) -> int:
    """Cut within a line: behind a sentence, else a clause, else a word, else a character."""
    for pattern in (STOP, _CLAUSE):
        ends = [match.end() for match in pattern.finditer(text, max(line, start), stop)]
        later = [end for end in ends if start + (stop - start) // 4 <= end <= stop]
        if later:
            return later[-1]
    space = max(text.rfind(blank, start + 1, stop + 1) for blank in (" ", "\n", "\t"))
    if space > start:
        return space
    return _whole_character(text, start, stop)


def _whole_character(text: str, start: int, stop: int) -> int:
    """Move a cut back so that no combining mark or joined emoji loses its base."""
    end = stop
    while end > start + 1 and _joins(text, end):
        end -= 1
    # A text of marks alone has no good place: then the limit decides.
    return end if end > start + 1 else stop


def _joins(text: str, at: int) -> bool:
    if at >= len(text):
        return False
    after = text[at]
    return (
        unicodedata.combining(after) != 0
        or unicodedata.category(after) in ("Mn", "Me", "Mc")
        or after in "\u200d\ufe0e\ufe0f"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or text[at - 1] == "\u200d"
    )
