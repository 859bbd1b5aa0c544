"""What all workers of a run share, without a cluster: one limiter, one file of calls, one order."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ModelError
from agent.llm.cache import CachedModel, CacheKey
from agent.llm.calls import CallCache
from agent.llm.limits import Limits
from agent.llm.port import Completion, Message, Request
from evals.runs.cluster.exchange import (
    Begin,
    Enter,
    Exchange,
    Gone,
    Leave,
    RemoteCalls,
    RemoteLimiter,
)
from evals.runs.folder import RunFolder
from evals.types import Prediction
from tests.fakes import ScriptedModel
from tests.unit.evals.runs.test_folder import make_record

KEY = CacheKey(model="m", endpoint="e")


class Line:
    """A `corpus.cluster.Shared` to a loop in a thread of this process; messages travel pickled."""

    def __init__(self, exchange: Exchange) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._answer = pickle.loads(pickle.dumps(exchange))()

    def __call__(self, message: Any, /) -> Future[Any]:
        sent = pickle.loads(pickle.dumps(message))
        return asyncio.run_coroutine_threadsafe(self._answer(sent), self._loop)

    def close(self) -> None:
        async def end() -> None:
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    return tmp_path / "calls.sqlite"


@pytest.fixture
def line(calls: Path) -> Iterator[Line]:
    made = Line(Exchange(calls=calls, limits=Limits(concurrency=2)))
    yield made
    made.close()


def test_all_workers_together_have_no_more_calls_under_way_than_allowed(line: Line) -> None:
    running, most, lock = [0], [0], threading.Lock()

    def worker(name: str) -> None:
        limiter = RemoteLimiter(line, name)

        async def call() -> None:
            async with limiter.admitted(10):
                with lock:
                    running[0] += 1
                    most[0] = max(most[0], running[0])
                await asyncio.sleep(0.01)
                with lock:
                    running[0] -= 1
                limiter.succeeded(10, 10)

        async def calls() -> None:
            await asyncio.gather(*(call() for _ in range(6)))

        asyncio.run(calls())

    threads = [threading.Thread(target=worker, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert running == [0]
    assert most == [2]


def test_the_places_of_a_worker_that_died_are_free_again(line: Line) -> None:
    for ticket in range(2):
        line(Enter(worker="dead", ticket=ticket, tokens=1)).result(10)
    others = [line(Enter(worker="alive", ticket=ticket, tokens=1)) for ticket in range(2)]
    waiting = line(Enter(worker="dead", ticket=2, tokens=1))
    with pytest.raises(TimeoutError):
        others[0].result(0.1)
    line(Gone(worker="dead")).result(10)
    for one in (*others, waiting):
        one.result(10)
    # What it asked before it died and comes late takes no place.
    line(Enter(worker="dead", ticket=3, tokens=1)).result(10)
    line(Leave(worker="alive", ticket=0)).result(10)
    line(Enter(worker="alive", ticket=2, tokens=1)).result(10)


def test_calls_are_kept_by_the_machine_that_began_the_run(line: Line, calls: Path) -> None:
    remote = RemoteCalls(line, calls, "a")

    async def keep() -> None:
        assert await remote.get("key") is None
        await remote.put("key", "m", ok=True, record={"text": "said"})
        assert await remote.get("key") == (True, {"text": "said"})
        assert not await remote.begin("key")
        assert await remote.get("key") == (True, {"text": "said"})
        remote.end("key", kept=True)

    asyncio.run(keep())
    cache = CallCache(calls, read_only=True)
    assert asyncio.run(cache.get("key")) == (True, {"text": "said"})
    cache.close()


def test_equal_calls_of_several_workers_are_sent_once(line: Line, tmp_path: Path) -> None:
    sent = []

    class Slow(ScriptedModel):
        async def complete(self, request: Request) -> Completion:
            sent.append(request)
            await asyncio.sleep(0.05)
            if request.messages[0].content == "hello?":
                raise ModelError("the server is down")
            return await super().complete(request)

    # Workers of one process would wait for one another by themselves: their files differ in name.
    models = [
        CachedModel(Slow(lambda _: "hi"), RemoteCalls(line, tmp_path / str(n), str(n)), KEY)
        for n in range(4)
    ]

    async def ask(words: str) -> list[str]:
        asked = Request((Message(role="user", content=words),))
        ends = await asyncio.gather(
            *(model.complete(asked) for model in models for _ in range(2)), return_exceptions=True
        )
        return [str(end.text if isinstance(end, Completion) else end) for end in ends]

    assert asyncio.run(ask("hello")) == ["hi"] * 8
    assert len(sent) == 1
    assert asyncio.run(ask("hello?")) == ["the server is down"] * 8
    assert len(sent) == 2


def test_the_calls_of_a_worker_that_died_are_made_by_another(line: Line, calls: Path) -> None:
    line(Begin(key="key", worker="dead", ticket=0)).result(10)
    late = line(Begin(key="key", worker="dead", ticket=1))

    async def begin() -> None:
        one = RemoteCalls(line, calls, "one")
        other = RemoteCalls(line, calls.with_name("other"), "other")
        begun = asyncio.create_task(one.begin("key"))
        await asyncio.sleep(0.1)
        assert not begun.done()
        line(Gone(worker="dead")).result(10)
        assert not await asyncio.wait_for(begun, 10)
        # Who gives up waiting leaves no trace.
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(other.begin("key"), 0.2)
        one.end("key", kept=True)
        assert await asyncio.wait_for(other.begin("key"), 10) in (True, False)
        other.end("key", kept=False)

    asyncio.run(begin())
    late.result(10)


def test_predictions_are_put_into_the_order_of_the_samples(tmp_path: Path) -> None:
    folder = RunFolder.begin(tmp_path / "run", make_record(ids=("a", "b", "c")))
    for sample_id, error in (("c", "slow"), ("b", "slow"), ("a", None), ("c", None), ("b", None)):
        folder.predictions_file.append(
            Prediction(sample_id=sample_id, epoch=0, error=error or f"of {sample_id}")
        )
    folder.put_in_order()
    path = tmp_path / "run" / "predictions.jsonl"
    found = [(one.sample_id, one.error) for one in folder.predictions_file]
    assert found == [("a", "of a"), ("b", "slow"), ("b", "of b"), ("c", "slow"), ("c", "of c")]
    before = path.stat().st_ino
    folder.put_in_order()
    assert path.stat().st_ino == before
    folder.close()
