"""From a marked question to its steps: what is looked up first, what is asked of each thing found.

Only the marks decide. A step's text is the marked words, with the marks inside them replaced by
what they find; what stands outside every mark is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.extractive.language.names import without_article
from agent.extractive.language.words import word_set
from agent.extractive.planner.decomposition import Combine, Decomposition
from agent.extractive.planner.marks.types import Mark, Operator, nested
from agent.extractive.planner.steps.attributes import ask_attribute
from agent.extractive.planner.steps.groups import open_group
from agent.extractive.planner.steps.order import in_order
from agent.extractive.planner.steps.restrictions import ask_condition, ask_ranking
from agent.extractive.planner.steps.things import place_thing
from agent.extractive.planner.steps.walk import Walk

COMBINES: dict[str, Combine] = {
    "sum": "sum", "average": "average", "difference": "difference", "same": "same",
    "common": "common", "yesno": "all", "any": "any",
}  # fmt: skip

_ALL = word_set("each both either every all they them their theirs")
"""Pointing words that mean more than one."""


def steps_of(question: str, marks: Sequence[Mark], operator: Operator) -> Decomposition:
    """Build the plan of a marked question.

    Args:
        question: as asked.
        marks: of a person or of the tagger.
        operator: what is made of the values.

    Returns:
        The steps in the order they are asked, innermost first; none where nothing is marked.
    """
    return _built(Walk(question, nested(marks), operator))


def _built(walk: Walk) -> Decomposition:
    """Walk the marks."""
    open_group(walk)
    if not walk.draft.members:
        # What is asked of each comes after what names them, wherever the question says it.
        for place, node in enumerate(walk.roots):
            if node.mark.label == "S":
                place_thing(walk, node, place)
    for place, node in enumerate(walk.roots):
        if node.mark.label in ("C", "C-") and walk.draft.set_id:
            ask_condition(walk, node, place)
    for place, node in enumerate(walk.roots):
        if node.mark.label in ("S", "B", "M"):
            place_thing(walk, node, place)
        elif node.mark.label == "A":
            ask_attribute(walk, node, place)
        elif node.mark.label in ("C", "C-") and not walk.draft.set_id:
            ask_condition(walk, node, place)
        elif node.mark.label in ("K+", "K-"):
            ask_ranking(walk, node, place)
    draft = walk.draft
    several = bool(draft.set_id or draft.members)
    alone = ("difference", "yesno")
    combine: Combine = COMBINES.get(walk.operator, "") if several or walk.operator in alone else ""
    if combine == "same" and not any(node.mark.label == "A" for node in walk.roots):
        combine = "all"  # nothing they could agree in: a statement about each
    return Decomposition(
        question=walk.question,
        steps=tuple(in_order(draft.steps)),
        members=tuple(without_article(member) for member in draft.members),
        count=draft.count,
        counted=walk.operator == "count" and several,
        combine=combine,
        margin=walk.margin,
        of_each=_of_each(walk),
        open_ended=walk.operator == "explain",
    )


def _of_each(walk: Walk) -> bool:
    """Whether a pointing word means all of the things: "who founded each", not "the older one"."""
    pointing = [walk.said(node.mark).lower() for node in walk.nodes() if node.mark.label[0] == "R"]
    return any(word in _ALL for said in pointing for word in said.split())
