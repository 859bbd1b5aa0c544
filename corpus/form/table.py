"""A table as lines that read alone: every cell of a row on one line, its column's head with it.

Tallest mountains
Rank | Name | Height
Rank: 1 | Name: Everest | Height: 8,849 m
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.form.marks import HEADS, TABLE, TITLE

MAX_SPAN = 200
"""A cell that claims to span more is not believed."""
CELL_SEPARATOR = " | "


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell as the source writes it, its text on one line."""

    text: str
    header: bool = False
    rowspan: int = 1
    colspan: int = 1


def table_lines(rows: Sequence[Sequence[Cell]], caption: str = "") -> list[str]:
    """Return a table's lines: caption, a line of heads, then a line for each row.

    The first begins with the mark of a table; caption and heads have marks of their own.

    Spans are resolved: a cell over several rows stands in each, one over several columns stands
    once under their heads. A row of heads further down starts new heads; a single cell across the
    whole table is a line of its own.
    """
    lines = [TITLE + caption] if caption else []
    heads: list[str] = []
    above: Sequence[Cell | None] = ()
    grid = _resolve_spans(rows)
    width = max((len(row) for row in grid), default=0)
    for number, row in enumerate(grid):
        cells = list(_distinct(row))
        shown = [(cell, columns) for cell, columns in cells if cell.text]
        if not shown:
            continue
        # Heads in two rows: the upper ones span what the lower ones divide.
        divided = any(cell is not None and (cell.colspan > 1 or cell.rowspan > 1) for cell in above)
        named = bool(heads) and not divided
        if number + 1 < len(grid) and _is_head_row(cells, shown, first=not number, named=named):
            heads = _merge_heads(heads if divided else [], row, width)
            above = row
            lines.append(HEADS + CELL_SEPARATOR.join(cell.text for cell, _ in shown))
            continue
        above = ()
        if len(cells) == 1 and width > 1:
            lines.append(shown[0][0].text)
        else:
            lines.append(_row_line(shown, heads))
    return [TABLE + lines[0], *lines[1:]] if lines else []


def _resolve_spans(rows: Sequence[Sequence[Cell]]) -> list[list[Cell | None]]:
    """Return rows of equal meaning without spans: the same cell object in every slot it covers."""
    budget = 20_000 + 4 * sum(len(row) for row in rows)
    grid: list[list[Cell | None]] = []
    reaching: dict[int, tuple[Cell, int]] = {}
    for row in rows:
        slots: list[Cell | None] = []
        carried: dict[int, tuple[Cell, int]] = {}
        for cell in row:
            _take_reaching(slots, reaching, carried)
            span = min(max(cell.colspan, 1), MAX_SPAN) if budget > 0 else 1
            for _ in range(span):
                if cell.rowspan > 1 and budget > 0:
                    carried[len(slots)] = (cell, min(cell.rowspan, len(rows)) - 1)
                slots.append(cell)
            budget -= span
        for column in range(len(slots), max(reaching, default=-1) + 1):
            if column == len(slots):
                _take_reaching(slots, reaching, carried)
            if column == len(slots):
                slots.append(None)
        budget -= len(carried)
        reaching = carried if budget > 0 else {}
        grid.append(slots)
    return grid


def _take_reaching(
    slots: list[Cell | None],
    reaching: dict[int, tuple[Cell, int]],
    carried: dict[int, tuple[Cell, int]],
) -> None:
    while (reached := reaching.pop(len(slots), None)) is not None:
        cell, left = reached
        if left > 1:
            carried[len(slots)] = (cell, left - 1)
        slots.append(cell)


def _distinct(row: Sequence[Cell | None]) -> Iterator[tuple[Cell, range]]:
    """Yield each cell of a row once, with the columns it covers."""
    start = 0
    while start < len(row):
        end = start + 1
        while end < len(row) and row[end] is row[start]:
            end += 1
        cell = row[start]
        if cell is not None:
            yield cell, range(start, end)
        start = end


def _is_head_row(
    cells: Sequence[tuple[Cell, range]],
    shown: Sequence[tuple[Cell, range]],
    *,
    first: bool,
    named: bool,
) -> bool:
    """Whether a row names the columns below it; `named`: they have names already."""
    if len(shown) < 2:
        return False
    if all(cell.header for cell, _ in cells):
        # A line of sums at the foot is often set as heads, too.
        numbers = sum(any(map(str.isdigit, cell.text)) for cell, _ in shown[1:])
        return not named or 2 * numbers <= len(shown) - 1
    # Many tables mark their first row by bold type alone.
    return first and all(
        cell.text.startswith("'''") and cell.text.endswith("'''") for cell, _ in shown
    )


def _merge_heads(above: list[str], row: Sequence[Cell | None], width: int) -> list[str]:
    merged = above + [""] * (width - len(above))
    for column, cell in enumerate(row):
        text = cell.text.rstrip(":") if cell is not None else ""
        if text and text != merged[column]:
            merged[column] = f"{merged[column]} {text}".strip()
    return merged


def _row_line(shown: Sequence[tuple[Cell, range]], heads: Sequence[str]) -> str:
    if not heads and shown[0][0].header and len(shown) > 1 and not shown[1][0].header:
        label = shown[0][0].text.rstrip(":")
        return f"{label}: {CELL_SEPARATOR.join(cell.text for cell, _ in shown[1:])}"
    parts = []
    for cell, columns in shown:
        over = list(dict.fromkeys(heads[c] for c in columns if c < len(heads) and heads[c]))
        if len(over) > 3:
            over = [f"{over[0]} – {over[-1]}"]
        head = ", ".join(over)
        parts.append(f"{head}: {cell.text}" if head and head != cell.text else cell.text)
    return CELL_SEPARATOR.join(parts)
