"""What of a question a plan leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from agent.extractive.language.stems import content_stems
from agent.extractive.planner.conditions import bound_words
from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.marks.question import left_out
from agent.extractive.planner.marks.types import Mark

_TALK = frozenset(content_stems(
    "please tell give show say name list explain know want need like wonder wondering curious find "
    "look check remember hey hi hello ok okay hm hmm well so vs versus thanks thx pls plz two three "
    "call called named whats whos both one ones total together altogether combined add sum average "
    "difference actually really technically truly indeed kindly wat wats waht wich whcih hw hwo n i'd "
    "pick choose single select out take consider compare identify mention state indicate determine"
))  # fmt: skip
"""Stems of words by which people ask, not of what they ask about."""


def outside(text: str, marks: Sequence[Mark], reading: Decomposition) -> list[str]:
    """Return names and numbers outside every mark, but for those of the plan's only step."""
    outside = left_out(text, marks)
    alone = len(reading.steps) == 1 and not reading.members
    said = reading.steps[0].text.split() if alone else []
    return [one for one in outside if one not in {word.strip(" ?,.'’") for word in said}]


def unasked(text: str, reading: Decomposition) -> list[str]:
    """Return names and numbers of a question that no step of a plan asks about."""
    said = " ".join((*(step.text for step in reading.steps), *reading.members)).casefold()
    bounds = any(step.condition is not None for step in reading.steps)
    told = bound_words(text) if bounds else frozenset()
    return [
        name
        for name in left_out(text, ())
        if name.casefold().removesuffix("'s").removesuffix("’s") not in said
        and not (bounds and (name[:1].isdigit() or told.issuperset(content_stems(name))))
    ]


def unsaid(text: str, marks: Sequence[Mark], reading: Decomposition) -> list[str]:
    """Return words of content from the first mark to the last that a plan does not hold.

    Of a plan of several steps only where two and more stand together outside every mark: what is
    marked may be computed, and a word between marks may only join them ("the seed used in").
    """
    if not marks or not reading.steps:
        return []
    start, end = min(mark.start for mark in marks), max(mark.end for mark in marks)
    if all(mark.label in ("S", "M", "B") for mark in marks):
        start = 0  # what is asked of the things was not made out: "Who ruled before [B her father]"
    said = set(content_stems(" ".join((*(s.text for s in reading.steps), *reading.members))))
    said |= _TALK
    if len(reading.steps) == 1 and not reading.members:
        condition = reading.steps[0].condition
        if condition is not None and condition.kind in ("number", "date"):
            said |= bound_words(text)  # the value is held against them
        return [one for one in dict.fromkeys(content_stems(text[start:end])) if one not in said]
    free = "".join(
        letter if not any(mark.start <= place < mark.end for mark in marks) else "|"
        for place, letter in enumerate(text[start:end], start)
    )
    runs = ([one for one in content_stems(run) if one not in said] for run in free.split("|"))
    return [one for run in runs if len(run) > 1 for one in run]
