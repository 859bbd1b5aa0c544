"""Search, in this project's form and in Search-R1's; articles, titles, chunks, quotes."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from agent.serve.routes.access import documented, reply, service_of
from agent.serve.routes.direct import DirectRoute
from agent.serve.service import Service
from agent.serve.shapes import (
    LONGEST_TITLE,
    MOST_K,
    RetrieveRequest,
    SearchRequest,
    VerifyRequest,
)
from agent.serve.snapshots.library import AROUND, hit_to_json
from agent.settings import LONGEST_QUESTION
from retrieval.index import Mode

router = APIRouter(tags=["search"])
direct = APIRouter(tags=["search"], route_class=DirectRoute)
TOP_K = 3
"""Hits that Search-R1's servers return where none are asked for."""
Snapshot = Annotated[str | None, Query(max_length=200)]


@direct.post("/v1/search", responses=documented(401, 404, 415, 422, 429, 503))
async def search(request: Request, asked: SearchRequest) -> Response:
    """Search with each query."""
    return await _search(service_of(request), asked)


@router.get("/v1/search", responses=documented(401, 404, 422, 429, 503))
async def search_for(
    request: Request,
    q: Annotated[str, Query(min_length=1, max_length=LONGEST_QUESTION)],
    k: Annotated[int, Query(ge=1, le=MOST_K)] = 10,
    mode: Mode | None = None,
    snapshot: Snapshot = None,
) -> Response:
    """Search with one query."""
    asked = SearchRequest(queries=[q], k=k, mode=mode, snapshot=snapshot)
    return await _search(service_of(request), asked)


@direct.post("/retrieve", responses=documented(401, 415, 422, 429, 503))
async def retrieve(request: Request, asked: RetrieveRequest) -> Response:
    """Search as the retrieval servers of Search-R1 do: `contents` is the title, then the text."""
    service = service_of(request)
    with service.searched():
        found = await service.default_library.search(asked.queries, asked.topk or TOP_K)
    result: list[list[Any]] = []
    for hits in found.hits:
        documents = [
            {
                "id": hit.chunk.id,
                "contents": f'"{hit.chunk.revision.title}"\n{hit.chunk.text}',
            }
            for hit in hits
        ]
        if asked.return_scores:
            scored = zip(documents, hits, strict=True)
            result.append([{"document": one, "score": hit.score} for one, hit in scored])
        else:
            result.append(documents)
    return reply({"result": result}, kept=found.kept)


@router.get("/v1/titles", responses=documented(401, 404, 422))
async def titles(
    request: Request,
    q: Annotated[str, Query(min_length=1, max_length=LONGEST_TITLE)],
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    snapshot: Snapshot = None,
) -> Response:
    """Titles that match words or the beginning of a title, best first."""
    library = service_of(request).library(snapshot)
    found = await asyncio.to_thread(library.snapshot.search_titles, q, limit)
    return reply({"titles": found})


@router.get("/v1/articles/{title:path}", responses=documented(401, 404, 422))
async def article(
    request: Request,
    title: Annotated[str, Path(max_length=LONGEST_TITLE)],
    snapshot: Snapshot = None,
) -> Response:
    """The article of a title as of the snapshot's date, redirects followed."""
    library = service_of(request).library(snapshot)
    return reply(await asyncio.to_thread(library.article, title))


@router.get("/v1/chunks/{chunk_id}", responses=documented(401, 404, 422))
async def chunk(
    request: Request,
    chunk_id: Annotated[str, Path(max_length=100)],
    around: Annotated[int, Query(ge=0, le=AROUND)] = 600,
    snapshot: Snapshot = None,
) -> Response:
    """A chunk with its article's text around it."""
    library = service_of(request).library(snapshot)
    return reply(await asyncio.to_thread(library.around, chunk_id, around))


@direct.post("/v1/verify", responses=documented(401, 404, 415, 422))
async def verify(request: Request, asked: VerifyRequest) -> Response:
    """Whether a chunk holds a quote, character by character, and what it does for a claim."""
    library = service_of(request).library(asked.snapshot)
    return reply(await asyncio.to_thread(library.verify, asked.quote, asked.chunk_id, asked.claim))


async def _search(service: Service, asked: SearchRequest) -> Response:
    library = service.library(asked.snapshot)
    with service.searched():
        found = await library.search(asked.queries, asked.k, asked.mode, asked.titles)
    return reply(
        {
            "mode": asked.mode or library.mode,
            "k": asked.k,
            "snapshot": library.stamp(),
            "results": [
                {"query": query, "hits": [hit_to_json(hit) for hit in hits]}
                for query, hits in zip(asked.queries, found.hits, strict=True)
            ],
        },
        kept=found.kept,
    )


router.routes.extend(direct.routes)
