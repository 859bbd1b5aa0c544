"""How a question is answered: one file for each strategy, and the literal table of them.

Four of them are the augmentation strategies of Xie et al. ("Do RAG Systems Cover What Matters?",
section 5), beside their baseline; `agentic` is fanfold's own. All retrieve k hits for a query and
give the composer the same length to write in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langgraph.graph import StateGraph

from agent.graph.state import Context, State
from agent.graph.strategies.agentic import agentic
from agent.graph.strategies.baseline import baseline
from agent.graph.strategies.e2e import e2e
from agent.graph.strategies.query_definition import query_definition
from agent.graph.strategies.query_subquestion import query_subquestion
from agent.graph.strategies.retrieval import retrieval
from agent.settings import StrategyName

Graph = StateGraph[State, Context, Any, Any]

STRATEGIES: Mapping[StrategyName, Callable[[Graph], None]] = {
    "baseline": baseline,
    "query-definition": query_definition,
    "query-subquestion": query_subquestion,
    "retrieval": retrieval,
    "e2e": e2e,
    "agentic": agentic,
}
