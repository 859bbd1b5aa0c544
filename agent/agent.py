"""The agent: ask a question, get a cited answer; in one call, as a stream of events, or resumed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent import events
from agent.budget import Budget
from agent.events import Event
from agent.opening import Parts, Wiring, open_parts
from agent.planfile import plan_from_json, plan_to_json
from agent.runs import Run, RunLog, check_same, new_id
from agent.settings import Settings, StrategyName, check_question
from agent.types import Answer, Setting, Style, SubQuestion
from corpus.errors import BackendError, InputError

if TYPE_CHECKING:
    from agent.graph import CompiledGraph, Outcome
    from agent.llm.port import LanguageModel
    from agent.reasoner import Reasoner
    from corpus.store import Snapshot
    from retrieval.types import Retriever


class Agent:
    """Answers questions from a snapshot; one agent serves many questions, also at once.

        agent = Agent()                                  # the sample, the extractive engine
        answer = agent.ask("Which planets have rings?")
        print(answer.text, answer.citations)

    Args:
        snapshot: a folder or an open snapshot; the embedded sample by default.
        model: a model's name at `base_url`, or a LanguageModel; the extractive engine by default.
        strategy: see `agent.strategies`.
        setting: "open" draws on the snapshot, "evidence" on the articles of `evidence` alone,
            "closed" on nothing.
        evidence: titles.
        style: "long" prose, or "short": one item a line.
        k: hits for a query.
        budget: limits of one question.
        reasoner: thinks instead of either engine.
        retriever: searches instead of the snapshot's indexes.
        checkpoints: SQLite file that lets interrupted questions go on; None keeps nothing.
        base_url: of an OpenAI-compatible server; OpenAI's own by default.
        api_key: never taken from the environment, never written anywhere.
        calls: SQLite file of model calls; a call that is in it is not made again.
        replay: answer model calls from `calls` alone.
        settings: all of the above that are settings, at once.
        wiring: all of the above that are not, at once.

    Raises:
        InputError: something named here cannot be used.
    """

    def __init__(
        self,
        snapshot: Snapshot | Path | str | None = None,
        model: LanguageModel | str | None = None,
        strategy: StrategyName = "agentic",
        setting: Setting = "open",
        evidence: Sequence[str] = (),
        style: Style = "long",
        k: int = 10,
        budget: Budget | None = None,
        reasoner: Reasoner | None = None,
        retriever: Retriever | None = None,
        checkpoints: Path | str | None = None,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        calls: Path | str | None = None,
        replay: bool = False,
        settings: Settings | None = None,
        wiring: Wiring | None = None,
    ) -> None:
        named = snapshot if isinstance(snapshot, str | Path) else None
        if settings is None:
            settings = Settings(
                strategy=strategy,
                setting=setting,
                evidence=tuple(evidence),
                style=style,
                k=k,
                snapshot=None if named is None else str(named),
                model=model if isinstance(model, str) else None,
                base_url=base_url,
                budget=budget or Budget(),
            )
        if wiring is None:
            wiring = Wiring(
                snapshot=None if isinstance(snapshot, str | Path) else snapshot,
                model=None if isinstance(model, str) else model,
                reasoner=reasoner,
                retriever=retriever,
                api_key=api_key,
                calls=None if calls is None else Path(calls),
                replay=replay,
            )
        self.settings = settings
        self._parts: Parts = open_parts(settings, wiring)
        self._checkpoints = None if checkpoints is None else Path(checkpoints)
        self._runs = None if self._checkpoints is None else RunLog(self._checkpoints)
        self._graph: CompiledGraph | None = None

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that answers are drawn from."""
        return self._parts.snapshot

    @property
    def engine(self) -> str:
        """The model's name, or "extractive"."""
        return self._parts.reasoner.name

    def ask(self, question: str, *, plan: Sequence[SubQuestion] = ()) -> Answer:
        """Return the answer to a question; see `aask`. Not for use inside a running event loop."""
        return asyncio.run(self.aask(question, plan=plan))

    async def aask(self, question: str, *, plan: Sequence[SubQuestion] = ()) -> Answer:
        """Return the answer to a question.

        Args:
            question: in words.
            plan: sub-questions to use instead of the reasoner's own.

        Raises:
            InputError: no question.
            BackendError: a model or an index failed, and nothing is there to answer with.
        """
        return await _last_answer(self.events(question, plan=plan))

    async def events(
        self, question: str, *, plan: Sequence[SubQuestion] = (), run_id: str | None = None
    ) -> AsyncIterator[Event]:
        """Yield what happens while a question is answered; the answer comes last.

        Args:
            question: in words.
            plan: sub-questions to use instead of the reasoner's own.
            run_id: what to resume it by; a fresh id by default.

        Raises:
            InputError, BackendError: as `aask`.
        """
        question = check_question(question)
        run_id = run_id or new_id()
        if self._runs is not None:
            fingerprint = self.snapshot.manifest.fingerprint
            await self._forget(self._runs.begin(run_id, question, self.settings, fingerprint, plan))
        async with aclosing(self._run(run_id, question, plan=tuple(plan))) as stream:
            async for event in stream:
                yield event

    async def resume(
        self, run_id: str, *, plan: Sequence[SubQuestion] | None = None
    ) -> AsyncIterator[Event]:
        """Go on with a run that was interrupted, or that waits for its plan to be approved.

        Args:
            run_id: as `Begun` said it.
            plan: the approved plan; the proposed one as it stands by default.

        Raises:
            InputError: no such run, or one begun with other settings or another snapshot.
            BackendError: as `aask`.
        """
        if self._runs is None:
            raise InputError("nothing can be resumed: this agent keeps no checkpoints")
        run = self._runs.find(run_id)
        check_same(run, self.settings, self.snapshot.manifest)
        going_on = self._run(run_id, run.question, run=run, plan=tuple(plan or ()))
        async with aclosing(going_on) as stream:
            async for event in stream:
                yield event

    async def _run(
        self,
        run_id: str,
        question: str,
        *,
        run: Run | None = None,
        plan: tuple[SubQuestion, ...] = (),
    ) -> AsyncGenerator[Event, None]:
        yield events.Begun(run_id=run_id, question=question, resumable=self._runs is not None)
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        # A task of its own: context variables set while the graph runs stay out of the caller's.
        work = asyncio.create_task(self._work(run_id, question, run, plan, queue))
        work.add_done_callback(lambda _: queue.put_nowait(None))
        try:
            while (event := await queue.get()) is not None:
                yield event
            outcome = await work
        finally:
            work.cancel()
            await asyncio.wait([work])
        if outcome.proposed is not None:
            steps = plan_from_json(outcome.proposed, "the plan")
            yield events.PlanProposed(run_id=run_id, sub_questions=tuple(steps))
            return
        assert outcome.answer is not None
        if _failed(outcome):
            raise BackendError(outcome.failure)
        yield events.Answered(answer=outcome.answer)

    async def _work(
        self,
        run_id: str,
        question: str,
        run: Run | None,
        plan: tuple[SubQuestion, ...],
        queue: asyncio.Queue[Event | None],
    ) -> Outcome:
        from agent.graph import (
            Outcome,
            Serializer,
            build_graph,
            open_saver,
            read_left,
            run_graph,
            with_checkpoints,
        )

        given: Mapping[str, Any] | None = None
        if run is None:
            given = {"question": question, "steps": plan}
        decided: list[dict[str, Any]] | None = None
        if self._graph is None:
            self._graph = build_graph(self.settings.strategy)
        if self._checkpoints is None or self._runs is None:
            return await run_graph(
                self._graph,
                given,
                context=self._parts.context(),
                run_id=run_id,
                on_event=queue.put_nowait,
            )
        if run is not None and run.answer is not None:
            return Outcome(answer=Serializer().loads_typed(run.answer))
        async with open_saver(self._checkpoints) as saver:
            graph = with_checkpoints(self._graph, saver)
            context = self._parts.context()
            if run is not None:
                left = await read_left(graph, run_id)
                if plan and (left is None or not left.waiting):
                    raise InputError(f"the run {run_id} does not wait for a plan: resume it as is")
                if left is None:
                    # Killed before the first step was written: it begins anew, under its id.
                    given = {"question": question, "steps": run.plan}
                else:
                    context = self._parts.context(
                        spent=left.state.usage, elapsed=left.state.elapsed
                    )
                    if left.waiting:
                        decided = plan_to_json(plan or left.state.steps)
            outcome = await run_graph(
                graph,
                given,
                context=context,
                run_id=run_id,
                decided=decided,
                on_event=queue.put_nowait,
            )
            if outcome.answer is not None:
                if not _failed(outcome):
                    self._runs.end(run_id, Serializer().dumps_typed(outcome.answer))
                # Nothing is left to go on from; resuming a failed run asks what failed once more,
                # and finished calls come from the file of calls.
                await saver.adelete_thread(run_id)
        return outcome

    async def _forget(self, run_ids: Sequence[str]) -> None:
        if not run_ids or self._checkpoints is None:
            return
        from agent.graph import open_saver

        async with open_saver(self._checkpoints) as saver:
            for run_id in run_ids:
                await saver.adelete_thread(run_id)


def _failed(outcome: Outcome) -> bool:
    abstained = outcome.answer is not None and outcome.answer.abstained
    return outcome.failure is not None and abstained


async def _last_answer(stream: AsyncIterator[Event]) -> Answer:
    answer: Answer | None = None
    async for event in stream:
        if isinstance(event, events.Answered):
            answer = event.answer
        elif isinstance(event, events.PlanProposed):
            raise InputError(
                "the plan waits for approval: use `events` and `resume`, or ask without approve"
            )
    assert answer is not None
    return answer
