"""M3: retrieve for the question and for each core sub-question, rerank by coverage, compose."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph

from agent.graph.nodes import check, composing, cover_core, plan
from agent.graph.state import Context, State


def retrieval(graph: StateGraph[State, Context, Any, Any]) -> None:
    """Plan → hits of every question → pool → the k that answer most → answer to the question."""
    graph.add_node("plan", plan)
    graph.add_node("cover", cover_core)
    graph.add_node("compose", composing("plain"))
    graph.add_node("check", check)
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "cover")
    graph.add_edge("cover", "compose")
    graph.add_edge("compose", "check")
    graph.add_edge("check", END)
