"""Blocks to an article's text: paragraphs, lines, headings with their sections."""

from __future__ import annotations

from collections.abc import Iterable

from corpus.form.marks import BOX, BOX_END, HEADS, TABLE, TITLE, forget_roles
from corpus.types import Contents, Link, Section, Table, Text

PARAGRAPH = 0
"""A block of this kind is set off by an empty line."""
ROW = -1
"""A line of a list, a table or a box: follows the line before it without an empty line."""
GAP = -2
"""Ends a run of rows."""

_POINTS = " .,;:!?()[]{}<>|/\\'\"-–—•·*_。，、；：（）"
"""A block of these alone is what a removed template or reference left over."""

Block = tuple[int, str]
"""Kind and text; a kind above 0 is a heading of that level."""


def assemble(
    blocks: Iterable[Block],
    links: Iterable[Link] = (),
    *,
    categories: Iterable[str] = (),
    disambiguation: bool = False,
    degraded: str | None = None,
) -> Text:
    """Return the text of a page from its blocks.

    A heading becomes a line `## Title` with as many `#` as its level; one without any content
    below it is left out.
    """
    pieces: list[str] = []
    length = 0
    starts: list[tuple[int, int, str]] = [(0, 1, "")]
    pending: list[tuple[int, str]] = []
    last = GAP
    held = _Held()

    def put(text: str, *, joined: bool) -> int:
        nonlocal length
        gap = "" if not pieces else "\n" if joined else "\n\n"
        pieces.append(gap + text)
        start = length + len(gap)
        length = start + len(text)
        return start

    for kind, text in blocks:
        if kind == GAP:
            last = GAP
            continue
        if kind > 0:
            while pending and pending[-1][0] >= kind:
                pending.pop()
            if text:
                pending.append((kind, text))
            continue
        if kind == ROW:
            text = held.take(text)
        text = forget_roles(text)
        if not text.strip(_POINTS):
            continue
        for level, title in pending:
            starts.append((put(f"{'#' * level} {title}", joined=False), level, title))
            last = GAP
        pending.clear()
        put(text, joined=kind == ROW and last == ROW)
        last = kind
    return Text(
        text="".join(pieces),
        sections=_sections(starts, length),
        links=tuple(dict.fromkeys(links)),
        contents=Contents(
            categories=tuple(dict.fromkeys(filter(None, categories))),
            boxes=tuple(held.boxes),
            tables=tuple(
                Table(caption=caption, heads=tuple(heads)) for caption, heads in held.tables
            ),
        ),
        disambiguation=disambiguation,
        degraded=degraded,
    )


class _Held:
    """The boxes and tables among a page's rows, told by the marks that the rows begin with."""

    def __init__(self) -> None:
        self.boxes: list[str] = []
        self.tables: list[tuple[str, list[str]]] = []
        self._open = False
        """No row but caption and heads has come of the last table."""

    def take(self, row: str) -> str:
        """Return a row without its marks, and keep what they say."""
        while row[:1] in (BOX, TABLE):
            if row[0] == TABLE:
                self.tables.append(("", []))
                self._open = True
                row = row[1:]
            else:
                name, _, row = row[1:].partition(BOX_END)
                self.boxes.append(name)
        role, words = row[:1], row[1:]
        if role not in (TITLE, HEADS):
            self._open = False
            return row
        if self._open and role == TITLE:
            self.tables[-1] = (words, self.tables[-1][1])
        elif self._open:
            self.tables[-1][1].append(words)
        return words


def _sections(starts: list[tuple[int, int, str]], length: int) -> tuple[Section, ...]:
    sections = []
    open_titles: list[tuple[int, str]] = []
    ends = [start for start, _, _ in starts[1:]] + [length]
    for (start, level, title), end in zip(starts, ends, strict=True):
        while open_titles and open_titles[-1][0] >= level:
            open_titles.pop()
        if title:
            open_titles.append((level, title))
        path = tuple(name for _, name in open_titles)
        sections.append(Section(title=title, level=level, start=start, end=end, path=path))
    return tuple(sections)
