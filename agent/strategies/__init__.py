"""How a question is answered: one file for each strategy, and the literal table of them.

Four of them are the augmentation strategies of Xie et al. ("Do RAG Systems Cover What Matters?",
section 5), beside their baseline; `agentic` is fanfold's own. All retrieve k hits for a query and
give the composer the same length to write in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langgraph.graph import StateGraph

from agent.settings import StrategyName
from agent.state import Context, State
from agent.strategies.agentic import agentic
from agent.strategies.baseline import baseline
from agent.strategies.e2e import e2e
from agent.strategies.query_definition import query_definition
from agent.strategies.query_subquestion import query_subquestion
from agent.strategies.retrieval import retrieval

Graph = StateGraph[State, Context, Any, Any]

STRATEGIES: Mapping[StrategyName, Callable[[Graph], None]] = {
    "baseline": baseline,
    "query-definition": query_definition,
    "query-subquestion": query_subquestion,
    "retrieval": retrieval,
    "e2e": e2e,
    "agentic": agentic,
}
