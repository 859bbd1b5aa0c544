from __future__ import annotations

import asyncio
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.llm.limits import Limiter, Limits
from agent.llm.retries import RetryPolicy, asked_wait
from agent.llm.shared import limiter_for, public_url, traits_for

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sat, 21 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30"}, 30.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "x", "retry-after": "2"}, 2.0),
    ],
)
def test_retry_after_is_read_in_all_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert asked_wait(headers, NOW) == seconds


@given(st.integers(0, 60), st.integers())
def test_waits_double_with_jitter_and_stay_bounded(attempt: int, seed: int) -> None:
    policy = RetryPolicy(first_wait=0.5, longest_wait=30)
    wait = policy.wait(attempt, random.Random(seed))
    full = min(30.0, 0.5 * 2.0**attempt)
    assert full / 2 <= wait <= full


async def hold(limiter: Limiter, seconds: float, tokens: int = 1) -> None:
    async with limiter.admitted(tokens):
        await asyncio.sleep(seconds)


async def most_at_once(limiter: Limiter, calls: int) -> int:
    running = most = 0

    async def one() -> None:
        nonlocal running, most
        async with limiter.admitted(1):
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.002)
            running -= 1

    await asyncio.gather(*(one() for _ in range(calls)))
    return most


async def test_no_more_calls_run_than_allowed() -> None:
    assert await most_at_once(Limiter(Limits(concurrency=3)), 12) == 3


class Clock:
    """Time that passes only while the limiter sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float, *_: object) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("agent.llm.limits.asyncio.sleep", clock.sleep)
    return clock


async def enter(limiter: Limiter, tokens: int = 1) -> None:
    async with limiter.admitted(tokens):
        pass


async def test_a_429_halves_the_window_once_a_burst_and_successes_widen_it(clock: Clock) -> None:
    limiter = Limiter(Limits(concurrency=16), clock)
    limiter.refused(0)
    limiter.refused(0)
    assert limiter.window == 8
    clock.now += 2
    for _ in range(9):
        limiter.refused(0)
        clock.now += 2
    assert limiter.window == 1
    for _ in range(200):
        limiter.succeeded(1, 1)
    assert limiter.window == 16


async def test_the_wait_a_server_asks_for_holds_back_every_call(clock: Clock) -> None:
    limiter = Limiter(Limits(), clock)
    limiter.refused(5)
    limiter.refused(2)
    await enter(limiter)
    assert clock.now == pytest.approx(105)


async def test_calls_a_minute_are_kept(clock: Clock) -> None:
    limiter = Limiter(Limits(calls_per_minute=60), clock)
    for _ in range(60):
        await enter(limiter)
    assert clock.now == 100
    for _ in range(30):
        await enter(limiter)
    assert clock.now == pytest.approx(130, abs=0.1)


async def test_tokens_a_minute_are_booked_and_settled(clock: Clock) -> None:
    limiter = Limiter(Limits(tokens_per_minute=6000), clock)
    await enter(limiter, 6000)
    limiter.succeeded(6000, 3000)
    await enter(limiter, 3000)
    assert clock.now == 100
    await enter(limiter, 1000)
    assert clock.now == pytest.approx(110)


async def test_a_call_larger_than_a_minutes_tokens_goes_when_the_bucket_is_full(
    clock: Clock,
) -> None:
    limiter = Limiter(Limits(tokens_per_minute=600), clock)
    await enter(limiter, 5000)
    assert clock.now == 100
    await enter(limiter, 100)
    assert clock.now > 100 + 400


async def test_a_cancelled_call_gives_its_place_back() -> None:
    limiter = Limiter(Limits(concurrency=1))
    running = asyncio.create_task(hold(limiter, 10))
    waiting = asyncio.create_task(hold(limiter, 10))
    await asyncio.sleep(0.01)
    waiting.cancel()
    running.cancel()
    await asyncio.gather(running, waiting, return_exceptions=True)
    async with asyncio.timeout(1):
        await hold(limiter, 0)


async def test_a_call_cancelled_while_it_waits_its_turn_gives_its_place_back() -> None:
    limiter = Limiter(Limits(concurrency=1))
    limiter.refused(60)
    waiting = asyncio.create_task(hold(limiter, 0))
    await asyncio.sleep(0.01)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    limiter._not_before = 0
    async with asyncio.timeout(1):
        await hold(limiter, 0)


def test_a_limiter_outlives_the_loop_it_was_used_in() -> None:
    limiter = Limiter(Limits(concurrency=1))

    async def leave_one_waiting() -> None:
        async with limiter.admitted(1):
            task = asyncio.create_task(hold(limiter, 0))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(leave_one_waiting())
    asyncio.run(hold(limiter, 0))


async def test_the_queue_is_first_come_first_served() -> None:
    limiter = Limiter(Limits(concurrency=1))
    order: list[int] = []

    async def one(number: int) -> None:
        async with limiter.admitted(1):
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(one(number) for number in range(20)))
    assert order == list(range(20))


def test_admission_costs_little() -> None:
    limiter = Limiter(Limits(concurrency=50))

    async def many() -> float:
        # The process's own time: a machine that does other work beside may take its leave.
        begun = time.process_time()
        await asyncio.gather(*(enter(limiter) for _ in range(2000)))
        return time.process_time() - begun

    assert asyncio.run(many()) < 2.0


def test_models_of_one_endpoint_share_its_limiter_and_what_is_known() -> None:
    limits = Limits(concurrency=2)
    assert limiter_for("http://a/v1", limits) is limiter_for("http://a/v1", limits)
    assert limiter_for("http://a/v1", limits) is not limiter_for("http://b/v1", limits)
    assert traits_for("http://a/v1", "m") is traits_for("http://a/v1", "m")
    assert traits_for("http://a/v1", "m") is not traits_for("http://a/v1", "n")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
        ("https://me:secret@host/v1?key=secret#x", "https://host/v1"),
    ],
)
def test_an_endpoint_is_shown_without_secrets(url: str, shown: str) -> None:
    assert public_url(url) == shown


def test_threads_with_loops_of_their_own_share_the_places() -> None:
    limiter = Limiter(Limits(concurrency=2))
    lock = threading.Lock()
    running = most = ended = 0

    async def one() -> None:
        nonlocal running, most, ended
        async with limiter.admitted(1):
            with lock:
                running += 1
                most = max(most, running)
            await asyncio.sleep(0.001)
            with lock:
                running -= 1
                ended += 1

    async def some() -> None:
        await asyncio.wait_for(asyncio.gather(*(one() for _ in range(5))), 30)

    with ThreadPoolExecutor(16) as pool:
        for done in [pool.submit(asyncio.run, some()) for _ in range(16)]:
            done.result(60)
    assert (most, ended) == (2, 80)


def test_places_come_back_from_a_loop_that_ended_under_its_calls() -> None:
    limiter = Limiter(Limits(concurrency=1))
    loop = asyncio.new_event_loop()
    tasks = [loop.create_task(hold(limiter, 60)) for _ in range(3)]
    loop.run_until_complete(asyncio.sleep(0.01))
    loop.close()
    asyncio.run(asyncio.wait_for(enter(limiter), 5))
    for task in tasks:
        # They are beyond saving, and asyncio would say so.
        task._log_destroy_pending = False  # type: ignore[attr-defined]
