"""Members of a list that is quoted: which values they are, and which words choose none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.figures import find_figures
from agent.citations.content.names import Name, same_by_stem, same_name, spoken
from agent.citations.content.other_names import other_names
from agent.citations.content.words import content_words
from agent.citations.support.faults import Faults
from agent.citations.support.grounds import Evidence
from agent.citations.support.values import HELD
from corpus.text import word_set

_RANK = word_set(
    """big large larger largest biggest major main great principal chief leading important prominent
    significant selected"""
)
"""How a list calls its members that were chosen for their rank: nothing shows of any that it is so."""
_SAID_OF_ALL = word_set(
    """table list listed shown mentioned above below famous noted notable well-known best-known renowned
    celebrated popular often frequently commonly regularly widely"""
)
"""Where a list stands, and what holds of all that an encyclopedia lists."""
_NAME = r"(?:the )?[A-ZÀ-Þ][\w'’.-]*(?: (?:[A-ZÀ-Þ][\w'’.-]*|\d{1,3}\b))*"
_SPAN = re.compile(
    rf"(?: from)? (?P<first>{_NAME}) (?:(?:up )?to|until|till|through|thru|[-–]) (?P<last>{_NAME})"
)


def named_span(question: str) -> tuple[tuple[str, ...], str]:
    """The two names between which a question may mean everything, and the question without them.

    "What are the flights from Apollo 8 to Apollo 12?" is about flights. No names where it has none.
    """
    match = _SPAN.search(question)
    if match is None:
        return (), question
    ends = tuple(match[end].removeprefix("the ") for end in ("first", "last"))
    return ends, question[: match.start()] + question[match.end() :]


def is_member(values: Sequence[str], evidence: Evidence) -> bool:
    """Whether the value is a member of the list quoted: its row's head, or the item itself."""
    place = evidence.place
    if not place.structured:
        return False
    heads = place.row_heads or ((place.line,) if place.line.startswith("- ") else ())
    return any(
        spoken(value, head) != "no" or spoken(head, value) != "no"
        for value in values
        for head in heads
    )


def check_listed(names: Sequence[Name], evidence: Evidence, faults: Faults) -> None:
    """Ask that a list whose line is quoted is told to be of what a question names."""
    listing = (evidence.quote, *evidence.frame, evidence.place.caption, evidence.opening)
    lost = [
        name.text
        for name in names
        if evidence.names(name.text, listing) not in HELD
        # One Great Lake is of the article "Great Lakes".
        and not any(
            same_by_stem(name.text, text) or same_name(f"{name.text}s", text) for text in listing
        )
    ]
    if lost:
        reason = f"the question names “{lost[0]}”, which the list quoted does not"
        (faults.hard if len(lost) == len(names) else faults.soft).append(reason)


def choosing(words: Sequence[str], question: str, count: int, evidence: Evidence) -> list[str]:
    """Return the words of a question for a set that its list must say of a member.

    "The seven great bridges" are the seven of a list, "the big rivers" those of "Major rivers";
    where a list says nothing of the kind, it may hold small ones as well.

    Args:
        words: words of content of the question.
        question: as it was asked.
        count: how many members the answer has.
        evidence: a row or item of the list.
    """
    if count < 2 or not evidence.place.structured:
        return list(words)
    about = (*evidence.frame, evidence.place.caption)
    counted = any(figure.value == count for figure in find_figures(question))
    told = counted or any(word in _RANK for text in about for word in content_words(text))
    none = _SAID_OF_ALL | _RANK if told else _SAID_OF_ALL
    return [word for word in words if word not in none]


def is_asked_about(value: str, named: Sequence[str]) -> bool:
    """Whether a value is a thing that the question names, or the last name of one."""
    return any(
        value.casefold() == name.casefold() or spoken(value, name) == "surname" for name in named
    )


ADDRESS = re.compile(r"\b(?:place|location)$", re.IGNORECASE)
"""How a label ends whose values are one place and what it lies in."""


def only_listed(name: str, values: Sequence[str], evidence: Evidence) -> bool:
    """Whether a name of a question is held only because one of several values is, or has, that name.

    "Countries: Austria, Italy, Switzerland" says of none that it borders Italy or pays in Swiss francs.
    """
    around = (*evidence.frame, evidence.place.caption, evidence.opening)
    own = (name, *other_names(name))
    return (
        len(values) > 1
        and ADDRESS.search(evidence.place.label) is None
        and any(is_asked_about(value, own) for value in values)
        and evidence.names(name, around) not in HELD
    )
