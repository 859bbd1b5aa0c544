"""A quote and where it stands: its chunk's offsets, the line and the sentence around it, its row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from corpus.text import sentence_spans as text_spans
from corpus.types import Chunk

SEPARATOR = " | "
LEAST_WORDS = 3
LEAST_IDEOGRAPHS = 5
"""Ideographs that stand for three words."""
IDEOGRAPH = re.compile(r"[\u3400-\u9fff\u3040-\u30ff]")
_LISTED_QUOTE = re.compile(r"\s*- “[^“”]+”(?:\s*\[[\d,\s]*\])*\s*$")
"""A list's line that is one quote, of however many sentences."""
_WORD = re.compile(r"[^\W_]+(?:['’.,/-][^\W_]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What stands around a quote."""

    line: str
    sentence: str
    """The line itself where it is one of a table, a box or a list."""
    structured: bool
    """Whether the line is one of a table, a box or a list."""
    row_heads: tuple[str, ...] = ()
    """What a table's row is about: its first cell, and the first that is not a number."""
    label: str = ""
    """Of a box's line: "Population" in "Population: 12,345"."""
    caption: str = ""
    """The last line before the table or list that is no part of it."""
    heading: str = ""
    """Of the section, where its heading stands in the chunk."""


def locate(quote: str, chunk: Chunk) -> tuple[int, int] | None:
    """Return the offsets in the article of `quote`, or None where the chunk does not hold it.

    Equal means equal character by character, a run of white space counting as one space, and
    whole words: a quote that begins or ends within a word of the chunk is not there. A quote of
    fewer than two letters or digits proves nothing and is not looked for.
    """
    found = _find(quote, chunk.text)
    return None if found is None else (chunk.start + found[0], chunk.start + found[1])


@lru_cache(maxsize=512)
def _find(quote: str, text: str) -> tuple[int, int] | None:
    # Not by a pattern: to compile one takes a hundred times as long as to look for the words, and
    # every quote is another.
    words = quote.split()
    if not _has_two(quote):
        return None
    whole_before, whole_after = _is_spelt(words[0][0]), _is_spelt(words[-1][-1])
    start = text.find(words[0])
    while start >= 0:
        end = _end_of(words, text, start)
        if (
            end is not None
            and not (whole_before and start and text[start - 1].isalnum())
            and not (whole_after and end < len(text) and text[end].isalnum())
        ):
            return start, end
        start = text.find(words[0], start + 1)
    return None


def _has_two(quote: str) -> bool:
    """Whether there are two letters or digits."""
    count = 0
    for character in quote:
        count += character.isalnum()
        if count == 2:
            return True
    return False


def _is_spelt(character: str) -> bool:
    """Whether it may be part of a longer word."""
    return character.isalnum() and not IDEOGRAPH.match(character)


def _end_of(words: list[str], text: str, start: int) -> int | None:
    """Return where words that begin at a place end, None where they do not stand there."""
    at = start + len(words[0])
    for word in words[1:]:
        gap = at
        while at < len(text) and text[at].isspace():
            at += 1
        if at == gap or not text.startswith(word, at):
            return None
        at += len(word)
    return at


def is_enough(quote: str, line: str) -> bool:
    """Say whether a quote is long enough to prove anything.

    Three words, five ideographs, or one whole line of a table, a box or a list.
    """
    if (
        len(IDEOGRAPH.findall(quote)) >= LEAST_IDEOGRAPHS
        or len(_WORD.findall(quote)) >= LEAST_WORDS
    ):
        return True
    bare, whole = " ".join(quote.split()), " ".join(line.split())
    listed = whole.removeprefix("- ")
    if bare not in (whole, listed):
        return False
    return ": " in bare or SEPARATOR in bare or listed != whole


def place_of(quote: str, chunk: Chunk) -> Place | None:
    """Return what stands around a quote, None where the chunk does not hold it."""
    span = locate(quote, chunk)
    if span is None:
        return None
    start, end = span[0] - chunk.start, span[1] - chunk.start
    text = chunk.text
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", max(start, end - 1))
    line_end = len(text) if line_end < 0 else line_end
    line = text[line_start:line_end].strip()
    cells = cells_of(line) if "\n" not in line else ()
    listed = line.startswith("- ")
    heading = _heading(text[:line_start])
    if cells or listed:
        return Place(
            heading=heading,
            line=line,
            sentence=line,
            structured=True,
            row_heads=_row_heads(cells) if len(cells) > 1 else (),
            label=cells[0][0] if len(cells) == 1 else "",
            caption=_caption(text[:line_start]) if len(cells) > 1 or listed else "",
        )
    first = last = None
    for sentence_start, sentence_end in sentence_spans(text):
        if sentence_start <= start < sentence_end:
            first = sentence_start
        if sentence_start < end <= sentence_end:
            last = sentence_end
    around = text[line_start if first is None else first : line_end if last is None else last]
    return Place(line=line, sentence=around.strip(), structured=False, heading=heading)


@lru_cache(maxsize=256)
def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return (start, end) of the sentences and lines of a text; rows and listed quotes are whole."""
    return tuple(text_spans(text, whole=lambda line: cells_of(line) or _LISTED_QUOTE.match(line)))


def cells_of(line: str) -> tuple[tuple[str, str], ...]:
    """Return (head, value) of a table's row or of a box's line, () for prose."""
    parts = line.split(SEPARATOR)
    if len(parts) == 1:
        head, colon, value = line.partition(": ")
        labelled = (
            colon
            and value.strip()
            and 0 < len(head.split()) <= 6
            and not re.search(r"[.!?;,“”\"]|^- ", head)
            and (
                not re.search(r"[.!?。]$", value)
                or re.search(r"\b(?:[A-Z]|Jr|Sr|Inc|Co|Ltd)\.$", value)
            )
        )
        return ((head.strip(), value.strip()),) if labelled else ()
    cells = []
    for part in parts:
        head, colon, value = part.partition(": ")
        cells.append((head.strip(), value.strip()) if colon else ("", part.strip()))
    return tuple(cells) if any(head for head, _ in cells) else ()


_IN_ENGLISH = re.compile(r"(?<=[a-z]{3})eng$")
"""How a box's label ends, written together, whose value is a translation: "Mottoeng"."""


def is_translation(label: str) -> bool:
    """Whether a label, in words, has in English what is in another language."""
    return label.endswith(" in English")


def label_in_words(label: str) -> str:
    """Return what a box's label says, in words: "Motto in English" for "Mottoeng"."""
    return _IN_ENGLISH.sub(" in English", label)


def _row_heads(cells: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    values = [value for _, value in cells if value]
    named = [value for value in values if not re.fullmatch(r"[\W\d_]+", value)]
    return tuple(dict.fromkeys((*values[:1], *named[:1])))


def _heading(before: str) -> str:
    """Return the last heading above a line, "" where there is none in the chunk."""
    lines = reversed(before.split("\n"))
    return next((line.lstrip("# ").rstrip() for line in lines if line.startswith("#")), "")


def _caption(before: str) -> str:
    """Return the last line above a table or list that is none of its own lines."""
    for line in reversed(before.rstrip().split("\n")):
        shown = line.strip()
        if shown and SEPARATOR not in shown and not shown.startswith("- "):
            return shown.lstrip("# ")
    return ""
