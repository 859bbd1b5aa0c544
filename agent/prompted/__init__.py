"""A reasoner over a language model: prompts, tools, and a fence around what the corpus says."""

from agent.prompted.reasoner import PromptedReasoner

__all__ = ["PromptedReasoner"]
