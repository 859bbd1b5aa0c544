"""The port between the graph and whatever thinks: a language model, or rules and embeddings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from agent.types import Kind, Style, SubAnswer, SubQuestion
from corpus.types import Chunk
from retrieval.types import Hit

Guidance = Literal["plain", "core_definition", "core_sub_questions", "sub_answers"]
"""What the composer is given beside the question and the hits: nothing (baseline and retrieval),
the definition of core sub-questions (query-definition), the core sub-questions themselves
(query-subquestion), or sub-questions with their answers (e2e, agentic)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A sub-answer, and every hit that was looked at for it."""

    sub_answer: SubAnswer
    hits: tuple[Hit, ...]
    """The hits given, then those that tools brought: only these may be cited."""
    struck: tuple[str, ...] = ()
    """Marks and quotes of the answer that could not be verified, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """A composed answer before its citations are checked."""

    text: str
    """With marks `[n]`, n counting the chunks of `hits` from 1."""
    items: tuple[str, ...] = ()
    """The answer as a list, one item each, where it is one."""
    quotes: tuple[tuple[int, str], ...] = ()
    """(mark, quoted words) pairs, to be found in the chunk of that mark."""
    computed: tuple[str, ...] = ()
    """Lines of the text that were computed from cited ones, and carry no marks of their own."""
    withheld: str = ""
    """Why nothing is asserted though steps were answered; the text is empty then."""


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

    async def classify(self, question: str, sub_questions: Sequence[str]) -> list[Kind]:
        """Say for each sub-question whether it is core, background or follow-up."""
        ...

    async def answer(self, question: SubQuestion, hits: Sequence[Hit]) -> Finding:
        """Answer one sub-question, whose placeholders are filled, from evidence alone.

        In the closed setting there are no hits and no tools, and a model may answer from memory;
        such an answer carries no citations.
        """
        ...

    async def compose(
        self,
        question: str,
        *,
        sub_questions: Sequence[SubQuestion],
        sub_answers: Sequence[SubAnswer],
        hits: Sequence[Hit],
        style: Style,
        guidance: Guidance,
    ) -> Composed:
        """Write the answer to `question` from what `guidance` says, and the hits."""
        ...


@runtime_checkable
class Covering(Protocol):
    """A reasoner that can judge which passages answer which sub-questions."""

    async def covered(
        self, question: str, sub_questions: Sequence[str], hits: Sequence[Hit]
    ) -> list[frozenset[int]]:
        """Return for each hit the places, from 0, of the sub-questions that it answers."""
        ...


@runtime_checkable
class Sparing(Protocol):
    """A reasoner that can tell which steps need not be asked of a member."""

    def sparing(
        self, question: str, sub_questions: Sequence[SubQuestion]
    ) -> Callable[[SubQuestion, Mapping[str, SubAnswer]], str]:
        """Return what says why a planned step need not be asked of a member, "" where it must.

        It is given the step as planned and the answers, about that member, of those it waits for.
        Called in a thread, as reading a question may take a while; what it returns must not.
        """
        ...


@runtime_checkable
class Reconsidering(Protocol):
    """A reasoner that has other plans for a question."""

    def another_plan(
        self,
        question: str,
        sub_questions: Sequence[SubQuestion],
        sub_answers: Sequence[SubAnswer],
        hits: Sequence[Hit],
    ) -> list[SubQuestion]:
        """Return the next plan where what one found gives no answer; none where it does, or is the last.

        What was asked before keeps its id, and is not asked again: what comes after the last may be
        an earlier one, by which the question ends. The answers are those to the steps of all plans
        tried. Called in a thread.
        """
        ...


@runtime_checkable
class Confirming(Protocol):
    """A reasoner that can tell what a quote says in words of its own."""

    def confirms(self, question: str, value: str, quote: str, chunk: Chunk) -> bool:
        """Whether a quote of a chunk says that a value answers, though words of the question lack.

        It is asked where names, numbers, dates and polarity hold.
        """
        ...
