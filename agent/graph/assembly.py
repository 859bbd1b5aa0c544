"""The graph of a strategy, where its checkpoints are kept, and how the two are run.

LangGraph writes a checkpoint after every step and the result of every parallel node as it ends, so
a question cut off at any moment goes on with the nodes that were not finished.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Send
from langsmith import tracing_context

from agent import types
from agent.graph.record.codec import Codec, UnknownTypeError
from agent.graph.record.hits import Hits
from agent.graph.state import Branch, Context, Found, State, Task, Tasks
from agent.graph.strategies import STRATEGIES
from agent.reasoner import Composed
from agent.settings import StrategyName
from agent.telemetry import agent_span, said
from corpus.errors import InputError
from corpus.types import Chunk, Revision
from retrieval.types import Hit

Saver = BaseCheckpointSaver[Any]
"""Keeps the checkpoints of a graph."""

CompiledGraph = CompiledStateGraph[State, Context, Any, Any]
STEPS_A_ROUND = 3
"""replan, search, answer."""
MOST_PLANS = 16
"""Most plans of a question that are asked one after the other, each with rounds of its own; the one
that it ends with is counted twice."""
OTHER_STEPS = 10
"""Most nodes of a graph outside its rounds, and some to spare."""

STORED: tuple[type, ...] = (
    *(types.SubQuestion, types.SubAnswer, types.Citation, types.Usage, types.TraceStep),
    *(types.Answer, Composed, Found, Branch, Task, Tasks, Hit, Chunk, Revision),
)
CODEC = Codec(
    {
        **{one: [part.name for part in fields(one)] for one in STORED},
        Send: ["node", "arg"],
        Hits: ["packed"],
    }
)


_OURS = "fanfold"
_FORM = f"{_OURS}-{CODEC.form}"


class Serializer(JsonPlusSerializer):
    """Writes this package's types by `CODEC`; the graph's own bookkeeping as LangGraph does."""

    def __init__(self) -> None:
        super().__init__(allowed_msgpack_modules=None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return a value as (form, bytes)."""
        try:
            return _FORM, CODEC.pack(obj)
        except UnknownTypeError:
            return super().dumps_typed(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value that was written.

        Raises:
            InputError: another version wrote it.
        """
        form, packed = data
        if form == _FORM:
            return CODEC.unpack(packed)
        if form.startswith(_OURS):
            raise InputError(
                "the run was begun by another version of fanfold: ask the question anew"
            )
        return super().loads_typed(data)


def build_graph(strategy: StrategyName) -> CompiledGraph:
    """Return the compiled graph of a strategy."""
    graph: StateGraph[State, Context, Any, Any] = StateGraph(State, context_schema=Context)
    STRATEGIES[strategy](graph)
    return graph.compile(name=strategy)


def with_checkpoints(graph: CompiledGraph, saver: Saver) -> CompiledGraph:
    """Return a compiled graph that writes checkpoints; compiling anew takes ten times as long."""
    bound = copy.copy(graph)
    bound.checkpointer = saver
    return bound


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a run of a graph ended: with an answer, or with a plan that waits for approval."""

    answer: types.Answer | None
    failure: str | None = None
    """Why there is nothing to answer with."""
    proposed: list[dict[str, Any]] | None = None


async def run_graph(
    graph: CompiledGraph,
    given: Mapping[str, Any] | None,
    *,
    context: Context,
    run_id: str,
    decided: Any = None,
) -> Outcome:
    """Run a graph to its end, or to where it waits.

    Args:
        graph: compiled; with a checkpointer its steps are kept.
        given: parts of the state to begin with; None goes on from the checkpoint of `run_id`.
        context: what the nodes work with.
        run_id: the checkpoints' thread.
        decided: what a waiting plan is answered with, where it is resumed.
    """
    config: RunnableConfig = {
        "configurable": {"thread_id": run_id},
        "recursion_limit": STEPS_A_ROUND * context.settings.budget.depth * MOST_PLANS + OTHER_STEPS,
    }
    begin: Any = given if given is not None else Command(resume=decided) if decided else None
    options: dict[str, Any] = {"durability": "async"} if graph.checkpointer else {}
    answer: types.Answer | None = None
    failure: str | None = None
    proposed: list[dict[str, Any]] | None = None
    model = context.reasoner.name
    # LangSmith would send every step to its servers where its variables are set: nothing leaves
    # the machine here unless a model endpoint was named.
    asked = str((given or {}).get("question", ""))
    with tracing_context(enabled=False), agent_span(run_id, model, asked) as span:
        async for told in graph.astream(
            begin, config, context=context, stream_mode="updates", **options
        ):
            updates = cast(Mapping[str, Any], told)
            if "__interrupt__" in updates:
                # The stream is read to its end: what waits is written after it was told.
                proposed = updates["__interrupt__"][0].value
            done = updates.get("check")
            if done:
                answer, failure = done["answer"], done["failure"]
                span.note(said(answer.text) if answer is not None else {})
    if answer is None and proposed is None and graph.checkpointer:
        # The run had ended before it was resumed, but not yet told anyone.
        kept = (await graph.aget_state(config)).values
        answer, failure = kept.get("answer"), kept.get("failure")
    return Outcome(answer=answer, failure=failure, proposed=proposed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Where a run was left."""

    state: State
    waiting: bool
    """Whether its plan waits for approval."""


async def read_left(graph: CompiledGraph, run_id: str) -> Left | None:
    """Return where a run was left, None where nothing of it was written."""
    config: RunnableConfig = {"configurable": {"thread_id": run_id}}
    kept = await graph.aget_state(config)
    return Left(state=State(**kept.values), waiting=bool(kept.interrupts)) if kept.values else None
