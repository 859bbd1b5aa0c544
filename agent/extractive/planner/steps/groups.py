"""The named things of which a question asks the same: a list, or a comparison's sides."""

from __future__ import annotations

import re
from itertools import pairwise

from agent.extractive.language.agreement import agreeing
from agent.extractive.language.names import without_article
from agent.extractive.planner.decomposition import MEMBER
from agent.extractive.planner.marks.types import Mark, Node, flat
from agent.extractive.planner.steps.questions import thing_question
from agent.extractive.planner.steps.things import JOIN, filled
from agent.extractive.planner.steps.walk import Walk

_JOINTLY = re.compile(
    r"\b(?:who|which|what|when|where)\b.* (?:together|jointly)(?= (?:in|at|on|for)\b|$)", re.I
)
COMPARED = frozenset(["same", "common", "difference", "sum", "average"])
_LISTED = re.compile(
    rf"(?!\s(?:for|in|of|by)\s+(?:the\s+)?$){JOIN.pattern}"
    r"(?:(?:the\s+same\s+|those\s+)?(?:for|in|of|by)\s+(?:the\s+)?)?",
    re.IGNORECASE,
)
"""What stands between named things of which the same is asked: "of X, and the same for Y"."""


def open_group(walk: Walk) -> None:
    """Note the named things of which the same is asked: a list, or a comparison's sides."""
    ranked = any(node.mark.label in ("K+", "K-") for node in walk.roots)
    found: list[Mark] = []
    described: dict[str, Node] = {}
    for node in walk.roots:
        if node.mark.label in ("M", "B"):
            inside = [node]
        elif node.mark.label == "A":
            inside = [one for one in node.inside if one.mark.label in ("M", "B")]
            inside = inside or [one for one in flat(node) if one.mark.label == "M"]
        else:
            continue
        if walk.operator in ("give", "common") and _JOINTLY.search(walk.said(node.mark)):
            continue  # done by all of them at once
        single = node.mark.label in ("M", "B") or ranked or walk.operator in COMPARED
        if len(inside) < 2 and inside and inside[0].mark.label == "B":
            names_inside = [one for one in flat(inside[0]) if one.mark.label == "M"]
            inside = names_inside if len(names_inside) > 1 else inside
        if len(inside) > 1 or (inside and single):
            found.extend(one.mark for one in inside)
            described.update((walk.said(one.mark), one) for one in inside if one.mark.label == "B")
    if (
        found
        and walk.operator == "give"
        and not ranked
        and not any(mark.label == "M" for mark in found)
    ):
        joined = any(JOIN.fullmatch(walk.gap(one, other)) for one, other in pairwise(found))
        found = found if joined else []
    if walk.operator == "give" and not ranked:
        found = _side_by_side(walk, found)
    names = list(dict.fromkeys(walk.said(mark) for mark in found))
    listing = next((n for n in walk.nodes() if n.mark.label == "S" and walk.listed_names(n)), None)
    if listing is not None and not found:
        # "Each of Austria, Germany and Slovenia" names its members itself.
        walk.draft.members = walk.listed_names(listing)
        walk.draft.count = len(walk.draft.members)
        walk.stands[id(listing)] = walk.last["S"] = walk.last["M"] = MEMBER
        return
    listed = any(
        one.label == "M" and other.label == "M" and _LISTED.fullmatch(walk.gap(one, other))
        for one, other in pairwise(found)
    )
    whole = ranked or walk.operator in COMPARED or walk.operator in ("yesno", "any", "count")
    if len(names) > 1 and (listed or whole):
        for name in names:
            if name in described:
                _find_first(walk, name, described[name])
        walk.draft.members = tuple(names)
        walk.draft.count = len(names)
        walk.last["M"] = MEMBER


def _side_by_side(walk: Walk, found: list[Mark]) -> list[Mark]:
    """The things of a list without those beside it: "who led [the crew] at [Uri], [Zug] and [Bern]"."""
    beside = {
        id(mark) for pair in pairwise(found)
        if _LISTED.fullmatch(walk.gap(*pair)) for mark in pair
    }  # fmt: skip
    alone = {id(node.mark) for node in walk.roots}
    return [mark for mark in found if id(mark) in beside | alone] or found


def _find_first(walk: Walk, name: str, node: Node) -> None:
    """Find out first what a description leads to that is listed or compared."""
    text = walk.completed(filled(walk, node))
    step = walk.draft.add(
        agreeing(thing_question(text, many=False)),
        role="bridge",
        member=without_article(name),
        column="found",
    )
    walk.draft.stands[name] = f"{{{step}}}"
