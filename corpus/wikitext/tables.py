"""Tables in wikitext: the source between `{|` and `|}` to rows of cells."""

from __future__ import annotations

import re

from corpus.form.lines import flatten
from corpus.form.marks import BREAK, LINE
from corpus.form.table import Cell, table_lines

_SPAN = re.compile(r"(col|row)span\s*=\s*[\"']?\s*(\d{1,4})", re.IGNORECASE)
_BARE_ATTRIBUTES = re.compile(
    r"\s*+(?:(?:(?:col|row)span|style|bgcolor|align|valign|class|scope|width|height|data-sort-\w+)"
    r"\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"']+)\s*+)+",
    re.IGNORECASE,
)
_LAYOUT_CELL = 400
"""A cell longer than this in a table without heads is laid-out text, not a datum."""


def read_table(body: str) -> str:
    """Return the lines of a table, given what stands between `{|` and `|}`, links and templates resolved."""
    caption, rows, raw = _parse(body)
    if _is_layout(raw):
        return "\n" + "\n".join(text for row in raw for _, _, text in row) + "\n"
    lines = table_lines(rows, caption)
    return "".join(f"\n{LINE}{line}" for line in lines)


Raw = list[list[tuple[bool, str, str]]]


def _parse(body: str) -> tuple[str, list[list[Cell]], Raw]:
    """Split a table's source into caption, cells and the same cells as written."""
    raw: Raw = []
    row: list[tuple[bool, str, str]] = []
    caption: str | None = None
    in_caption = False
    lines = body.split("\n")
    for line in lines[1:]:
        stripped = line.lstrip(" \t:")
        first = stripped[:1]
        if first == "|":
            second = stripped[1:2]
            if second == "-":
                if row:
                    raw.append(row)
                    row = []
                in_caption = False
                continue
            if second == "+":
                caption = _after_attributes(stripped[2:])[1]
                in_caption = True
                continue
            in_caption = False
            row.extend((False, *_after_attributes(cell)) for cell in stripped[1:].split("||"))
        elif first == "!":
            in_caption = False
            cells = stripped[1:].replace("!!", "||").split("||")
            row.extend((True, *_after_attributes(cell)) for cell in cells)
        elif in_caption and caption is not None:
            caption += "\n" + line
        elif row:
            header, attributes, text = row[-1]
            row[-1] = (header, attributes, text + "\n" + line)
    if row:
        raw.append(row)
    rows = [[_cell(*cell) for cell in cells] for cells in raw]
    return flatten(caption or "", " "), rows, raw


def _after_attributes(cell: str) -> tuple[str, str]:
    attributes, bar, content = cell.partition("|")
    if bar:
        return attributes, content
    # Templates such as {{yes}} bring the bar themselves: what stands before them are attributes.
    if "=" in cell and (match := _BARE_ATTRIBUTES.match(cell)) is not None:
        return match[0], cell[match.end() :]
    return "", cell


def _cell(header: bool, attributes: str, text: str) -> Cell:
    rowspan = colspan = 1
    if "span" in attributes.lower():
        for kind, number in _SPAN.findall(attributes):
            if kind.lower() == "col":
                colspan = int(number) or 1
            else:
                rowspan = int(number) or 1
    shown = flatten(text.replace(BREAK, " ") if header else text)
    return Cell(text=shown, header=header, rowspan=rowspan, colspan=colspan)


def _is_layout(raw: Raw) -> bool:
    if any(header for row in raw for header, _, _ in row):
        return False
    return any(
        len(text) > _LAYOUT_CELL and text.count("\n") > 2 for row in raw for _, _, text in row
    )
