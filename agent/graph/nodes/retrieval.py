"""Hits for the question, for its sub-questions, or for what covers most of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from agent import events
from agent.graph.descriptions import spell_out
from agent.graph.hits import gather, search_all
from agent.graph.nodes.types import Node, Update
from agent.graph.record.hits import NO_HITS, Hits
from agent.graph.schedule import doubted
from agent.graph.state import Context, State, Task, Tasks
from agent.graph.step import (
    Fault,
    attempt,
    working,
)
from agent.reasoner import Covering
from corpus.machine.threads import in_thread

JUDGED = 4
"""Times k passages that a reasoner judges before k of them are kept."""
UNJUDGED = "the passages stand as the retriever ranked them, not judged by what they answer"


async def search(state: State, runtime: Runtime[Context]) -> Command[Literal["answer"]]:
    """Gather hits for all ready steps in one batch, and send them to be answered."""
    context = runtime.context
    texts = [step.text for step in state.ready]
    with working(context, "search") as work:
        context.tell(events.Searching(queries=tuple(texts)))
        gathered = await attempt(
            context,
            in_thread(
                gather,
                context.retriever,
                texts,
                context.settings.k,
                toolbox=context.toolbox,
                articles=context.articles,
            ),
        )
        if isinstance(gathered, Fault):
            tasks = [
                Task(sub_question=step, hits=NO_HITS, fault=gathered.reason) for step in state.ready
            ]
        else:
            answers = state.answers
            tasks = [
                Task(
                    sub_question=step,
                    hits=Hits(hits),
                    doubted=doubted(step, state.branches, answers),
                )
                for step, hits in zip(state.ready, gathered, strict=True)
            ]
        work.detail.update(queries=texts, hits=[len(task.hits) for task in tasks])
        rounds: list[tuple[Task, ...]] = [(task,) for task in tasks]
        if tasks and not context.kept:
            rounds = [tuple(tasks)]
        goto = [Send("answer", Tasks(tasks=some)) for some in rounds]
        return Command(update=work.update(), goto=goto)


def retrieving(
    query: Callable[[State, Context], str],
) -> Node:
    """Return a node that searches for what `query` makes of the state and the context."""

    async def retrieve(state: State, runtime: Runtime[Context]) -> Update:
        context = runtime.context
        with working(context, "search") as work:
            asked = query(state, context)
            context.tell(events.Searching(queries=(asked,)))
            lists = await attempt(
                context,
                in_thread(search_all, context.retriever, [asked], context.settings.k),
            )
            if isinstance(lists, Fault):
                return work.update(failure=lists.reason)
            work.detail.update(queries=[asked], hits=len(lists[0]))
            return work.update(hits=Hits(lists[0]))

    return retrieve


async def cover_core(state: State, runtime: Runtime[Context]) -> Update:
    """Search for the question and each core sub-question, pool, keep the k that cover most.

    What covers what is the reasoner's judgment where it can judge, of the best few times k of the
    pool; otherwise, and where the judgment fails, the retriever's scores say it.
    """
    from retrieval.ranking.coverage import choose_covering, cover

    context = runtime.context
    k, reasoner = context.settings.k, context.reasoner
    with working(context, "search") as work:
        core = [spell_out(step, state.steps) for step in state.steps if step.kind == "core"]
        context.tell(events.Searching(queries=(state.question, *core)))
        judges = reasoner if core and isinstance(reasoner, Covering) else None
        wide = k if judges is None else JUDGED * k
        pool = await attempt(
            context, in_thread(cover, context.retriever, state.question, core, wide)
        )
        if isinstance(pool, Fault):
            return work.update(failure=pool.reason)
        kept = pool[:k]
        if judges is not None and len(pool) > k:
            covered = await attempt(context, judges.covered(state.question, core, pool), alone=True)
            if isinstance(covered, Fault):
                work.remarks.append(f"{UNJUDGED}: {covered.reason}")
            else:
                kept = choose_covering(pool, covered, k)
        work.detail.update(queries=[state.question, *core], hits=len(kept))
        return work.update(hits=Hits(kept))
