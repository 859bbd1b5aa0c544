"""Sub-answers made of facts, every fact with its citation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.facts import Fact
from agent.extractive.words import number_of
from agent.types import Citation, SubAnswer, SubQuestion


def count_of(text: str) -> int | None:
    """Return how many members a question says there are: "the eight planets"."""
    for word in re.findall(r"[\w-]+", text):
        count = None if word.isdigit() and len(word) == 4 else number_of(word)
        if count is not None and 1 < count <= 100:
            return count
    return None


def sub_answer(
    question: SubQuestion, text: str, items: Sequence[str], facts: Sequence[Fact]
) -> SubAnswer:
    """Return the answer to a sub-question that facts give, with a citation for each fact."""
    citations = tuple(
        Citation(
            number=number,
            chunk_id=fact.hit.chunk.id,
            revision=fact.hit.chunk.revision,
            start=fact.hit.chunk.start + fact.start,
            end=fact.hit.chunk.start + fact.end,
            quote=fact.text,
        )
        for number, fact in enumerate(facts, start=1)
    )
    marked = f"{text} {''.join(f'[{c.number}]' for c in citations)}".strip()
    return SubAnswer(
        sub_question_id=question.id,
        status="answered",
        text=marked,
        citations=citations,
        items=tuple(items),
    )
