"""What a plan leaves out of its question, or of what another plan says of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.names import find_names
from agent.extractive.language.degrees import extreme_of
from agent.extractive.language.names import without_owning
from agent.extractive.language.stems import words_of
from agent.extractive.language.words import ORDINALS, number_of
from agent.extractive.planner.writer.model import Written


def names_said(question: str, plan: Written) -> frozenset[str]:
    """Return the names of a question that a plan says, by their words."""
    said = {word for line in plan.lines for word in words_of(f"{line.bound} {line.said}")}
    return _names_in(question).intersection(map(without_owning, said))


def _names_in(text: str) -> frozenset[str]:
    """The words of a text's names; a first word is one where a colon sets it apart: "Triton: …"."""
    names = (
        name
        for name in find_names(text)
        if not name.initial or text[name.start + len(name.text) :].startswith(":")
    )
    return frozenset(word for name in names for word in words_of(name.text))


_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def loses_asked(question: str, plan: Written) -> bool:
    """Return whether a plan says names that stand in other sentences only, none of those of the one that asks."""
    sentences = _SENTENCE_END.split(question.strip())
    asking = [one for one in sentences if one.endswith("?")]
    if len(sentences) == 1 or len(asking) != 1:
        return False
    asked = _names_in(asking[0])
    others = _names_in(" ".join(one for one in sentences if one != asking[0]))
    said = names_said(question, plan)
    return bool(asked - others) and bool(said & others - asked) and not said & asked - others


def loses_topic(question: str, plan: Written) -> bool:
    """Return whether a plan says none of the names that a question is headed by: "Triton: length of a day"."""
    topic, colon, _ = question.partition(": ")
    named = _names_in(topic + colon) if colon else frozenset()
    headed = bool(named) and named.issuperset(words_of(topic))  # not by "Greetings from Ham"
    return headed and named.isdisjoint(names_said(question, plan))


_EXCEPTED = re.compile(
    r"\b(?:other than|except|apart from|besides|(?:any|some|every)(?:one|body|thing) but)\b",
    re.IGNORECASE,
)


def loses_exception(question: str, plan: Written) -> bool:
    """Return whether a plan leaves out that others than a named thing are asked for, and denies nothing."""
    said = " ".join(line.said for line in plan.lines)
    denies = any(line.kind == "not" for line in plan.lines)
    return bool(_EXCEPTED.search(question)) and not denies and _EXCEPTED.search(said) is None


_NEAREST = "wife|husband|widow(?:er)?|spouse|sons?|daughters?|brothers?|sisters?"
_KIN = (
    rf"{_NEAREST}|fiancée?|child(?:ren)?|kids?|father|mother|dad|mum|mom|parents?|siblings?|twin|uncle|aunt"
    "|nephew|niece|cousin|grand(?:father|mother|son|daughter)"
)
_KIN_OF = re.compile(
    rf"(?:(?<=\w)['’]s?|\bhis|\bher|\btheir|\bwhose) (?:[a-z]+ )?(?:{_KIN})\b|\bthe (?:[a-z]+ )?(?:{_NEAREST}) of\b",
    re.IGNORECASE,
)
"""Somebody's kin; not "my daughter", nor the father of a science."""
_SAYS_KIN = re.compile(rf"\b(?:{_KIN})\b", re.IGNORECASE)
_RELATED = re.compile(r"\b(?:marr(?:y|ied)|wed(?:ded)?|born to|related)\b", re.IGNORECASE)


def loses_kin(question: str, plan: Written) -> bool:
    """Return whether a plan asks of somebody what a question asks of his wife, or any other of his kin."""
    said = " ".join(line.said for line in plan.lines)
    says = _SAYS_KIN.search(said) or _RELATED.search(said)
    return says is None and _KIN_OF.search(question) is not None


_NUMBER = re.compile(r"\d[\d.,]*")
_COMPARED = re.compile(
    r"\b(?:(?:more|fewer|less|\w+er) than|over|under|above|below|at least|at most|exceed(?:s|ing)?)\s+"
    r"([a-z]+)",
    re.IGNORECASE,
)


_RANKS = frozenset([*ORDINALS, "last"])
"""Words that say which of several is meant, as superlatives do: the first president."""
_MEASURES = frozenset(
    ["volume", "mass", "diameter", "radius", "circumference", "density", "discharge"]
)
"""What no adjective asks for: how large a lake is does not tell its volume."""
_MANNER = re.compile(r"\b[a-z]{3,}ly(?= [a-z]+(?:ed|en)\b)")
"""How something is done: what is dynamically typed is not all that is typed."""


def in_full(question: str, plans: Sequence[Written]) -> list[Written]:
    """Return the plans that leave out no number, rank, measure or manner of a question which any other says.

    "More than twenty known moons" is not asked by "Which planets have more known moons?", nor "the
    smallest country on the Danube" by "Which country lies on the Danube?".
    """

    def numbers(text: str) -> frozenset[str]:
        digits = (one.rstrip(".,").replace(",", "") for one in _NUMBER.findall(text))
        return frozenset([*digits, *(word for word in words_of(text.lower()) if number_of(word))])

    def extremes(text: str) -> frozenset[str]:
        return frozenset(
            word for word in words_of(text.lower()) if extreme_of(word) or word in _RANKS
        )

    measured_by = _MEASURES.union(_MANNER.findall(question.lower()))

    def measures(text: str) -> frozenset[str]:
        return measured_by.intersection(words_of(text.lower()))

    compared = {one.lower() for one in _COMPARED.findall(question)}
    wanted = {one for one in numbers(question) if one[0].isdigit() or one in compared}
    ends, measured = extremes(question), measures(question)
    said = []
    for plan in plans:
        text = " ".join(f"{line.bound} {line.said}" for line in plan.lines)
        ranked = any(line.kind in ("most", "least") for line in plan.lines)
        held = (wanted & numbers(text)) | (ends if ranked else ends & extremes(text))
        said.append(held | (measured & measures(text)))
    return [
        plan
        for plan, held in zip(plans, said, strict=True)
        if not any(held < other for other in said)
    ]
