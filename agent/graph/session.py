"""One question's way through its graph: begun, gone on with from its checkpoint, kept at its end."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.budget import Budget
from agent.events import Event
from agent.graph.parts import Parts
from agent.graph.planfile import plan_to_json
from agent.graph.record.runlog import Run, RunLog
from agent.types import SubQuestion
from corpus.errors import BackendError, InputError
from corpus.faults import machine_fault
from corpus.machine.deferred import deferred
from corpus.machine.threads import in_thread

if TYPE_CHECKING:
    from agent.graph.assembly import CompiledGraph, Outcome, Saver
    from agent.storage.database import Database


_UNUSED = "langgraph_sdk", "langsmith.types"
"""Clients of servers, of which LangGraph takes one type: half of the time that loading it takes."""


class Course:
    """Runs questions on the graph of one strategy.

    Args:
        parts: what the nodes work with.
        checkpoints: SQLite file of checkpoints and runs; None keeps nothing.
    """

    def __init__(self, parts: Parts, checkpoints: Path | None) -> None:
        self._parts = parts
        self._checkpoints = checkpoints
        self.runs = None if checkpoints is None else RunLog(checkpoints)
        self._graph: CompiledGraph | None = None
        self._kept_by: tuple[Database, Saver] | None = None
        """What writes the checkpoints, and the file that it writes."""
        self._lock = threading.Lock()

    async def begin(self, run_id: str, question: str, plan: Sequence[SubQuestion]) -> None:
        """Note a question that is being asked; forget the oldest where there are too many."""
        if self.runs is None:
            return
        fingerprint = self._parts.snapshot.manifest.fingerprint
        if self._graph is None:
            await in_thread(self._built)
        old = await in_thread(
            self.runs.begin, run_id, question, self._parts.settings, fingerprint, plan
        )
        for forgotten in old:
            await self._saver(self.runs).adelete_thread(forgotten)

    def close(self) -> None:
        """Close the file of runs."""
        if self.runs is not None:
            self.runs.close()

    def _built(self) -> CompiledGraph:
        """Return the graph, built when first needed; in a thread, as loading LangGraph takes a while."""
        with self._lock:
            if self._graph is None:
                with deferred(*_UNUSED):
                    import agent.graph.record.checkpoints  # noqa: F401 - loaded here, not on a loop
                    from agent.graph.assembly import build_graph

                self._graph = build_graph(self._parts.settings.strategy)
            return self._graph

    def _saver(self, runs: RunLog) -> Saver:
        from agent.graph.assembly import Serializer
        from agent.graph.record.checkpoints import Checkpoints

        database = runs.database
        with self._lock:
            if self._kept_by is None or self._kept_by[0] is not database:
                # One for all questions: a new one would look through the file's tables again.
                self._kept_by = database, Checkpoints(database, Serializer())
            return self._kept_by[1]

    async def run(
        self,
        run_id: str,
        question: str,
        *,
        run: Run | None,
        plan: tuple[SubQuestion, ...],
        budget: Budget | None,
        on_event: Callable[[Event], None],
    ) -> Outcome:
        """Run a question to its end, or to where its plan waits for a person.

        Args:
            run_id: of the checkpoints.
            question: in words.
            run: what is gone on with; None begins anew.
            plan: given or approved.
            budget: of this question; that of the settings by default.
            on_event: called with what nodes say.
        """
        graph = self._graph
        if graph is None:
            graph = await in_thread(self._built)
        from agent.graph.assembly import Outcome, Serializer, run_graph

        if self.runs is None:
            return await run_graph(
                graph,
                {"question": question, "steps": plan},
                context=self._parts.context(budget=budget, kept=False, tell=on_event),
                run_id=run_id,
            )
        if run is not None and run.answer is not None:
            return Outcome(answer=Serializer().loads_typed(run.answer))
        saver = self._saver(self.runs)
        try:
            outcome = await self._kept(saver, run_id, question, run, plan, budget, on_event)
            if outcome.answer is not None:
                if outcome.failure is None and outcome.answer.failure is None:
                    packed = Serializer().dumps_typed(outcome.answer)
                    await in_thread(self.runs.end, run_id, packed)
                # Nothing is left to go on from; resuming a failed run asks what failed once
                # more, and finished calls come from the file of calls.
                await saver.adelete_thread(run_id)
        except sqlite3.DatabaseError as error:
            lacking = machine_fault(error)
            raise BackendError(
                f"{self._checkpoints}: the run can no longer be kept ({lacking or error}); "
                f"to go on: --resume {run_id}"
            ) from error
        return outcome

    async def _kept(
        self,
        saver: Saver,
        run_id: str,
        question: str,
        run: Run | None,
        plan: tuple[SubQuestion, ...],
        budget: Budget | None,
        on_event: Callable[[Event], None],
    ) -> Outcome:
        """Run a question whose every step is kept, from where it was left."""
        from agent.graph.assembly import read_left, run_graph, with_checkpoints

        assert self._graph is not None
        graph = with_checkpoints(self._graph, saver)
        context = self._parts.context(budget=budget, tell=on_event)
        given: Mapping[str, Any] | None = None
        decided: list[dict[str, Any]] | None = None
        if run is None:
            given = {"question": question, "steps": plan}
        else:
            left = await read_left(graph, run_id)
            if plan and (left is None or not left.waiting):
                raise InputError(f"the run {run_id} does not wait for a plan: resume it as is")
            if left is None:
                # Killed before the first step was written: it begins anew, under its id.
                given = {"question": question, "steps": run.plan}
            else:
                usage, elapsed = left.state.usage, left.state.elapsed
                context = self._parts.context(spent=usage, elapsed=elapsed, tell=on_event)
                if left.waiting:
                    decided = plan_to_json(plan or left.state.steps)
        return await run_graph(graph, given, context=context, run_id=run_id, decided=decided)


def came_to_nothing(outcome: Outcome) -> bool:
    """Whether a backend's failure left nothing to answer with."""
    abstained = outcome.answer is not None and outcome.answer.abstained
    return outcome.failure is not None and abstained
