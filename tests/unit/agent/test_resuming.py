from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agent import Agent, events
from agent.errors import ModelError
from agent.settings import Settings
from agent.types import SubQuestion
from corpus import Snapshot
from corpus.errors import BackendError, InputError
from tests.reasoners import ScriptedReasoner, WordRetriever, core
from tests.unit.agent.rings import CHUNKS, PLAN, QUESTION, made, reasoner


def test_a_plan_waits_for_approval_and_goes_on(sample: Snapshot, tmp_path: Path) -> None:
    thinker = reasoner()
    settings = Settings(approve=True)
    from agent.graph.parts import Wiring

    def opened() -> Agent:
        wiring = Wiring(snapshot=sample, reasoner=thinker, retriever=WordRetriever(CHUNKS))
        return Agent(settings=settings, wiring=wiring, checkpoints=tmp_path / "runs.sqlite")

    async def collect(stream: Any) -> list[events.Event]:
        return [event async for event in stream]

    told = asyncio.run(collect(opened().events(QUESTION, run_id="r1")))
    proposed = told[-1]
    assert isinstance(proposed, events.PlanProposed)
    assert [step.id for step in proposed.sub_questions] == ["1", "2", "3", "4"]
    assert thinker.asked == []
    edited = [core("1", "Who saw the rings of Neptune?")]
    told = asyncio.run(collect(opened().resume("r1", plan=edited)))
    assert isinstance(told[-1], events.Answered)
    assert thinker.asked == ["Who saw the rings of Neptune?"]

    asyncio.run(collect(opened().events(QUESTION, run_id="r2")))
    told = asyncio.run(collect(opened().resume("r2")))
    assert isinstance(told[-1], events.Answered)
    assert [step.id for step in told[-1].answer.sub_questions][:2] == ["1", "2.1"]
    # Without checkpoints there is nowhere to wait.
    with pytest.raises(InputError, match="keeps no checkpoints"):
        asyncio.run(collect(made(sample, thinker).resume("r2")))
    with pytest.raises(InputError, match="waits for approval"):
        opened().ask(QUESTION)


def test_a_run_cut_off_goes_on_without_asking_again(sample: Snapshot, tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    whole = made(sample, reasoner()).ask(QUESTION)

    class Hanging(ScriptedReasoner):
        async def answer(self, question: SubQuestion, hits: Any) -> Any:
            if "Uranus" in question.text:
                await asyncio.sleep(60)
            return await ScriptedReasoner.answer(self, question, hits)

    first = Hanging(steps=PLAN, says=reasoner().says)

    async def cut() -> None:
        ended = 0
        async for event in made(sample, first, checkpoints=file).events(QUESTION, run_id="r1"):
            ended += isinstance(event, events.SubQuestionEnded)
            if ended == 4:
                # The other answers are written as they end, not with the round.
                await asyncio.sleep(0.3)
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(cut())
    assert len(first.asked) == 4
    second = reasoner()

    async def go_on() -> list[events.Event]:
        return [event async for event in made(sample, second, checkpoints=file).resume("r1")]

    told = asyncio.run(go_on())
    assert second.asked == ["Who saw the rings of Uranus?"]
    answered = told[-1]
    assert isinstance(answered, events.Answered)
    resumed = answered.answer
    assert (resumed.text, resumed.citations, resumed.sub_answers, resumed.hits) == (
        whole.text,
        whole.citations,
        whole.sub_answers,
        whole.hits,
    )
    # A finished run gives its answer again and asks nothing.
    third = reasoner()

    async def again() -> list[events.Event]:
        return [event async for event in made(sample, third, checkpoints=file).resume("r1")]

    told = asyncio.run(again())
    assert third.asked == []
    last = told[-1]
    assert isinstance(last, events.Answered)
    assert last.answer == resumed


def test_a_run_is_only_resumed_as_it_was_begun(sample: Snapshot, tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    made(sample, reasoner(), checkpoints=file)

    async def begin() -> None:
        stream = made(sample, reasoner(), checkpoints=file).events(QUESTION, run_id="r1")
        async for _ in stream:
            pass

    asyncio.run(begin())
    other = made(sample, reasoner(), checkpoints=file, strategy="e2e")

    async def go_on(agent: Agent, **options: Any) -> None:
        async for _ in agent.resume("r1", **options):
            pass

    with pytest.raises(InputError, match="begun with strategy 'agentic', this agent has 'e2e'"):
        asyncio.run(go_on(other))


def test_a_failed_run_asks_again_what_failed(sample: Snapshot, tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    broken = reasoner(says={"": ModelError("server down")})
    plan = [core("1", "Who saw the rings of Saturn?")]

    async def begin() -> None:
        stream = made(sample, broken, checkpoints=file).events(QUESTION, run_id="r1", plan=plan)
        async for _ in stream:
            pass

    with pytest.raises(BackendError):
        asyncio.run(begin())
    mended = reasoner()

    async def go_on() -> list[events.Event]:
        return [event async for event in made(sample, mended, checkpoints=file).resume("r1")]

    assert isinstance(asyncio.run(go_on())[-1], events.Answered)
    assert mended.asked == ["Who saw the rings of Saturn?"]


def test_forgotten_runs_leave_no_checkpoints(
    sample: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    from agent.graph.record import runlog

    monkeypatch.setattr(runlog, "KEPT", 1)
    file = tmp_path / "runs.sqlite"

    async def wait_for_plan(run_id: str) -> None:
        from agent.graph.parts import Wiring

        wiring = Wiring(snapshot=sample, reasoner=reasoner(), retriever=WordRetriever(CHUNKS))
        agent = Agent(settings=Settings(approve=True), wiring=wiring, checkpoints=file)
        async for _ in agent.events(QUESTION, run_id=run_id):
            pass

    asyncio.run(wait_for_plan("r1"))
    asyncio.run(wait_for_plan("r2"))
    connection = sqlite3.connect(file)
    threads = {row[0] for row in connection.execute("SELECT DISTINCT thread_id FROM checkpoints")}
    connection.close()
    assert threads == {"r2"}
