"""Which of some passages answer which sub-questions: the judgment that M3 ranks passages by."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agent.prompted.fence import fenced
from agent.prompted.forms import CoverReply
from agent.prompted.inquiry import Asking
from agent.prompted.sources import Sources
from retrieval.types import Hit

COVER_TOKENS = 2048


async def find_covered(
    asking: Asking, question: str, sub_questions: Sequence[str], hits: Sequence[Hit]
) -> list[frozenset[int]]:
    """Return for each hit the places of the sub-questions that it answers, counted from 0.

    As many passages go into a call as there is room for; one that has no room alone answers
    nothing. A source that a reply passes over answers nothing either.

    Raises:
        ModelError: a call failed.
    """
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(sub_questions, start=1))
    values = {
        "question": question,
        "sub_questions": fenced(listed),
        "data_rule": asking.prompts.text("data_rule"),
    }
    room = asking.room(asking.prompts.messages("cover", evidence="", **values), COVER_TOKENS)
    sources = Sources(hits)
    shown: list[tuple[str, frozenset[int]]] = []
    left = list(range(1, len(sources.hits) + 1))
    while left:
        evidence = sources.show(room, asking.count, left)
        numbers = frozenset(left) & sources.shown
        if numbers:
            shown.append((evidence, numbers))
        left = left[max(1, len(numbers)) :]

    async def judge(evidence: str, numbers: frozenset[int]) -> CoverReply:
        messages = asking.prompts.messages("cover", evidence=evidence, **values)
        reply = await asking.ask("cover", messages, CoverReply, max_tokens=COVER_TOKENS)
        kept = [entry for entry in reply.sources if entry.source in numbers]
        return reply.model_copy(update={"sources": kept})

    replies = await asyncio.gather(*(judge(*one) for one in shown))
    covered: dict[int, frozenset[int]] = {}
    for entry in (entry for reply in replies for entry in reply.sources):
        answers = (answer - 1 for answer in entry.answers if 1 <= answer <= len(sub_questions))
        covered[entry.source] = covered.get(entry.source, frozenset()).union(answers)
    return [covered.get(sources.number_of(hit.chunk.id) or 0, frozenset()) for hit in hits]
