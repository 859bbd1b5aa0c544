"""What the reader learns from and is tested on: a question with a window of facts."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.extractive.finder.facts import facts_of
from agent.extractive.reader.windows import Window, windows_of
from corpus.chunk import spans
from corpus.types import Chunk, Revision
from retrieval.types import Hit


@dataclass(frozen=True, slots=True)
class Example:
    """A question, what is read for it, and the span that answers: (-1, -1) where none does."""

    question: str
    text: str
    start: int
    end: int
    source: str


@dataclass(frozen=True, slots=True)
class Case:
    """A question with everything that may be read for it, as it is tested."""

    question: str
    windows: tuple[Window, ...]
    answers: tuple[str, ...]
    """Empty where it has none."""


def hit_of(title: str, text: str, number: int = 0, section: str = "") -> Hit:
    """A text as a hit, for texts that come from no snapshot."""
    revision = Revision(page_id=0, rev_id=0, title=title, timestamp="", url="")
    chunk = Chunk(
        id=f"{title}:{number}",
        revision=revision,
        start=0,
        end=len(text),
        section=section,
        text=text,
    )
    return Hit(chunk=chunk, score=0.0, rank=1, source="data")


def windows_in(title: str, text: str, number: int = 0, section: str = "") -> list[Window]:
    """The windows of a text of any length."""
    pieces = [text[start:end] for start, end in spans(text)]
    return [
        window
        for i, piece in enumerate(pieces)
        for window in windows_of(facts_of([hit_of(title, piece, number * 1000 + i, section)]))
    ]


def overlap(question: str, text: str) -> float:
    """How many of a question's longer words a text holds."""
    wanted = {word[:6] for word in re.findall(r"\w{4,}", question.casefold())}
    return sum(1.0 for word in wanted if word in text.casefold()) / max(len(wanted), 1)
