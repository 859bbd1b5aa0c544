"""An OpenAI-compatible server on loopback, as picky and as nasty as real ones.

Every request is checked against the openai package's own parameter types and against OpenAI's
rules for conversations and strict schemas; a fault gets HTTP 400 and is kept in `faults`, so that
a test can assert that there was none.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from agent.llm.port import Completion
from tests.fakes import Asked, Mind, as_text
from tests.openai_rules import request_faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Misbehaviour:
    """What the server does instead of answering."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    """Sent verbatim where given."""
    cut: bool = False
    """Close the connection in the middle of the reply."""
    stall: float = 0.0
    """Seconds of silence first."""
    spoken: float = 1.0
    """Share of the true reply that is sent before the limit of tokens is said to be reached."""


Trouble = Callable[[int, Mapping[str, Any]], Misbehaviour | None]
"""Called with the request's number (from 0) and body."""


def refusal(status: int, message: str, **fields: object) -> Misbehaviour:
    """An error as OpenAI words it."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return Misbehaviour(status=status, body=json.dumps({"error": {**error, **fields}}))


class FakeServer:
    """Serves `/v1/chat/completions` from a mind, in a thread of its own.

    Args:
        mind: what it says.
        trouble: what goes wrong, if anything.
        latency: seconds before each reply.
        refuses: parameters it does not know: "response_format", "tools", "temperature", …
        ignores: parameters it takes and pays no heed to.
    """

    def __init__(
        self,
        mind: Mind,
        *,
        trouble: Trouble | None = None,
        latency: float = 0.0,
        refuses: Mapping[str, Misbehaviour] | None = None,
        key: str | None = None,
    ) -> None:
        self.mind = mind
        self.trouble = trouble
        self.latency = latency
        self.refuses = dict(refuses or {})
        self.key = key
        self.requests: list[dict[str, Any]] = []
        self.faults: list[str] = []
        self.running = 0
        self.most_at_once = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ready = threading.Event()
        self._port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> FakeServer:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _serve(self) -> None:
        self._stop = asyncio.Event()
        self._loop.run_until_complete(self._run())
        self._loop.close()

    async def _run(self) -> None:
        server = await asyncio.start_server(self._connection, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)
        try:
            return await self._reply(head[0].split(" ")[1], headers, body, writer)
        finally:
            self.running -= 1

    async def _reply(
        self,
        path: str,
        headers: Mapping[str, str],
        body: bytes,
        writer: asyncio.StreamWriter,
    ) -> bool:
        if path != "/v1/chat/completions":
            return await _send(writer, refusal(404, f"no such path: {path}"))
        if self.key is not None and headers.get("authorization") != f"Bearer {self.key}":
            given = headers.get("authorization", "").removeprefix("Bearer ")
            return await _send(writer, refusal(401, f"Incorrect API key provided: {given}"))
        request = json.loads(body)
        number = len(self.requests)
        self.requests.append(request)
        for name, answer in self.refuses.items():
            if name in request:
                return await _send(writer, answer)
        faults = request_faults(request)
        if faults:
            self.faults += faults
            return await _send(writer, refusal(400, "; ".join(faults)))
        bad = self.trouble(number, request) if self.trouble is not None else None
        await asyncio.sleep(self.latency + (bad.stall if bad else 0.0))
        if bad is not None and (bad.status != 200 or bad.body is not None or bad.cut):
            return await _send(writer, bad)
        said = self.mind(asked_on_the_wire(request))
        if isinstance(said, Misbehaviour):
            return await _send(writer, said)
        completion = completion_body(said, request)
        if bad is not None and bad.spoken < 1:
            cut_short(completion, bad.spoken)
        if request.get("stream"):
            return await _stream(writer, completion, request)
        return await _send(writer, Misbehaviour(body=json.dumps(completion)))


@contextmanager
def serving(mind: Mind, **options: Any) -> Iterator[FakeServer]:
    """A running FakeServer; a request that breaks OpenAI's rules fails the test."""
    with FakeServer(mind, **options) as server:
        yield server
    assert server.faults == []


async def _send(writer: asyncio.StreamWriter, reply: Misbehaviour) -> bool:
    body = (reply.body if reply.body is not None else '{"error": {"message": "no"}}').encode()
    lines = [f"HTTP/1.1 {reply.status} X", "content-type: application/json"]
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    lines += [f"content-length: {len(body)}", "", ""]
    writer.write("\r\n".join(lines).encode() + (body[: len(body) // 2] if reply.cut else body))
    await writer.drain()
    return not reply.cut


async def _stream(
    writer: asyncio.StreamWriter, completion: Mapping[str, Any], request: Mapping[str, Any]
) -> bool:
    writer.write(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    for piece in stream_pieces(completion, request):
        data = f"data: {piece}\n\n".encode()
        writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        await writer.drain()
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


def stream_pieces(completion: Mapping[str, Any], request: Mapping[str, Any]) -> Iterator[str]:
    """A completion as the lines of a stream, its text in pieces of seven characters."""
    head = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": request["model"]}
    message = completion["choices"][0]["message"]
    deltas: list[dict[str, Any]] = [{"role": "assistant"}]
    text = message["content"] or ""
    deltas += [{"content": text[at : at + 7]} for at in range(0, len(text), 7)]
    if message.get("refusal"):
        deltas.append({"refusal": message["refusal"]})
    for index, called in enumerate(message.get("tool_calls") or []):
        function = called["function"]
        deltas.append(
            {
                "tool_calls": [
                    {
                        "index": index,
                        "id": called["id"],
                        "type": "function",
                        "function": {"name": function["name"], "arguments": ""},
                    }
                ]
            }
        )
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": letter}}]}
            for letter in function["arguments"]
        ]
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield json.dumps({**head, "choices": [choice]})
    last = {
        "index": 0,
        "delta": {},
        "finish_reason": completion["choices"][0]["finish_reason"],
    }
    yield json.dumps({**head, "choices": [last]})
    if (request.get("stream_options") or {}).get("include_usage"):
        yield json.dumps({**head, "choices": [], "usage": completion["usage"]})
    yield "[DONE]"


def asked_on_the_wire(request: Mapping[str, Any]) -> Asked:
    """What a request asks, as a mind takes it."""
    form = request.get("response_format") or {}
    name = str((form.get("json_schema") or {}).get("name", ""))
    return Asked(
        messages=tuple(request["messages"]),
        form=name or _form_in_words(request),
        tools=tuple(tool["function"]["name"] for tool in request.get("tools") or ()),
        model=str(request["model"]),
    )


def _form_in_words(request: Mapping[str, Any]) -> str:
    text = "\n".join(str(message.get("content") or "") for message in request["messages"])
    for words, form in (
        ('{"sub_questions": [{"id"', "PlanReply"),
        ('{"kinds": [', "KindsReply"),
        ('{"reason": ', "OneKindReply"),
        ('{"text": "… [1] …"', "ComposedReply"),
        ('{"text": "…", "items"', "ClosedComposedReply"),
        ('{"found": true, "answer": "… [1]"', "AnswerReply"),
        ('{"found": true, "answer": "…"', "ClosedAnswerReply"),
    ):
        if words in text:
            return form
    return ""


def cut_short(completion: dict[str, Any], spoken: float) -> None:
    """Cut the text of a completion off, as a limit of tokens does."""
    choice = completion["choices"][0]
    text = choice["message"]["content"] or ""
    choice["message"]["content"] = text[: int(spoken * len(text))]
    choice["finish_reason"] = "length"


def completion_body(said: object, request: Mapping[str, Any]) -> dict[str, Any]:
    """A chat completion that says this."""
    calls: list[Any] = []
    finish = "stop"
    text = ""
    if isinstance(said, Completion):
        text, calls, finish = said.text, list(said.tool_calls), said.finish_reason
    elif isinstance(said, list):
        calls, finish = said, "tool_calls"
    else:
        text = as_text(said)
    message: dict[str, Any] = {"role": "assistant", "content": text or None, "refusal": None}
    if finish == "refusal":
        message.update(content=None, refusal=text)
        finish = "stop"
    if calls:
        message["tool_calls"] = [
            {
                "id": f"{one.id}_{number}",
                "type": "function",
                "function": {"name": one.name, "arguments": one.raw},
            }
            for number, one in enumerate(calls)
        ]
    prompt = sum(len(str(m.get("content") or "")) for m in request["messages"]) // 4
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": len(text) // 4,
            "total_tokens": prompt + len(text) // 4,
        },
    }
