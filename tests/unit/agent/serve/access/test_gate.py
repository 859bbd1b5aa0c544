from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.serve.access.gate import Gate
from agent.serve.problems import Problem


async def test_first_come_first_served_and_the_rest_refused() -> None:
    gate, ahead = Gate(places=2, waiting=2), list[int]()
    turns = [gate.take(ahead.append) for _ in range(4)]
    assert [turn.done() for turn in turns] == [True, True, False, False]
    assert (gate.running, gate.waiting, ahead) == (2, 2, [0, 1])
    with pytest.raises(Problem) as refused:
        gate.take()
    assert refused.value.status == 429
    assert int(refused.value.headers["Retry-After"]) >= 1
    gate.give_back(turns[1])
    assert [turn.done() for turn in turns] == [True, True, True, False]
    gate.give_back(turns[3])
    assert (gate.running, gate.waiting) == (2, 0)


async def test_a_turn_that_was_cancelled_frees_what_it_held() -> None:
    gate = Gate(places=1, waiting=5)
    first, second, third = gate.take(), gate.take(), gate.take()
    second.cancel()
    gate.give_back(first)
    # The cancelled one had its turn; it gives it back as every other does.
    gate.give_back(second)
    assert third.done()
    gate.give_back(third)
    gate.give_back(third)
    assert (gate.running, gate.waiting) == (0, 0)


@given(st.lists(st.integers(0, 20), max_size=200), st.integers(1, 4), st.integers(0, 4))
def test_no_place_is_ever_lost_or_lent_twice(moves: list[int], places: int, longest: int) -> None:
    async def run() -> None:
        gate, held = Gate(places, longest), list[asyncio.Future[None]]()
        for move in moves:
            if move % 2 or not held:
                full = gate.running == places and gate.waiting == longest
                try:
                    held.append(gate.take())
                except Problem:
                    assert full
            else:
                gate.give_back(held.pop(move % len(held)))
            assert sum(turn.done() for turn in held) == gate.running
            assert gate.running == min(places, len(held))
            assert gate.running + gate.waiting == len(held)

    asyncio.run(run())
