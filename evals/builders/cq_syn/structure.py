"""What a compound question of each type must be built of, beyond its keywords (section 3.1).

Keywords alone let a single question through, a comparison that chooses nothing and a hypothesis with
one scenario. The rules are closed lists of English words; a model judges the rest.
"""

from __future__ import annotations

import re

from evals.benchmarks.compound_questions import split_question

_CONDITION = re.compile(
    r"\b(?:if|suppose|supposing|imagine|in case|assuming|provided that|on the condition that)\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:alternatively|conversely|otherwise|instead|by contrast|in contrast|on the other hand"
    r"|in the opposite case)\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:which|choos\w*|chosen|choice|prefer\w*|better|best|recommend\w*|select\w*|suitable|suited"
    r"|optimal|superior|advantageous)\b",
    re.IGNORECASE,
)
_JUDGMENT = re.compile(
    r"\b(?:evaluat\w*|assess\w*|effective\w*|efficacy|how|view|opinion|judge\w*|significan\w*"
    r"|appropriat\w*|valid\w*|strengths?|advantages?|good)\b",
    re.IGNORECASE,
)
_SUGGESTION = re.compile(
    r"\b(?:improv\w*|suggest\w*|recommend\w*|optimi[sz]\w*|enhanc\w*|should|could|future|measures?"
    r"|strateg\w*|propos\w*|advice|advise)\b",
    re.IGNORECASE,
)


def missing_part(question: str, type_: str) -> str:
    """Return what a question of a type lacks, "" where it is whole.

    Args:
        question: compound.
        type_: as in the names of the files: Factual_Statement, …
    """
    if len(split_question(question)) < 2:
        return "it asks one thing"
    if type_ == "Hypothetical_Analysis":
        scenarios = len(_CONDITION.findall(question)) + len(_OTHERWISE.findall(question))
        return "" if scenarios > 1 else "it supposes one thing, not two"
    if type_ == "Comparison_and_Selection":
        return "" if _CHOICE.search(question) else "it chooses nothing"
    if type_ == "Evaluation_and_Suggestion":
        if not _JUDGMENT.search(question):
            return "it evaluates nothing"
        return "" if _SUGGESTION.search(question) else "it asks for no suggestion"
    return ""
