"""Rendered wikitext, line by line, to the blocks of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus.form.document import GAP, PARAGRAPH, ROW, Block
from corpus.form.lines import finish
from corpus.form.marks import BREAK, CAPTION, CAPTION_END, LINE

_HEADING = re.compile(r"(={1,6})[ \t]*(.+?)[ \t]*\1[ \t]*")
_CAPTION = re.compile(f"{CAPTION}([^{CAPTION_END}]*){CAPTION_END}")
_LEFT_OVER = re.compile(r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}")
_LIST = re.compile(r"([*#:;]+)[ \t]*(.*)", re.S)


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page whose templates, links and tables are rendered."""
    paragraph: list[str] = []
    captions: list[str] = []

    def end_paragraph() -> Iterator[Block]:
        shown = tidy(" ".join(paragraph))
        paragraph.clear()
        if shown:
            for part in shown.split("\n"):
                if part.strip():
                    yield PARAGRAPH, part.strip()
        for caption in captions:
            shown = tidy(caption)
            if shown:
                yield PARAGRAPH, shown
        captions.clear()

    for line in text.split("\n"):
        if CAPTION in line:
            captions.extend(_CAPTION.findall(line))
            line = _CAPTION.sub("", line).replace(CAPTION, "").replace(CAPTION_END, "")
        stripped = line.strip()
        if not stripped:
            yield from end_paragraph()
            yield GAP, ""
            continue
        if stripped.startswith(LINE):
            yield from end_paragraph()
            shown = tidy(stripped.replace(LINE, "").replace(BREAK, ", "))
            if shown:
                yield ROW, shown
            continue
        heading = _HEADING.fullmatch(stripped) if stripped[0] == "=" else None
        if heading:
            yield from end_paragraph()
            title = tidy(heading[2].replace(BREAK, " "))
            yield max(2, len(heading[1])), title
            continue
        if stripped[0] in "*#:;":
            yield from end_paragraph()
            yield from _item(stripped)
            continue
        if stripped.startswith("----"):
            stripped = stripped.lstrip("-")
        paragraph.append(stripped)
    yield from end_paragraph()


def _item(line: str) -> Iterator[Block]:
    match = _LIST.fullmatch(line)
    if match is None:
        return
    marks, words = match[1], match[2]
    shown = tidy(words.replace(BREAK, ", ").replace(LINE, ""))
    if not shown:
        return
    bullet = "- " if marks[-1] in "*#" else ""
    yield ROW, "  " * (len(marks) - 1) * bool(bullet) + bullet + shown


def tidy(text: str) -> str:
    """Return a line as it is shown."""
    shown = finish(_LEFT_OVER.sub("", text)).strip()
    if BREAK in shown:
        shown = "\n".join(part.strip() for part in shown.split(BREAK))
    # Brackets that a removed template left empty.
    return re.sub(r" ?[(（][\s,;，；]*[)）]", "", shown)
