"""A reasoner whose every step is given, and a retriever over a few chunks in memory."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from agent.reasoner import Composed, Finding, Guidance
from agent.types import Citation, Kind, Style, SubAnswer, SubQuestion
from corpus.types import Chunk, Revision
from retrieval.types import Hit


def chunk(number: int, text: str, title: str | None = None) -> Chunk:
    """A chunk of a page of its own, a hundred characters into the article."""
    name = title or f"Page {number}"
    return Chunk(
        id=f"{number}:{number}0:0",
        revision=Revision(
            page_id=number,
            rev_id=number * 10,
            title=name,
            timestamp=f"2026-01-{number % 28 + 1:02d}T00:00:00Z",
            url=f"https://w.example/?title={name}&oldid={number}0",
        ),
        start=100,
        end=100 + len(text),
        section="",
        text=text,
    )


def hit(number: int, text: str, title: str | None = None) -> Hit:
    return Hit(chunk=chunk(number, text, title), score=1.0, rank=1, source="test")


@dataclass(slots=True)
class WordRetriever:
    """Ranks chunks by how many words they share with a query."""

    chunks: Sequence[Chunk]
    batches: list[list[str]] = field(default_factory=list)

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        self.batches.append(list(queries))
        return [self._one(query, k) for query in queries]

    def _one(self, query: str, k: int) -> list[Hit]:
        words = set(re.findall(r"\w{3,}", query.casefold()))
        scored = [
            (len(words & set(re.findall(r"\w{3,}", one.text.casefold()))), one)
            for one in self.chunks
        ]
        best = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])[:k]
        return [
            Hit(chunk=one, score=float(score), rank=rank, source="words")
            for rank, (score, one) in enumerate(best, start=1)
        ]


Said = str | Sequence[str] | BaseException | None
"""What a sub-question is answered with: text, items, an exception to raise, or not found."""


@dataclass(slots=True)
class ScriptedReasoner:
    """Plans as given; answers by the words of a sub-question; quotes the line most like it."""

    steps: Sequence[SubQuestion] = ()
    says: Mapping[str, Said] = field(default_factory=dict)
    composes: Callable[[Sequence[SubAnswer], Sequence[Hit]], Composed] | BaseException | None = None
    plans: BaseException | None = None
    seconds: float = 0.0
    asked: list[str] = field(default_factory=list)
    guidance: list[Guidance] = field(default_factory=list)
    given: list[Sequence[Hit]] = field(default_factory=list)
    name: str = "scripted"

    async def plan(self, question: str, hints: Sequence[Hit]) -> list[SubQuestion]:
        if self.plans is not None:
            raise self.plans
        return list(self.steps)

    async def classify(self, question: str, sub_questions: Sequence[str]) -> list[Kind]:
        return ["core"] * len(sub_questions)

    async def answer(self, question: SubQuestion, hits: Sequence[Hit]) -> Finding:
        self.asked.append(question.text)
        await asyncio.sleep(self.seconds)
        said: Said = "It is so."
        for words, words_said in self.says.items():
            if words in question.text:
                said = words_said
        if isinstance(said, BaseException):
            raise said
        if said is None or not hits:
            nothing = SubAnswer(sub_question_id=question.id, status="not_found")
            return Finding(sub_answer=nothing, hits=tuple(hits))
        items = () if isinstance(said, str) else tuple(said)
        text = said if isinstance(said, str) else ", ".join(said)
        return Finding(
            sub_answer=SubAnswer(
                sub_question_id=question.id,
                status="answered",
                text=f"{text} [1]",
                citations=(best_line(question.text, items, hits),),
                items=items,
            ),
            hits=tuple(hits),
        )

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
        self.guidance.append(guidance)
        self.given.append(hits)
        if isinstance(self.composes, BaseException):
            raise self.composes
        if self.composes is not None:
            return self.composes(sub_answers, hits)
        lines = [one.chunk.text.split("\n")[0] for one in hits]
        return Composed(
            text=" ".join(f"{line} [{number}]" for number, line in enumerate(lines, start=1)),
            quotes=tuple(enumerate(lines, start=1)),
        )


def best_line(question: str, items: Sequence[str], hits: Sequence[Hit]) -> Citation:
    """Cite the line of the hits that shares most words with a question and its answer."""
    words = set(re.findall(r"\w+", f"{question} {' '.join(items)}".casefold()))
    lines = [(line, one) for one in hits for line in one.chunk.text.split("\n") if line]
    line, one = max(
        lines, key=lambda pair: len(words & set(re.findall(r"\w+", pair[0].casefold())))
    )
    start = one.chunk.start + one.chunk.text.index(line)
    return Citation(
        number=1,
        chunk_id=one.chunk.id,
        revision=one.chunk.revision,
        start=start,
        end=start + len(line),
        quote=line,
    )


def first_line(one: Hit) -> Citation:
    line = one.chunk.text.split("\n")[0]
    return Citation(
        number=1,
        chunk_id=one.chunk.id,
        revision=one.chunk.revision,
        start=one.chunk.start,
        end=one.chunk.start + len(line),
        quote=line,
    )


def core(id_: str, text: str, *depends_on: str) -> SubQuestion:
    return SubQuestion(id=id_, text=text, kind="core", depends_on=depends_on)
