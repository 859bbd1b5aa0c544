"""The port between the graph and whatever thinks: a language model, or rules and embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.types import Style, SubAnswer, SubQuestion
from retrieval.types import Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """A composed answer before its citations are checked."""

    text: str
    """With marks `[n]`, n counting the chunks of `hits` from 1."""
    items: tuple[str, ...] = ()
    quotes: tuple[tuple[int, str], ...] = ()
    """(mark, quoted words) pairs, to be found in the chunk of that mark."""


class Reasoner(Protocol):
    """Thinks. Two exist: `prompted` over a LanguageModel, `extractive` offline."""

    @property
    def name(self) -> str:
        """As reports print it: the model's name, or "extractive"."""
        ...

    async def plan(self, question: str, hints: Sequence[Hit]) -> list[SubQuestion]:
        """Break a question into sub-questions of each kind, with their dependencies.

        `hints` are the first hits for the question itself; empty in the closed setting.
        """
        ...

    async def answer(self, question: SubQuestion, hits: Sequence[Hit]) -> SubAnswer:
        """Answer one sub-question, whose placeholders are filled, from `hits` alone."""
        ...

    async def compose(
        self,
        question: str,
        sub_questions: Sequence[SubQuestion],
        sub_answers: Sequence[SubAnswer],
        hits: Sequence[Hit],
        style: Style,
    ) -> Composed:
        """Write the answer from the sub-answers and hits."""
        ...
