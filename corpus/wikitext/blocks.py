"""Rendered wikitext, line by line, to the blocks of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.form.document import GAP, PARAGRAPH, ROW, Block
from corpus.form.lines import settle, settle_spaces
from corpus.form.marks import BREAK, CAPTION, CAPTION_END, LINE, restore

_HEADING = re.compile(r"(={1,6})[ \t]*([^\n]+?)[ \t]*\1")
_CAPTION = re.compile(f"{CAPTION}([^{CAPTION_END}]*){CAPTION_END}")
_SWITCH = re.compile(r"__[A-Z]{3,30}__")
_LEFT_OVER = re.compile(
    r"\{\{+|\}\}+|\[\[+|\]\]+|\{\|[^\n]*|\|\}|</?(?:ref|references|nowiki)\b[^<>\n]*>?",
    re.IGNORECASE,
)
_TABLE_LINE = re.compile(r"\|-+[^\n]*|\|\+|[|!](?:[^|\n]*=[^|\n]*\|)?(?!\|)", re.IGNORECASE)
_MARKS = re.compile(r"[*#:;]+")


def read_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page whose templates, links and tables are rendered."""
    text = settle(_SWITCH.sub("", text) if "__" in text else text)
    if _LEFT_OVER.search(text):
        # What stood apart may form a new mark once joined: the second time a space keeps it apart.
        text = settle_spaces(_LEFT_OVER.sub(" ", _LEFT_OVER.sub("", text)))
    paragraph: list[str] = []
    captions: list[str] = []
    term = ""
    for line in text.split("\n"):
        if CAPTION in line or CAPTION_END in line:
            captions += [restore(caption.strip()) for caption in _CAPTION.findall(line)]
            line = _CAPTION.sub("", line).replace(CAPTION, "").replace(CAPTION_END, "")
        line = line.strip()
        first = line[:1]
        if paragraph and (not first or first in "=*#:;-" or first == LINE):
            yield from _end_paragraph(paragraph)
        if term and first != ":":
            yield ROW, term
            term = ""
        if not first:
            yield from _put_captions(captions)
            yield GAP, ""
        elif first == LINE:
            shown = restore(line.replace(LINE, "").replace(BREAK, ", ")).strip()
            if shown:
                yield ROW, shown
        elif first == "=" and (heading := _HEADING.fullmatch(line)) is not None:
            yield from _put_captions(captions)
            yield max(2, len(heading[1])), restore(heading[2].replace(BREAK, " ")).strip()
        elif first in "*#:;":
            marks = _MARKS.match(line)
            level = len(marks[0]) if marks is not None else 1
            shown = _item_text(line[level:])
            if line[level - 1] == ";":
                named, colon, definition = shown.partition(": ")
                term = shown if not colon else ""
                if colon and definition:
                    yield ROW, f"- {named.rstrip()}: {definition}"
            elif term:
                yield ROW, f"- {term.rstrip(':')}: {shown}" if shown else term
                term = ""
            elif shown:
                yield ROW, _item(line[level - 1], level, shown)
        elif line.startswith("----"):
            if rest := line.lstrip("- "):
                paragraph.append(rest)
        else:
            if first in "|!":
                line = _TABLE_LINE.sub("", line, count=1).strip()
            if line:
                paragraph.append(line)
    if term:
        yield ROW, term
    yield from _end_paragraph(paragraph)
    yield from _put_captions(captions)


def _item_text(text: str) -> str:
    return restore(text.replace(BREAK, " ").replace(LINE, "")).strip()


def _item(mark: str, level: int, shown: str) -> str:
    if mark == ":":
        return shown
    return f"{'  ' * (level - 1)}- {shown}"


def _end_paragraph(lines: list[str]) -> Iterator[Block]:
    shown = " ".join(lines)
    lines.clear()
    for part in shown.split(BREAK):
        if part := restore(part).strip():
            yield PARAGRAPH, part


def _put_captions(captions: list[str]) -> Iterator[Block]:
    for caption in captions:
        if caption := caption.replace(BREAK, " ").strip():
            yield PARAGRAPH, caption
    captions.clear()
