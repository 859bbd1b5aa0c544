"""One agent used for long, by many at once, from many threads: short versions of the benches."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path

import pytest

from agent import Agent
from agent.graph.parts import Wiring
from agent.llm.limits import Limits
from agent.llm.retries import RetryPolicy
from agent.settings import STRATEGY_NAMES, Settings
from corpus.errors import BackendError
from corpus.sample import sample_snapshot
from corpus.store import Snapshot
from retrieval.index import ensure_built, open_retriever
from retrieval.types import Retriever
from tests.descriptors import held
from tests.fake_server import FakeServer, serving
from tests.faults import KINDS, failing_at_random
from tests.integration.test_flaky_server import ThreeSteps

THREADS = 16


@pytest.fixture(scope="module")
def sample() -> Iterator[tuple[Snapshot, Retriever]]:
    with Snapshot.open(sample_snapshot("en")) as snapshot:
        ensure_built(snapshot.folder, "bm25")
        yield snapshot, open_retriever(snapshot.folder, "bm25")


def opened(
    sample: tuple[Snapshot, Retriever], server: FakeServer, folder: Path, **wiring: object
) -> Agent:
    snapshot, retriever = sample
    return Agent(
        settings=Settings(model="m", base_url=server.url, k=3),
        wiring=Wiring(
            snapshot=snapshot,
            retriever=retriever,
            calls=folder / "calls.sqlite",
            **wiring,  # type: ignore[arg-type]
        ),
        checkpoints=folder / "runs.sqlite",
    )


def test_sixteen_threads_two_places_one_file_of_calls(
    sample: tuple[Snapshot, Retriever], tmp_path: Path
) -> None:
    titles = sorted(sample[0].titles())
    asked = [f"What is told of {titles[number % 5]}?" for number in range(THREADS)]
    with (
        serving(ThreeSteps(), latency=0.005) as server,
        opened(sample, server, tmp_path, limits=Limits(concurrency=2)) as agent,
        ThreadPoolExecutor(THREADS) as pool,
    ):
        answers = [one.result(120) for one in [pool.submit(agent.ask, text) for text in asked]]
    assert [answer.question for answer in answers] == asked
    assert all(answer.citations for answer in answers)
    for first, later in zip(answers, answers[5:], strict=False):
        assert first.text == later.text
    sent = Counter(json.dumps(request, sort_keys=True) for request in server.requests)
    assert sent
    assert set(sent.values()) == {1}
    assert server.most_at_once <= 2


async def test_many_at_once_with_checkpoints_neither_freeze_nor_lose(
    sample: tuple[Snapshot, Retriever], tmp_path: Path
) -> None:
    titles = sorted(sample[0].titles())
    longest = 0.0

    async def beat() -> None:
        nonlocal longest
        while True:
            due = time.monotonic() + 0.01
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - due)

    with serving(ThreeSteps()) as server:
        async with opened(sample, server, tmp_path) as agent:
            await agent.aask("What is told of the first thing?")
            beating = asyncio.create_task(beat())
            for turn in range(2):
                asked = [f"What is told of {title}?" for title in titles[20 * turn :][:20]]
                answers = await asyncio.gather(*map(agent.aask, asked))
                assert all(answer.citations for answer in answers)
            beating.cancel()
    # The bench bounds it by a second; a busy machine may keep any process waiting for longer, and
    # a wait for a lock whose holder needs the loop lasts thirty.
    assert longest < 8.0


def test_what_a_question_opens_is_closed_with_it(
    sample: tuple[Snapshot, Retriever], tmp_path: Path
) -> None:
    titles = sorted(sample[0].titles())

    async def cancelled(agent: Agent, question: str, after: float) -> None:
        task = asyncio.create_task(agent.aask(question))
        await asyncio.wait([task], timeout=after)
        task.cancel()
        await asyncio.wait([task])

    async def left(agent: Agent, question: str) -> None:
        async with aclosing(agent.events(question)) as stream:  # type: ignore[type-var]
            async for _ in stream:
                break

    async def together(agent: Agent, questions: list[str]) -> None:
        await asyncio.gather(*map(agent.aask, questions))

    def use(agent: Agent, first: int) -> None:
        for number in range(first, first + 8):
            question = f"What is told of {titles[number]}?"
            if number % 4 == 0:
                agent.ask(question)
            elif number % 4 == 1:
                asyncio.run(cancelled(agent, question, 0.01 * (number % 7)))
            elif number % 4 == 2:
                asyncio.run(left(agent, question))
            else:
                asyncio.run(together(agent, [question, f"Where is {titles[number]}?"]))
        gc.collect()

    before = held()
    with serving(ThreeSteps()) as server, opened(sample, server, tmp_path) as agent:
        use(agent, 0)
        after_some = held()
        for first in (8, 16):
            use(agent, first)
            descriptors, threads = held()
            # The fake server's ends of connections close in their own time.
            assert descriptors <= after_some[0] + 4
            assert threads <= after_some[1]
    gc.collect()
    descriptors, threads = held()
    assert threads <= before[1]
    assert descriptors <= before[0] + 4


async def test_every_strategy_ends_well_on_a_server_that_fails_in_every_way(
    sample: tuple[Snapshot, Retriever],
) -> None:
    titles = sorted(sample[0].titles())
    trouble = failing_at_random(3, 0.3, list(KINDS))
    wiring = Wiring(
        snapshot=sample[0],
        retriever=sample[1],
        policy=RetryPolicy(first_wait=0.005, longest_wait=0.05),
        timeout=2,
    )
    with serving(ThreeSteps(), trouble=trouble) as server:

        async def ask(number: int) -> bool:
            strategy = STRATEGY_NAMES[number % len(STRATEGY_NAMES)]
            settings = Settings(strategy=strategy, model="m", base_url=server.url, k=3)
            try:
                answer = await Agent(settings=settings, wiring=wiring).aask(
                    f"What is told of {titles[-number]}?"
                )
            except BackendError:
                return False
            told = {one.sub_question_id: one for one in answer.sub_answers}
            assert all(one.error for one in told.values() if one.status == "failed")
            if strategy == "agentic":
                assert {step.id for step in answer.sub_questions} <= set(told)
            return bool(answer.passages) or not answer.abstained

        ends = await asyncio.gather(*map(ask, range(30)))
    assert sum(ends) >= 29
