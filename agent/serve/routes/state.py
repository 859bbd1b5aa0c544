"""Whether the server lives and is ready, and what it counts."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST

from agent.serve.description import description_of
from agent.serve.routes.access import documented, reply, service_of

router = APIRouter()


@router.get("/healthz", tags=["state"], responses=documented())
async def healthz() -> dict[str, Any]:
    """Whether the process lives."""
    return {"status": "ok"}


@router.get("/readyz", tags=["state"], responses=documented(503))
async def readyz(request: Request) -> dict[str, Any]:
    """Whether questions are taken."""
    service_of(request).check_open()
    return {"status": "ready"}


@router.get("/metrics", tags=["state"], responses=documented(401), response_class=PlainTextResponse)
async def metrics(request: Request) -> Response:
    """What the server counts, in Prometheus' form."""
    return Response(service_of(request).metrics.exposition(), media_type=CONTENT_TYPE_LATEST)


@router.get("/v1/about", tags=["state"], responses=documented(401))
async def about(request: Request) -> Response:
    """What there is to choose: snapshots, models, strategies, settings, limits."""
    return reply(description_of(service_of(request)))
