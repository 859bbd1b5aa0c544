"""The tools: `search` and `fetch` as OpenAI's connectors ask for them, `ask` and `verify`."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

from agent import events
from agent.serve.mcp.problems import telling
from agent.serve.mcp.shapes import CitedAnswer, Document, Result, SearchResults, Verified
from agent.serve.questions import Asked, Queued, Said
from agent.serve.service import Service
from agent.serve.shapes import LONGEST_QUOTE, Choice, ChunkId, Query
from agent.serve.stream import answered
from agent.settings import LONGEST_QUESTION, StrategyName

FOUND = 10
"""Results of one search."""
FETCHED = 24_000
"""Most characters of one fetch, about 6,000 tokens; the rest is reached by other chunks."""
_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def add_search(server: MCPServer, service: Service, what: str) -> None:
    """Add `search` and `fetch`, as OpenAI's connectors ask for them."""

    async def search(query: Query) -> SearchResults:
        with telling(), service.searched():
            found = await service.default_library.search([query], FOUND)
        return SearchResults(
            results=[
                Result(
                    id=hit.chunk.id,
                    title=_title(hit.chunk.revision.title, hit.chunk.section),
                    url=hit.chunk.revision.url,
                    text=hit.chunk.text,
                )
                for hit in found.hits[0]
            ]
        )

    async def fetch(id: ChunkId) -> Document:
        with telling():
            service.check_open()
            return await asyncio.to_thread(_document, service, id)

    server.add_tool(
        search,
        title="Search the snapshot",
        description=f"Find passages of {what}. Returns up to {FOUND} passages, best first, each "
        "with an id for `fetch` and `verify`. Ask in keywords or in a question about one thing.",
        annotations=_READS,
    )
    server.add_tool(
        fetch,
        title="Read an article",
        description="Return the article that a passage of `search` or a citation of `ask` belongs "
        f"to: its text (of a long one the {FETCHED:,} characters around the passage), revision, "
        "date and permanent link.",
        annotations=_READS,
    )


def add_ask(server: MCPServer, service: Service, what: str) -> None:
    """Add `ask`, which says how far it is and ends when its call is cancelled."""

    async def ask(
        question: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)],
        context: Context[Any, Any],
        strategy: StrategyName | None = None,
        max_sub_questions: Annotated[int, Field(ge=1, le=1000)] | None = None,
    ) -> CitedAnswer:
        choice = Choice(strategy=strategy, max_sub_questions=max_sub_questions)
        with telling():
            asked = await service.ask(question, choice)
            return await _answer(asked, context)

    server.add_tool(
        ask,
        title="Answer a question",
        description=f"Answer a question from {what}: break it into sub-questions, look each up, "
        "fill later ones with what was found, and cite every value by a quote that was checked. "
        "Best for questions that need many articles (lists, comparisons, chains). Says for each "
        "part whether it was answered, is unsure or was not found. Takes seconds; reports "
        "progress; can be cancelled.",
        annotations=_READS,
    )


def add_verify(server: MCPServer, service: Service) -> None:
    """Add `verify`."""

    async def verify(
        quote: Annotated[str, Field(min_length=1, max_length=LONGEST_QUOTE)],
        chunk_id: ChunkId,
        claim: Annotated[str, Field(max_length=LONGEST_QUOTE)] | None = None,
    ) -> Verified:
        with telling():
            service.check_open()
            library = service.default_library
            told = await asyncio.to_thread(library.verify, quote, chunk_id, claim or None)
        return Verified.model_validate(told)

    server.add_tool(
        verify,
        title="Prove a quote",
        description="Say whether a passage holds a quote, character by character, and, where a "
        "claim is given, whether the quote supports it (supported, unsure, unsupported) and why "
        "not.",
        annotations=_READS,
    )


def _document(service: Service, id_: str) -> Document:
    library = service.default_library
    chunk = library.chunk(id_)
    article = library.snapshot.find_page(chunk.revision.page_id)
    text = chunk.text if article is None else article.text
    begin = max(0, min(chunk.start - FETCHED // 2, len(text) - FETCHED))
    part = text[begin : begin + FETCHED]
    return Document(
        id=chunk.id,
        title=chunk.revision.title,
        text=part,
        url=chunk.revision.url,
        metadata={
            "snapshot": library.stamp(),
            "timestamp": chunk.revision.timestamp,
            "section": chunk.section,
            "passage_start": chunk.start - begin,
            "passage_end": chunk.end - begin,
            "whole": len(part) == len(text),
        },
    )


async def _answer(asked: Asked, context: Context[Any, Any]) -> CitedAnswer:
    """Return the answer; the steps that ended, of those that are planned, are the progress."""
    planned, ended = 0, 0
    async with aclosing(asked.events()) as stream:
        async for said in stream:
            match said:
                case events.Answered():
                    return CitedAnswer.model_validate(answered(said.answer, asked))
                case events.PlanMade() | events.PlanGrown():
                    planned += sum(step.kind != "follow_up" for step in said.sub_questions)
                case events.SubQuestionEnded():
                    ended += 1
            message = _progress(said)
            if message:
                # The answer is the last step, and none but it completes the whole.
                await context.report_progress(ended, max(planned, ended) + 1, message)
    raise AssertionError("a question ended without an answer")


def _progress(said: Said) -> str:
    match said:
        case Queued(ahead=ahead):
            return f"waits, {ahead} ahead"
        case events.PlanMade(sub_questions=steps):
            return f"planned: {len(steps)} sub-questions"
        case events.PlanGrown(sub_questions=steps):
            return f"{len(steps)} more sub-questions"
        case events.SubQuestionEnded(sub_question=step, sub_answer=found):
            return f"{found.status}: {step.text} {found.text}".strip()
        case events.Composing():
            return "writing the answer"
    return ""


def _title(title: str, section: str) -> str:
    return f"{title} > {section}" if section else title
