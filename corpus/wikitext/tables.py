"""Wikitext tables: `{| … |}` to rows of cells."""

from __future__ import annotations

import re

from corpus.form.lines import flatten
from corpus.form.marks import LINE
from corpus.form.table import Cell, table_lines

_ATTRIBUTES = re.compile(
    r"""\s*(?:[a-zA-Z][\w\-]*\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'|]+)\s*|nowrap\s*)+"""
)
_SPAN = re.compile(r"(row|col)span\s*=\s*[\"']?\s*(\d{1,4})", re.I)
_HIDDEN = re.compile(r"display\s*:\s*none", re.I)
_NAVIGATION = re.compile(r"class\s*=\s*[\"']?[^\"'\n]*\b(?:navbox|metadata|mbox|ambox|toc)\b", re.I)


def render_table(content: str, following: str) -> tuple[str, int]:
    """Return a table as finished lines, each marked, between empty lines."""
    head, _, body = content.partition("\n")
    if _NAVIGATION.search(head):
        return "", 0
    rows, caption = _parse(body)
    lines = table_lines(rows, caption)
    return "\n\n" + "".join(f"{LINE}{line}\n" for line in lines if line) + "\n", 0


def _parse(body: str) -> tuple[list[list[Cell]], str]:
    rows: list[list[Cell]] = [[]]
    caption: list[str] = []
    cells: list[tuple[bool, list[str]]] = []
    in_caption = False

    def end_row() -> None:
        rows.append([_cell("\n".join(lines), header) for header, lines in cells])
        cells.clear()

    for line in body.split("\n"):
        mark = line.lstrip(" \t")
        if mark.startswith("|+"):
            in_caption = True
            caption.append(mark[2:])
        elif mark.startswith("|-"):
            in_caption = False
            end_row()
        elif mark[:1] in ("|", "!"):
            in_caption = False
            header = mark[0] == "!"
            # A row of heads may be cut by !! or by ||, a row of cells by || alone.
            parts = re.split(r"\|\||!!", mark[1:]) if header else mark[1:].split("||")
            cells.extend((header, [part]) for part in parts)
        elif in_caption:
            caption.append(line)
        elif cells:
            cells[-1][1].append(line)
    end_row()
    text = flatten(_without_attributes("\n".join(caption))[0], " ")
    return [row for row in rows if row], text


def _cell(source: str, header: bool) -> Cell:
    content, attributes = _without_attributes(source)
    if _HIDDEN.search(attributes):
        content = ""
    spans = {kind.lower(): int(number) for kind, number in _SPAN.findall(attributes)}
    return Cell(
        text=flatten(content).replace("|", "/"),
        header=header,
        rowspan=spans.get("row", 1),
        colspan=spans.get("col", 1),
    )


def _without_attributes(source: str) -> tuple[str, str]:
    before, bar, after = source.partition("|")
    if bar and (_ATTRIBUTES.fullmatch(before) or not before.strip()):
        return after, before
    return source, ""
