"""From a page's elements to blocks, in reading order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from corpus.form.document import GAP, PARAGRAPH, ROW, Block
from corpus.form.lines import join_parts, settle_notes, settle_spaces
from corpus.form.marks import BOX, BOX_END, BREAK, NOTE, forget_roles
from corpus.form.table import Cell, table_lines
from corpus.html.hidden import is_hatnote_kept, is_hidden
from corpus.html.inline import make_link, read_math, read_script
from corpus.html.tables import box_lines, box_name, is_box, is_cell, is_layout, read_span, rows_of
from corpus.text import word_set
from corpus.types import Link

MAX_DEPTH = 120
"""Elements nested deeper are read as plain text."""

_WHITE = re.compile(r"[ \t\n\r\f]+")
_PARTS = word_set(
    """p div section article main body blockquote center figure details summary header dl ul ol li dt
    dd pre table hr address h1 h2 h3 h4 h5 h6 figcaption aside fieldset"""
)


class Walk:
    """One pass over one page: collects blocks, links and the classes met."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.blocks: list[Block] = []
        self.links: list[Link] = []
        self.classes: set[str] = set()
        self.too_deep = False
        self._words: list[str] = []
        self._apart_in = 0

    def read(self, element: Any) -> None:
        """Read an element and all that it holds."""
        self._children(element, 0)
        self._end_paragraph()

    def _children(self, element: Any, depth: int) -> None:
        self._text(element.text)
        for child in element:
            self._element(child, depth + 1)
            self._text(child.tail)

    def _text(self, text: str | None) -> None:
        if text:
            self._words.append(text)

    def _element(self, element: Any, depth: int) -> None:
        tag = element.tag
        if not isinstance(tag, str):
            return
        if depth > MAX_DEPTH:
            self.too_deep = True
            self._words.append(" ".join(element.itertext()))
            return
        classes = frozenset((element.get("class") or "").split())
        if classes:
            self.classes.update(classes)
        if is_hidden(tag, classes, element.get("style") or "", element.get("id") or ""):
            self._words.append(NOTE if tag == "sup" else "")
            return
        handler = _HANDLERS.get(tag)
        if handler is not None:
            handler(self, element, classes, depth)
        elif tag in _PARTS:
            self._part(element, classes, depth)
        else:
            self._children(element, depth)

    def _part(self, element: Any, classes: frozenset[str], depth: int) -> None:
        if "hatnote" in classes and not is_hatnote_kept("".join(element.itertext())):
            return
        self._end_paragraph()
        self._children(element, depth)
        self._end_paragraph()

    def _heading(self, element: Any, classes: frozenset[str], depth: int) -> None:
        self._end_paragraph()
        words = _one_line(self._inline(element, depth))
        level = int(element.tag[1])
        if words and not (level == 1 and words == self.title):
            self.blocks.append((max(2, level), words))

    def _break(self, element: Any, classes: frozenset[str], depth: int) -> None:
        self._words.append(BREAK)

    def _script(self, element: Any, classes: frozenset[str], depth: int) -> None:
        self._words.append(read_script(element.tag, self._inline(element, depth)))

    def _math(self, element: Any, classes: frozenset[str], depth: int) -> None:
        self._words.append(read_math(element))

    def _link(self, element: Any, classes: frozenset[str], depth: int) -> None:
        before = len(self._words)
        self._children(element, depth)
        words = _one_line("".join(self._words[before:]))
        if (link := make_link(element, classes, words)) is not None:
            self.links.append(link)

    def _list(self, element: Any, classes: frozenset[str], depth: int) -> None:
        self._end_paragraph()
        for child in element:
            if child.tag in ("ul", "ol"):
                self.blocks.extend(_deeper(self._apart(child, depth + 1, whole=True)))
            elif child.tag == "li":
                words, items = _first_words(self._apart(child, depth + 1))
                if words:
                    self.blocks.append((ROW, f"- {words}"))
                self.blocks.extend(_deeper(items))
        self._gap()

    def _definitions(self, element: Any, classes: frozenset[str], depth: int) -> None:
        self._end_paragraph()
        term = ""
        for child in element:
            if child.tag not in ("dt", "dd"):
                continue
            words, items = _first_words(self._apart(child, depth + 1))
            if child.tag == "dt":
                if term:
                    self.blocks.append((ROW, term))
                term = words
            elif words:
                self.blocks.append((ROW, f"- {term.rstrip(':')}: {words}" if term else words))
                term = ""
            self.blocks.extend(items)
        if term:
            self.blocks.append((ROW, term))
        self._gap()

    def _gap(self) -> None:
        if not self._apart_in:
            self.blocks.append((GAP, ""))

    def _preformatted(self, element: Any, classes: frozenset[str], depth: int) -> None:
        self._end_paragraph()
        for line in "".join(element.itertext()).split("\n"):
            if line.strip():
                self.blocks.append((PARAGRAPH, settle_spaces(line).strip()))

    def _table(self, element: Any, classes: frozenset[str], depth: int) -> None:
        self._end_paragraph()
        caption, rows = "", []
        for row in rows_of(element):
            if row.tag == "caption":
                caption = self._cell(row, depth)
            elif cells := [self._read_cell(cell, depth) for cell in row if is_cell(cell)]:
                rows.append(cells)
        if is_box(classes):
            lines = box_lines(rows, caption)
            lines[:1] = [f"{BOX}{box_name(element, classes)}{BOX_END}{line}" for line in lines[:1]]
        elif is_layout(rows):
            lines = [cell.text for cells in rows for cell in cells if cell.text]
        else:
            lines = table_lines(rows, caption)
        self._gap()
        self.blocks.extend((ROW, line) for line in lines)
        self._gap()

    def _read_cell(self, element: Any, depth: int) -> Cell:
        return Cell(
            text=self._cell(element, depth),
            header=element.tag == "th",
            rowspan=read_span(element.get("rowspan")),
            colspan=read_span(element.get("colspan")),
        )

    def _cell(self, element: Any, depth: int) -> str:
        """Return what a cell shows on one line."""
        parts: list[tuple[bool, str]] = []
        for kind, words in self._apart(element, depth + 1):
            if kind == PARAGRAPH:
                first, *others = words.split(BREAK)
                parts.append((False, _one_line(first)))
                parts.extend((True, _one_line(other)) for other in others)
            else:
                parts.append((True, forget_roles(words).strip().removeprefix("- ")))
        return join_parts(parts, " " if element.tag in ("th", "caption") else ", ")

    def _apart(self, element: Any, depth: int, *, whole: bool = False) -> list[Block]:
        """Return the blocks of an element's contents, or of the whole element, on their own.

        Paragraphs keep their line breaks as marks, for the caller to settle.
        """
        outer = self._words, self.blocks
        self._words, self.blocks = [], []
        self._apart_in += 1
        if whole:
            self._element(element, depth)
        else:
            self._children(element, depth)
        self._end_paragraph()
        self._apart_in -= 1
        blocks = self.blocks
        self._words, self.blocks = outer
        return blocks

    def _inline(self, element: Any, depth: int) -> str:
        """Return the words of an element that should hold nothing but words."""
        return " ".join(words for _, words in self._apart(element, depth))

    def _end_paragraph(self) -> None:
        words = "".join(self._words)
        self._words = []
        if self._apart_in:
            if words.strip():
                self.blocks.append((PARAGRAPH, words))
            return
        for part in words.split(BREAK):
            if shown := _one_line(part):
                self.blocks.append((PARAGRAPH, shown))


Handler = Callable[[Walk, Any, frozenset[str], int], None]
_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), Walk._heading),
    **dict.fromkeys(("ul", "ol"), Walk._list),
    **dict.fromkeys(("sup", "sub"), Walk._script),
    "dl": Walk._definitions,
    "table": Walk._table,
    "pre": Walk._preformatted,
    "br": Walk._break,
    "math": Walk._math,
    "a": Walk._link,
}


def _one_line(words: str) -> str:
    words = forget_roles(words).replace(BREAK, " ")
    return settle_spaces(settle_notes(_WHITE.sub(" ", words))).strip()


def _first_words(blocks: list[Block]) -> tuple[str, list[Block]]:
    """Return the words of an item and the blocks, such as lists, that follow them in it."""
    words: list[str] = []
    rest: list[Block] = []
    for kind, text in blocks:
        if kind == PARAGRAPH and not rest:
            words.append(text)
        else:
            rest.append((ROW, _one_line(text)) if kind == PARAGRAPH else (kind, text))
    return _one_line(" ".join(words)), rest


def _deeper(blocks: list[Block]) -> list[Block]:
    return [(kind, f"  {text}" if kind == ROW else text) for kind, text in blocks]
