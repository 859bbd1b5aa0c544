"""A reader whose words and margin a test chooses."""

from __future__ import annotations

from collections.abc import Sequence

from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.reader.certainty import Pointed
from agent.extractive.reader.span import Span, Titled
from agent.extractive.reader.windows import Window


class Pointer:
    """A reader that points at the first place of some words, as sure as it is told."""

    alone_from = 2.0

    def __init__(self, words: str, margin: float) -> None:
        self.words, self.margin = words, margin

    def is_sure(self, asked: Asked, text: str, fact: Fact, pointed: Pointed) -> bool:
        return pointed.margin >= self.alone_from

    def read(self, question: str, windows: Sequence[Window]) -> list[Span]:
        found = []
        for window in windows:
            for fact in window.facts:
                at = fact.text.find(self.words)
                if at >= 0:
                    found.append(
                        Span(window=window, fact=fact, start=at, end=at + len(self.words),
                             margin=self.margin)
                    )  # fmt: skip
        return found

    def read_titles(self, question: str, windows: Sequence[Window]) -> list[Titled]:
        """The titles of windows that hold the words."""
        holding = [window for window in windows if self.words in window.text[window.body :]]
        return [Titled(window=window, margin=self.margin) for window in holding]
