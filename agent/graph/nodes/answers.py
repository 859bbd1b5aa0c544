"""Sub-questions answered, one answer composed, its citations checked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from langgraph.runtime import Runtime

from agent import events
from agent.graph.account import citable, finish, join_answers, verified
from agent.graph.fallback import nearest_passages
from agent.graph.nodes.types import Node, Update
from agent.graph.record.hits import Hits
from agent.graph.state import Context, Found, State, Task, Tasks, together
from agent.graph.step import (
    Fault,
    attempt,
    first_hits,
    unanswered,
    why_nothing,
    working,
)
from agent.reasoner import Composed, Finding, Guidance
from corpus.machine.threads import in_thread
from retrieval.types import Hit

UNCOMPOSED = "the answers of the sub-questions stand as they were found, not composed"


async def answer(state: Tasks, runtime: Runtime[Context]) -> Update:
    """Answer sub-questions from their hits, all at once."""
    context = runtime.context
    if len(state.tasks) == 1:
        return await _answered(state.tasks[0], context)
    try:
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(_answered(task, context)) for task in state.tasks]
    except BaseExceptionGroup as errors:
        # The first that failed has ended the others, as among nodes.
        raise errors.exceptions[0] from None
    return together([one.result() for one in asked])


async def _answered(task: Task, context: Context) -> Update:
    """Answer one sub-question; whatever goes wrong is this step's failure alone."""
    step = task.sub_question
    with working(context, "answer", step.id, about=step.text) as work:
        context.tell(events.SubQuestionStarted(sub_question=step))
        found: Found
        if task.fault is not None:
            found = unanswered(step, Fault(task.fault, backend=True))
        else:
            hits = task.hits
            work.detail["chunks"] = [hit.chunk.id for hit in hits]
            finding = await attempt(context, context.reasoner.answer(step, hits), alone=True)
            if isinstance(finding, Fault):
                found = unanswered(step, finding)
            else:
                if task.doubted:
                    finding = _unsure(finding, task.doubted)
                confirms = context.confirms
                prove = partial(
                    verified,
                    finding,
                    known=hits,
                    evidence=context.settings.setting != "closed",
                    question=step.text,
                    aliases=context.aliases,
                    reread=context.reread,
                    texts=context.texts,
                    confirms=confirms,
                )
                # Rules alone take a millisecond, the way to a thread and back as much.
                alone = confirms is None and context.reread is None
                found = prove() if alone else await in_thread(prove)
                if task.doubted:
                    found = _unproven(found)
        outcome = found.sub_answer
        context.tell(events.SubQuestionEnded(sub_question=step, sub_answer=outcome))
        work.detail.update(status=outcome.status, citations=len(outcome.citations))
        if outcome.error:
            work.detail["error"] = outcome.error
        return work.update(found={step.id: found})


def _unproven(found: Found) -> Found:
    """Return what was found with no citation that proves it: quotes tell nothing of what fills a step."""
    answer = found.sub_answer
    citations = tuple(replace(citation, support="unsure") for citation in answer.citations)
    return replace(found, sub_answer=replace(answer, citations=citations))


def _unsure(finding: Finding, reason: str) -> Finding:
    """Return a finding no surer than what its sub-question was filled with."""
    answer = finding.sub_answer
    if answer.status != "answered":
        return finding
    return replace(finding, sub_answer=replace(answer, status="unsure", error=reason))


def composing(
    guidance: Guidance,
) -> Node:
    """Return the node that writes the answer from what `guidance` names, and the hits."""

    async def compose(state: State, runtime: Runtime[Context]) -> Update:
        context, settings = runtime.context, runtime.context.settings
        with working(context, "compose", last=True) as work:
            hits: Sequence[Hit] = state.hits
            answers = state.answers
            answered = any(answer.status in ("answered", "unsure") for answer in answers.values())
            if guidance == "sub_answers":
                hits = citable(state.steps, state.found, settings.k)
                if not answered:
                    return work.update(failure=why_nothing(state.found))
            elif not hits and settings.setting != "closed":
                return work.update()
            context.tell(events.Composing())
            composed: Composed | Fault = await attempt(
                context,
                context.reasoner.compose(
                    state.question,
                    sub_questions=state.steps,
                    sub_answers=[answers[s.id] for s in state.steps if s.id in answers],
                    hits=hits,
                    style=settings.style,
                    guidance=guidance,
                ),
                last=True,
            )
            failure, why = None, "it came back empty"
            if isinstance(composed, Fault):
                why = composed.reason
                failure = why if composed.backend and not answered else None
                composed = Composed(text="")
            if composed.withheld:
                work.detail["withheld"] = composed.withheld
            elif not composed.text.strip():
                work.remarks.append(f"the answer could not be composed: {why}")
                if answered:
                    composed = join_answers(state.steps, answers, hits, settings.style)
                    work.remarks.append(UNCOMPOSED)
            return work.update(composed=composed, hits=Hits(hits), failure=failure)

    return compose


async def check(state: State, runtime: Runtime[Context]) -> Update:
    """Check every citation, number those that hold, and make up the whole account."""
    context = runtime.context
    with working(context, "check", last=True) as work:
        answer = await in_thread(
            finish,
            state,
            setting=context.settings.setting,
            source=context.source,
            usage=context.meter.usage,
            aliases=context.aliases,
            reread=context.reread,
            texts=context.texts,
        )
        failure = state.failure
        if answer.abstained:
            hits = state.hits or await first_hits(context, state.question, last=True)
            passages = await in_thread(nearest_passages, state.question, hits, answer.sub_answers)
            answer = replace(answer, passages=passages, failure=failure)
            closed = context.settings.setting == "closed"
            if context.meter.usage.calls and (passages or closed):
                # The model spoke, if to no purpose: the question ends with what there is.
                failure = None
        work.detail.update(citations=len(answer.citations), struck=len(answer.struck))
        update = work.update(failure=failure)
        return {**update, "answer": replace(answer, trace=(*answer.trace, *update["trace"]))}
