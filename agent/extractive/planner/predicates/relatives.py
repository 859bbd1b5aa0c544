"""Conditions told of a part of a member: "whose currency is the franc", "where the sun never sets"."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.extractive.language import verbs, words
from agent.extractive.language.degrees import is_amount
from agent.extractive.language.quantities import find_dates, find_quantities
from agent.extractive.planner.conditions import QUANT, Ask, Condition, number_condition
from agent.extractive.planner.predicates.question import ask_about
from agent.extractive.planner.predicates.times import dated

_LED = re.compile(r"(?:and\s+)?(?P<led>whose|where)\s+(?P<rest>.+)$", re.IGNORECASE)
_MEASURES = re.compile(
    r"(?:is|are|was|were|stands? at|lies|amounts? to|reach(?:es|ed)?|numbers?|numbered|"
    r"(?P<above>exceeds?|exceeded|surpass(?:es|ed)?|tops?|topped|goes beyond))\s+"
    rf"{QUANT}(?P<unit>.*)$",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"(?:is|was|were|dates?(?: back)?|dated(?: back)?|took place|happened|occurred|falls?|fell|lies)"
    r"(?:\s+(?:to|from))?(?:\s+(?:an?|the)\s+(?:year|date|time|day))?\s+"
    r"(?P<when>(?:before|after|since|prior to|earlier than|later than|until|in|from|during|between|on)"
    r"\s.*)$",
    re.IGNORECASE,
)

_DATED = re.compile(
    r"(?:with|having|has|have|had)\s+(?:an?|the|its|their)\s+(?P<part>(?:[a-z-]+\s+){0,2}(?:date|year|day))\s+"
    r"(?P<when>(?:before|after|since|prior to|earlier than|later than|until|in|from|between)\s.*)$",
    re.IGNORECASE,
)
"""A date that members have: "with a founding date earlier than 1750"."""
_IS_THE = re.compile(r"(?P<be>is|are|was|were)\s+(?P<what>(?:the\s+)?(?!not\b)[A-Z].*|the\s.*)$")
"""A part that is one thing: "whose currency is the franc"."""


def told_of_part(said: str, subject: str) -> Ask | None:
    """Ask what "whose depth exceeds 250 m" tells of a subject; None for other conditions.

    Args:
        said: the words of a condition.
        subject: a name or a placeholder.
    """
    having = _DATED.match(said)
    when = dated(f"was held {having['when']}", subject) if having is not None else None
    if having is not None and when is not None:
        return replace(when, text=f"What is the {having['part']} of {subject}?")
    match = _LED.match(said)
    parts = match["rest"].split() if match else []
    at = next((i for i in range(1, len(parts)) if _is_finite(parts, i)), 0)
    if match is None or not at:
        return None
    part, told = " ".join(parts[:at]), " ".join(parts[at:])
    bare = re.sub(r"^(?:the|its|their)\s+", "", part, flags=re.IGNORECASE)
    owned = f"the {bare} of {subject}"
    measured = _MEASURES.match(told)
    if measured is not None and find_quantities(measured["num"] + measured["unit"]):
        comparator = measured["comp"] or ("more than" if measured["above"] else None)
        condition = number_condition(comparator, measured["num"] + measured["unit"])
        if words.is_plural(part.split()[-1]) and not condition.dimension and not is_amount(bare):
            return Ask(text=f"How many {bare} does {subject} have?", condition=condition)
        if not find_dates(told) or condition.dimension:
            return Ask(text=f"What is {owned}?", condition=condition)
    happened = _HAPPENED.match(told)
    when = dated(f"was held {happened['when']}", subject) if happened is not None else None
    if when is not None:
        return replace(when, text=f"When was {owned}?")
    same = _IS_THE.match(told)
    if same is not None:
        does = "Does" if same["be"].lower() in ("is", "are") else "Did"
        text = f"{does} {subject} have {same['what']} as its {bare}?"
        return Ask(text=text, condition=Condition(kind="yes"))
    return ask_about(told, owned)


def _is_finite(parts: list[str], at: int) -> bool:
    """Whether a word is the verb of its clause: an auxiliary, or a verb's form after a noun."""
    word = parts[at].lower()
    if word in words.AUXILIARY:
        return True
    if word == "number" and words.is_plural(parts[at - 1]) and parts[at + 1 :]:
        return True  # "whose known satellites number above ten"
    if word in ("dates", "dated") and parts[at + 1 : at + 2] in (["back"], ["from"], ["to"]):
        return True
    if verbs.verb_base(word) is None or at + 1 == len(parts):
        return False
    # "Whose source lies on": a bare noun that is a verb as well ("name", "state") is none.
    return word != verbs.verb_base(word) or words.is_plural(parts[at - 1])
