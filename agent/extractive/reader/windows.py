"""Windows: a few neighbouring facts of one chunk, as the reader reads them at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.extractive.finder.facts import Fact

WIDTH = 400
"""Characters of a window's body: about a hundred tokens, three or four sentences or ten lines of
a box. Neighbours decide: the reader tells the right row from its siblings when it sees both."""
JOINT = {"sentence": " ", "value": "; ", "row": "; ", "item": "; "}


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Facts that stand one after the other, with the words that say what they are about."""

    text: str
    """Title, section and caption, then the facts."""
    body: int
    """Offset in `text` of the first fact."""
    facts: tuple[Fact, ...]
    offsets: tuple[int, ...]
    """Of each fact, in `text`."""

    def fact_at(self, start: int, end: int) -> tuple[Fact, int, int] | None:
        """The fact that holds a span of `text`, with the span's offsets in the fact's own text.

        None where the span goes over the edge of a fact.
        """
        for fact, offset in zip(self.facts, self.offsets, strict=True):
            if offset <= start and end <= offset + len(fact.text):
                return fact, start - offset, end - offset
        return None


def windows_of(facts: Iterable[Fact], width: int = WIDTH) -> list[Window]:
    """Group facts into windows, in order; facts of different chunks, kinds or tables never share."""
    windows: list[Window] = []
    group: list[Fact] = []
    size = 0
    for fact in facts:
        if group and (size + len(fact.text) > width or _place(fact) != _place(group[-1])):
            windows.append(_window(group))
            group, size = [], 0
        group.append(fact)
        size += len(fact.text)
    if group:
        windows.append(_window(group))
    return windows


def _place(fact: Fact) -> tuple[object, ...]:
    return fact.hit.chunk.id, fact.kind, fact.table, fact.caption if fact.kind != "sentence" else ""


def _window(facts: Sequence[Fact]) -> Window:
    first = facts[0]
    about = [first.title, first.hit.chunk.section]
    if first.kind in ("row", "item"):
        about.append(first.caption[:80])
    text = ", ".join(part for part in dict.fromkeys(about) if part) + ": "
    body = len(text)
    offsets = []
    for position, fact in enumerate(facts):
        if position:
            text += JOINT[fact.kind]
        offsets.append(len(text))
        text += fact.text
    return Window(text=text, body=body, facts=tuple(facts), offsets=tuple(offsets))
