"""From a question to a cited answer: plan, fan out, replan, compose, check."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.agent import Agent as Agent
    from agent.budget import Budget as Budget

__all__ = ["Agent", "Budget"]


def __getattr__(name: str) -> object:
    if name == "Agent":
        from agent.agent import Agent

        return Agent
    if name == "Budget":
        from agent.budget import Budget

        return Budget
    raise AttributeError(f"module 'agent' has no attribute {name!r}")
