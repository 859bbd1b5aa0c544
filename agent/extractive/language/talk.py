"""What asks in a text, and what people only say around a question."""

from __future__ import annotations

import re

from agent.extractive.language.stems import content_stems

ASKING = re.compile(
    r"\b(?:whats?|when|where|how)\b|"
    r"(?:^|[^\w\s]\s*|\b(?:in|at|on|by|from|to|of|with|for|since|and|or|so|but|me|know|wonder|wondering|say|"
    r"tell|ask|asked|remember|recall|find out)\s+)(?:who|whom|whose|which)\b",
    re.IGNORECASE,
)
"""What asks; "the man who made it" only tells who is meant."""
OF_A_THING = re.compile(
    r"(?:through|into|from|on|in|at|by|to|with|for|of|under) (?:what|which|whom)\b(?! ways?\b)"
    r"|(?:who|whom|whose)\b",
    re.IGNORECASE,
)
"""How a question for a thing begins: "through what does its water flow out" asks for no reasons."""
_CLAUSE = re.compile(r"[.;:!?]+\s+|\s[-–—]+\s|,\s+")
_OF_ONESELF = re.compile(r"\b(?:i|my|me|we|our|us|mum|dad|granny|auntie|uncle)\b", re.IGNORECASE)
_REQUEST = re.compile(
    r"\b(?:need|want|like|love|looking|list|name|names|give|tell|find|show|wonder|wondering|know|learn|"
    r"remind|interested|curious|ask|asking|please)\b",
    re.IGNORECASE,
)
_HOW_PUT = re.compile(r"\b(?:quick(?:ly)?|brief(?:ly)?|short|table|overview|summary)\b", re.I)
"""Says how an answer should look."""


def talk_in(question: str) -> frozenset[str]:
    """Return the stems of what a question says and does not ask.

    Clauses in which the asker speaks of himself and asks for nothing, names aside, and words that only
    ask for an answer or say how it should look: "My son draws Ham, so I need to know when it was built"
    says of what is asked no more than its name.
    """
    clauses = (
        re.sub(r"\b[A-ZÀ-Þ]\w*", " ", clause)
        for clause in _CLAUSE.split(question)
        if _OF_ONESELF.search(clause) and not ASKING.search(clause) and not _REQUEST.search(clause)
    )
    asking = (*_REQUEST.findall(question), *_HOW_PUT.findall(question))
    return frozenset(content_stems(" ".join((*clauses, *asking))))
