from __future__ import annotations

import asyncio
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent.errors import ModelError, ReplayMiss, ReplyTruncated, ToolsRefused
from agent.llm import open_model
from agent.llm.cache import CachedModel, CacheKey
from agent.llm.calls import CallCache
from agent.llm.port import Completion, Message, Request, Tool
from agent.prompted.forms import KindsReply, OneKindReply, PlanReply
from agent.prompted.tool_calls import TOOLS
from agent.types import Usage
from corpus.errors import BackendError, InputError
from tests.fakes import Asked, ScriptedModel, call

USER = (Message(role="user", content="Hello"),)
KEY = CacheKey(model="m", endpoint="http://h/v1")


def cached(path: Path, mind: Callable[[Asked], Any], **key: Any) -> CachedModel:
    return CachedModel(
        ScriptedModel(mind), CallCache(path), CacheKey(model="m", endpoint="http://h/v1", **key)
    )


def of(key: CacheKey = KEY, **changed: Any) -> str:
    call_: dict[str, Any] = {
        "messages": USER, "tools": (), "schema": None, "max_tokens": 10, "temperature": 0.0,
        "seed": 1,
    }  # fmt: skip
    call_.update(changed)
    return key.of(Request(call_.pop("messages"), **call_))


def test_everything_that_changes_a_reply_changes_the_key() -> None:
    other_tool = Tool(name="search", description="else", parameters=TOOLS[0].parameters)
    keys = [
        of(),
        of(messages=(Message(role="system", content="Hello"),)),
        of(messages=(Message(role="user", content="Hello "),)),
        of(messages=(*USER, Message(role="assistant", content="", tool_calls=(call("a"),)))),
        of(messages=(*USER, Message(role="tool", content="x", tool_call_id="1"))),
        of(messages=(*USER, Message(role="tool", content="x", tool_call_id="2"))),
        of(tools=TOOLS),
        of(tools=(other_tool,)),
        of(schema=PlanReply),
        of(schema=KindsReply),
        of(max_tokens=11),
        of(temperature=0.1),
        of(seed=None),
        of(CacheKey(model="n", endpoint="http://h/v1")),
        of(CacheKey(model="m", endpoint="http://i/v1")),
        of(CacheKey(model="m", endpoint="http://h/v1", epoch=1)),
        of(CacheKey(model="m", endpoint="http://h/v1", fingerprint="f")),
    ]
    assert len(set(keys)) == len(keys)
    assert of() == of(temperature=0)


async def test_a_reply_is_asked_for_once_and_kept(tmp_path: Path) -> None:
    usage = Usage(calls=1, tokens_in=5, tokens_out=7, seconds=2.0)
    said = Completion(text='{"reason": "", "kind": "core"}', usage=usage)
    asked: list[Asked] = []

    def mind(what: Asked) -> Completion:
        asked.append(what)
        return said

    first = cached(tmp_path / "calls.sqlite", mind)
    assert first.name == "m"
    assert (await first.complete(Request(USER, schema=OneKindReply))).usage == usage
    again = await cached(tmp_path / "calls.sqlite", mind).complete(
        Request(USER, schema=OneKindReply)
    )
    assert len(asked) == 1
    assert again.text == said.text
    assert isinstance(again.parsed, OneKindReply)
    assert again.usage.cached == 1
    assert again.usage.tokens_out == 7


async def test_tool_calls_come_back_as_they_were(tmp_path: Path) -> None:
    made = [call("search", query="x")]
    model = cached(tmp_path / "c", lambda _: made)
    first = await model.complete(Request(USER, tools=TOOLS))
    again = await model.complete(Request(USER, tools=TOOLS))
    assert again.tool_calls == first.tool_calls == tuple(made)
    assert again.finish_reason == "tool_calls"


async def test_equal_calls_under_way_are_sent_once(tmp_path: Path) -> None:
    sent = 0

    class Slow(ScriptedModel):
        async def complete(self, request: Request) -> Completion:
            nonlocal sent
            sent += 1
            await asyncio.sleep(0.01)
            return await super().complete(request)

    model = CachedModel(Slow(lambda _: "hi"), CallCache(tmp_path / "c"), KEY)
    replies = await asyncio.gather(*(model.complete(Request(USER)) for _ in range(10)))
    assert sent == 1
    assert sorted(reply.usage.cached for reply in replies) == [0] + [1] * 9


async def test_those_who_wait_for_a_cancelled_call_ask_themselves(tmp_path: Path) -> None:
    class Stuck(ScriptedModel):
        first = True

        async def complete(self, request: Request) -> Completion:
            if Stuck.first:
                Stuck.first = False
                await asyncio.sleep(60)
            return await super().complete(request)

    model = CachedModel(Stuck(lambda _: "hi"), CallCache(tmp_path / "c"), KEY)
    leader = asyncio.create_task(model.complete(Request(USER)))
    await asyncio.sleep(0.01)
    follower = asyncio.create_task(model.complete(Request(USER)))
    await asyncio.sleep(0.01)
    leader.cancel()
    assert (await follower).text == "hi"


def test_threads_and_agents_of_one_file_make_a_call_once(tmp_path: Path) -> None:
    sent = 0

    class Slow(ScriptedModel):
        async def complete(self, request: Request) -> Completion:
            nonlocal sent
            sent += 1
            await asyncio.sleep(0.05)
            return await super().complete(request)

    shared = Slow(lambda _: "hi")
    models = [CachedModel(shared, CallCache(tmp_path / "c"), KEY) for _ in range(4)]

    def ask(number: int) -> str:
        return asyncio.run(asyncio.wait_for(models[number % 4].complete(Request(USER)), 30)).text

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(ask, range(16))) == ["hi"] * 16
    assert sent == 1
    for model in models:
        model.close()


async def test_those_who_wait_for_a_call_share_its_failure(tmp_path: Path) -> None:
    sent = 0

    class Failing(ScriptedModel):
        async def complete(self, request: Request) -> Completion:
            nonlocal sent
            sent += 1
            await asyncio.sleep(0.01)
            raise ModelError("the server is down")

    model = CachedModel(Failing(lambda _: ""), CallCache(tmp_path / "c"), KEY)
    ends = await asyncio.gather(
        *(model.complete(Request(USER)) for _ in range(8)), return_exceptions=True
    )
    assert [str(end) for end in ends] == ["the server is down"] * 8
    assert sent == 1
    with pytest.raises(ModelError):
        await model.complete(Request(USER))
    assert sent == 2


async def test_failures_are_replayed_but_tried_again_when_online(tmp_path: Path) -> None:
    outcomes: list[Any] = [ReplyTruncated("cut off"), "fine"]

    def mind(_: Asked) -> Any:
        said = outcomes.pop(0)
        if isinstance(said, ModelError):
            said.usage = Usage(calls=1, tokens_in=3)
            raise said
        return said

    path = tmp_path / "c"
    model = cached(path, mind)
    with pytest.raises(ReplyTruncated):
        await model.complete(Request(USER))
    with pytest.raises(ReplyTruncated, match="cut off") as caught:
        await CachedModel(None, CallCache(path, read_only=True), KEY).complete(Request(USER))
    assert caught.value.usage == Usage(calls=1, cached=1, tokens_in=3)
    assert (await model.complete(Request(USER))).text == "fine"
    replay = CachedModel(None, CallCache(path, read_only=True), KEY)
    assert (await replay.complete(Request(USER))).text == "fine"


async def test_a_failure_never_replaces_a_reply(tmp_path: Path) -> None:
    cache = CallCache(tmp_path / "c")
    await cache.put("k", "m", ok=True, record={"text": "kept"})
    await cache.put("k", "m", ok=False, record={"error": "x"})
    await cache.put("k", "m", ok=True, record={"text": "later"})
    assert await cache.get("k") == (True, {"text": "kept"})
    assert len(cache) == 1


async def test_replay_opens_no_socket_and_fails_on_a_miss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "calls.sqlite"
    key = CacheKey(model="m", endpoint="http://localhost:1/v1")
    await CachedModel(ScriptedModel(lambda _: "hi"), CallCache(path), key).complete(Request(USER))

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    model = open_model("m", "http://localhost:1/v1", cache=path, replay=True)
    assert (await model.complete(Request(USER))).text == "hi"
    with pytest.raises(ReplayMiss, match="have changed"):
        await model.complete(Request((Message(role="user", content="Goodbye"),)))


def test_replay_needs_recorded_calls(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs the file"):
        open_model("m", replay=True)
    with pytest.raises(InputError, match="no recorded calls"):
        open_model("m", replay=True, cache=tmp_path / "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()


def test_another_programs_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("These are my notes, and more than one page of them." * 50)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = other.read_bytes()
    for path in (text, other):
        with pytest.raises(InputError, match="move it away"):
            CallCache(path)
    assert other.read_bytes() == before


async def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    cache = CallCache(tmp_path / "c")
    cache._database.run(lambda file: file.execute("PRAGMA max_page_count = 1").fetchall())
    with pytest.raises(BackendError, match=r"cannot record a call in .*full"):
        await cache.put("k", "m", ok=True, record={"text": "x" * 100_000})
    cache.close()


WRITER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from agent.llm.calls import CallCache
async def write():
    cache = CallCache(Path(sys.argv[1]))
    for number in range(150):
        await cache.put(f"{number}", "m", ok=True, record={"text": f"{sys.argv[2]} {number}"})
        assert (await cache.get(str(number)))[1]["text"].endswith(f" {number}")
asyncio.run(write())
"""


def test_processes_share_a_cache(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[4])
    path = tmp_path / "calls.sqlite"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(number), root])
        for number in range(3)
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert len(CallCache(path)) == 150


@pytest.mark.parametrize("text", ["", "\0", "é\u2028😀", "half \ud83d", '"}'])
async def test_any_text_is_kept(text: str, tmp_path: Path) -> None:
    with closing(CallCache(tmp_path / "c")) as cache:
        await cache.put("k", "m", ok=True, record={"text": text})
        kept = await cache.get("k")
    assert kept is not None
    assert kept[1]["text"] == text.replace("\ud83d", "?")


async def test_refused_tools_are_replayed_as_such(tmp_path: Path) -> None:
    def mind(_: Asked) -> Any:
        raise ToolsRefused("takes no tools")

    model = cached(tmp_path / "c", mind)
    for asked in (model, CachedModel(None, CallCache(tmp_path / "c"), KEY)):
        with pytest.raises(ToolsRefused):
            await asked.complete(Request(USER))
