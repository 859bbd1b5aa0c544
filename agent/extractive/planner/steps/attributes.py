"""Steps for what is asked of the things: attributes, as noun phrases or clauses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.language import words
from agent.extractive.language.agreement import agreeing
from agent.extractive.language.degrees import degree_of, is_amount
from agent.extractive.language.names import without_article
from agent.extractive.language.nouns import before_preposition
from agent.extractive.language.spelling import is_clause, respelled
from agent.extractive.language.verbs import is_person_noun
from agent.extractive.planner.decomposition import MEMBER
from agent.extractive.planner.marks.pointers import is_thing
from agent.extractive.planner.marks.types import Node
from agent.extractive.planner.steps.found_names import names_found, names_members, of_persons
from agent.extractive.planner.steps.questions import (
    completed_half,
    half_of_condition,
    inverted,
    noun_question,
    same_question,
    thing_question,
)
from agent.extractive.planner.steps.things import (
    JOIN,
    filled,
    listed_description,
    place_thing,
    stand_for,
)
from agent.extractive.planner.steps.walk import BY_HOW_MUCH, Walk

MEASURED = frozenset(["sum", "average", "difference"])
"""Operators whose values are numbers: "points" are asked as how many."""
_OF = re.compile(
    r"\s*(?:(?:of|in|for|from|on|at|to|by|about|has|have|had|with|does|do|is|are)\b)?\s*"
    r"(?:both\s+|each\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_OWNS = re.compile(r"\s*(?:['’]s?)?\s*(?:[-–—:,(]\s*)?(?:the\s+)?", re.IGNORECASE)
_EXTREME_OF = re.compile(
    r"\b(?:the (?:\w+est|most \w+|least \w+) [\w\s]+? of (?:\{\w+\}))|"
    r"\{\w+\}['’]s (?:\w+est|most \w+|least \w+) \w+"
)
_KIND_OF = re.compile(r"\bthe\s+(?:[a-z-]+\s+)?(?P<noun>[a-z]+)\s+of\s+\{\w+\}")
_IS_WHAT = re.compile(r"(?:who|what|which)\b[^{]*\b(?:is|was|are|were)\s*$", re.IGNORECASE)
_CALLED = re.compile(
    r"what (?:(?:is|was|are|were) )?(?P<thing>\{\d+\}) (?:(?:is|was|are|were) )?(?:called|named)\??",
    re.IGNORECASE,
)
_BE_FIRST = re.compile(r"\b(?:is|are|was|were)\s+(?:both\s+|the\s+)*$", re.IGNORECASE)
_MADE_OF = re.compile(
    r"\b(?:total|combined|overall|average|mean|joint|sum of the|added)\s+|"
    r",?\s+(?:in total|in all|all in all|altogether|all together|(?:taken |put |added )?together|"
    r"combined|added up|all told|on average)$",
    re.IGNORECASE,
)
_READS = re.compile(
    r"^how (?:do|does|did) (?P<thing>.+?) (?:read|go|run|sound)(?P<rest>(?: in [A-Z]\w+)?\??)$",
    re.IGNORECASE,
)
"""Words that are asked for by how they read: a motto, a verse, a title."""
_YEARS = re.compile(r"\b(?:years?|yrs?|decades|months|days|how long)\b", re.IGNORECASE)
_MORE = re.compile(r"\s+(?:more|fewer|less)(?=\s|$)", re.IGNORECASE)
_HOW_MANY = re.compile(r"(?:\w+\s+)?how (?:many|much)\s+(?:more|fewer|less)\s+$", re.IGNORECASE)
_AT_WHICH = re.compile(r"(?P<prep>\w+) (?:which|what)(?: ones?)?$", re.IGNORECASE)
_QUALIFIER = re.compile(
    r"\s*,?\s*((?:in|during|at|as of|on|by|between|from|since|before|after|until|around)\s+"
    r"(?:[^,;:?!\s]+\s+){0,4}?(?:the\s+)?(?:\w*\d{2,4}\w*|[A-Z][\w.'-]+)(?:\s+[A-Z][\w.'-]+)*)"
)


def ask_attribute(walk: Walk, node: Node, place: int) -> None:
    """Add the step that asks for an attribute of what it applies to."""
    walk.trailing = ""
    if walk.margin and BY_HOW_MUCH.fullmatch(walk.said(node.mark)):
        return
    inside = [child for child in node.inside if child.mark.label != "A"]
    text = _words_asked(walk, node)
    if names_members(walk, text):
        return
    text, placed = _in_place(walk, text)
    inside = inside or ([node] if placed else [])
    thing = "" if inside else _target_of(walk, place)
    if names_found(walk, text, thing):
        return
    if thing and (pointed := _pointed_at(walk, text, thing)):
        text, inside = pointed, [node]
    if walk.operator in ("sum", "average"):
        text = _MADE_OF.sub("", text)
    if walk.operator == "difference":
        text = _without_more(walk, node, place, _MORE.sub("", text) if inside else text)
        inside = inside or ([node] if "{" in text else [])
    if which := _at_which(walk, walk.said(node.mark)):
        text, inside = which, [node]
    if walk.operator in ("common", "same", "difference") or MEMBER in text:
        text = re.sub(r"\b(?:both|each)\s+(?:of\s+)?", "", text)
    if shared := _shared(walk, text, thing):
        said = shared
    elif thing and not inside and walk.follows_its_thing(place, text):
        said = f"{thing} {text}"
    elif half := completed_half(text, walk.clause) or half_of_condition(text, walk.predicate):
        said = half
    elif is_clause(text):
        text = _clause(walk, text, inside)
        said = text if inside or not thing else _about(walk, text, thing)
        if called := _CALLED.fullmatch(said):
            walk.make_value(called["thing"])
            return
    else:
        said = noun_question(text, "", one=True) if inside else _noun(walk, text, thing)
    walk.clause = said if is_clause(text) else walk.clause
    said = f"{said.rstrip(' ?')}{_qualifier(walk, place)}"
    said = of_persons(walk, said)
    step = walk.draft.add(agreeing(said))
    walk.last["A"] = f"{{{step}}}"
    if not re.match(r"(?:\w+ )?who", said, re.IGNORECASE):
        walk.impersonal = walk.last["A"]


def _pointed_at(walk: Walk, text: str, thing: str) -> str:
    """A clause with "the ship" filled by "a ship that sank", which was told before; "" for others."""
    if not is_clause(text) or not thing.startswith("{") or not walk.described:
        return ""
    noun = re.escape(before_preposition(walk.described)[-1])
    said = re.search(rf"\b(?:the|this|that) {noun}\b(?! of\b)", text, re.IGNORECASE)
    return f"{text[: said.start()]}{thing}{text[said.end() :]}" if said else ""


_PLACES = re.compile(
    r"\b(?:where|city|cities|town|place|village|municipality|location|country|state|county|island|"
    r"region|province|settlement|seat|capital)\b",
    re.IGNORECASE,
)


def _in_place(walk: Walk, text: str) -> tuple[str, bool]:
    """A clause with "there" filled by the place that was asked for before it, or was named."""
    there = re.search(r"\bthere\b(?!\s+(?:is|are|was|were)\b)", text, re.IGNORECASE)
    if there is None or "{" in text or not is_clause(text):
        return text, False
    asked = "A" in walk.last and _PLACES.search(walk.place) is not None
    place = walk.last["A"] if asked else walk.last.get("M", "")
    if not place or place in text:
        return text, False
    return f"{text[: there.start()]}in {place}{text[there.end() :]}", True


def _words_asked(walk: Walk, node: Node) -> str:
    """The words of an attribute, those of the one before it where they only point at it."""
    text = filled(walk, node)
    if walk.trailing and text.rstrip().endswith("}"):
        text = f"{text} {walk.trailing}"
    if text.casefold() in ("that", "those", "the same") and walk.attribute:
        return walk.attribute
    if not re.search(r"\bthere\b", text):
        walk.place = text
    walk.attribute = text
    return text


def _shared(walk: Walk, text: str, thing: str) -> str:
    """The question of what several may have the same, "" where that is not asked."""
    if not thing or walk.operator != "same":
        return ""
    past = re.search(r"\b(?:did|was|were|had)\b", walk.question, re.IGNORECASE) is not None
    passive = _BE_FIRST.search(walk.question[: walk.first_thing()]) is not None
    return same_question(text, thing, past=past, passive=passive)


def _clause(walk: Walk, text: str, inside: Sequence[Node]) -> str:
    """A clause of its own, its things asked about in the order of a question."""
    text = _READS.sub(r"what is \g<thing>\g<rest>", respelled(text))
    text = _extreme_first(walk, text)
    for child in inside:
        points = child.mark.label[0] == "R"
        stood = walk.pointed(child.mark.label) if points else walk.stands.get(id(child))
        if stood:
            text = inverted(text, stood)
    return text


def _noun(walk: Walk, text: str, thing: str) -> str:
    """The question that a noun phrase asks of a thing, by what is made of the values."""
    years = walk.operator == "difference" and thing and _YEARS.search(walk.question)
    if years and not is_amount(text) and degree_of(text.split()[0]) is None:
        return f"When was the {without_article(text)} of {thing}?"
    if walk.operator in MEASURED and _is_counted(text) and thing:
        counted = re.sub(r"^(?:the|its|their|his|her)\s+", "", text, flags=re.IGNORECASE)
        return f"How many {counted} does {thing} have?"
    return noun_question(text, thing, one=bool(walk.draft.subject) or bool(thing))


def _without_more(walk: Walk, node: Node, place: int, text: str) -> str:
    """The clause of a difference asked of one: "through how many countries does {m} flow"."""
    before = _HOW_MANY.search(walk.question[: node.mark.start])
    after = walk.roots[place + 1] if place + 1 < len(walk.roots) else None
    if before is None or after is None or after.mark.label not in ("M", "B"):
        return text
    stands = place_thing(walk, after, place + 1)
    tail = re.split(r"\s*\bthan\b", walk.question[after.mark.end :])[0]
    opening = _MORE.sub("", before[0]).strip()
    return f"{opening} {text}{walk.gap(node.mark, after.mark)}{stands}{tail}"


def _extreme_first(walk: Walk, text: str) -> str:
    """A clause with what stands for "the largest moon of {1}" in it, which is found first."""
    match = _EXTREME_OF.search(text)
    if match is None:
        nouns = _KIND_OF.finditer(text)
        match = next((n for n in nouns if is_thing(n["noun"]) or is_person_noun(n["noun"])), None)
        if match is not None and _IS_WHAT.match(text[: match.start()]):
            return text
    if match is None or match[0] == text:
        return text
    step = walk.draft.add(thing_question(match[0], many=False), role="bridge")
    return f"{text[: match.start()]}{{{step}}}{text[match.end() :]}"


def _at_which(walk: Walk, text: str) -> str:
    """The question that "at which one" asks after a condition that names a kind of thing."""
    match = _AT_WHICH.fullmatch(text)
    subject = walk.draft.subject
    if match is None or not subject:
        return ""
    if match["prep"].lower() in walk.among:
        return walk.among[match["prep"].lower()]
    phrase = re.search(
        rf"\s{re.escape(match['prep'])} (?:an?|any|the|one of the)\s+(?P<noun>[^,{{}}]+?)\??$",
        walk.predicate,
    )
    if phrase is None:
        return ""
    opening = walk.predicate[: phrase.start()]
    return f"{match['prep']} which {phrase['noun']} {opening[:1].lower()}{opening[1:]}"


def _about(walk: Walk, text: str, thing: str) -> str:
    """A clause that names nothing, asked of a thing: "how deep" of a lake."""
    if re.search(r"\b(?:is|are|was|were|did|does|do|has|have|had)\s*$", text, re.I):
        return f"{text} {thing}"
    if walk.clause and text.lower() in ("when", "where", "why"):
        return text  # of what was said before, not of the thing: "what was built in X, and when"
    if re.match(r"(?:how\s+\w+|when|where|which\s+\w+|what\s+\w+)$", text, re.I):
        return f"{text} is {thing}"
    if owned := re.search(r"\b(?:its|his|her|their)\b", text):
        return f"{text[: owned.start()]}{thing}'s{text[owned.end() :]}"
    if thing in text or (thing == walk.last.get("A") and len(text.split()) > 4):
        return text  # a clause that lacks nothing
    return f"{text} of {thing}"


def _target_of(walk: Walk, place: int) -> str:
    """What stands for the thing that an attribute without one inside it applies to."""
    mark = walk.roots[place].mark
    if place and walk.roots[place - 1].mark.label in (
        "S", "M", "B", "RS", "RM", "RB", "RA", "RK",
    ):  # fmt: skip
        before = walk.roots[place - 1]
        gap = walk.gap(before.mark, mark)
        owner = before.mark.label.startswith("R") or "’s" in gap or "'s" in gap
        if owner and _OWNS.fullmatch(gap):
            return stand_for(walk, before)
    for after in range(place + 1, len(walk.roots)):
        node = walk.roots[after]
        gap = walk.gap(walk.roots[after - 1].mark, node.mark)
        label = node.mark.label
        if label == "A" and JOIN.fullmatch(gap) and not node.inside:
            continue
        if label in ("K+", "K-") and _OF.fullmatch(gap) and after + 1 < len(walk.roots):
            follower = walk.roots[after + 1]
            if follower.mark.label == "S":
                return place_thing(walk, follower, after + 1)
        if label in ("S", "M", "B") and _OF.fullmatch(gap):
            return place_thing(walk, node, after)
        if label.startswith("R") and _OF.fullmatch(gap) and gap.strip():
            return _person_of(walk, node)
        break
    if walk.draft.subject:
        return listed_description(walk) or walk.draft.subject
    for label in ("S", "B", "M", "A"):
        if label in walk.last:
            return walk.last[label]
    later = next((n for n in walk.roots[place + 1 :] if n.mark.label in ("S", "B", "M")), None)
    return place_thing(walk, later, walk.roots.index(later)) if later is not None else ""


def _person_of(walk: Walk, pointer: Node) -> str:
    """What stands for a pointing word, or for the person of each that it names: "each composer"."""
    stands = stand_for(walk, pointer)
    noun = re.match(r"\s+([a-z]+)(?=[\s?.,]|$)", walk.question[pointer.mark.end :])
    owns = walk.said(pointer.mark).lower() in ("each", "every", "their", "its")
    person = noun is not None and is_person_noun(words.singular(noun[1]))
    if noun is None or not owns or not person or walk.of_persons or not stands.startswith("{"):
        return stands
    return (
        f"{{{walk.draft.add(agreeing(noun_question(noun[1], stands, one=True)), role='bridge')}}}"
    )


def _qualifier(walk: Walk, place: int) -> str:
    """A time or place that stands after an attribute's thing, outside the marks."""
    end = walk.roots[place].mark.end
    if place + 1 < len(walk.roots) and walk.roots[place + 1].mark.label in ("S", "M", "B"):
        end = walk.roots[place + 1].mark.end
    starts = [node.mark.start for node in walk.roots if node.mark.start >= end]
    rest = walk.question[end : min(starts, default=len(walk.question))]
    match = _QUALIFIER.match(rest)
    return f" {match[1]}" if match else ""


def _is_counted(text: str) -> bool:
    """Whether a noun phrase names what is counted ("points"), not what is measured ("areas")."""
    return words.is_plural(before_preposition(text)[-1]) and not is_amount(text)
