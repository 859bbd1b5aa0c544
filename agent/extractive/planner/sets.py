"""What ties the members of a set together, said of one of them."""

from __future__ import annotations

import re

from agent.extractive.language import words
from agent.extractive.language.nouns import before_preposition, is_trailing, without_end

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
        What a member is called, and what is told of it; None where nothing is told, or the noun
        is told more closely ("capital cities"), which words of its own do not prove.
    """
    match = _SET.match(question.strip())
    if match is None:
        return None
    parts = match["set"].split()
    head = without_end(
        before_preposition(match["set"]),
        lambda part: is_trailing(part) or not words.is_plural(part),
    )
    told = " ".join(parts[len(head) :])
    if len(head) != 1 or not told or told.split()[0].lower() in ("of", "in", "for"):
        return None
    return words.singular(head[0].lower()), f"{member} {_RELATIVE.sub('', told)}?"
