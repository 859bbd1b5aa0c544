from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from agent.errors import ModelError
from agent.llm import open_model
from agent.llm.limits import Limits
from agent.llm.port import Request
from agent.llm.retries import RetryPolicy
from agent.prompted.forms import OneKindReply
from tests.fake_server import Misbehaviour, refusal, serving
from tests.unit.agent.asking import KEY, USER, core, failing, opened

TROUBLES = {
    "429": Misbehaviour(status=429),
    "429 with seconds": Misbehaviour(status=429, headers={"retry-after": "0.02"}),
    "500": Misbehaviour(status=500),
    "503 without a body": Misbehaviour(status=503, body=""),
    "cut": Misbehaviour(body="x" * 500, cut=True),
    "an HTML page": Misbehaviour(body="<html>Bad gateway</html>"),
    "half of a JSON": Misbehaviour(body='{"choices": [{"mess'),
    "no choices": Misbehaviour(body='{"choices": []}'),
    "an error with status 200": Misbehaviour(body='{"error": {"message": "overloaded"}}'),
    "a list": Misbehaviour(body="[]"),
    "nothing": Misbehaviour(body=""),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("how", TROUBLES.values(), ids=TROUBLES)
async def test_a_passing_trouble_passes(how: Misbehaviour, stream: bool) -> None:
    with serving(core, trouble=failing(2, how)) as server:
        reply = await opened(server, stream=stream).complete(Request(USER, schema=OneKindReply))
    assert reply.parsed is not None
    assert len(server.requests) == 3


@pytest.mark.parametrize("how", TROUBLES.values(), ids=TROUBLES)
async def test_a_lasting_trouble_ends_after_the_bounded_retries(how: Misbehaviour) -> None:
    with (
        serving(core, trouble=failing(99, how)) as server,
        pytest.raises(ModelError, match="failed 4 times, at last with: "),
    ):
        await opened(server).complete(Request(USER, schema=OneKindReply))
    assert len(server.requests) == 4


@pytest.mark.parametrize("stream", [False, True])
async def test_a_stalled_reply_times_out_and_is_asked_for_again(stream: bool) -> None:
    with serving(core, trouble=failing(1, Misbehaviour(stall=5))) as server:
        begun = time.perf_counter()
        reply = await opened(server, timeout=0.2, stream=stream).complete(Request(USER))
        assert time.perf_counter() - begun < 2
    assert reply.text
    assert len(server.requests) == 2


async def test_a_server_that_is_not_there_is_one_line() -> None:
    with serving(core) as server:
        url = server.url
    model = open_model("some-model", url, KEY, policy=RetryPolicy(retries=1, first_wait=0.01))
    with pytest.raises(
        ModelError, match=r"'some-model' at http://127.*the server cannot be reached"
    ):
        await model.complete(Request(USER))


@pytest.mark.parametrize("status", [401, 403, 409, 413])
async def test_what_asking_again_cannot_mend_is_not_asked_again(status: int) -> None:
    with (
        serving(core, trouble=failing(99, Misbehaviour(status=status))) as server,
        pytest.raises(ModelError, match=f"HTTP {status}"),
    ):
        await opened(server).complete(Request(USER))
    assert len(server.requests) == 1


async def test_a_used_up_quota_is_not_asked_again() -> None:
    used_up = refusal(429, "You exceeded your current quota", code="insufficient_quota")
    with (
        serving(core, trouble=failing(99, used_up)) as server,
        pytest.raises(ModelError, match="exceeded your current quota"),
    ):
        await opened(server).complete(Request(USER))
    assert len(server.requests) == 1


async def test_retry_after_is_honoured() -> None:
    def later() -> str:
        return format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)

    for wanted, least in ((lambda: "0.4", 0.4), (later, 0.5)):
        # A date counts from when it is sent: the first case may have taken long on a busy machine.
        value = wanted()
        slow = Misbehaviour(status=429, headers={"retry-after": value})
        with serving(core, trouble=failing(1, slow)) as server:
            begun = time.perf_counter()
            await opened(server).complete(Request(USER))
            assert time.perf_counter() - begun >= least


async def test_a_wait_too_long_to_make_is_said() -> None:
    slow = Misbehaviour(status=429, headers={"retry-after": "3600"})
    with (
        serving(core, trouble=failing(1, slow)) as server,
        pytest.raises(ModelError, match="asks to wait 3600 s"),
    ):
        await opened(server).complete(Request(USER))


async def test_after_a_429_all_calls_hold_back_and_fewer_run_at_once() -> None:
    burst = {"until": 6}

    def trouble(number: int, _: Mapping[str, Any]) -> Misbehaviour | None:
        if number < burst["until"]:
            return Misbehaviour(status=429, headers={"retry-after": "0.2"})
        return None

    with serving(core, trouble=trouble, latency=0.1) as server:
        model = opened(server, limits=Limits(concurrency=6))
        await asyncio.gather(*(model.complete(Request(USER, seed=number)) for number in range(24)))
        assert server.most_at_once == 6
        server.most_at_once = 0
        assert len(server.requests) == 24 + 6


async def test_no_more_than_the_allowed_calls_run_at_once() -> None:
    with serving(core, latency=0.02) as server:
        model = opened(server, limits=Limits(concurrency=3))
        await asyncio.gather(*(model.complete(Request(USER, seed=number)) for number in range(12)))
    assert server.most_at_once == 3
