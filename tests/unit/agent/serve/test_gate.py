from __future__ import annotations

import asyncio

import pytest

from agent.serve.gate import Gate
from agent.serve.problems import Problem


async def hold(gate: Gate, until: asyncio.Event, ahead: list[int] | None = None) -> None:
    async with gate.place((ahead if ahead is not None else []).append):
        await until.wait()


async def test_first_come_first_served_and_the_rest_refused() -> None:
    gate, until, ahead = Gate(places=2, waiting=2), asyncio.Event(), list[int]()
    tasks = [asyncio.create_task(hold(gate, until, ahead)) for _ in range(4)]
    await asyncio.sleep(0)
    assert (gate.running, gate.waiting, ahead) == (2, 2, [0, 1])
    with pytest.raises(Problem) as refused:
        gate.check()
    assert refused.value.status == 429
    assert int(refused.value.headers["Retry-After"]) >= 1
    until.set()
    await asyncio.gather(*tasks)
    assert (gate.running, gate.waiting) == (0, 0)
    gate.check()


async def test_whoever_leaves_the_queue_leaves_no_trace() -> None:
    gate, until = Gate(places=1, waiting=5), asyncio.Event()
    first, second, third = (asyncio.create_task(hold(gate, until)) for _ in range(3))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait([second])
    assert (gate.running, gate.waiting) == (1, 1)
    # Cancelled in the moment in which its turn comes: the turn passes on.
    until.set()
    await first
    third.cancel()
    await asyncio.wait([third])
    assert (gate.running, gate.waiting) == (0, 0)


async def test_the_place_is_free_after_an_error() -> None:
    gate = Gate(places=1, waiting=0)
    with pytest.raises(ValueError, match="inside"):
        async with gate.place():
            raise ValueError("inside")
    assert gate.running == 0
