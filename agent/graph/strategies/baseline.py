"""B: retrieve for the question, compose."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph

from agent.graph.nodes import check, composing, retrieving
from agent.graph.state import Context, State


def baseline(graph: StateGraph[State, Context, Any, Any]) -> None:
    """Question → top k → answer."""
    graph.add_node("retrieve", retrieving(lambda state, _: state.question))
    graph.add_node("compose", composing("plain"))
    graph.add_node("check", check)
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "compose")
    graph.add_edge("compose", "check")
    graph.add_edge("check", END)
