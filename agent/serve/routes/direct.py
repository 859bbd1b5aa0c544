"""The busiest paths, served beside what FastAPI does for every request.

Its middlewares, its table of paths and its solving of dependencies take longer than a search by words.
The routes stay the application's own: they stand in its table and in its OpenAPI description, and
whatever is wrong with a request is left to it, so that there is one way to say so.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.types import ASGIApp, Receive, Scope, Send

from agent.serve.access.guard import replay


class DirectRoute(APIRoute):
    """A POST whose endpoint takes the request and one body, and makes the whole reply itself."""

    endpoint: Callable[[Request, Any], Awaitable[Response]]

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        asked = self.dependant.body_params
        beside = (self.dependant.path_params, self.dependant.query_params, self.dependencies)
        assert self.methods == {"POST"}
        assert len(asked) == 1
        assert not any(beside)
        self.shape: type[BaseModel] = asked[0].field_info.annotation  # type: ignore[assignment]


class Shortcut:
    """Serves an application's direct routes, and leaves all else to it.

    Args:
        app: holds the routes, all of which are there by now.
    """

    def __init__(self, app: FastAPI) -> None:
        self._app: ASGIApp = app
        routes = (route for route in app.router.routes if isinstance(route, DirectRoute))
        self._direct = {route.path: route for route in routes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, whose whole body is the first that `receive` gives."""
        route = self._direct.get(scope["path"]) if scope["type"] == "http" else None
        if route is None or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body = (await receive())["body"]
        try:
            asked = route.shape.model_validate(json.loads(body))
        except (ValueError, RecursionError):
            await self._app(scope, replay(body, receive), send)
            return
        scope["app"] = self._app
        scope["route"] = route
        response = await route.endpoint(Request(scope, receive), asked)
        await response(scope, receive, send)
