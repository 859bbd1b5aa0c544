"""M2: the query carries the core sub-questions themselves, in retrieval and in composition."""

from __future__ import annotations

from typing import Any

from langgraph.graph import END, START, StateGraph

from agent.graph.descriptions import spell_out
from agent.graph.nodes import check, composing, plan, retrieving
from agent.graph.state import Context, State


def query_subquestion(graph: StateGraph[State, Context, Any, Any]) -> None:
    """Plan → question and core sub-questions in one query → top k → answer that covers them."""
    graph.add_node("plan", plan)
    graph.add_node("retrieve", retrieving(_all_in_one))
    graph.add_node("compose", composing("core_sub_questions"))
    graph.add_node("check", check)
    graph.add_edge(START, "plan")
    graph.add_edge("plan", "retrieve")
    graph.add_edge("retrieve", "compose")
    graph.add_edge("compose", "check")
    graph.add_edge("check", END)


def _all_in_one(state: State, _: Context) -> str:
    core = [spell_out(step, state.steps) for step in state.steps if step.kind == "core"]
    return " ".join([state.question, *core])
