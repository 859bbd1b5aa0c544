"""The two web pages, `/` to ask in and `/search` to compare ways to search: plain files, no build step.

They hold no data and need no token; all they show they ask of this server's HTTP interface. The
policy that is sent with them lets a browser load nothing from elsewhere, run no script that stands
in markup, and turn no text into markup at all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

STATIC = Path(__file__).parent / "static"
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""No policy for Trusted Types is allowed to be made: a script that parsed text as markup would fail."""
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Asked again each time, answered with 304: a server that was updated is never half old.
    "Cache-Control": "no-cache",
}
_PAGES: Mapping[str, str] = {"/": "index.html", "/search": "search.html"}


class _Files(StaticFiles):
    """Files of one folder, with the headers above; anything outside it is not found."""

    def file_response(self, full_path: Any, stat_result: os.stat_result, *rest: Any) -> Response:
        response = super().file_response(full_path, stat_result, *rest)
        response.headers.update(HEADERS)
        return response


def mount_pages(app: Starlette) -> None:
    """Add the pages and what they load: `/`, `/search`, `/static/…`."""
    files = _Files(directory=STATIC)

    def route(path: str, name: str) -> Route:
        async def show(request: Request) -> Response:
            return await files.get_response(name, request.scope)

        return Route(path, show, methods=["GET"], name=name, include_in_schema=False)

    app.router.routes.extend(route(path, name) for path, name in _PAGES.items())
    app.router.routes.append(Mount("/static", app=files, name="static"))
