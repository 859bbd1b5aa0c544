"""From "has more than ten moons" to the question that settles it, and what its answer must be.

A predicate said of some members of a set is turned into a question about one member, so that the
set can be filtered or ranked by what is found for each.
"""

from __future__ import annotations

import re

from agent.extractive.language import verbs, words
from agent.extractive.language.agreement import singular_predicate
from agent.extractive.language.degrees import SCALE_OF, degree_of, is_amount
from agent.extractive.language.quantities import find_quantities
from agent.extractive.planner.conditions import QUANT, Ask, Condition, is_unit, number_condition
from agent.extractive.planner.predicates.comparisons import (
    apart_from_than,
    beside,
    beside_event,
    copula,
    passive,
)
from agent.extractive.planner.predicates.times import dated, ordered


def ask_about(predicate: str, subject: str) -> Ask:
    """Return the question that decides whether `predicate` holds of `subject`.

    Args:
        predicate: a finite verb phrase in any number, "have more than ten moons".
        subject: a name, or a placeholder.
    """
    said = _with_singular_pronouns(" ".join(predicate.split()).rstrip(" ?.,"))
    for reading in (
        _measured,
        _negated,
        _possession,
        copula,
        ordered,
        passive,
        _extends,
        _counted,
        dated,
        beside_event,
        polar_question,
    ):
        ask = reading(said, subject)
        if ask is not None:
            return ask
    does = re.match(r"(?P<does>do|does|did)\s+(?P<rest>[a-z].*)", said, re.IGNORECASE)
    if does is not None:
        opening = "Did" if does["does"].lower() == "did" else "Does"
        return Ask(text=f"{opening} {subject} {does['rest']}?", condition=Condition(kind="yes"))
    return Ask(text=f"Is it true that {subject} {said}?", condition=Condition(kind="yes"))


def _with_singular_pronouns(text: str) -> str:
    text = re.sub(r"\btheir\b", "its", text)
    return re.sub(r"\bthemselves\b", "itself", text)


_MEASURED = re.compile(
    rf"^(?:is|are|was|were)\s+{QUANT}\s+(?P<unit>[\w²³°%]+(?:\s+(?:miles|metres|meters|feet|kilometres|kilometers))?)\s+"
    r"(?P<adjective>long|high|tall|deep|wide|broad|thick|old|heavy|large)$",
    re.IGNORECASE,
)


def _measured(said: str, subject: str) -> Ask | None:
    """Read "are more than 250 metres deep": how deep is each, and is it more than that?"""
    match = _MEASURED.match(said)
    if match is None:
        return None
    amount = f"{match['num']} {match['unit']}"
    comparator = (match["comp"] or "").lower() or None
    return Ask(
        text=f"How {match['adjective'].lower()} is {subject}?",
        condition=number_condition(comparator, amount),
    )


def _negated(said: str, subject: str) -> Ask | None:
    match = re.match(
        r"(is|are|was|were|do|does|did|has|have|had|can|could|will)(?:\s+not|n['’]t|\s+never)\s+(.+)$",
        said,
        re.IGNORECASE,
    )
    if match is None:
        return None
    auxiliary = match[1].lower()
    rest = match[2]
    if auxiliary in words.DO:
        rest = (
            verbs.past(rest.split()[0]) + rest[len(rest.split()[0]) :]
            if auxiliary == "did"
            else rest
        )
        inner: Ask | None = ask_about(rest, subject)
    else:
        # "have never had": the past participle keeps its auxiliary.
        perfect = auxiliary in words.HAVE and (
            verbs.is_participle(rest.split()[0]) or rest.split()[0].lower() == "had"
        )
        inner = (
            polar_question(f"has {rest}", subject)
            if perfect
            else ask_about(f"{auxiliary} {rest}", subject)
        )
    if inner is None or inner.condition.kind != "yes":
        return None
    return Ask(text=inner.text, condition=Condition(kind="no"))


_POSSESSION = re.compile(r"(?:have|has|had)\s+(?P<rest>.+)$", re.IGNORECASE)
_QUANT_FIRST = re.compile(QUANT + r"\s+(?P<noun>(?!percent|per\b).+)$", re.IGNORECASE)
_NOUN_QUANT = re.compile(
    r"(?:an?|the|its)?\s*(?P<noun>[^,]+?)\s+(?:of|that is|which is|that are)?\s*"
    + QUANT
    + r"(?P<unit>.*)$",
    re.IGNORECASE,
)
_OF_SIZE = re.compile(r"\s+(?:of|with)\s+" + QUANT + r"(?P<unit>.*)$", re.IGNORECASE)
_DEGREE_FIRST = re.compile(
    r"(?:the\s+|an?\s+)?(?P<degree>most|fewest|least|more|fewer|less|\w+er|\w+est)\s+(?P<noun>.+)$",
    re.IGNORECASE,
)


def _possession(said: str, subject: str) -> Ask | None:
    match = _POSSESSION.match(said)
    if match is None:
        return None
    rest = match["rest"]
    does = "did" if said.lower().startswith("had") else "does"
    counted = _QUANT_FIRST.match(rest)
    if counted and not is_unit(counted["noun"].split()[0]):
        return Ask(
            text=f"How many {counted['noun']} {does} {subject} have?",
            condition=number_condition(counted["comp"], counted["num"]),
        )
    degree = _DEGREE_FIRST.match(rest)
    found = degree_of(degree["degree"]) if degree else None
    if degree and found:
        adjective, sign = found
        sized = _OF_SIZE.search(degree["noun"])
        noun, bound = apart_from_than(degree["noun"][: sized.start() if sized else None])
        condition = Condition(kind="max" if sign > 0 else "min")
        if sized is not None:
            # "A highest mountain of more than 4,000 m": its height is held against the bound.
            condition = number_condition(sized["comp"], sized["num"] + sized["unit"])
        elif bound:
            condition = beside("", sign, bound).condition
        if adjective in {"many", "few"} or (
            adjective == "little" and words.is_plural(noun.split()[0])
        ):
            return Ask(
                text=f"How many {noun} {does} {subject} have?", condition=condition, than=bound
            )
        if not is_amount(noun):
            scale = SCALE_OF.get(adjective, adjective)
            be = "was" if does == "did" else "is"
            return Ask(
                text=f"How {scale} {be} the {degree['degree']} {noun} of {subject}?",
                condition=condition,
                than=bound,
            )
        return Ask(text=f"{_is_of(does)} the {noun} of {subject}?", condition=condition, than=bound)
    measured = _NOUN_QUANT.match(rest)
    if measured and not verbs.is_participle(rest.split()[0]):
        return Ask(
            text=f"{_is_of(does)} the {measured['noun'].strip()} of {subject}?",
            condition=number_condition(measured["comp"], measured["num"] + measured["unit"]),
        )
    return None


def _is_of(does: str) -> str:
    return "What was" if does == "did" else "What is"


_EXTENDS = re.compile(
    r"(?P<verb>\w+)\s+(?P<part>(?:(?:down|up|out|across|along|deep)\s+)?)(?:for\s+|to\s+|a\s+)??"
    + QUANT
    + r"\s+(?P<unit>[\w²]+)(?P<rest>.*)$",
    re.IGNORECASE,
)


def _extends(said: str, subject: str) -> Ask | None:
    """Read "go down more than 240 m", "run for over 900 km": how far does each, and is it more?"""
    match = _EXTENDS.match(said)
    base = verbs.verb_base(match["verb"]) if match else None
    if match is None or base is None or match["verb"].lower() in words.AUXILIARY:
        return None
    measured = find_quantities(f"1.5 {match['unit']}")
    if not measured or measured[0].dimension != "length" or base == "measure":
        return None
    does = "did" if verbs.is_past(match["verb"]) and match["verb"].lower() != base else "does"
    text = f"How far {match['part']}{does} {subject} {base}{match['rest']}?"
    condition = number_condition(match["comp"], f"{match['num']} {match['unit']}")
    return Ask(text=" ".join(text.split()), condition=condition)


_COUNTED = re.compile(
    r"(?P<verb>\w+)\s+(?P<prep>(?:(?!over\b|under\b|below\b|above\b|only\b|just\b|exactly\b)\w+\s+)??)"
    + QUANT
    + r"\s+(?P<noun>.+)$",
    re.IGNORECASE,
)
_EXTREME_OBJECT = re.compile(
    r"(?P<verb>\w+)\s+(?P<prep>(?:\w+\s+)?)(?P<degree>the most|the fewest|more|fewer)\s+(?P<noun>.+)$",
    re.IGNORECASE,
)


def _counted(said: str, subject: str) -> Ask | None:
    """Read "border more than five countries", "won the most medals"."""
    for pattern in (_COUNTED, _EXTREME_OBJECT):
        match = pattern.match(said)
        base = verbs.verb_base(match["verb"]) if match else None
        if match is None or base is None or match["verb"].lower() in words.AUXILIARY:
            continue
        preposition = match["prep"].strip().lower()
        if preposition and preposition not in words.PREPOSITION:
            continue
        noun, bound = apart_from_than(match["noun"])
        if (
            is_unit(noun.split()[0])
            and pattern is _COUNTED
            and base in {"measure", "weigh", "cost"}
        ):
            condition = number_condition(match["comp"], f"{match['num']} {noun}")
            return Ask(text=f"How much does {subject} {base}?", condition=condition)
        does = "did" if verbs.is_past(match["verb"]) and match["verb"].lower() != base else "does"
        head, tail = split_noun(noun)
        text = f"How many {head} {does} {subject} {base} {preposition} {tail}"
        if pattern is _COUNTED:
            condition = number_condition(match["comp"], match["num"])
        else:
            most = match["degree"].lower() in {"the most", "more"}
            condition = Condition(kind="max" if most else "min")
            if bound:
                condition = beside("", 1 if most else -1, bound).condition
        return Ask(text=" ".join(text.split()) + "?", condition=condition, than=bound)
    return None


def split_noun(noun: str) -> tuple[str, str]:
    """Split "medals in 2012" into the noun and what follows it."""
    match = re.search(r"\s(?:in|at|on|from|during|since|by|for|to)\s", noun)
    return (noun[: match.start()], noun[match.start() :].strip()) if match else (noun, "")


def polar_question(said: str, subject: str) -> Ask | None:
    """Ask whether a finite verb phrase holds of a subject, None where its verb is not known."""
    parts = said.split()
    head = parts[0].lower()
    rest = " ".join(parts[1:])
    condition = Condition(kind="yes")
    if head in words.BE:
        be = "Was" if head in {"was", "were"} else "Is"
        if head in {"are", "were"} and verbs.verb_base(parts[1] if rest else "") is None:
            rest = singular_predicate(rest)
        return Ask(text=f"{be} {subject} {rest}?", condition=condition)
    if head in words.MODAL:
        return Ask(text=f"{head.capitalize()} {subject} {rest}?", condition=condition)
    if (
        head in words.HAVE
        and rest
        and (verbs.is_participle(parts[1]) or parts[1].lower() in {"been", "ever", "had"})
    ):
        return Ask(text=f"Has {subject} {rest}?", condition=condition)
    base = "have" if head in words.HAVE else verbs.verb_base(head)
    if base is None:
        return None
    past = head == "had" or (head != base and verbs.is_past(head))
    return Ask(
        text=f"{'Did' if past else 'Does'} {subject} {base} {rest}".rstrip() + "?",
        condition=condition,
    )
