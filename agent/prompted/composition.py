"""The final answer, written from hits or from sub-answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from agent.citations import renumber, strip_marks
from agent.llm.port import Message
from agent.prompted.fence import enclosed, harmless, rounded, tokenless
from agent.prompted.forms import ClosedComposedReply, ComposedReply
from agent.prompted.inquiry import Asking
from agent.prompted.sources import Sources
from agent.prompted.sub_answer import tidy_items
from agent.reasoner import Composed, Guidance
from agent.types import Style, SubAnswer, SubQuestion
from retrieval.types import Hit

COMPOSE_TOKENS = 4096
LENGTH = 300
"""Words of prose, about (Xie et al., section 5): lengths that differ are compared unfairly."""
LONGEST_TEXT = 450

Form = TypeVar("Form", ComposedReply, ClosedComposedReply)


async def compose_from_sources(
    asking: Asking,
    question: str,
    *,
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    hits: Sequence[Hit],
    style: Style,
    guidance: Guidance,
) -> Composed:
    """Return an answer whose marks count `hits` from 1."""
    sources = Sources(hits)
    bare = asking.prompts.messages("compose", **_values(asking, question, style, guidance, ""))
    room = asking.room(bare, COMPOSE_TOKENS)
    if guidance == "sub_answers":
        material = _sub_answers(asking, sub_questions, sub_answers, sources, room)
    else:
        questions = ""
        if guidance == "core_sub_questions":
            questions = _core(asking, sub_questions) + "\n\n"
            room -= asking.count(questions)
        shown = sources.show(room, asking.count)
        material = questions + asking.prompts.text("material_sources", evidence=shown)
    messages = asking.prompts.messages(
        "compose", **_values(asking, question, style, guidance, material)
    )
    reply = await _at_length(asking, messages, ComposedReply, style)
    return Composed(
        text=rounded(reply.text).strip(),
        items=tidy_items(reply.items),
        quotes=tuple(sources.quotes(reply.quotes)),
    )


async def compose_from_memory(
    asking: Asking,
    question: str,
    *,
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    style: Style,
    guidance: Guidance,
) -> Composed:
    """Return an answer of the closed setting: no sources, no marks."""
    material = ""
    if guidance == "core_sub_questions":
        material = _core(asking, sub_questions)
    elif guidance == "sub_answers":
        bare = asking.prompts.messages(
            "compose_closed", **_values(asking, question, style, guidance, "")
        )
        room = asking.room(bare, COMPOSE_TOKENS)
        material = _sub_answers(asking, sub_questions, sub_answers, Sources(), room)
    messages = asking.prompts.messages(
        "compose_closed", **_values(asking, question, style, guidance, material)
    )
    reply = await _at_length(asking, messages, ClosedComposedReply, style)
    return Composed(text=strip_marks(reply.text).strip(), items=tidy_items(reply.items))


def _values(
    asking: Asking, question: str, style: Style, guidance: Guidance, material: str
) -> dict[str, str]:
    prompts = asking.prompts
    return {
        "question": question,
        "style": prompts.text(f"style_{style}"),
        "guidance": "" if guidance == "plain" else prompts.text(f"guidance_{guidance}"),
        "data_rule": prompts.text("data_rule"),
        "material": material,
    }


async def _at_length(
    asking: Asking, messages: Sequence[Message], form: type[Form], style: Style
) -> Form:
    """Return the reply; prose that is far too long is asked for once more, and the shorter taken."""
    asked_again: list[Form] = []

    def fault(reply: Form) -> str:
        words = len(reply.text.split())
        if asked_again:
            return ""
        if style != "long" or reply.items or words <= LONGEST_TEXT:
            return _empty(reply)
        asked_again.append(reply)
        return f"The text has {words} words; write about {LENGTH}."

    reply = await asking.ask("compose", messages, form, max_tokens=COMPOSE_TOKENS, check=fault)
    for earlier in asked_again:
        shorter = len(reply.text.split()) < len(earlier.text.split())
        return reply if shorter and reply.text.strip() else earlier
    return reply


def _empty(reply: ComposedReply | ClosedComposedReply) -> str:
    return "" if reply.text.strip() else "The text is empty."


def _core(asking: Asking, sub_questions: Sequence[SubQuestion]) -> str:
    core = [harmless(step.text) for step in sub_questions if step.kind == "core"]
    listed = enclosed("\n".join(f"- {text}" for text in core))
    return asking.prompts.text("material_core", sub_questions=listed)


def _sub_answers(
    asking: Asking,
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    sources: Sources,
    room: int,
) -> str:
    """Return what was found, sub-question by sub-question, its marks those of `sources`.

    What does not fit is named as left out: answers first, their quotes only while there is room.
    """
    by_id = {step.id: step for step in sub_questions}
    parts: list[str] = []
    for answer in sub_answers:
        step = by_id.get(answer.sub_question_id)
        asked = harmless(step.text) if step is not None else answer.sub_question_id
        part = f"- {asked}\n  {_outcome(answer, sources)}"
        quotes = "".join(
            f'\n  [{number}] "{harmless(citation.quote)}"'
            for citation in answer.citations
            if (number := sources.number_of(citation.chunk_id)) is not None
        )
        for text in (part + quotes, part):
            if asking.count(text) <= room:
                parts.append(text)
                room -= asking.count(text)
                break
    left_out = len(sub_answers) - len(parts)
    if left_out:
        parts.append(f"- {left_out} more, left out for want of room")
    return asking.prompts.text("material_sub_answers", sub_answers=enclosed("\n".join(parts)))


def _outcome(answer: SubAnswer, sources: Sources) -> str:
    if answer.status in ("failed", "not_asked"):
        return "could not be looked up"
    if answer.status != "answered" or not answer.text:
        # What is unsure is shown to the reader as unsure; nothing is to be concluded from it.
        return "not found"
    numbers = {
        citation.number: number
        for citation in answer.citations
        if (number := sources.number_of(citation.chunk_id)) is not None
    }
    return " ".join(tokenless(renumber(answer.text, numbers)).split())
