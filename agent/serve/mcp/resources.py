"""What a client may read without a tool: articles, what is served here; and the prompt."""

from __future__ import annotations

import asyncio
import json

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.resources import ResourceSecurity

from agent.serve.description import description_of
from agent.serve.mcp.problems import words_of
from agent.serve.problems import public
from agent.serve.service import Service
from agent.serve.shapes import LONGEST_TITLE
from corpus.store import ArticleNotFound

_PROMPT = """\
Answer the question below from the dated Wikipedia snapshot that this server holds.

1. Call `ask` with the question as it stands. It plans, looks up each part and cites quotes.
2. Read `sub_questions`: what is `unsure`, `not_found` or `failed` is not proven. For each of these
   call `search` with other words, read with `fetch`, and keep what you can quote word for word.
3. Call `verify` for every quote you add.
4. Write the answer with the marks of the citations, name the snapshot's date, and say which parts
   were not found.

Question: {question}"""


def add_articles(server: MCPServer, service: Service) -> None:
    """Add the articles by their titles, what is served, and the prompt."""

    @server.resource(
        "article:///{+title}",
        name="article",
        title="An article by its title",
        description="The article's text as of the snapshot's date, redirects followed.",
        mime_type="text/plain",
        # A title is looked up in a database, never in a folder: "..", "/" and ":" may stand in it.
        security=ResourceSecurity(exempt_params={"title"}),
    )
    async def article(title: str) -> str:
        if len(title) > LONGEST_TITLE:
            raise ResourceNotFoundError("no title is so long")
        try:
            found = await asyncio.to_thread(service.default_library.snapshot.article, title)
        except ArticleNotFound as error:
            raise ResourceNotFoundError(public(str(error))) from None
        except Exception as error:
            raise ResourceError(words_of(error)) from None
        return found.text

    @server.resource(
        "snapshot:///about",
        name="snapshot",
        title="What is served here",
        description="Snapshots with their dates, models, strategies, limits.",
        mime_type="application/json",
    )
    def about() -> str:
        return json.dumps(description_of(service), ensure_ascii=False)

    @server.prompt(
        name="answer_with_citations",
        title="Answer with citations",
        description="Answer a question from the snapshot, prove each part, say what is missing.",
    )
    def answer_with_citations(question: str) -> str:
        return _PROMPT.format(question=question)
