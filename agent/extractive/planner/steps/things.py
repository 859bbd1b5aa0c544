"""Steps for the things of a question: sets, listed names, descriptions to be found out first."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.extractive.language import words
from agent.extractive.language.agreement import agreeing
from agent.extractive.language.nouns import (
    before_preposition,
    is_plural_phrase,
    pluralised,
    without_listing,
    without_praise,
)
from agent.extractive.language.spelling import is_clause
from agent.extractive.language.stems import content_stems, related, stem
from agent.extractive.language.verbs import is_participle, is_person_noun, verb_base
from agent.extractive.language.words import count_of
from agent.extractive.planner.decomposition import MEMBER
from agent.extractive.planner.marks.types import Node, flat
from agent.extractive.planner.steps.found_names import with_owner
from agent.extractive.planner.steps.questions import noun_question, thing_question
from agent.extractive.planner.steps.walk import EACH, Walk

JOIN = re.compile(
    r"(?:\s|,|/|\+|&|\band\b|\bor\b|\bplus\b|\bthe\b|\bas well as\b|\balong with\b|\bthen\b|"
    r"\balso\b|\bits\b|\btheir\b)*",
    re.IGNORECASE,
)
_EXTREME_AMONG = re.compile(
    r"\bthe\s+(?:\w+est|most\s+\w+|least\s+\w+)(?:\s+one)?\s+(?:of|among)\s+$", re.IGNORECASE
)
_EACH_ONE = re.compile(r"\b(?:each|every|any|all)(?:\s+(?:single\s+)?one)?\s+of\s+$", re.IGNORECASE)
"""Before a set: what is asked of each member is asked of it alone."""
_COUNTED = re.compile(r"(?:each|every)\s+(?!of\b)", re.IGNORECASE)
_NO_NOUNS = (
    words.AUXILIARY | words.PREPOSITION | words.ORDINALS.keys()
    | frozenset(["first", "last", "then", "now", "once", "both", "ever", "also", "still"])
)  # fmt: skip
_POSSESSIVE = re.compile(r"its|their|his|her|whose|(?:each|every) one['’]s", re.IGNORECASE)


def place_thing(walk: Walk, node: Node, place: int | None) -> str:
    """What stands for a set, a name or a description; its step is added where there is none yet."""
    known = walk.stands.get(id(node))
    if known is not None:
        walk.last[node.mark.label] = known
        return known
    label = node.mark.label
    if walk.said(node.mark) in walk.draft.members and label in ("M", "B"):
        stands = MEMBER
    elif label == "M" or (label == "S" and walk.names_one(node)):
        stands, label = walk.said(node.mark), "M"
    elif label == "S":
        stands = _place_set(walk, node)
    else:
        text = EACH.sub("", walk.completed(walk.apart(filled(walk, node))))
        text = _with_inner(walk, with_owner(walk, text))
        head = before_preposition(text)[-1:]
        named = bool(head) and head[0][:1].isupper()
        plural = bool(head) and words.is_plural(head[0])
        many = "{" not in text and plural and not named
        alone = many and not walk.draft.subject and not walk.has_set()
        step = walk.draft.add(
            agreeing(thing_question(text, many=many)), role="set" if alone else "bridge"
        )
        if alone:
            # "The three scientists who shared it" are several: each is asked about.
            walk.draft.set_id, walk.draft.count = step, count_of(text)
        stands = f"{{{step}}}"
    walk.stands[id(node)] = stands
    walk.last[label] = stands
    return stands


_INNER = re.compile(
    r"(?P<head>.+?\b(?:which|that|whom|where|whose)\s+)"
    r"(?P<inner>the\s+(?:\w{3,}est|most\s+\w+|least\s+\w+)(?:\s+[a-z]+)?\s+(?:of|in|on)\s+(?:the\s+)?"
    r"[A-Z][\w'’.-]*(?:\s+[A-Z][\w'’.-]*)*)(?P<rest>\s+[a-z].*)$"
)


def _with_inner(walk: Walk, text: str) -> str:
    """A description told by an extreme thing, which is found first.

    "The lake into which the shallowest of the Great Lakes flows" is not the shallowest.
    """
    match = _INNER.match(text)
    if match is None:
        return text
    step = walk.draft.add(agreeing(thing_question(match["inner"], many=False)), role="bridge")
    return f"{match['head']}{{{step}}}{match['rest']}"


def _place_set(walk: Walk, node: Node) -> str:
    said = walk.apart(filled(walk, node))
    plain = without_praise(without_listing(EACH.sub("", said)))
    before = walk.picked.get(id(node))
    if before is not None:
        # "The three longest rivers of Asia": such a list may stand somewhere as it is.
        words_before = re.sub(r"^(?:is|are|was|were)\s+", "", walk.said(before.mark))
        full = f"{words_before} {plain}"
        several = count_of(words_before) is not None or is_plural_phrase(plain)
        step = walk.draft.add(
            thing_question(full, many=several), role="set" if several else "value"
        )
        walk.last["K"] = f"{{{step}}}"
        if several:
            walk.draft.set_id, walk.draft.count = step, count_of(words_before)
        return f"{{{step}}}"
    if not is_plural_phrase(plain):
        asked = walk.question[: node.mark.start].lower().split()[-1:] in (["which"], ["what"])
        plain = pluralised(plain, counted=asked or _COUNTED.match(said) is not None)
    text = _narrowed_set(walk, node, plain) or thing_question(plain, many=True)
    step = walk.draft.add(agreeing(text), role="set")
    if not walk.draft.set_id:
        walk.of_persons = text.startswith("Who")
        walk.draft.set_id, walk.draft.count = step, count_of(plain)
    return f"{{{step}}}"


def _narrowed_set(walk: Walk, node: Node, plain: str) -> str:
    """The question for a set that only its first condition makes definite, "" for others.

    "Cities" are no list; "Which cities stand on the Danube?" names one.
    """
    place = next((i for i, one in enumerate(walk.roots) if one is node), None)
    moved = _moved_clause(walk, node)
    if moved is not None:
        walk.merged.add(id(moved))
        return thing_question(f"{plain} {filled(walk, moved)}", many=True)
    after = walk.roots[place + 1] if place is not None and place + 1 < len(walk.roots) else None
    said = walk.said(node.mark)
    definite = re.match(r"(?:the|these|those|each|every|all|both)\b", said, re.IGNORECASE)
    if after is not None and re.fullmatch(r"(?i:the) [a-z]+", said):
        # "The capitals that lie on it": which ones, the relative clause says.
        definite = definite if walk.said(after.mark).split()[0] not in words.RELATIVE else None
    if place is None or after is None or after.mark.label != "C" or definite:
        return ""
    if re.search(r"[A-Z\d]", said) or count_of(said) or walk.gap(node.mark, after.mark).strip():
        return ""
    told = filled(walk, after)
    if after.inside and re.search(r"\bthan\b", told):
        return ""
    walk.merged.add(id(after))
    first = told.split()[0].lower()
    finite = first in words.AUXILIARY or (walk.keeps(place + 1) and verb_base(first))
    return f"Which {plain} {told}?" if finite else thing_question(f"{plain} {told}", many=True)


def _moved_clause(walk: Walk, node: Node) -> Node | None:
    """The relative clause of a set that stands behind the verb of what is asked of it.

    "When were [the engineers] born [who built it]" asks of the engineers who built it.
    """
    for one, after in pairwise(walk.roots):
        if one.mark.label == "A" and any(inner is node for inner in flat(one)):
            led = walk.said(after.mark).split()[0].lower() in words.RELATIVE
            close = not walk.gap(one.mark, after.mark).strip()
            return after if after.mark.label == "C" and led and close else None
    return None


def filled(walk: Walk, node: Node) -> str:
    """The words of a node with what stands for the things inside it."""
    parts: list[str] = []
    at = node.mark.start
    grouped = False
    for child in node.inside:
        if child.mark.start < at:
            continue
        between = walk.question[at : child.mark.start]
        extreme = _EXTREME_AMONG.search(between) if child.mark.label == "S" else None
        if extreme is not None and node.mark.label in ("A", "B"):
            # "The shallowest of the Great Lakes" is one thing, found out first.
            said = f"{extreme[0]}{filled(walk, child)}"
            step = walk.draft.add(thing_question(said, many=False), role="bridge")
            parts.extend((between[: extreme.start()], f"{{{step}}}"))
            at = child.mark.end
            continue
        if any(child is one for one in walk.picked.values()):
            parts.append(between)
            at = child.mark.end
            continue
        stands = stand_for(walk, child)
        if child.mark.label == "S":
            between = _EACH_ONE.sub("", between)
        if stands == MEMBER and grouped:
            # "Yale and Harvard" is one place in the text of one member's step.
            at = child.mark.end
            continue
        at = child.mark.end
        if child.mark.label.startswith("R") and stands:
            stands, at = _owned(walk, node, child, stands)
        parts.extend((between, stands))
        grouped = stands == MEMBER
    parts.append(walk.question[at : node.mark.end])
    return " ".join("".join(parts).split())


def _owned(walk: Walk, node: Node, pointer: Node, stands: str) -> tuple[str, int]:
    """What stands for a pointing word with the noun that it owns, and where that ends.

    "Where was each designer born" asks of the one found by "who designed it"; "when was its
    city founded" of the city of it.
    """
    said = walk.said(pointer.mark)
    rest = walk.question[pointer.mark.end : node.mark.end]
    noun = re.match(r"\s+([a-z][\w-]+(?: (?:city|town))?)(?=\s+\w)", rest)
    owns = _POSSESSIVE.fullmatch(said) is not None
    verbal = noun is None or noun[1] in _NO_NOUNS
    if noun is None or verbal or not (owns or said.lower() in ("each", "every")):
        return (f"{stands}'s" if owns else stands), pointer.mark.end
    if not owns and (verb_base(noun[1]) or is_participle(noun[1])):
        return stands, pointer.mark.end
    asked = set(content_stems(walk.attribute))
    by_whom = walk.attribute.lower().startswith("who ") and is_person_noun(noun[1]) and not owns
    if "A" in walk.last and (by_whom or related(stem(noun[1]), frozenset(asked))):
        return walk.last["A"], pointer.mark.end + noun.end()
    if node.mark.label == "A" and is_clause(walk.said(node.mark)):
        step = walk.draft.add(agreeing(noun_question(noun[1], stands, one=True)), role="bridge")
        walk.last["A"] = f"{{{step}}}"
        return f"{{{step}}}", pointer.mark.end + noun.end()
    return f"{stands}'s", pointer.mark.end


def stand_for(walk: Walk, node: Node) -> str:
    """What stands for a thing: its placeholder once its step is there, or its name."""
    label = node.mark.label
    if label.startswith("R"):
        kind = re.fullmatch(r"(?:that|this) ([a-z]+)", walk.said(node.mark), re.IGNORECASE)
        if kind and "A" in walk.last and re.search(rf"\b{kind[1]}\b", walk.attribute):
            return walk.last["A"]  # "what its capital city is called, and how large that city is"
        if label == "RA" and walk.said(node.mark).lower() in ("it", "its") and walk.impersonal:
            return walk.impersonal
        return walk.pointed(label) or walk.said(node.mark)
    if label in ("S", "B", "M"):
        return place_thing(walk, node, None)
    return filled(walk, node)


def listed_description(walk: Walk) -> str:
    """What stands for a description of every member: "the creators of C and Perl"."""
    for node in walk.roots:
        if node.mark.label == "B" and any(one.mark.label == "S" for one in flat(node)):
            return place_thing(walk, node, None)
        names = [walk.said(one.mark) for one in flat(node) if one.mark.label == "M"]
        if node.mark.label == "B" and names and set(names) <= set(walk.draft.members):
            return place_thing(walk, node, None)
    return ""
