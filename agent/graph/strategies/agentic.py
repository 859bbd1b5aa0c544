"""Plan with dependencies, fan out, replan with what was found, until nothing is left to ask."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph

from agent.graph.nodes import (
    answer,
    approve,
    check,
    composing,
    is_approved,
    is_ready,
    plan,
    replan,
    search,
)
from agent.graph.state import Context, State


def agentic(graph: StateGraph[State, Context, Any, Any]) -> None:
    """Plan → (approve) → replan → search → answers, in parallel → replan … → one answer."""
    graph.add_node("plan", plan)
    graph.add_node("approve", approve)
    graph.add_node("replan", replan)
    graph.add_node("search", search)
    graph.add_node("answer", answer)
    graph.add_node("compose", composing("sub_answers"))
    graph.add_node("check", check)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", is_approved)
    graph.add_edge("approve", "replan")
    graph.add_conditional_edges("replan", is_ready)
    graph.add_edge("answer", "replan")
    graph.add_edge("compose", "check")
    graph.add_edge("check", END)
