"""Tables of an HTML page: which rows and cells there are, and boxes as lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from corpus.form.table import CELL_SEPARATOR, Cell
from corpus.html.hidden import is_hidden
from corpus.storage.titles import normalise

_LAYOUT_CELL = 400
"""A cell longer than this in a table without heads is laid-out text, not a datum."""


def _is_box_class(name: str) -> bool:
    return name.startswith(("infobox", "taxobox", "biota"))


def rows_of(table: Any) -> Iterator[Any]:
    """Yield the rows of a table and its caption, not those of tables inside it."""
    for child in table:
        if child.tag in ("tr", "caption"):
            yield child
        elif child.tag in ("tbody", "thead", "tfoot"):
            yield from (row for row in child if row.tag == "tr")


def is_cell(element: Any) -> bool:
    """Whether an element of a row is a cell that is shown."""
    if element.tag not in ("td", "th"):
        return False
    classes = frozenset((element.get("class") or "").split())
    return not is_hidden(element.tag, classes, element.get("style") or "", "")


def read_span(written: str | None) -> int:
    """Return how many rows or columns a cell covers; what is no number counts as one."""
    return int(written) if written and written.isdecimal() and len(written) < 5 else 1


def is_box(classes: frozenset[str]) -> bool:
    """Whether a table is an information box."""
    return any(map(_is_box_class, classes))


def box_name(table: Any, classes: frozenset[str]) -> str:
    """Return the name of a box: its template's where the renderer says it, else its class.

    Parsoid says it (https://www.mediawiki.org/wiki/Specs/HTML#Transclusion_content).
    """
    try:
        target = json.loads(table.get("data-mw") or "")["parts"][0]["template"]["target"]
        return normalise(str(target["href"]).partition(":")[2])
    except (ValueError, LookupError, TypeError):
        return next(filter(_is_box_class, sorted(classes)), "")


def is_layout(rows: list[list[Cell]]) -> bool:
    """Whether a table only sets text side by side."""
    cells = [cell for row in rows for cell in row]
    return not any(cell.header for cell in cells) and any(
        len(cell.text) > _LAYOUT_CELL for cell in cells
    )


def box_lines(rows: list[list[Cell]], caption: str) -> list[str]:
    """Return an information box as lines `Label: value`; a row of one cell is a line as it is."""
    lines = [caption] if caption else []
    for row in rows:
        shown = [cell for cell in row if cell.text]
        if not shown:
            continue
        label, *values = shown
        if values and (label.header or len(shown) == 2):
            joined = CELL_SEPARATOR.join(cell.text for cell in values)
            lines.append(f"{label.text.rstrip(':')}: {joined}")
        else:
            lines.append(CELL_SEPARATOR.join(cell.text for cell in shown))
    return lines
