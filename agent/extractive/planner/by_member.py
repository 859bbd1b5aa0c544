"""A plan whose set is told by more than a name, with that asked of each of its members."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.language.verbs import is_base_verb
from agent.extractive.planner.sets import noun_and_told
from agent.extractive.planner.writer.program import Line

_PLACED = ("on", "at", "near", "along", "beside", "inside", "outside", "within")
"""Words that say where a thing is: "from 1988 to 2024" chooses the rows of a list."""


def member_by_member(lines: Sequence[Line]) -> tuple[Line, ...] | None:
    """The same plan with what is told of a set asked of each of its members.

    "Which Alpine countries use the franc?" becomes "What are the Alpine countries?" and "Does {1}
    use the franc?". None where no set has a name to be found by, or what is told of it has no
    question of its own.

    Args:
        lines: of a plan, in the order in which they are asked.
    """
    for number, line in enumerate(lines, 1):
        split = noun_and_told(line.said) if line.kind == "set" else None
        if split is None or not any(word[0].isupper() for word in split[0]):
            continue
        judged = _judged(f"{{{number}}}", split[1])
        if not judged:
            continue
        later = (
            replace(one, bound=_moved(one.bound, number), said=_moved(one.said, number))
            for one in lines[number:]
        )
        named = replace(line, said=f"What are the {' '.join(split[0])}?")
        return (*lines[: number - 1], named, Line("is", "", judged), *later)
    return None


def _judged(member: str, told: str) -> str:
    """What is told of a member as a question for yes or no, "" where it has none."""
    first, _, rest = told.partition(" ")
    if not rest:
        return ""
    if first in ("are", "were"):
        return f"{'Is' if first == 'are' else 'Was'} {member} {rest}?"
    if is_base_verb(first):
        return f"Does {member} {told}?"
    return f"Is {member} {told}?" if first in _PLACED else ""


def _moved(text: str, number: int) -> str:
    """A text whose references to steps after one are to the next."""
    return re.sub(r"\{(\d+)\}", lambda m: f"{{{int(m[1]) + (int(m[1]) > number)}}}", text)
