from __future__ import annotations

import asyncio
import gc
import io
import json
import logging
import threading
import time
import traceback
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ModelError, ModelRefused, ReplyMalformed, ReplyTruncated, ToolsRefused
from agent.llm import open_model
from agent.llm import openai as openai_model
from agent.llm.port import Completion, Message, Request, ToolCall
from agent.llm.retries import RetryPolicy
from agent.llm.shared import traits_for
from agent.prompted.forms import OneKindReply
from agent.prompted.tool_calls import TOOLS
from corpus.errors import InputError
from tests.fake_server import FakeServer, Misbehaviour, refusal, serving
from tests.fakes import Asked, call
from tests.unit.agent.asking import CORE, KEY, USER, core, failing, opened


@pytest.mark.parametrize("stream", [False, True])
async def test_a_conversation_there_and_back(stream: bool) -> None:
    with serving(core, key=KEY) as server:
        reply = await opened(server, stream=stream).complete(
            Request(USER, schema=OneKindReply, max_tokens=50, temperature=0.5, seed=7)
        )
    assert reply.parsed == OneKindReply(reason="because", kind="core")
    assert reply.usage.calls == 1
    assert reply.usage.tokens_in > 0
    assert reply.usage.tokens_out > 0
    request = server.requests[0]
    assert (request["max_tokens"], request["temperature"], request["seed"]) == (50, 0.5, 7)
    assert request.get("stream", False) is stream


@pytest.mark.parametrize("stream", [False, True])
async def test_tool_calls_there_and_back(stream: bool) -> None:
    def mind(asked: Asked) -> object:
        if asked.messages[-1]["role"] == "tool":
            return CORE
        return [call("search", query="Triton"), call("read", title="Triton", query="")]

    with serving(mind) as server:
        model = opened(server, stream=stream)
        reply = await model.complete(Request(USER, tools=TOOLS, schema=OneKindReply))
        assert [one.name for one in reply.tool_calls] == ["search", "read"]
        turns = [
            *USER,
            Message(role="assistant", content="", tool_calls=reply.tool_calls),
            *(Message(role="tool", content="-", tool_call_id=c.id) for c in reply.tool_calls),
        ]
        reply = await model.complete(Request(turns, tools=TOOLS, schema=OneKindReply))
    assert reply.parsed is not None


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("temperature", refusal(400, "Unsupported value", param="temperature")),
        ("seed", refusal(422, "body.seed: Extra inputs are not permitted")),
        ("max_tokens", refusal(400, "Use 'max_completion_tokens' instead", param="max_tokens")),
        ("response_format", refusal(400, "response_format is not supported")),
        ("stream_options", refusal(400, "Unknown parameter: stream_options")),
    ],
)
async def test_a_refused_parameter_is_done_without_once_and_for_all(
    name: str, answer: Misbehaviour
) -> None:
    with serving(core, refuses={name: answer}, latency=0.01) as server:
        model = opened(server, stream=name == "stream_options")
        ask = {"schema": OneKindReply, "seed": 1}
        await asyncio.gather(*(model.complete(Request(USER, **ask)) for _ in range(5)))  # type: ignore[arg-type]
        asked = len(server.requests)
        assert (await model.complete(Request(USER, schema=OneKindReply, seed=2))).parsed is not None
    assert len(server.requests) == asked + 1
    assert name not in server.requests[-1]


async def test_a_request_refused_for_good_is_one_line() -> None:
    too_long = refusal(400, "maximum context length is 4096 tokens", code="context_length_exceeded")
    with (
        serving(lambda _: too_long) as server,
        pytest.raises(ModelError, match="does not take the request: HTTP 400: maximum"),
    ):
        await opened(server).complete(Request(USER))
    assert len(server.requests) == 1


async def test_an_unknown_model_is_one_line() -> None:
    with (
        serving(lambda _: refusal(404, "The model `some-model` does not exist")) as server,
        pytest.raises(ModelError, match="does not exist"),
    ):
        await opened(server).complete(Request(USER))


async def test_a_content_filter_is_a_refusal() -> None:
    with (
        serving(lambda _: refusal(400, "filtered", code="content_filter")) as server,
        pytest.raises(ModelRefused, match="filtered"),
    ):
        await opened(server).complete(Request(USER))


async def test_refused_tools_are_told_apart() -> None:
    with (
        serving(core, refuses={"tools": refusal(400, "does not support tools")}) as server,
        pytest.raises(ToolsRefused),
    ):
        await opened(server).complete(Request(USER, tools=TOOLS))


async def test_a_server_that_ignores_schemas_is_told_in_words() -> None:
    def mind(asked: Asked) -> object:
        return CORE if "JSON schema" in asked.text else "It is core, I think."

    with serving(mind) as server:
        model = opened(server)
        assert (await model.complete(Request(USER, schema=OneKindReply))).parsed is not None
        assert traits_for(server.url, "some-model").schema_mode == "json_object"
        assert (await model.complete(Request(USER, schema=OneKindReply, seed=1))).usage.calls == 1


async def test_one_bad_reply_of_a_server_that_enforces_schemas_changes_nothing() -> None:
    bad = iter([False, True, False, False])

    with serving(lambda _: "oops" if next(bad) else CORE) as server:
        model = opened(server)
        for seed in range(3):
            assert (
                await model.complete(Request(USER, schema=OneKindReply, seed=seed))
            ).parsed is not None
        assert traits_for(server.url, "some-model").schema_mode == "json_schema"
    assert len(server.requests) == 4


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("said", "error"),
    [
        (Completion(text="I won't.", finish_reason="refusal"), ModelRefused),
        (Completion(text='{"reason": "beca', finish_reason="length"), ReplyTruncated),
        (Completion(text=""), ReplyMalformed),
    ],
)
async def test_replies_that_cannot_be_used_have_their_ends(
    said: Completion, error: type[ModelError], stream: bool
) -> None:
    with serving(lambda _: said) as server, pytest.raises(error):
        await opened(server, stream=stream).complete(Request(USER, schema=OneKindReply))


THOUGHTS = {
    "counted": {"usage": {"completion_tokens_details": {"reasoning_tokens": 40}}},
    "shown": {"message": {"reasoning_content": "Let me think"}},
    "in the text": {"message": {"content": "<think>Let me"}},
}


@pytest.mark.parametrize("how", THOUGHTS.values(), ids=THOUGHTS)
async def test_a_model_that_thinks_first_gets_room_for_it(how: dict[str, Any]) -> None:
    def trouble(_: int, request: Mapping[str, Any]) -> Misbehaviour | None:
        if request["max_tokens"] > 50:
            return None
        message = {"role": "assistant", "content": None, **how.get("message", {})}
        choice = {"index": 0, "message": message, "finish_reason": "length"}
        usage = {"prompt_tokens": 10, "completion_tokens": 50, **how.get("usage", {})}
        return Misbehaviour(body=json.dumps({"choices": [choice], "usage": usage}))

    with serving(core, trouble=trouble, latency=0.02) as server:
        model = opened(server)
        replies = await asyncio.gather(
            *(
                model.complete(Request(USER, schema=OneKindReply, max_tokens=50, seed=n))
                for n in range(3)
            )
        )
        assert all(reply.parsed is not None for reply in replies)
        assert replies[0].usage.calls == 2
        assert replies[0].usage.tokens_out >= 50
        again = await model.complete(Request(USER, schema=OneKindReply, max_tokens=50, seed=9))
        assert again.usage.calls == 1


async def test_unreadable_tool_arguments_reach_the_caller() -> None:
    broken = ToolCall(id="c", name="search", arguments=None, raw='{"query": ')
    with serving(lambda _: [broken]) as server:
        reply = await opened(server).complete(Request(USER, tools=TOOLS))
    assert reply.tool_calls[0].arguments is None


@pytest.mark.parametrize(
    "bad", ["localhost:8000", "ftp://host/v1", "http://", "file:///etc/passwd"]
)
def test_an_address_that_is_none_is_one_line(bad: str) -> None:
    with pytest.raises(InputError, match="is no address"):
        open_model("m", bad)


def test_an_address_with_a_secret_in_it_is_refused_without_showing_it() -> None:
    for url in (f"http://user:{KEY}@host/v1", f"https://host/v1?key={KEY}"):
        with pytest.raises(InputError, match="as the API key instead") as caught:
            open_model("m", url)
        assert KEY not in str(caught.value)


def test_nothing_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    heads: list[bytes] = []

    class Listening(FakeServer):
        async def _exchange(self, reader: Any, writer: Any) -> bool:
            head = await reader.readuntil(b"\r\n\r\n")
            heads.append(head)
            again = asyncio.StreamReader()
            again.feed_data(head)
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            again.feed_data(await reader.readexactly(length))
            return await super()._exchange(again, writer)

    with Listening(core) as server:
        asyncio.run(open_model("m", server.url).complete(Request(USER)))
    assert b"from-the-environment" not in heads[0]
    assert b"openai-organization" not in heads[0].lower()
    assert b"bearer none" in heads[0].lower()


def test_a_model_can_be_used_in_one_loop_after_another() -> None:
    with serving(core) as server:
        model = opened(server)
        for seed in range(3):
            asyncio.run(model.complete(Request(USER, seed=seed)))
        gc.collect()
    assert len(server.requests) == 3


def test_a_loop_that_ends_closes_the_connections() -> None:
    clients: list[weakref.ref[Any]] = []

    async def ask(model: Any) -> None:
        await model.complete(Request(USER))
        client = await model._model._connections.client()
        clients.append(weakref.ref(client._client))
        assert not client._client.is_closed

    with serving(core) as server:
        model = opened(server)
        asyncio.run(ask(model))
        client = clients[0]()
        assert client is None or client.is_closed


def test_a_loop_that_has_ended_is_let_go() -> None:
    loops: list[weakref.ref[asyncio.AbstractEventLoop]] = []

    async def ask(model: Any) -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        await model.complete(Request(USER))

    with serving(core) as server:
        model = opened(server)
        for _ in range(3):
            asyncio.run(ask(model))
    gc.collect()
    assert [loop() for loop in loops] == [None] * 3


async def test_the_first_calls_share_a_client_that_is_made_beside_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []
    new_client = openai_model._new_client

    def slow(*named: Any) -> Any:
        made.append(threading.get_ident())
        time.sleep(0.3)
        return new_client(*named)

    monkeypatch.setattr(openai_model, "_new_client", slow)
    with serving(core) as server:
        model = opened(server)
        calls = [asyncio.create_task(model.complete(Request(USER, seed=seed))) for seed in range(3)]
        beats = 0
        while not made or not all(call.done() for call in calls):
            await asyncio.sleep(0.01)
            beats += 1
        await asyncio.gather(*calls)
    assert len(made) == 1
    assert made[0] != threading.get_ident()
    assert beats > 5


@pytest.mark.parametrize("cached", [False, True])
async def test_closing_inside_a_loop_closes_its_connections(
    *, cached: bool, tmp_path: Path
) -> None:
    with serving(core) as server:
        model: Any = opened(server, **({"cache": tmp_path / "calls.sqlite"} if cached else {}))
        await model.complete(Request(USER))
        (client,) = (model._model if cached else model)._model._connections._clients.values()
        assert not client._client.is_closed
        model.close()
        async with asyncio.timeout(10):
            while not client._client.is_closed:
                await asyncio.sleep(0.01)


def test_closing_after_the_loop_has_ended_is_nothing() -> None:
    with serving(core) as server:
        model: Any = opened(server)
        loop = asyncio.new_event_loop()
        loop.run_until_complete(model.complete(Request(USER)))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
        model.close()


def collected(error: BaseException) -> str:
    """All that a log, a report or a debugger would print of an exception."""
    printed = io.StringIO()
    assert error.__traceback__ is not None
    # The test's own frame holds the key, of course.
    error.__traceback__ = error.__traceback__.tb_next
    trace = traceback.TracebackException.from_exception(error, capture_locals=True)
    for line in trace.format():
        printed.write(line)
    seen: BaseException | None = error
    while seen is not None:
        printed.write(repr(seen) + str(seen) + repr(vars(seen)))
        seen = seen.__cause__ or seen.__context__
    return printed.getvalue()


@pytest.mark.parametrize(
    "how",
    [
        refusal(401, f"Incorrect API key provided: {KEY}"),
        refusal(400, f"bad header: Bearer {KEY}"),
        Misbehaviour(status=500, body=f"<html>{KEY}</html>"),
        Misbehaviour(body=f"not JSON: {KEY}"),
        Misbehaviour(cut=True),
        Misbehaviour(stall=3),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
async def test_the_key_is_written_nowhere(
    how: Misbehaviour, stream: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    policy = RetryPolicy(retries=1, first_wait=0.01)
    path = tmp_path / "calls.sqlite"
    with serving(core, trouble=failing(99, how)) as server:
        model = opened(server, cache=path, policy=policy, timeout=0.2, stream=stream)
        with pytest.raises(ModelError) as caught:
            await model.complete(Request(USER))
        server.trouble = None
        await model.complete(Request(USER))
    assert KEY not in collected(caught.value)
    assert KEY not in caplog.text
    assert KEY not in repr(model)
    for file in tmp_path.iterdir():
        assert KEY.encode() not in file.read_bytes(), file


def test_opening_a_model_sends_nothing_and_imports_late(tmp_path: Path) -> None:
    with serving(core) as server:
        opened(server, cache=tmp_path / "calls.sqlite")
    assert server.requests == []


async def test_calls_can_be_replayed_without_the_server(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    with serving(core) as server:
        first = await opened(server, cache=path).complete(Request(USER, schema=OneKindReply))
        url = server.url
    model = open_model("some-model", url, cache=path, replay=True)
    again = await model.complete(Request(USER, schema=OneKindReply))
    assert json.loads(again.text) == json.loads(first.text)
    assert again.usage.cached == 1
