"""Tells questions that ask for an explanation from those that ask for facts."""

from __future__ import annotations

import re

from agent.extractive import words
from agent.extractive.phrases import tokenise

_OPEN = re.compile(
    r"^(?:why\b|how\s+(?:do|does|did|can|could|should|would|might|may|is|are|was|were|has|have|to)\b"
    r"|should\b|in what ways?\b|to what extent\b|explain\b|discuss\b|describe\b|compare\b|what if\b"
    r"|what\s+(?:is|are|was|were)\s+(?:the|some)?\s*(?:\w+\s+){0,2}(?:effects?|impacts?|causes?|reasons?|"
    r"benefits?|advantages?|disadvantages?|consequences?|implications?|pros|role|importance|significance|"
    r"differences?|challenges?|arguments?|influence|relationship|best way|ethics|risks?)\b"
    r"|what\s+(?:causes?|caused|makes?|made|led|happens|happened|would|will|should|can|could)\b"
    r"|(?:is|are|do|does|can|could|will|would)\s+[a-z])",
    re.IGNORECASE,
)


def is_open_ended(question: str) -> bool:
    """Say whether a question asks for an explanation or a judgment.

    A yes-no question counts where it names nothing: "are fresh vegetables healthier".
    """
    match = _OPEN.match(question)
    if match is None:
        return False
    names = [token for token in tokenise(question)[1:] if token.is_name]
    if question.split()[0].lower() in words.AUXILIARY - {"should"}:
        return not names
    return True
