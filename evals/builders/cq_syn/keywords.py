"""The keyword filter of CQ-Syn: what words a question of each type must hold (appendix C.1).

A rule has one or two dimensions and needs a word of each, in any case, as a whole word. Where two
dimensions share words ("how does" is a cause and holds "how"), the words found must not overlap:
"Why?" alone is a cause without an effect, and one "how does" cannot be both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

QUESTION_WORDS = ("what", "how", "why", "when", "which", "how much", "where", "who")
CAUSE_WORDS = ("why", "what causes", "what are the reasons", "how does")
EFFECT_WORDS = (
    "what",
    "how",
    "what are the effects",
    "what are the consequences",
    "how does it affect",
    "what results",
    "what impacts",
)
HYPOTHETICAL_WORDS = (
    "if", "suppose", "imagine", "what if", "in case", "assuming", "provided that",
    "on the condition that",
)  # fmt: skip
COMPARISON_WORDS = (
    "compare", "compared", "comparing", "comparison", "contrast", "advantage", "disadvantage",
    "better", "worse", "differ", "difference", "similarities", "distinctions",
)  # fmt: skip
RULES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "Factual_Statement": (QUESTION_WORDS,),
    "Cause_and_Effect": (CAUSE_WORDS, EFFECT_WORDS),
    "Hypothetical_Analysis": (HYPOTHETICAL_WORDS, QUESTION_WORDS),
    "Comparison_and_Selection": (COMPARISON_WORDS, QUESTION_WORDS),
    "Evaluation_and_Suggestion": (QUESTION_WORDS,),
}
TYPES = tuple(RULES)


def missing_dimension(question: str, type_: str) -> int | None:
    """Return the number, from 1, of the first dimension that a question has no word of, or None."""
    spans = [_spans(question, words) for words in RULES[type_]]
    for number, found in enumerate(spans, start=1):
        if not found:
            return number
    if len(spans) == 2 and not any(_apart(a, b) for a in spans[0] for b in spans[1]):
        return 2
    return None


def _spans(question: str, words: Sequence[str]) -> list[tuple[int, int]]:
    alternatives = "|".join(r"\s+".join(map(re.escape, word.split())) for word in words)
    # A lookahead finds "what" inside "what causes", too.
    return [
        found.span(1)
        for word in alternatives.split("|")
        for found in re.finditer(rf"\b({word})\b", question, re.IGNORECASE)
    ]


def _apart(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[1] <= other[0] or other[1] <= one[0]
