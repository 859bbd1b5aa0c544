"""Sub-answers made of facts, every fact with its citation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.citations import disarm, strip_marks
from agent.extractive.finder.facts import Fact
from agent.extractive.language.names import without_bracket
from agent.types import Citation, SubAnswer, SubQuestion

_JOINT = r"(?:, | and |, and | & )"
SHOWN = ("answered", "unsure")
"""Statuses whose values are shown; what is unsure is marked so when its citations are checked."""


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


def told_by(
    question: SubQuestion, value: str, fact: Fact, items: Sequence[str] = (), *, sure: bool = True
) -> SubAnswer:
    """Return the answer that one fact gives, with its words beside a value that they explain.

    Args:
        question: the sub-question.
        value: that answers it.
        fact: that tells it.
        items: the things that the value names, one by one; none for the value itself.
        sure: whether its finder is.
    """
    said = fact.kind == "sentence" and (value in fact.text or value != without_bracket(fact.title))
    explained = not said and value != fact.text and len(fact.text) < 200
    text = f"{value} (“{fact.text}”)" if explained else value
    found = sub_answer(question, text, items or (value,), [fact])
    if sure:
        return found
    return replace(found, status="unsure", error="the reader is not sure that these words answer")


def value_of(answer: SubAnswer) -> str:
    """Return the answering words of a sub-answer, without marks.

    Several that its one quote joins are told as the quote does: "Ida and Otto".
    """
    if not answer.items:
        return disarm(strip_marks(answer.text)).strip()
    if len(answer.items) > 1 and len(answer.citations) == 1:
        together = _JOINT.join(map(re.escape, answer.items))
        if joined := re.search(together, answer.citations[0].quote):
            return disarm(joined[0])
    return disarm(", ".join(answer.items))
