"""A label that an article carries more than once, with different values: which box does a claim mean?

"Episodes: 6" proves nothing of a show whose article has a box for each of its series, unless what is
said names the box: by its title, its kind, its heading, or a number in it. The same holds of a row
whose first cell heads other rows of the article, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from agent.citations.content.names import Titles
from agent.citations.content.words import fold, stems_of
from agent.citations.quotes import cells_of, locate, place_of
from agent.citations.support.faults import shown
from corpus.text import word_set
from corpus.types import Chunk

Texts = Callable[[Chunk], str]
"""Returns the whole text of a chunk's article, or "" where only the chunk is known."""
_NAMING = word_set("name title")
_TELLING = _NAMING | word_set("type caption")
"""Labels whose values say which box of several this is."""
_WORD = re.compile(r"[^\W_]+")
_SEVERAL = 2
_SHOWN = 3
"""Other values that a reason names."""
_LEAST_HEAD = 2
"""Letters of a row's first cell that names something."""


@dataclass(slots=True)
class _Box:
    """The lines of one box, or one row of a table."""

    heading: str
    """The headings over it, with a table's caption."""
    lines: list[tuple[str, str, int]] = field(default_factory=list)
    """Label, value and the place of the line in the text."""

    def values(self, labels: frozenset[str]) -> str:
        """Return what stands under some labels."""
        return " ".join(value for label, value, _ in self.lines if fold(label) in labels)


def texts_from(titles: Titles) -> Texts:
    """Return the look-up of articles' texts in the revisions that are cited."""

    def text_of(chunk: Chunk) -> str:
        article = titles.find(chunk.revision.title)
        same = article is not None and article.revision.rev_id == chunk.revision.rev_id
        return article.text if article is not None and same else ""

    return text_of


def doubt_of(said: str, quote: str, value: str, chunk: Chunk, texts: Texts | None) -> str:
    """Say why a quote that holds a value does not settle which of several is meant, "" where it does.

    Args:
        said: the question or the claim.
        quote: words of the chunk.
        value: what is taken from the quote; "" for the whole of it.
        chunk: what is cited.
        texts: of the whole articles; None where only the chunk is known.
    """
    if ": " not in quote:
        return ""
    others = other_values(said, quote, value, chunk, texts(chunk) if texts is not None else "")
    if not others:
        return ""
    told = ", ".join(f"“{shown(other, 30)}”" for other in others[:_SHOWN])
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    return f"the article also has {told}{more} under the same label, and which is meant is not said"


def other_values(said: str, quote: str, value: str, chunk: Chunk, text: str) -> tuple[str, ...]:
    """Return the other values that the article has under the label that a quote gives a value by.

    Args:
        said: the question or the claim; where it tells the box or the row, there are no others.
        quote: words of the chunk.
        value: what is taken from the quote; "" for the whole of it.
        chunk: what is cited.
        text: of the whole article; "" where only the chunk is known.

    Returns:
        Different values in the order of the article; () where the quote is neither a line of a box
        nor a row of a table, and where nothing else stands under its label.
    """
    span, place = locate(quote, chunk), place_of(quote, chunk)
    if span is None or place is None or not place.structured:
        return ()
    known = text[chunk.start : chunk.start + len(chunk.text)] == chunk.text
    whole = text if known else chunk.text
    telling = f"{place.label}:" if place.label else place.row_heads[-1] if place.row_heads else ""
    if whole.casefold().count(telling.casefold()) < _SEVERAL:
        return ()  # most stand there once, and need no reading of the article
    boxes, rows = _read(whole)
    at = span[0] if known else span[0] - chunk.start
    if place.label:
        return _in_boxes(said, boxes, at)
    return _in_rows(said, rows, value, at) if place.row_heads and value else ()


def _in_boxes(said: str, boxes: tuple[_Box, ...], at: int) -> tuple[str, ...]:
    own, label, given = _at(boxes, at)
    if own is None:
        return ()
    others = [
        (box, value)
        for box in boxes
        if box is not own
        for name, value, _ in box.lines
        if fold(name) == fold(label) and not _agree(value, given)
    ]
    open_ = [value for box, value in others if not _tells(said, own, box)]
    return tuple(dict.fromkeys(open_))


def _in_rows(said: str, rows: tuple[_Box, ...], value: str, at: int) -> tuple[str, ...]:
    own, _, _ = _at(rows, at)
    if own is None or value in _head(own):
        return ()
    heads = {fold(label): cell for label, cell, _ in own.lines if value in cell}
    open_ = []
    for row in rows:
        if row is own or _head(row) != _head(own):
            continue
        for label, cell, _ in row.lines:
            given = heads.get(fold(label), cell)
            if not _agree(cell, given) and not _tells_row(said, own, row, fold(label)):
                open_.append(cell)
    return tuple(dict.fromkeys(open_))


def _at(boxes: tuple[_Box, ...], at: int) -> tuple[_Box | None, str, str]:
    """Return the box, the label and the value of the line that holds a place of the text."""
    found: tuple[_Box | None, str, str] = (None, "", "")
    for box in boxes:
        for label, value, start in box.lines:
            if start > at:
                return found
            found = (box, label, value)
    return found


def _head(row: _Box) -> str:
    named = (
        value for _, value, _ in row.lines if len(re.sub(r"[\W\d_]", "", value)) >= _LEAST_HEAD
    )
    return next(named, "")


def _agree(one: str, other: str) -> bool:
    """Whether two values say the same, one perhaps more of it."""
    first, second = sorted((_words(one), _words(other)), key=len)
    if not first or second[: len(first)] == first:
        return True
    return any(word.isdigit() for word in first) and set(first) <= set(second)


def _words(value: str) -> list[str]:
    bare = re.sub(r"(?<=\d),(?=\d)", "", re.sub(r"\([^()]*\)", " ", value))
    return _WORD.findall(fold(bare))


def _tells(said: str, own: _Box, other: _Box) -> bool:
    """Whether words say that one box is meant and not another."""
    wanted = stems_of(said) | _numbers(said)
    named, another = (stems_of(box.values(_NAMING)) for box in (own, other))
    here, there = (bool(name) and name <= wanted for name in (named, another))
    if there and (not here or len(another) >= len(named)):
        return False
    if here and (there or another or not _telling(other)):
        return True
    mine, theirs = _telling(own), _telling(other)
    return bool(wanted & (mine - theirs)) and not wanted & (theirs - mine)


def _tells_row(said: str, own: _Box, other: _Box, label: str) -> bool:
    wanted = stems_of(said) | _numbers(said)
    mine, theirs = (
        frozenset().union(
            stems_of(row.heading),
            _numbers(row.heading),
            *(
                stems_of(cell) | _numbers(cell)
                for name, cell, _ in row.lines
                if fold(name) != label
            ),
        )
        for row in (own, other)
    )
    return bool(wanted & (mine - theirs)) and not wanted & (theirs - mine)


def _telling(box: _Box) -> frozenset[str]:
    """Stems of what tells a box from others: headings, title and kind, and every number in it."""
    said = f"{box.heading} {box.values(_TELLING)}"
    numbers = (_numbers(value) for _, value, _ in box.lines)
    return frozenset().union(stems_of(said), _numbers(said), *numbers)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+", text))


@lru_cache(maxsize=8)
def _read(text: str) -> tuple[tuple[_Box, ...], tuple[_Box, ...]]:
    """Return the boxes and the rows of a text, in order.

    A box ends at an empty line, a heading, a line of another form, and where a label comes back.
    """
    boxes: list[_Box] = []
    rows: list[_Box] = []
    path: list[str] = []
    box: _Box | None = None
    caption, at = "", 0
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        shown = line.strip()
        start += len(line) - len(line.lstrip())
        if shown.startswith("#"):
            level = len(shown) - len(shown.lstrip("#"))
            path = [*path[: max(0, level - 2)], shown.lstrip("# ")]
        cells = cells_of(shown)
        heading = " ".join((*path, caption))
        if len(cells) > 1:
            rows.append(_Box(heading, [(label, value, start) for label, value in cells]))
        if len(cells) != 1:
            box = None
            caption = shown if shown and not cells else caption
            continue
        label, value = cells[0]
        if box is None or any(fold(label) == fold(known) for known, _, _ in box.lines):
            box = _Box(" ".join(path))
            boxes.append(box)
        box.lines.append((label, value, start))
    return tuple(boxes), tuple(rows)
