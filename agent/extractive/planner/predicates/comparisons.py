"""Predicates that compare: "is larger than X", "was born before X", "is sold in more countries"."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.extractive.language import verbs, words
from agent.extractive.language.degrees import SCALE_OF, degree_of
from agent.extractive.language.quantities import find_quantities
from agent.extractive.planner.conditions import Ask, Condition, number_condition
from agent.extractive.planner.predicates.times import when_question

_COPULA = re.compile(r"(?P<be>is|are|was|were)\s+(?P<rest>.+)$", re.IGNORECASE)


def copula(said: str, subject: str) -> Ask | None:
    """Read "is larger than Malta", "are the deepest"."""
    match = _COPULA.match(said)
    if match is None:
        return None
    be = "was" if match["be"].lower() in {"was", "were"} else "is"
    rest = re.sub(r"^(?:the|an?)\s+", "", match["rest"], flags=re.IGNORECASE)
    first = rest.split()[0]
    tail = rest[len(first) :].strip()
    if (
        first.lower() in {"most", "least", "more", "less"}
        and tail
        and not verbs.is_participle(tail.split()[0])
    ):
        adjective, tail = tail.split()[0], " ".join(tail.split()[1:])
        sign = 1 if first.lower() in {"most", "more"} else -1
    else:
        found = degree_of(first)
        if found is None:
            return None
        adjective, sign = found
    than = re.match(r"(?P<by>(?:[a-z]+\s+){0,3}?)than\s+(?P<bound>.+)$", tail)
    if than is not None:
        # "Bigger across than", "larger in area than".
        adjective = "wide" if than["by"].strip() == "across" else adjective
        tail = re.sub(r"^in\b", "by", than["by"].strip())
        if not find_quantities(than["bound"]):
            asked = beside(_measure_question(adjective, tail, be, subject), sign, than["bound"])
            if SCALE_OF.get(adjective, adjective) != "old":
                return asked
            return replace(asked, condition=replace(asked.condition, dimension="age"))
        comparator = "more than" if sign > 0 else "less than"
        condition = number_condition(comparator, than["bound"])
    else:
        age = SCALE_OF.get(adjective, adjective) == "old"
        condition = Condition(kind="max" if sign > 0 else "min", dimension="age" if age else "")
    return Ask(text=_measure_question(adjective, tail, be, subject), condition=condition)


def _measure_question(adjective: str, tail: str, be: str, subject: str) -> str:
    by = re.search(r"\bby\s+(.+)$", tail)
    if by is not None:
        return f"What {be} the {by[1]} of {subject}?"
    scale = SCALE_OF.get(adjective, adjective)
    to = re.match(r"(?:to|from)\s+(.+)$", tail)
    if scale == "far" and to is not None:
        return f"How far {be} {subject} from {to[1]}?"
    return f"How {scale} {be} {subject}?"


_PASSIVE_EXTREME = re.compile(
    r"(?P<be>is|are|was|were)\s+(?P<verb>\w+)\s+(?P<prep>\w+)\s+(?P<degree>the most|the fewest|more|fewer)"
    r"\s+(?P<noun>.+)$",
    re.IGNORECASE,
)


def passive(said: str, subject: str) -> Ask | None:
    """Read "is sold in more countries"."""
    match = _PASSIVE_EXTREME.match(said)
    if match is None or match["prep"].lower() not in words.PREPOSITION:
        return None
    be = "was" if match["be"].lower() in {"was", "were"} else "is"
    noun, _ = apart_from_than(match["noun"])
    most = match["degree"].lower() in {"the most", "more"}
    return Ask(
        text=f"{match['prep'].capitalize()} how many {noun} {be} {subject} {match['verb']}?",
        condition=Condition(kind="max" if most else "min"),
    )


def apart_from_than(noun: str) -> tuple[str, str]:
    """Split "moons than Jupiter does" into the noun and the thing compared with."""
    noun, _, bound = noun.partition(" than ")
    bound = re.sub(r"\s+(?:does|do|did|has|have|had|is|was|are|were)$", "", bound)
    return noun, "" if find_quantities(bound) else bound


def beside(text: str, sign: int, than: str) -> Ask:
    """Return the question of a member whose answer must exceed another thing's."""
    return Ask(
        text=text,
        condition=Condition(kind="number", comparator=">" if sign > 0 else "<"),
        than=than,
    )


_EVENT_OF = re.compile(
    r"(?P<told>.+?)\s+(?P<rel>before|after|earlier than|later than)\s+"
    r"(?P<than>(?:the\s+)?(?:\{\w+\}|[A-Z])[^\d]*)$"
)


def beside_event(said: str, subject: str) -> Ask | None:
    """Read "was born before Handel": when was each, and is it before the other?"""
    match = _EVENT_OF.match(said)
    text = when_question(match["told"], subject) if match else None
    if match is None or text is None:
        return None
    early = match["rel"] in ("before", "earlier than")
    condition = Condition(kind="date", comparator="<" if early else ">")
    than = re.sub(r"\s+(?:was|were|is|did|had)$", "", match["than"])
    return Ask(text=text, condition=condition, than=than)
