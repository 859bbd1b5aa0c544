"""What every request passes before it reaches its path: size, time, Host, Origin, token."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import time
from collections.abc import MutableMapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.serve.access.tokens import Doorkeeper
from agent.serve.metrics import Metrics
from agent.serve.problems import Problem, problem_reply

OPEN_PATHS = ("/", "/search", "/healthz", "/readyz", "/docs", "/openapi.json")
"""They hold nothing of the corpus; a page has to load before it can ask for a token."""
STATIC = "/static/"
MCP_PATH = "/mcp"
_LOCAL_NAMES = ("localhost",)
# Pages bring stricter headers of their own.
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_STRICT = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)


class Guard:
    """Wraps the application.

    Args:
        app: what is guarded.
        doorkeeper: knows the tokens.
        metrics: counts.
        hosts: names the server may be asked under, beside localhost and addresses.
        body_bytes: most of one body.
        patience: seconds in which a body has to arrive.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        doorkeeper: Doorkeeper,
        metrics: Metrics,
        hosts: tuple[str, ...],
        body_bytes: int,
        patience: float,
    ) -> None:
        self._app = app
        self._doorkeeper = doorkeeper
        self._metrics = metrics
        self._hosts = frozenset(host.lower().rstrip(".") for host in (*_LOCAL_NAMES, *hosts))
        self._body_bytes = body_bytes
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        reply = _Reply(send, scope["path"])
        begun = time.perf_counter()
        scope.setdefault("state", {})["request_id"] = os.urandom(8).hex()
        try:
            body = await self._admit(scope, receive)
            await self._app(scope, replay(body, receive), reply.send)
        except Exception as error:
            if not reply.begun:
                await problem_reply(error, scope)(scope, receive, reply.send)
            elif not reply.whole:
                # Nothing can be told any more: the connection ends, which no client takes for an
                # end in good order.
                raise
        finally:
            path = MCP_PATH if scope["path"] == MCP_PATH else "other"
            route = getattr(scope.get("route"), "path", path)
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.count(route, method, reply.status, time.perf_counter() - begun)

    async def _admit(self, scope: MutableMapping[str, Any], receive: Receive) -> bytes:
        """Return the body of a request that may pass.

        Raises:
            Problem: it may not.
        """
        headers = _single_headers(scope)
        host = headers.get("host", "")
        self._check_host(host)
        _check_origin(headers.get("origin"), host)
        path = scope["path"]
        if path not in OPEN_PATHS and not path.startswith(STATIC):
            self._doorkeeper.admit(headers.get("authorization"))
        body = await self._read(headers, receive)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if body and kind != "application/json":
            raise Problem(
                status=415,
                detail="the body is not said to be JSON",
                mend="send the header `Content-Type: application/json`",
            )
        return body

    def _check_host(self, host: str) -> None:
        """Refuse a name that is not this server's: a page elsewhere may have it lead here."""
        name = _host_name(host)
        if name is None:
            raise Problem(
                status=400,
                detail="the Host header is missing or no host",
                mend="send one Host header",
            )
        if name not in self._hosts and not _is_address(name):
            raise Problem(
                status=421,
                detail="this server is not called so",
                where="Host",
                mend="ask it by its address, or start it with --allow-host NAME",
            )

    async def _read(self, headers: dict[str, str], receive: Receive) -> bytes:
        """Return the body, if it is small and quick enough."""
        too_large = Problem(
            status=413,
            detail=f"the body has more than {self._body_bytes:,} bytes",
            mend="ask for less at once",
            headers={"Connection": "close"},
        )
        told = headers.get("content-length", "0")
        if not (told.isascii() and told.isdecimal()) or int(told[:20]) > self._body_bytes:
            raise too_large
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._patience):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise Problem(status=400, detail="the request was cut off")
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    if size > self._body_bytes:
                        raise too_large
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            raise Problem(
                status=408,
                detail=f"the request did not arrive within {self._patience:g} s",
                mend="send it in one go",
                headers={"Connection": "close"},
            ) from None


_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class _Reply:
    """Passes a reply on, with the headers that every reply has."""

    def __init__(self, send: Send, path: str) -> None:
        self._send = send
        self._page = path in OPEN_PATHS or path.startswith(STATIC)
        self.status = 0
        self.begun = False
        self.whole = False

    async def send(self, message: Message) -> None:
        """Send a message of the reply."""
        if message["type"] == "http.response.start":
            self.begun = True
            self.status = message["status"]
            headers = list(message.get("headers", ()))
            known = {name.lower() for name, _ in headers}
            wanted = _HEADERS if self._page else (*_HEADERS, *_STRICT)
            headers += [pair for pair in wanted if pair[0] not in known]
            message = {**message, "headers": headers}
        await self._send(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            self.whole = True


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body that was read, then what else comes."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if not given:
            given = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return replay


def _single_headers(scope: MutableMapping[str, Any]) -> dict[str, str]:
    """Return the headers by name; one that decides who is let in may stand there once only."""
    headers: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        if name in headers and name in ("host", "origin", "authorization", "content-length"):
            raise Problem(
                status=400, detail=f"the header {name} stands there twice", mend="send it once"
            )
        headers[name] = value.decode("latin-1")
    return headers


def _host_name(host: str) -> str | None:
    """Return the name in a Host header, without port and brackets; None where it is none."""
    name, port = host, ""
    if host.startswith("["):
        name, closed, rest = host[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            return None
        port = rest[1:]
    elif ":" in host:
        name, _, port = host.partition(":")
    if not name or not name.isascii() or (port and not port.isdecimal()):
        return None
    return name.lower().rstrip(".") or None


def _is_address(name: str) -> bool:
    """Say whether a host is an address: no name server can have that lead elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _check_origin(origin: str | None, host: str) -> None:
    """Refuse what a page of another origin asks; programs send no Origin."""
    if origin is None:
        return
    scheme, mark, place = origin.partition("://")
    if not mark or scheme not in ("http", "https") or place.lower() != host.lower():
        raise Problem(
            status=403,
            detail="a page of another origin asked",
            where="Origin",
            mend="ask from this server's own page, or from a program",
        )
