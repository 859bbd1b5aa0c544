"""What a chunk states, line by line: values with labels, table rows, list items, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.citations.quotes import label_in_words
from corpus.text import sentence_spans
from retrieval.types import Hit

FactKind = Literal["value", "row", "item", "sentence"]

_LABELLED = re.compile(r"(?P<label>[^\W\d_][^:|\n]{0,48}?):\s+(?P<value>\S.*)")
_ABBREVIATED = re.compile(r"(?:\b[A-Z]|\b(?:Jr|Sr|Inc|Co|Ltd|Bros|St|Mt|etc))\.$")
_POINTER = re.compile(r"(?:See(?: also)?|Main articles?:?|For .{3,60}, see)\s+[^.]{1,80}\.?$")
"""A sentence that only points elsewhere."""
SEPARATOR = " | "
PATH = " > "
"""Stands between the headings of a section's path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One line or sentence of a chunk."""

    kind: FactKind
    hit: Hit
    start: int
    """Offsets in the chunk's text."""
    end: int
    text: str
    label: str = ""
    """Of a value."""
    cells: tuple[tuple[str, str], ...] = ()
    """(head, value) of a row; a value is one cell under its label."""
    beside: tuple[tuple[str, str], ...] = ()
    """The other labels of the box a value stands in, with theirs."""
    table: int = -1
    """Position in the chunk of the table or list it belongs to; lines of one share it."""
    caption: str = ""
    """The line before the table or list."""
    section: str = ""
    """Path of the section it stands in, as of a chunk: a chunk may go on into the next section."""

    @property
    def title(self) -> str:
        """Title of the article."""
        return self.hit.chunk.revision.title

    @property
    def context(self) -> str:
        """The fact with what it is about, as it is compared with a question."""
        about = self.title
        if self.section and self.kind != "value":
            about = f"{about}, {self.section}"
        return f"{about}: {self.text}"

    @property
    def place(self) -> str:
        """What stands over the fact: its article, section, caption and heads."""
        heads = ", ".join(head for head, _ in self.cells if head)
        parts = (self.title, self.hit.chunk.section, self.caption[:120], self.label or heads)
        return ". ".join(part for part in parts if part)


def facts_of(hits: Iterable[Hit]) -> list[Fact]:
    """Return the facts of hits in order, each chunk once."""
    seen: set[str] = set()
    facts: list[Fact] = []
    for hit in hits:
        if hit.chunk.id not in seen:
            seen.add(hit.chunk.id)
            facts.extend(_facts_of_chunk(hit))
    return facts


def _facts_of_chunk(hit: Hit) -> list[Fact]:
    facts: list[Fact] = []
    text = hit.chunk.text
    position, before, table, section = 0, "", -1, hit.chunk.section
    for line in text.split("\n"):
        start = position
        position += len(line) + 1
        shown = line.strip()
        if not shown:
            table = -1
            continue
        if shown.startswith("#"):
            before, table = shown.lstrip("# "), -1
            section = _section_after(section, shown)
            continue
        offset = start + line.index(shown)
        if row_cells(shown) or shown.startswith("- "):
            table = start if table < 0 else table
            facts.append(_row_or_item(hit, section, shown, offset, table, before))
        elif (labelled := _labelled(shown)) is not None:
            facts.append(_value(hit, section, labelled, offset))
        elif SEPARATOR not in shown:
            before, table = shown, -1
            facts.extend(_sentences(hit, section, shown, offset))
    return _with_neighbours(facts)


def _section_after(path: str, heading: str) -> str:
    """Path of the section that a heading begins, `## ` the first level, behind one of some path."""
    depth = len(heading) - len(heading.lstrip("#")) - 2
    above = path.split(PATH)[: max(0, depth)] if path else []
    return PATH.join([*above, heading.lstrip("# ")])


def _with_neighbours(facts: list[Fact]) -> list[Fact]:
    """Facts of a chunk whose values know the labels beside theirs: a chunk holds one box at most."""
    box = [fact.cells[0] for fact in facts if fact.kind == "value"]
    return [
        replace(fact, beside=tuple(cell for cell in box if cell != fact.cells[0]))
        if fact.kind == "value" and len(box) > 1 else fact
        for fact in facts
    ]  # fmt: skip


def _row_or_item(hit: Hit, section: str, line: str, offset: int, table: int, caption: str) -> Fact:
    cells = row_cells(line)
    text = line.removeprefix("- ")
    end = offset + len(line)
    return Fact(
        kind="row" if cells else "item",
        hit=hit,
        start=end - len(text),
        end=end,
        text=text,
        cells=cells,
        table=table,
        caption=caption,
        section=section,
    )


def _value(hit: Hit, section: str, labelled: re.Match[str], offset: int) -> Fact:
    line, label = labelled[0], label_in_words(labelled["label"])
    return Fact(
        kind="value",
        hit=hit,
        start=offset,
        end=offset + len(line),
        text=line,
        label=label,
        cells=((label, labelled["value"]),),
        section=section,
    )


def row_cells(line: str) -> tuple[tuple[str, str], ...]:
    """Return (head, value) for a line `Head: value | Head: value`, () for any other."""
    parts = line.split(SEPARATOR)
    if len(parts) < 2:
        return ()
    cells = []
    for part in parts:
        head, colon, value = part.partition(": ")
        cells.append((head.strip(), value.strip()) if colon else ("", part.strip()))
    return tuple(cells) if any(head for head, _ in cells) else ()


def is_of_labels(line: str) -> bool:
    """Whether a line is one of a box or a table rather than a sentence."""
    return bool(row_cells(line)) or _labelled(line) is not None


def _labelled(line: str) -> re.Match[str] | None:
    """Tell "Birth place: Rome" from a sentence that happens to hold a colon."""
    found = _LABELLED.fullmatch(line)
    if found is None or len(found["label"].split()) > 5:
        return None
    ends = line.endswith(".") and not _ABBREVIATED.search(line)
    return None if ends else found


def _sentences(hit: Hit, section: str, line: str, offset: int) -> list[Fact]:
    return [
        Fact(
            kind="sentence",
            hit=hit,
            start=offset + start,
            end=offset + end,
            text=line[start:end],
            section=section,
        )
        for start, end in sentence_spans(line)
        if any(map(str.isalnum, line[start:end])) and not _POINTER.match(line, start, end)
    ]


def tables_of(facts: Sequence[Fact]) -> list[list[Fact]]:
    """Return the rows or items that belong together, in order; a table may go over several chunks.

    A table that a chunk's end cut goes on in the article's next chunk under the same heads.
    """
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        if fact.kind not in ("row", "item"):
            continue
        page = fact.hit.chunk.revision.page_id
        if fact.kind == "row":
            key: tuple[object, ...] = (page, tuple(head for head, _ in fact.cells)[:2])
        else:
            key = (page, fact.hit.chunk.section, "items")
        groups.setdefault(key, []).append(fact)
    for group in groups.values():
        group.sort(key=lambda fact: (fact.hit.chunk.start, fact.start))
    return list(groups.values())
