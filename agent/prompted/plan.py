"""Plans and kinds: what the model is asked, and what its replies mean."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from agent.llm.meter import remark
from agent.plan import placeholders
from agent.prompted.fence import fenced
from agent.prompted.forms import KindsReply, OneKindReply, PlanReply, PlanStep, as_kind
from agent.prompted.inquiry import Asking
from agent.prompted.sources import Sources
from agent.types import Kind, SubQuestion
from retrieval.types import Hit

HINT_TOKENS = 1500
"""First hits are shown to a planner to this length: enough to see which names exist."""
PLAN_TOKENS = 4096
KINDS_TOKENS = 2048
_LOOSE_ID = re.compile(
    r"\{\s*(?:#|(?:step|answer|sub-?question|question|q|a)[\s_-]*#?)?\s*([\w.]{1,12}?)"
    r"(?:[.\s_-]*(?:answer|result))?\s*\}",
    re.IGNORECASE,
)
_HASH_ID = re.compile(r"(?<![\w{#])#(\d{1,2})(?!\w)")


async def make_plan(asking: Asking, question: str, hints: Sequence[Hit]) -> list[SubQuestion]:
    """Return the model's decomposition, every kind still core."""
    sources = Sources(hints)
    empty = asking.prompts.messages("plan", question=question, hints="", data_rule=_rule(asking))
    room = min(HINT_TOKENS, asking.room(empty, PLAN_TOKENS))
    messages = asking.prompts.messages(
        "plan",
        question=question,
        hints=sources.show(room, asking.count),
        data_rule=_rule(asking),
    )
    reply = await asking.ask("plan", messages, PlanReply, max_tokens=PLAN_TOKENS, check=_plan_fault)
    ids = {step.id.strip() for step in reply.sub_questions}
    return [_sub_question(step, ids) for step in reply.sub_questions]


async def classify_together(
    asking: Asking, question: str, sub_questions: Sequence[str]
) -> list[Kind]:
    """Return the kinds of all sub-questions from one call."""
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(sub_questions, start=1))
    messages = asking.prompts.messages(
        "classify",
        question=question,
        sub_questions=fenced(listed),
        definitions=asking.prompts.text("kind_definitions"),
        examples=asking.prompts.examples("classify", asking.shots or 0),
    )

    def fault(reply: KindsReply) -> str:
        given = {entry.number for entry in reply.kinds}
        missing = [str(n) for n in range(1, len(sub_questions) + 1) if n not in given]
        return f"No kind is given for number {', '.join(missing)}." if missing else ""

    reply = await asking.ask("classify", messages, KindsReply, max_tokens=KINDS_TOKENS, check=fault)
    kinds = {entry.number: as_kind(entry.kind) for entry in reply.kinds}
    return [kinds[number] for number in range(1, len(sub_questions) + 1)]


async def classify_one_by_one(
    asking: Asking, question: str, sub_questions: Sequence[str]
) -> list[Kind]:
    """Return the kinds from one call each, with examples (as in the paper, section 3.1)."""

    async def one(text: str) -> Kind:
        messages = asking.prompts.messages(
            "classify_one",
            question=question,
            sub_question=fenced(text),
            definitions=asking.prompts.text("kind_definitions"),
            examples=asking.prompts.examples("classify", asking.shots),
        )
        reply = await asking.ask("classify", messages, OneKindReply, max_tokens=256)
        return as_kind(reply.kind)

    return list(await asyncio.gather(*(one(text) for text in sub_questions)))


def all_core(error: Exception, sub_questions: Sequence[SubQuestion]) -> list[Kind]:
    """Return core for every sub-question: all are then answered, and none is lost."""
    remark(f"the kinds of the sub-questions could not be had, and all count as core: {error}")
    return ["core"] * len(sub_questions)


def _rule(asking: Asking) -> str:
    return asking.prompts.text("data_rule")


def _plan_fault(reply: PlanReply) -> str:
    if any(any(c.isalnum() for c in step.question) for step in reply.sub_questions):
        return ""
    return "The plan holds no sub-question."


def _sub_question(step: PlanStep, ids: set[str]) -> SubQuestion:
    """Read the ways in which models write a placeholder: {1}, {#1}, {Q1}, {answer 1}, #1."""

    def mended(match: re.Match[str]) -> str:
        inside = match[0][1:-1].strip()
        if inside in ids:
            return f"{{{inside}}}"
        return f"{{{match[1]}}}" if match[1] in ids else match[0]

    def from_hash(match: re.Match[str]) -> str:
        return f"{{{match[1]}}}" if match[1] in depends_on else match[0]

    depends_on = tuple(
        id_ if id_ in ids else re.sub(r"^\D*", "", id_) or id_
        for id_ in (id_.strip().strip("{}#") for id_ in step.depends_on)
        if id_
    )
    text = _HASH_ID.sub(from_hash, _LOOSE_ID.sub(mended, " ".join(step.question.split())))
    needed = (id_ for id_ in placeholders(text) if id_ in ids)
    return SubQuestion(
        id=step.id.strip(),
        text=text,
        kind="core",
        depends_on=tuple(dict.fromkeys((*depends_on, *needed))),
    )
