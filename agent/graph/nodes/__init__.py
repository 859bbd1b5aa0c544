"""The nodes of the graphs: each takes the state, works with the context, returns what it adds.

No node raises for something that went wrong with one sub-question: that step is failed, with the
reason, and everything else goes on. What is wrong with the question as a whole ends in `notes`, or
in `failure` where nothing is left to answer with.
"""

from __future__ import annotations

from agent.graph.nodes.answers import answer, check, composing
from agent.graph.nodes.plans import approve, is_approved, is_ready, plan, replan, take_core
from agent.graph.nodes.retrieval import cover_core, retrieving, search

__all__ = [
    "answer",
    "approve",
    "check",
    "composing",
    "cover_core",
    "is_approved",
    "is_ready",
    "plan",
    "replan",
    "retrieving",
    "search",
    "take_core",
]
