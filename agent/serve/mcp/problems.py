"""Errors as a model can read and mend them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from mcp.server.mcpserver.exceptions import ToolError

from agent.serve.problems import problem_to_json


@contextmanager
def telling() -> Iterator[None]:
    """Turn errors into what a model can read and mend.

    Raises:
        ToolError: what went wrong in the block.
    """
    try:
        yield
    except Exception as error:
        raise ToolError(words_of(error)) from None


def words_of(error: Exception) -> str:
    """Return what is told of an error; one of the server's has an id, which stands in its log."""
    request_id = secrets.token_hex(8)
    problem, told = problem_to_json(error, where="MCP", request_id=request_id)
    words = ": ".join(part for part in (told["detail"], told["mend"]) if part)
    return f"{words} (request {request_id})" if problem.status >= 500 else words
