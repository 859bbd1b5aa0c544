"""The agent: ask a question, get a cited answer; in one call, as a stream of events, or resumed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from agent import events
from agent.arguments import told_apart
from agent.budget import Budget
from agent.events import Event
from agent.graph.parts import Parts, Wiring, open_parts
from agent.graph.planfile import plan_from_json
from agent.graph.record.runlog import Run, check_same, new_id
from agent.graph.session import Course, came_to_nothing
from agent.settings import Settings, StrategyName, check_question
from agent.types import Answer, Setting, Style, SubQuestion
from corpus.errors import BackendError, InputError
from corpus.machine.loops import run_to_end

if TYPE_CHECKING:
    from agent.llm.limits import Limits
    from agent.llm.port import LanguageModel
    from agent.llm.prices import PriceTable
    from agent.reasoner import Reasoner
    from corpus.articles import Articles
    from corpus.store import Snapshot
    from retrieval.types import Retriever


class Agent:
    """Answers questions from a snapshot; one agent serves many questions, also at once.

        agent = Agent()                                  # the sample, the extractive engine
        answer = agent.ask("Which planets have rings?")
        print(answer.text, answer.citations)

    It may be asked from several threads and event loops, for as long as the process lives: what a
    question opens is closed with it. `close`, or leaving `with` or `async with`, gives back what
    the agent itself holds open.

    Args:
        snapshot: a folder or an open snapshot; the embedded sample by default.
        model: a model's name at `base_url`, or a LanguageModel; the extractive engine by default.
        strategy: see `agent.graph.strategies`.
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
        tools: how a model calls them: "native", in "text", or "auto": native until refused.
        classify: kinds of sub-questions from one call ("batch"), or from one call "each".
        context_limit: tokens that a prompt and its reply may have together.
        limits: calls at once, calls and tokens a minute; shared by all agents of one endpoint.
        prices: of models that the listed prices lack, or a JSON file of them.
        prompts: folder of prompt files that replace the packaged ones.
        stream: ask for replies in pieces.
        verifier: folder or hub's name of a cross-encoder trained on entailment, which rules on
            citations on top of the rules.
        reader: folder or hub's name of an extractive question-answering model, which finds the
            answering words for the extractive engine in place of the embedded one.
        planner: folder or hub's name of a text-to-text model, which plans questions for the
            extractive engine in place of the embedded writer.
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
        tools: Literal["native", "text", "auto"] = "auto",
        classify: Literal["batch", "each"] = "batch",
        context_limit: int | None = None,
        limits: Limits | None = None,
        prices: PriceTable | Path | str | None = None,
        prompts: Path | str | None = None,
        stream: bool = False,
        verifier: str | None = None,
        reader: str | None = None,
        planner: str | None = None,
        settings: Settings | None = None,
        wiring: Wiring | None = None,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        settings, wiring = told_apart(Agent, given)
        self.settings = settings
        self._parts: Parts = open_parts(settings, wiring)
        self._closed = False
        self._course = Course(self._parts, None if checkpoints is None else Path(checkpoints))

    @property
    def snapshot(self) -> Articles:
        """The snapshot that answers are drawn from."""
        return self._parts.snapshot

    @property
    def engine(self) -> str:
        """The model's name, or "extractive"."""
        return self._parts.reasoner.name

    def close(self) -> None:
        """Close all that the agent opened itself, once its questions have ended.

        What it was given (an open snapshot, a model, a retriever) stays open. An agent that is
        closed answers no more; one that is merely forgotten is closed as it is collected.
        """
        self._closed = True
        self._course.close()
        self._parts.close()

    async def aclose(self) -> None:
        """Close as `close` does, and the connections to a model that this event loop uses."""
        self._closed = True
        await asyncio.to_thread(self._course.close)
        await self._parts.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def ask(self, question: str, *, plan: Sequence[SubQuestion] = ()) -> Answer:
        """Return the answer to a question; see `aask`, which asynchronous programs await."""
        return run_to_end(self.aask(question, plan=plan))

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
        self,
        question: str,
        *,
        plan: Sequence[SubQuestion] = (),
        run_id: str | None = None,
        budget: Budget | None = None,
    ) -> AsyncIterator[Event]:
        """Yield what happens while a question is answered; the answer comes last.

        Args:
            question: in words.
            plan: sub-questions to use instead of the reasoner's own.
            run_id: what to resume it by; a fresh id by default.
            budget: of this question; the agent's by default. A resumption has the agent's.

        Raises:
            InputError, BackendError: as `aask`.
        """
        self._check_open()
        question = check_question(question)
        run_id = run_id or new_id()
        await self._course.begin(run_id, question, plan)
        async with aclosing(self._run(run_id, question, plan=tuple(plan), budget=budget)) as stream:
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
        self._check_open()
        if self._course.runs is None:
            raise InputError("nothing can be resumed: this agent keeps no checkpoints")
        run = await asyncio.to_thread(self._course.runs.find, run_id)
        check_same(run, self.settings, self.snapshot.manifest)
        going_on = self._run(run_id, run.question, run=run, plan=tuple(plan or ()))
        async with aclosing(going_on) as stream:
            async for event in stream:
                yield event

    def _check_open(self) -> None:
        if self._closed:
            raise InputError("this agent was closed: open another")

    async def _run(
        self,
        run_id: str,
        question: str,
        *,
        run: Run | None = None,
        plan: tuple[SubQuestion, ...] = (),
        budget: Budget | None = None,
    ) -> AsyncGenerator[Event, None]:
        resumable = self._course.runs is not None
        yield events.Begun(run_id=run_id, question=question, resumable=resumable)
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        # A task of its own: context variables set while the graph runs stay out of the caller's.
        work = asyncio.create_task(
            self._course.run(
                run_id, question, run=run, plan=plan, budget=budget, on_event=queue.put_nowait
            )
        )
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
        if came_to_nothing(outcome):
            raise BackendError(outcome.failure)
        yield events.Answered(answer=outcome.answer)


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
