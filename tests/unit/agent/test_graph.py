from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from agent.graph import build_graph, open_in_studio
from agent.settings import STRATEGY_NAMES, StrategyName
from corpus.sample import sample_snapshot
from retrieval.index import ensure_built

ROOT = Path(__file__).parents[3]

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


def test_langgraphs_own_tools_find_a_graph_that_answers(tmp_path: Path) -> None:
    named = json.loads((ROOT / "langgraph.json").read_text())["graphs"]["fanfold"]
    file, _, name = named.partition(":")
    module = importlib.import_module(file.removeprefix("./").removesuffix(".py").replace("/", "."))
    assert getattr(module, name) is open_in_studio
    ensure_built(sample_snapshot("en"))
    graph = open_in_studio({"configurable": {"strategy": "baseline", "k": 4, "thread_id": "x"}})

    async def run() -> Any:
        return await graph.ainvoke({"question": "Who discovered Titan?"})

    import asyncio

    state = asyncio.run(run())
    assert state["answer"].citations
    assert len(state["answer"].hits) == 4
