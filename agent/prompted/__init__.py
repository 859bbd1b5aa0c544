"""A reasoner over a language model: prompts, tools, and a fence around what the corpus says."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.prompted.reasoner import PromptedReasoner as PromptedReasoner

__all__ = ["PromptedReasoner"]


def __getattr__(name: str) -> object:
    if name == "PromptedReasoner":
        from agent.prompted.reasoner import PromptedReasoner

        return PromptedReasoner
    raise AttributeError(f"module 'agent.prompted' has no attribute {name!r}")
