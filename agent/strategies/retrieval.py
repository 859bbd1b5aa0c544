"""M3: retrieve for the question and for each core sub-question, rerank by coverage, compose."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph

from agent.nodes import check, composing, plan, rerank, retrieving
from agent.replan import spell_out
from agent.state import Context, State


def retrieval(graph: StateGraph[State, Context, Any, Any]) -> None:
    """Plan → top k for every question → pool → the k that cover most → answer to the question."""
    graph.add_node("plan", plan)
    graph.add_node("retrieve", retrieving(_each_alone))
    graph.add_node("rerank", rerank)
    graph.add_node("compose", composing("plain"))
    graph.add_node("check", check)
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "retrieve")
    graph.add_edge("retrieve", "rerank")
    graph.add_edge("rerank", "compose")
    graph.add_edge("compose", "check")
    graph.add_edge("check", END)


def _each_alone(state: State) -> list[str]:
    core = [spell_out(step, state.steps) for step in state.steps if step.kind == "core"]
    return [state.question, *core]
