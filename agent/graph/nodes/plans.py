"""From a question to its plan, and from round to round what of it can be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agent import events
from agent.graph.account import citable
from agent.graph.descriptions import spell_out
from agent.graph.nodes.types import Update
from agent.graph.planfile import plan_from_json, plan_to_json
from agent.graph.schedule import Progress, advance, close_all
from agent.graph.state import Branch, Context, Found, State
from agent.graph.step import (
    Fault,
    attempt,
    first_hits,
    out_of_budget,
    working,
)
from agent.plan import tidy_plan, without_braces
from agent.reasoner import Reconsidering, Sparing
from agent.types import SubAnswer, SubQuestion
from corpus.machine.threads import in_thread


async def plan(state: State, runtime: Runtime[Context]) -> Update:
    """Break the question into sub-questions with kinds and dependencies, and tidy them.

    A plan that was given is only tidied. Where no plan can be had, the question is its own plan.
    """
    context = runtime.context
    with working(context, "plan") as work:
        question = without_braces(state.question)
        whole = SubQuestion(id="1", text=question, kind="core")
        steps, notes = list(state.steps), []
        if not steps:
            hints = await first_hits(context, state.question)
            made = await attempt(context, context.reasoner.plan(question, hints))
            if isinstance(made, Fault):
                notes.append(f"no plan could be made ({made.reason}): the question is asked whole")
                made = [whole]
            steps = made
        # What a person or a data set gave stands as it is; only a plan made here may say a thing twice.
        embedder = None if state.steps else context.embedder
        # Without an embedder it takes less than the way to a thread and back.
        alone = embedder is None
        tidied = tidy_plan(steps) if alone else await in_thread(tidy_plan, steps, embedder)
        steps, changes = tidied
        if all(step.kind == "follow_up" for step in steps):
            steps = [whole]
        notes += [f"plan: {change}" for change in changes]
        context.tell(events.PlanMade(sub_questions=tuple(steps), changes=tuple(notes)))
        work.detail.update(sub_questions=len(steps), changes=len(changes))
        return work.update(steps=tuple(steps), notes=tuple(notes))


# Asynchronous though nothing is awaited: others LangGraph runs in a thread, begun for them alone.
async def is_approved(state: State, runtime: Runtime[Context]) -> Literal["approve", "replan"]:
    """Go on with the plan, or wait for a person where that was asked for."""
    return "approve" if runtime.context.settings.approve else "replan"


async def approve(state: State, runtime: Runtime[Context]) -> Update:
    """Stop until a person has accepted the plan or sent another."""
    decided = interrupt(plan_to_json(state.steps))
    steps, changes = tidy_plan(plan_from_json(decided, "the plan sent"))
    notes = tuple(f"plan: {change}" for change in changes)
    runtime.context.tell(events.PlanMade(sub_questions=tuple(steps), changes=notes))
    return {"steps": tuple(steps), "notes": notes}


async def replan(state: State, runtime: Runtime[Context]) -> Update:
    """Choose the steps that can be asked now; fill dependent ones with what was found."""
    context = runtime.context
    with working(context, "replan") as work:
        steps, branches = state.steps, state.branches
        notes: tuple[str, ...] = ()
        ready: tuple[SubQuestion, ...] = ()
        rounds = state.round + 1
        over = out_of_budget(context, 0)
        if over is None:
            progress = await _advanced(context, state, steps, branches)
            shut = {answer.sub_question_id: answer for answer in progress.closed}
            # A plan that has run out of rounds leaves its own to the next.
            while not progress.ready and (other := await _another(context, state, progress, shut)):
                notes, rounds = () if ANOTHER in state.notes else (ANOTHER,), 1
                steps, branches = tuple(other), {}
                context.tell(events.PlanMade(sub_questions=steps, changes=(ANOTHER,)))
                progress = await _advanced(context, state, steps, branches)
                shut |= {answer.sub_question_id: answer for answer in progress.closed}
            over = out_of_budget(context, rounds - 1) if progress.ready else None
        if over is None:
            steps, branches, ready = progress.steps, progress.branches, progress.ready
            closed = list(progress.closed)
            if progress.grown:
                context.tell(events.PlanGrown(sub_questions=progress.grown))
        else:
            closed = close_all(steps, state.answers, over)
        by_id = {step.id: step for step in steps}
        for answer in closed:
            step = by_id[answer.sub_question_id]
            context.tell(events.SubQuestionEnded(sub_question=step, sub_answer=answer))
        work.detail.update(round=rounds, ready=len(ready), closed=len(closed))
        return work.update(
            steps=tuple(steps),
            branches=dict(branches),
            ready=ready,
            round=rounds,
            found={answer.sub_question_id: Found(sub_answer=answer) for answer in closed},
            notes=notes,
        )


async def _advanced(
    context: Context,
    state: State,
    steps: Sequence[SubQuestion],
    branches: Mapping[str, Sequence[Branch]],
) -> Progress:
    """Look what of a plan can be asked now."""
    reasoner = context.reasoner
    spared = None
    if isinstance(reasoner, Sparing):
        spared = await in_thread(reasoner.sparing, state.question, steps)
    return advance(
        steps,
        branches,
        state.answers,
        room=context.settings.budget.sub_questions - len(state.found),
        spared=spared,
        guesses={id_: found.guesses for id_, found in state.found.items() if found.guesses},
    )


ANOTHER = "plan: it gave no answer, so another is followed"


async def _another(
    context: Context, state: State, progress: Progress, closed: Mapping[str, SubAnswer]
) -> list[SubQuestion]:
    """Return another plan where the one that has run gives no answer, none where there is none.

    A plan that a person gave or accepted is the only one.

    Args:
        context: of the run.
        state: before this node.
        progress: of the plan that has run.
        closed: the answers to steps that this node closed, of this plan and of those before it.
    """
    reasoner = context.reasoner
    if not isinstance(reasoner, Reconsidering) or context.settings.approve:
        return []
    found = state.found | {id_: Found(sub_answer=answer) for id_, answer in closed.items()}
    answers = [one.sub_answer for one in found.values()]
    hits = citable(progress.steps, found, context.settings.k)
    return await in_thread(reasoner.another_plan, state.question, progress.steps, answers, hits)


async def is_ready(state: State) -> Literal["search", "compose"]:
    """Go on with the steps that can be asked, or write the answer."""
    return "search" if state.ready else "compose"


async def take_core(state: State, runtime: Runtime[Context]) -> Update:
    """Make the core sub-questions ready at once, their placeholders put into words.

    What depends on what stays in the plan, though all are asked together: plans are scored by it.
    """
    spelt = tuple(replace(step, text=spell_out(step, state.steps)) for step in state.steps)
    core = [step for step in spelt if step.kind == "core"]
    core = core or [step for step in spelt if step.kind == "background"]
    limit = runtime.context.settings.budget.sub_questions
    over = close_all(core[limit:], {}, "the budget of sub-questions ran out")
    return {
        "steps": spelt,
        "ready": tuple(core[:limit]),
        "found": {answer.sub_question_id: Found(sub_answer=answer) for answer in over},
    }
