"""Steps for what members must meet, and for what they are ranked by."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.extractive.language import verbs, words
from agent.extractive.language.agreement import agreeing
from agent.extractive.language.degrees import degree_of
from agent.extractive.language.nouns import pluralised
from agent.extractive.language.words import count_of
from agent.extractive.planner.conditions import Condition
from agent.extractive.planner.marks.types import Node
from agent.extractive.planner.predicates.measures import predicate_question, ranking_question
from agent.extractive.planner.steps.questions import thing_question
from agent.extractive.planner.steps.things import filled, listed_description, place_thing, stand_for
from agent.extractive.planner.steps.walk import Walk

_ONE_OF = re.compile(
    r"\s(?P<prep>at|in|from|for|by|to|with)\s+(?:an?|any|one of the)\s+"
    r"(?P<kind>(?:[\w'’.-]+\s+)*[A-Z][\w'’.-]*\s+(?:[\w'’-]+\s+)*[a-z][\w-]+)$"
)
_WITH_EXTREME = re.compile(
    r"(?P<told>.+?)\s(?P<prep>in|on|at|by)\s+the\s+(?P<noun>[a-z]+)\s+(?:with|that has)\s+the\s+"
    r"(?P<degree>fewest|most|least|\w+est)\s+(?P<rest>.+)"
)


def _subject_of(walk: Walk, place: int) -> str:
    if walk.draft.subject:
        return listed_description(walk) or walk.draft.subject
    before = [n for n in walk.roots[:place] if n.mark.label in ("S", "M", "B")]
    pointers = [n for n in walk.roots[:place] if n.mark.label.startswith("R")]
    if pointers and (not before or pointers[-1].mark.start > before[-1].mark.start):
        return stand_for(walk, pointers[-1])
    if before:
        return place_thing(walk, before[-1], None)
    later = next((n for n in walk.roots[place + 1 :] if n.mark.label in ("S", "M", "B")), None)
    return place_thing(walk, later, walk.roots.index(later)) if later is not None else ""


def ask_condition(walk: Walk, node: Node, place: int) -> None:
    """Add the step that settles a condition, and what its value must be."""
    subject = _subject_of(walk, place)
    if not subject or id(node) in walk.merged:
        return
    if node.mark.label == "C" and _rank_by_place(walk, walk.said(node.mark), subject):
        return
    said, active = _in_tense(walk, filled(walk, node))
    person = walk.of_persons
    if node.mark.label == "C" and _ask_among(walk, said, subject):
        return
    ask = predicate_question(
        said,
        subject,
        negated=node.mark.label == "C-",
        person=person,
        finite=walk.keeps(place),
        active=active,
    )
    walk.predicate = ask.text
    condition = ask.condition
    if ask.than:
        other = predicate_question(said, ask.than, negated=False).text
        condition = replace(condition, against=walk.draft.add(other, role="bridge"))
    walk.draft.add(agreeing(ask.text), condition=condition)


_PAST_OPENING = re.compile(r"(?P<be>was|were)\b|did\b", re.IGNORECASE)


def _in_tense(walk: Walk, said: str) -> tuple[str, bool]:
    """A statement with the verb that opens its question: "Did X invent" asks who "invented".

    Returns:
        The statement, and whether it begins with the verb of what its subject did.
    """
    opening = _PAST_OPENING.match(walk.question) if walk.operator in ("yesno", "any") else None
    first, _, rest = said.partition(" ")
    if opening is None or first.lower() in words.AUXILIARY:
        return said, False
    if opening["be"]:
        return f"was {said}", False
    if verbs.verb_base(first) != first.lower():
        return said, False
    return f"{verbs.past(first.lower())} {rest}".rstrip(), True


def _rank_by_place(walk: Walk, said: str, subject: str) -> bool:
    """Rank members by what each stands in: "stands in the place with the fewest inhabitants"."""
    match = _WITH_EXTREME.fullmatch(said)
    extreme = degree_of(match["degree"]) if match else None
    if match is None or extreme is None:
        return False
    opening = predicate_question(match["told"], subject, negated=False, person=walk.of_persons)
    if opening.condition.kind != "yes":
        return False
    told = opening.text.rstrip("?")
    asked = f"{match['prep']} which {match['noun']} {told[:1].lower()}{told[1:]}"
    found = walk.draft.add(agreeing(asked), role="bridge")
    ask = ranking_question(
        f"has the {match['degree']} {match['rest']}", f"{{{found}}}", most=extreme[1] > 0
    )
    walk.draft.add(agreeing(ask.text), condition=ask.condition)
    return True


def _ask_among(walk: Walk, said: str, subject: str) -> bool:
    """Ask for what must be one of a named kind: "took a degree at an Ivy League university"."""
    match = _ONE_OF.search(said)
    if match is None:
        return False
    opening = predicate_question(
        said[: match.start()], subject, negated=False, person=walk.of_persons
    )
    if opening.condition.kind != "yes":
        return False
    told = opening.text.rstrip("?")
    kind = match["kind"]
    asked = f"{match['prep']} which {kind.split()[-1]} {told[:1].lower()}{told[1:]}"
    bound = walk.draft.add(thing_question(pluralised(kind), many=True), role="bridge")
    walk.draft.add(agreeing(asked), condition=Condition(kind="in", against=bound))
    walk.among[match["prep"]] = asked
    return True


_BECAME = re.compile(r"\b(got|became|grew|died|lived)(?: the)? $")
_AGED = frozenset(["older", "oldest", "younger", "youngest", "longer", "longest"])


def ask_ranking(walk: Walk, node: Node, place: int) -> None:
    """Add the step whose values members are ranked by."""
    if any(node is one for one in walk.picked.values()):
        return  # asked with its set
    subject = _subject_of(walk, place)
    if not subject:
        return
    said = filled(walk, node)
    became = _BECAME.search(walk.question[: node.mark.start])
    if became is not None and said.split()[-1] in _AGED:
        said = f"{became[1]} {said}"
    ask = ranking_question(said, subject, most=node.mark.label == "K+")
    top = count_of(said) or 1
    walk.draft.add(agreeing(ask.text), condition=replace(ask.condition, top=top))
    walk.last["K"] = subject
