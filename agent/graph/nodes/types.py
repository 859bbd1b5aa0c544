"""What a node is, and what it returns."""

from __future__ import annotations

from typing import Any, Protocol

from langgraph.runtime import Runtime

from agent.graph.state import Context, State

Update = dict[str, Any]


class Node(Protocol):
    """A node made to measure."""

    async def __call__(self, state: State, *, runtime: Runtime[Context]) -> Update:
        """Return what the node adds to the state."""
        ...
