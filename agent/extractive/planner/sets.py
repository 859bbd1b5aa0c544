"""What ties the members of a set together, said of one of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.language import words
from agent.extractive.language.nouns import before_preposition, is_trailing, without_end
from agent.extractive.language.verbs import is_base_verb
from agent.extractive.planner.writer.program import Line

_SET = re.compile(r"^(?:what|which|who)\s+(?:(?:are|were)\s+)?(?:the\s+)?(?P<set>.+?)\??$", re.I)
_PLACED = ("on", "at", "near", "along", "beside", "inside", "outside", "within")
"""Words that say where a thing is: "from 1988 to 2024" chooses the rows of a list."""
_RELATIVE = re.compile(r"^(?:that|which|who)\s+", re.IGNORECASE)


def told_of_member(question: str, member: str) -> tuple[str, str] | None:
    """Split the question for a set into what its members are called and what is told of each.

    "What are the comets first seen by Caroline Herschel?" asks for comets, of each of which it
    tells: "it first seen by Caroline Herschel?". The words stay as they are: what labels give is
    learned from clauses as well as from sentences.

    Args:
        question: a step that asks for a set.
        member: what stands for one member in what is told.

    Returns:
        What a member is called ("programming language"), and what is told of it; None where
        nothing is told.
    """
    split = _split(question)
    if split is None:
        return None
    head, told = split
    called = " ".join((*head[:-1], words.singular(head[-1]))).lower()
    return called, f"{member} {told}?"


def _split(question: str) -> tuple[list[str], str] | None:
    """The words of the noun of a question for a set, and what is told of its members, if anything."""
    head, told = noun_and_rest(question)
    if not head or not told or told.split()[0].lower() in ("of", "in", "for"):
        return None
    return head, _RELATIVE.sub("", told)


def noun_and_rest(question: str) -> tuple[list[str], str]:
    """Split the question for a set into the words of its noun and what follows them.

    Args:
        question: a step that asks for a set.

    Returns:
        No words and nothing where it does not begin as such a question does.
    """
    match = _SET.match(question.strip())
    if match is None:
        return [], ""
    parts = match["set"].split()
    head = without_end(
        before_preposition(match["set"]),
        lambda part: is_trailing(part) or not words.is_plural(part),
    )
    return head, " ".join(parts[len(head) :])


def member_by_member(lines: Sequence[Line]) -> tuple[Line, ...] | None:
    """The same plan with what is told of a set asked of each of its members.

    "Which Alpine countries use the franc?" becomes "What are the Alpine countries?" and "Does {1}
    use the franc?". None where no set has a name to be found by, or what is told of it has no
    question of its own.

    Args:
        lines: of a plan, in the order in which they are asked.
    """
    for number, line in enumerate(lines, 1):
        split = _split(line.said) if line.kind == "set" else None
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
