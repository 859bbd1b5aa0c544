"""`/docs`: the interface as a page, without the scripts from elsewhere that FastAPI's would load."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, Template

router = APIRouter(include_in_schema=False)
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The interface as a page."""
    page = _template().render(api=request.app.openapi(), resolve=resolve)
    return HTMLResponse(page, headers={"content-security-policy": POLICY})


def resolve(schema: dict[str, Any], api: dict[str, Any]) -> dict[str, Any]:
    """Return a schema, its reference followed where it is one."""
    reference = schema.get("$ref")
    if reference is None:
        return schema
    found: dict[str, Any] = api["components"]["schemas"][reference.rpartition("/")[2]]
    return found


@lru_cache(maxsize=1)
def _template() -> Template:
    loader = FileSystemLoader(Path(__file__).parent.parent / "templates")
    return Environment(loader=loader, autoescape=True, trim_blocks=True).get_template("docs.html")
