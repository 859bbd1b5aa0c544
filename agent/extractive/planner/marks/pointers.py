"""What the pointing words of a question may mean: "it", "each", "there", "the latter"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.language.verbs import is_person_noun
from agent.extractive.planner.marks.types import Mark
from retrieval.dense.runtime import Array


def pointed(
    chances: Array,
    names: list[str],
    offsets: list[tuple[int, int]],
    marks: Sequence[Mark],
    question: str,
) -> Array:
    """The chances of pointing words, none for what points at nothing that stands before it."""
    found = chances.copy()
    attributes = [mark for mark in marks if mark.label == "A"]
    for column, name in enumerate(names):
        if name == "O":
            continue
        wanted = name[3:]
        ends = [
            mark.end for mark in marks
            if mark.label[0] == wanted and not (wanted == "B" and _in_condition(mark, marks))
        ]  # fmt: skip
        # Any thing may be said after what points at it: "its capital, and that of [M X]".
        first = min(ends, default=1 << 30) if wanted == "A" else 0 if ends else 1 << 30
        if wanted == "A" and len(ends) == 1:
            # "The opponent of his results": what is asked of a thing does not point at itself.
            of = re.match(r"\s+(?:of|for|in)\s+", question[ends[0] :])
            first = ends[0] + len(of[0]) + 1 if of else first
        if wanted == "S":
            # "Which moons did X find, and how wide is each": what is asked names a set as well.
            first = min([first, *(mark.end for mark in marks if mark.label == "A")])
        found[[i for i, (start, _) in enumerate(offsets) if start < first], column] = 1e-9
        if wanted == "M" and len(ends) < 2:
            # "What did X find, and how wide is each": each is not the one who found them.
            several = [i for i, (a, b) in enumerate(offsets) if question[a:b].lower() == "each"]
            found[several, column] = 1e-9
        if wanted == "A":
            for i, (start, end) in enumerate(offsets):
                kinds = [one for one in attributes if one.end <= start]
                if (
                    question[start:end].lower() == "it"
                    and kinds
                    and _asks_for_thing(kinds[-1], question)
                ):
                    # "The capital of each, and how many live in it": it is the thing just named.
                    found[i, column] *= _NEARER
                before = [question[m.start : m.end] for m in attributes if m.end <= start]
                if before and not any(agrees(question[start:end], said) for said in before):
                    found[i, column] = 1e-9
    return np.asarray(found / found.sum(axis=1, keepdims=True), np.float32)


_NEARER = 3.0
"""How much likelier "it" points at the thing that was just asked for than at one further back."""


def _asks_for_thing(asked: Mark, question: str) -> bool:
    """Whether an attribute asks for a thing, not for a measure: "the capital"."""
    said = question[asked.start : asked.end].lower().split()
    return len(said) < 4 and is_thing(said[-1])


def is_thing(noun: str) -> bool:
    """Whether a noun names one thing, not a measure: "capital"."""
    return noun in KINDS_OF_THING or noun == "capital"


def agrees(pronoun: str, asked: str) -> bool:
    """Whether a pronoun may point at what is asked for: "he" at no date, "it" at no person."""
    low = pronoun.lower()
    head = asked.lower().split()
    person = bool({"who", "whom"} & set(head[:2])) or is_person_noun(head[-1])
    if low in ("there", "it", "he", "she") and re.match(r"(?:how|when)\b", asked.lower()):
        return False  # a number or a date is no place and no thing
    if low in ("he", "she", "him", "her", "his"):
        return person
    return not person if low in ("it", "its") else True


def _in_condition(mark: Mark, marks: Sequence[Mark]) -> bool:
    """Whether a description only says what members are held against."""
    return any(other.label[0] == "C" and other.start <= mark.start < other.end for other in marks)
