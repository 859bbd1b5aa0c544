"""The steps of CQ-Syn that a model does: design, filter, reference (Compound-QA, section 3)."""

from __future__ import annotations

from dataclasses import replace

from pydantic import BaseModel

from evals.builders.cq_syn.item import CompoundItem
from evals.builders.cq_syn.keywords import missing_dimension
from evals.builders.cq_syn.structure import missing_part
from evals.builders.types import Check, Step, judge, keep, reject
from evals.builders.writer import Writer


class DesignReply(BaseModel):
    """A compound question."""

    question: str


class FilterReply(BaseModel):
    """Whether a question is of its type."""

    reason: str
    of_type: bool


class ReferenceReply(BaseModel):
    """An answer to every part of a compound question."""

    answer: str


async def design(item: CompoundItem, writer: Writer) -> Step[CompoundItem]:
    """Write a compound question of the item's type about its context."""
    reply = await writer.ask(
        "cqsyn_design",
        DesignReply,
        {"context": item.context, "original": item.original},
        {"type": _type(item, writer), "dimension": _dimension(item, writer)},
    )
    designed = replace(item, question=reply.question.strip())
    if not designed.question:
        return reject(item, "design", "the model wrote no question")
    return keep(writer.sign(designed, "cqsyn_design"))


async def filter_keywords(item: CompoundItem) -> Step[CompoundItem]:
    """Keep a question that holds the words of its type."""
    missing = missing_dimension(item.question, item.type)
    check = Check(
        name="keywords of its type",
        passed=missing is None,
        reason="" if missing is None else f"no word of dimension {missing}",
    )
    return judge(item, "keywords", [check])


async def filter_structure(item: CompoundItem) -> Step[CompoundItem]:
    """Keep a question that is built as its type asks."""
    missing = missing_part(item.question, item.type)
    check = Check(name="structure of its type", passed=not missing, reason=missing)
    return judge(item, "structure", [check])


async def filter_type(item: CompoundItem, writer: Writer) -> Step[CompoundItem]:
    """Keep a question that a model finds to be of its type."""
    reply = await writer.ask(
        "cqsyn_filter",
        FilterReply,
        {"question": item.question},
        {"type": _type(item, writer)},
    )
    check = Check(name="of its type", passed=reply.of_type, by=writer.name, reason=reply.reason)
    return judge(writer.sign(item, "cqsyn_filter"), "filter", [check])


async def refer(item: CompoundItem, writer: Writer) -> Step[CompoundItem]:
    """Write the reference answer."""
    reply = await writer.ask(
        "cqsyn_reference",
        ReferenceReply,
        {"context": item.context, "question": item.question},
        {"dimension": _dimension(item, writer)},
    )
    answered = replace(item, reference=reply.answer.strip())
    return keep(writer.sign(answered, "cqsyn_reference"))


def _type(item: CompoundItem, writer: Writer) -> str:
    return writer.text(f"cqsyn_{item.type.lower()}")


def _dimension(item: CompoundItem, writer: Writer) -> str:
    return writer.text(f"cqsyn_{item.dimension}")
