"""The stand-in as an OpenAI-compatible server on this machine; `fanfold stand-in`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Annotated, Any, NoReturn

import typer

from agent.llm.tokens import Estimate
from agent.stand_in.script import NAME, SAID_BY, reply
from corpus.errors import InputError
from corpus.terminal import run_app, say

HOST = "127.0.0.1"
_LONGEST = 64 << 20
"""Bytes of a request that are read."""

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def main() -> NoReturn:
    """Run the command line."""
    run_app(app, name="fanfold stand-in")


@app.command()
def stand_in(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: a free one.")] = 8766,
) -> None:
    """Serve a stand-in for a model, to try runs with a model without one. It is no model.

    It quotes the sentence of the sources that shares most words with the question, and judges
    nothing. Ctrl-C ends it.
    """
    try:
        server = open_server(port)
    except OSError as error:
        raise InputError(
            f"port {port} of {HOST} is taken or not allowed ({error.strerror}): name another with "
            "--port, or 0 for a free one"
        ) from None
    with server:
        say(
            f"fanfold stand-in: this is no model, and its figures mean nothing; ask it with "
            f"--model {NAME} --base-url {address(server)}"
        )
        server.serve_forever()


def open_server(port: int = 0) -> ThreadingHTTPServer:
    """Return a server that listens on this machine alone; 0 is a free port.

    Raises:
        OSError: the port cannot be had.
    """
    ThreadingHTTPServer.daemon_threads = True
    return ThreadingHTTPServer((HOST, port), _Handler)


def address(server: ThreadingHTTPServer) -> str:
    """Return the address that a client is given."""
    return f"http://{HOST}:{server.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """List the one model."""
        if self.path.rstrip("/") != "/v1/models":
            return self._refuse(404, f"no such path: {self.path}")
        model = {"id": NAME, "object": "model", "created": 0, "owned_by": "no model"}
        return self._send(200, {"object": "list", "data": [model]})

    def do_POST(self) -> None:
        """Answer a chat completion."""
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > _LONGEST:
            self.close_connection = True
            return self._refuse(400, "a body of a known length, at most 64 MiB, is needed")
        body = self.rfile.read(int(length))
        if self.path.rstrip("/") != "/v1/chat/completions":
            return self._refuse(404, f"no such path: {self.path}")
        try:
            request = json.loads(body)
            model = request["model"]
            text = reply(request)
        except (ValueError, KeyError, TypeError, AttributeError):
            return self._refuse(400, "this is no chat completion")
        if model != NAME:
            return self._refuse(404, f"this is a stand-in and no model: it is asked as {NAME}")
        if request.get("stream"):
            return self._stream(text, _usage(body, text))
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        kind = "chat.completion"
        return self._send(200, _completion(kind, [choice], _usage(body, text)))

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet: a line a call would hide what matters."""

    def _refuse(self, status: int, message: str) -> None:
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
        self._send(status, {"error": error})

    def _send(self, status: int, value: object) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, text: str, usage: Mapping[str, int]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        kind = "chat.completion.chunk"
        for delta, finish in (({"role": "assistant", "content": text}, None), ({}, "stop")):
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            self._event(json.dumps(_completion(kind, [choice], None), ensure_ascii=False))
        self._event(json.dumps(_completion(kind, [], usage)))
        self._event("[DONE]")

    def _event(self, data: str) -> None:
        self.wfile.write(f"data: {data}\n\n".encode())


def _completion(
    kind: str, choices: list[dict[str, Any]], usage: Mapping[str, int] | None
) -> dict[str, Any]:
    return {
        "id": "stand-in", "object": kind, "created": 0, "model": NAME, "choices": choices,
        "usage": usage, "system_fingerprint": SAID_BY,
    }  # fmt: skip


def _usage(body: bytes, text: str) -> dict[str, int]:
    count = Estimate()
    asked, said = count(body.decode("utf-8", "replace")), count(text)
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
