"""Kinds of sub-questions by their form and their nearness to the question.

Core sub-questions ask for what the question asks; background ones for what one must know to
understand it; follow-up ones for what one asks when it is answered (Xie et al., section 3.1).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from agent.types import Kind
from retrieval.types import Embedder

_BACKGROUND = re.compile(
    r"^what (?:is|are) meant|^what (?:does|do) .* mean|^what is an? |\bdefin|\bhistory\b|\borigin|\bterm\b|"
    r"^what types\b|^what kinds\b|^when did\b|^who (?:was|is|are)\b|\bbackground\b|\bname of\b|etymology",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(
    r"\bfuture\b|\bprevent|\bprotect|\bsolution|\bwhat can\b|\bshould\b|\bother\b|\bpolic|\bsteps\b|"
    r"\brecommend|\bcriticism|\breception\b|\blegacy\b|\bimprove|\bconservation|\bexploration",
    re.IGNORECASE,
)
CORE_FROM = 0.45


def classify_kinds(question: str, sub_questions: Sequence[str], embedder: Embedder) -> list[Kind]:
    """Return the kind of each sub-question."""
    if not sub_questions:
        return []
    vectors = embedder.encode([question, *sub_questions])
    near = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
    return [_kind(text, float(score)) for text, score in zip(sub_questions, near, strict=True)]


def _kind(text: str, near: float) -> Kind:
    if _FOLLOW_UP.search(text):
        return "follow_up"
    if _BACKGROUND.search(text):
        return "background"
    return "core" if near >= CORE_FROM else "background"
