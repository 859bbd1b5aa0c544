"""The extractive reasoner: offline, by rules and an embedder; it quotes and says so."""

from __future__ import annotations

from agent.extractive.reasoner import ExtractiveReasoner

__all__ = ["ExtractiveReasoner"]
