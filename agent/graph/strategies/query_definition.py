"""M1: the query says what core sub-questions are; retrieval and composition work from that."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph

from agent.graph.nodes import check, composing, retrieving
from agent.graph.state import Context, State


def query_definition(graph: StateGraph[State, Context, Any, Any]) -> None:
    """Question with the definition of core sub-questions → top k → answer with that definition."""
    graph.add_node("retrieve", retrieving(_with_definition))
    graph.add_node("compose", composing("core_definition"))
    graph.add_node("check", check)
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "compose")
    graph.add_edge("compose", "check")
    graph.add_edge("check", END)


def _with_definition(state: State, context: Context) -> str:
    return context.prompts.text("query_definition", question=state.question)
