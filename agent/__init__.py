"""From a question to a cited answer: plan, fan out, replan, compose, check."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.agent import Agent as Agent
    from agent.budget import Budget as Budget
    from agent.graph.parts import Wiring as Wiring
    from agent.llm.port import Completion as Completion
    from agent.llm.port import LanguageModel as LanguageModel
    from agent.llm.port import Message as Message
    from agent.llm.port import Request as Request
    from agent.settings import Settings as Settings
    from agent.types import Answer as Answer
    from agent.types import Citation as Citation
    from agent.types import SubAnswer as SubAnswer
    from agent.types import SubQuestion as SubQuestion
    from agent.types import Usage as Usage

__all__ = [
    "Agent",
    "Answer",
    "Budget",
    "Citation",
    "Completion",
    "LanguageModel",
    "Message",
    "Request",
    "Settings",
    "SubAnswer",
    "SubQuestion",
    "Usage",
    "Wiring",
]

# Loaded when first asked for: a command that needs one of them does not wait for all.
_HOMES = {
    "Agent": "agent.agent", "Answer": "agent.types", "Budget": "agent.budget",
    "Citation": "agent.types", "Completion": "agent.llm.port", "LanguageModel": "agent.llm.port",
    "Message": "agent.llm.port", "Request": "agent.llm.port", "Settings": "agent.settings",
    "SubAnswer": "agent.types", "SubQuestion": "agent.types", "Usage": "agent.types",
    "Wiring": "agent.graph.parts",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'agent' has no attribute {name!r}")
