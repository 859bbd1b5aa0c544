"""M4: each core sub-question is retrieved for and answered; the answer joins the sub-answers."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph

from agent.graph.nodes import answer, check, composing, plan, search, take_core
from agent.graph.state import Context, State


def e2e(graph: StateGraph[State, Context, Any, Any]) -> None:
    """Plan → core sub-questions → top k each → answers, in parallel → one answer."""
    graph.add_node("plan", plan)
    graph.add_node("core", take_core)
    graph.add_node("search", search)
    graph.add_node("answer", answer)
    graph.add_node("compose", composing("sub_answers"))
    graph.add_node("check", check)
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "core")
    graph.add_edge("core", "search")
    graph.add_edge("answer", "compose")
    graph.add_edge("compose", "check")
    graph.add_edge("check", END)
