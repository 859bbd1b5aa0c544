"""What the paths share: the service, replies, the errors that a path documents."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, cast

from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from agent.serve import problems
from agent.serve.problems import encode
from agent.serve.questions import Asked, attended
from agent.serve.service import Service
from agent.serve.snapshots.kept import HEADER
from agent.serve.stream import MEDIA_TYPE
from agent.types import Answer

_WHEN = {
    400: "no JSON that can be read",
    401: "no token, or a wrong one",
    404: "no such thing",
    408: "the request did not arrive in time",
    413: "the body is too large",
    415: "the body is not said to be JSON",
    422: "a field is wrong: `where` names it",
    429: "too many wait, or the token's rate is used up; `Retry-After` in seconds",
    502: "the model failed after its retries",
    503: "the server stops; `Retry-After` in seconds",
    504: "the time of one question is used up",
}
_PROBLEM: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "where", "mend", "request_id"],
    "properties": {
        name: {"type": "integer" if name == "status" else "string"}
        for name in ("type", "title", "status", "detail", "where", "mend", "request_id")
    },
}


def service_of(request: Request) -> Service:
    """Return the application's service."""
    return cast("Service", request.app.state.service)


def gone(request: Request) -> Callable[[], Awaitable[None]]:
    """Return what ends once the client has gone."""

    async def wait() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    return wait


def reply(value: object, *, kept: bool = False) -> Response:
    """Return a JSON value as a reply; it was made here, so nothing checks it a second time.

    Args:
        value: what is sent.
        kept: it was made for an earlier request, and a header says so.
    """
    return Response(encode(value), headers=HEADER if kept else None, media_type="application/json")


class QuestionStream(StreamingResponse):
    """A reply in pieces, as a question comes to them. The question ends with the reply.

    A client that vanishes before the first piece is asked for leaves a generator that never began,
    whose own clean-up never runs.

    Args:
        question: what the pieces tell of.
        pieces: of the body.
    """

    def __init__(self, question: Asked, pieces: AsyncIterator[bytes]) -> None:
        super().__init__(pieces, headers=HEADER if question.kept else None, media_type=MEDIA_TYPE)
        self._question = question

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reply."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._question.leave()


async def answer_of(request: Request, question: Asked) -> Answer | None:
    """Return a question's answer, or None where its client has gone; the question ends with that."""
    try:
        return await attended(gone(request), question.answer())
    finally:
        question.leave()


LEFT = 499
"""Status of a reply that nobody takes any more; it is only counted."""


def left() -> Response:
    """Return the reply to a client that has gone."""
    return Response(status_code=LEFT)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the errors of a path, as OpenAPI describes them."""
    return {
        status: {
            "description": _WHEN[status],
            "content": {problems.MEDIA_TYPE: {"schema": _PROBLEM}},
        }
        for status in (*statuses, 400, 408, 413)
    }
