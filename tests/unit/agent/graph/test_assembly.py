from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
from pathlib import Path

import pytest

from agent.graph.assembly import build_graph
from agent.settings import STRATEGY_NAMES, StrategyName
from corpus import Snapshot
from retrieval.index import ensure_built

ROOT = Path(__file__).parents[4]

EDGES = {
    "baseline": [
        ("__start__", "retrieve"),
        ("retrieve", "compose"),
        ("compose", "check"),
        ("check", "__end__"),
    ],
    "retrieval": [
        ("__start__", "plan"),
        ("plan", "cover"),
        ("cover", "compose"),
        ("compose", "check"),
        ("check", "__end__"),
    ],
    "e2e": [
        ("__start__", "plan"),
        ("plan", "core"),
        ("core", "search"),
        ("search", "answer"),
        ("answer", "compose"),
        ("compose", "check"),
        ("check", "__end__"),
    ],
    "agentic": [
        ("__start__", "plan"),
        ("plan", "approve"),
        ("plan", "replan"),
        ("approve", "replan"),
        ("replan", "search"),
        ("replan", "compose"),
        ("search", "answer"),
        ("answer", "replan"),
        ("compose", "check"),
        ("check", "__end__"),
    ],
}


@pytest.mark.parametrize("strategy", STRATEGY_NAMES)
def test_a_graph_reads_like_the_figure(strategy: StrategyName) -> None:
    drawn = build_graph(strategy).get_graph()
    edges = {(edge.source, edge.target) for edge in drawn.edges}
    assert ("check", "__end__") in edges
    if strategy in EDGES:
        assert edges == set(EDGES[strategy])


def test_langgraphs_own_tools_find_a_graph_that_is_drawn_and_answers(
    sample: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = json.loads((ROOT / "langgraph.json").read_text())["graphs"]["fanfold"]
    file, _, name = named.partition(":")
    # As LangGraph's server does: the file by its path, the name in it, called with a configuration.
    spec = importlib.util.spec_from_file_location("opened_by_path", ROOT / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    ensure_built(sample.folder)
    outer = getattr(module, name)({}).get_graph()
    assert {"listen", "fanfold", "reply"} <= set(outer.nodes)
    drawn = build_graph("agentic").get_graph()
    assert {"plan", "approve", "replan", "search", "answer", "compose", "check"} <= set(drawn.nodes)
    assert "replan -.-> search" in drawn.draw_mermaid()
    chosen = {"configurable": {"strategy": "baseline", "k": 4, "thread_id": "x"}}
    graph = getattr(module, name)(chosen)
    state = asyncio.run(graph.ainvoke({"question": "Who discovered Titan?"}))
    assert state["answer"].citations
    assert len(state["answer"].hits) == 4
