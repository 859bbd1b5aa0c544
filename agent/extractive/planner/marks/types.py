"""What the planner marks in a question: labelled spans, one inside another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

Operator = Literal[
    "give", "count", "sum", "average", "difference", "same", "common", "yesno", "any", "explain",
    "none",
]  # fmt: skip
"""What is made of the values; bench/data/PLANNER_GUIDE.md says when each is meant."""
OPERATORS: tuple[Operator, ...] = (
    "give", "count", "sum", "average", "difference", "same", "common", "yesno", "any", "explain",
    "none",
)  # fmt: skip
LAYERS: dict[str, tuple[str, ...]] = {
    "asked": ("A",),
    "condition": ("C", "C-"),
    "ranked": ("K+", "K-"),
    "thing": ("S", "M"),
    "bridge": ("B",),
    "bridge inside": ("B",),
    "bridge innermost": ("B",),
    "pointer": ("RS", "RM", "RB", "RA", "RK"),
}
"""Labels that exclude one another at a word share a layer; spans nest across layers only."""
LABELS = tuple(dict.fromkeys(label for labels in LAYERS.values() for label in labels))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A labelled span of a question."""

    label: str
    start: int
    """Characters of the question."""
    end: int
    sure: float = 1.0
    """The tagger's probability of the span, 1 for a mark made by a person."""


@dataclass(slots=True)
class Node:
    """A mark with the marks inside it, in order."""

    mark: Mark
    inside: list[Node] = field(default_factory=list)


def nested(marks: Iterable[Mark]) -> list[Node]:
    """Marks as trees, in order; of two that cross, the less sure is left out."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: -mark.sure):
        if not any(_cross(mark, other) or _same(mark, other) for other in kept):
            kept.append(mark)
    # Where extents are equal, what asks holds what is asked about.
    rank = {label: place for place, label in enumerate(("A", "C", "C-", "K+", "K-", "B"))}
    kept.sort(key=lambda mark: (mark.start, -mark.end, rank.get(mark.label, 9)))
    roots: list[Node] = []
    open_: list[Node] = []
    for mark in kept:
        node = Node(mark)
        while open_ and open_[-1].mark.end <= mark.start:
            open_.pop()
        (open_[-1].inside if open_ else roots).append(node)
        open_.append(node)
    return roots


def said_in(question: str, mark: Mark) -> str:
    """The words of a mark."""
    return question[mark.start : mark.end]


def around(mark: Mark, marks: Sequence[Mark]) -> Mark | None:
    """The narrowest mark that is wider than a mark and holds it."""
    wider = [
        one for one in marks
        if one.start <= mark.start and mark.end <= one.end
        and one.end - one.start > mark.end - mark.start
    ]  # fmt: skip
    return min(wider, key=lambda one: one.end - one.start, default=None)


def flat(node: Node) -> list[Node]:
    """The nodes inside a node, each before those inside it."""
    return [one for child in node.inside for one in (child, *flat(child))]


def used(marks: Iterable[Mark]) -> list[Mark]:
    """The marks that nest, without words that point back."""
    found: list[Mark] = []
    open_ = nested(marks)
    while open_:
        node = open_.pop()
        open_.extend(node.inside)
        if not node.mark.label.startswith("R"):
            found.append(node.mark)
    return found


def _cross(one: Mark, other: Mark) -> bool:
    return one.start < other.start < one.end < other.end or (
        other.start < one.start < other.end < one.end
    )


def _same(one: Mark, other: Mark) -> bool:
    """Whether two marks say the same, or call the same words two kinds of thing."""
    things = {"S", "M", "B"}
    alike = one.label == other.label or (one.label in things and other.label in things)
    return (one.start, one.end) == (other.start, other.end) and alike


def parse(marked: str) -> tuple[str, list[Mark]]:
    """The question of a marked text, `What is [A the length] of [M the Elbe]?`, and its marks.

    Raises:
        ValueError: brackets that do not match, an unknown label, an empty span.
    """
    text: list[str] = []
    marks: list[Mark] = []
    open_: list[tuple[str, int]] = []
    i = 0
    while i < len(marked):
        if marked[i] == "[":
            label, space, _ = marked[i + 1 : i + 4].partition(" ")
            if label not in LABELS or not space:
                raise ValueError(f"unknown label at {marked[i : i + 12]!r}")
            open_.append((label, len(text)))
            i += len(label) + 2
        elif marked[i] == "]":
            if not open_:
                raise ValueError("a bracket closes that none opened")
            label, start = open_.pop()
            if not "".join(text[start:]).strip():
                raise ValueError(f"empty span {label}")
            marks.append(Mark(label=label, start=start, end=len(text)))
            i += 1
        else:
            text.append(marked[i])
            i += 1
    if open_:
        raise ValueError(f"span {open_[-1][0]} is not closed")
    return "".join(text), sorted(marks, key=lambda mark: (mark.start, -mark.end))


def in_layers(marks: Sequence[Mark]) -> dict[str, list[Mark]]:
    """Marks by layer; a `B` inside others goes to the layer of its depth, deeper ones are lost."""
    found: dict[str, list[Mark]] = {layer: [] for layer in LAYERS}
    bridges = [layer for layer, labels in LAYERS.items() if labels == ("B",)]
    for mark in marks:
        if mark.label == "B":
            around = [
                other for other in marks
                if other.label == "B" and other is not mark
                and other.start <= mark.start and mark.end <= other.end
            ]  # fmt: skip
            if len(around) < len(bridges):
                found[bridges[len(around)]].append(mark)
            continue
        layer = next(layer for layer, labels in LAYERS.items() if mark.label in labels)
        found[layer].append(mark)
    return found
