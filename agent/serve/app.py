"""The HTTP application: its paths, its errors, the guard before them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from mcp.server.transport_security import TransportSecuritySettings
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp

from agent.serve.access.guard import MCP_PATH, OPEN_PATHS, Guard
from agent.serve.description import installed_version
from agent.serve.mcp.server import build_mcp
from agent.serve.pages import mount_pages
from agent.serve.problems import Problem, problem_reply
from agent.serve.routes import ask, chat, docs, embeddings, search, state
from agent.serve.routes.direct import Shortcut
from agent.serve.service import Service
from corpus.errors import FanfoldError

IDLE_SESSION = 600.0
"""Seconds after which an MCP session that asks nothing is forgotten."""
_MENDS = {
    404: "see /docs for the paths there are",
    405: "see /docs for the methods of this path",
}


def build_app(service: Service) -> ASGIApp:
    """Return the application over a service; it closes nothing that it did not open."""
    mcp = build_mcp(service)
    # The guard has checked Host and Origin, by the server's own names.
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    mcp_app = mcp.streamable_http_app(
        streamable_http_path=MCP_PATH,
        transport_security=unchecked,
        max_request_body_size=service.options.body_bytes,
        # A session would live in one process, and its next request may come to another.
        stateless_http=service.options.workers > 1,
        session_idle_timeout=IDLE_SESSION,
        max_sessions=service.options.connections,
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.start()
        async with mcp.session_manager.run():
            yield
            await service.stop(service.options.grace)

    app = FastAPI(
        title="fanfold",
        summary="Answers and search over Wikipedia as it stood on a date.",
        version=installed_version() or "0",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        # Paths of one form only: a redirect would name the Host it was asked under.
        redirect_slashes=False,
    )
    app.state.service = service
    if service.options.tokens:
        app.openapi = lambda: _with_tokens(app)  # type: ignore[method-assign]  # FastAPI's own way
    for kind in (Problem, FanfoldError, OSError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _tell)
    app.add_exception_handler(Exception, _tell)
    for part in (state, ask, search, chat, embeddings, docs):
        # Not `include_router`: it would match and copy every path a second time for each request.
        app.router.routes.extend(part.router.routes)
    mount_pages(app)
    app.router.routes.extend(mcp_app.routes)
    options = service.options
    return Guard(
        Shortcut(app),
        doorkeeper=service.doorkeeper,
        metrics=service.metrics,
        hosts=options.allowed_hosts,
        body_bytes=options.body_bytes,
        patience=options.patience,
    )


def _with_tokens(app: FastAPI) -> dict[str, Any]:
    """Return the description of the interface, with the token that its paths demand."""
    api = FastAPI.openapi(app)
    components = api.setdefault("components", {})
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for path, methods in api["paths"].items():
        for one in methods.values():
            one["security"] = [] if path in OPEN_PATHS else [{"token": []}]
    return api


async def _tell(request: Request, error: Exception) -> Response:
    """Return what a client is told of an error."""
    if isinstance(error, RequestValidationError):
        error = _wrong_field(error)
    elif isinstance(error, HTTPException):
        error = Problem(
            status=error.status_code,
            detail=str(error.detail).lower(),
            mend=_MENDS.get(error.status_code, ""),
            headers={**(error.headers or {}), **_allowed(request, error.status_code)},
        )
    return problem_reply(error, request.scope)


def _allowed(request: Request, status: int) -> dict[str, str]:
    """Return the methods of a path as RFC 9110 wants them told: those of all its routes."""
    if status != HTTPStatus.METHOD_NOT_ALLOWED:
        return {}
    scope = {name: request.scope[name] for name in ("type", "path", "method", "headers")}
    methods: set[str] = set()
    for route in request.app.router.routes:
        if hasattr(route, "methods") and route.matches(scope)[0] is not Match.NONE:
            methods |= route.methods or set()
    return {"Allow": ", ".join(sorted(methods))}


def _wrong_field(error: RequestValidationError) -> Problem:
    """Return a problem that names the first wrong field; what was sent is not repeated."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return Problem(status=400, detail="the body is no JSON", mend="send one JSON object")
    place = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
    where = ".".join(place)[:200] or "the body"
    more = len(error.errors()) - 1
    return Problem(
        status=422,
        detail=f"{where}: {first['msg']}" + (f" (and {more} more)" if more else ""),
        where=where,
        mend="see /docs for the fields there are",
    )
