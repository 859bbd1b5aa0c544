"""What ties the members of a set together, said of one of them."""

from __future__ import annotations

import re

from agent.extractive.language import words
from agent.extractive.language.nouns import before_preposition, is_trailing, without_end
from agent.extractive.language.verbs import is_past

_SET = re.compile(r"^(?:what|which|who)\s+(?:(?:are|were)\s+)?(?:the\s+)?(?P<set>.+?)\??$", re.I)
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
    head, told = noun_and_rest(question)
    if not head or not told or told.split()[0].lower() in ("of", "in", "for"):
        return None
    called = " ".join((*head[:-1], words.singular(head[-1]))).lower()
    return called, f"{member} {_RELATIVE.sub('', told)}?"


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


_WHO = re.compile(r"Who (?=(?P<verb>[a-z]+) )")


def of_several(step: str) -> str:
    """Return a step for a set so that it asks for several: "Which people walked on the Moon?"."""
    who = _WHO.match(step)
    return f"Which people {step[who.end() :]}" if who and is_past(who["verb"]) else step


_COUNTED = re.compile(r"\b(?P<the>the )(?P<count>[\w-]+) (?=[a-z])", re.IGNORECASE)


def uncounted(step: str, question: str) -> tuple[str, int]:
    """Return a step for a set of which some are chosen later, without how many those are; and that.

    Of "the four moons of Saturn that Cassini found" four are left, not found; "of the eight planets"
    counts all of them.

    Args:
        step: that asks for the set.
        question: as asked.

    Returns:
        The step as it is, and 0, where it does not say how many are chosen.
    """
    told = _COUNTED.search(step)
    count = words.number_of(told["count"]) if told is not None else None
    if told is None or count is None or count < 2:
        return step, 0
    counts_all = rf"\b(?:of|among|from|in) (?:the )?{re.escape(told['count'])}\b"
    if re.search(counts_all, question, re.IGNORECASE):
        return step, 0
    return f"{step[: told.start()]}{told['the']}{step[told.end() :]}", count
