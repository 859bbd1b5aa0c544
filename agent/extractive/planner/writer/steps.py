"""From the lines of a plan to its steps, conditions and members."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.language.degrees import SCALE_OF, degree_of
from agent.extractive.language.names import without_article
from agent.extractive.language.stems import words_of
from agent.extractive.language.words import is_superlative, number_of, singular
from agent.extractive.planner.conditions import (
    Comparator,
    Condition,
    date_condition,
    number_condition,
)
from agent.extractive.planner.decomposition import MEMBER, Combine, Decomposition, Draft
from agent.extractive.planner.members import for_every_member
from agent.extractive.planner.order import awaiting_conditions
from agent.extractive.planner.sets import noun_and_rest, of_several, uncounted
from agent.extractive.planner.writer.program import Line
from agent.extractive.planner.writer.repairs import AGED, DATED, repaired

COMBINES: dict[str, Combine] = {
    "sum": "sum", "average": "average", "difference": "difference", "same": "same",
    "common": "common", "yesno": "all", "any": "any",
}  # fmt: skip
_REFERENCE = re.compile(r"\{(\d+)\}")
_WORDS_FOR: dict[Comparator, str] = {
    ">": "more than", ">=": "at least", "<": "fewer than", "<=": "at most", "=": "exactly",
}  # fmt: skip


def reading_of(question: str, operator: str, lines: Sequence[Line]) -> Decomposition | None:
    """The plan that lines tell; None where they tell none that can be run.

    Args:
        question: as asked.
        operator: what is made of the values.
        lines: the steps, in the order in which they are asked.
    """
    draft = Draft(question=question)
    stands: dict[int, str] = {}
    """What stands for the answer of a line in the text of a step."""
    chosen = 0
    lines = repaired(question, lines)
    if not _is_joined(lines) or any(_asks_nothing(line, lines) for line in lines):
        return None
    for number, line in enumerate(lines, 1):
        if any(int(one) not in stands for one in _REFERENCE.findall(f"{line.bound} {line.said}")):
            return None
        said = _REFERENCE.sub(lambda match: stands[int(match[1])], line.said)
        if line.kind == "names":
            if draft.members:
                return None
            draft.members = tuple(_named(draft, name.strip()) for name in said.split("|"))
            stands[number] = MEMBER
            continue
        condition = None
        if line.kind not in ("find", "set", "ask"):
            condition = _condition(question, line, stands)
            if condition is None:
                return None
        said = _extreme_first(draft, line, said)
        role = {"find": "bridge", "set": "bridge" if draft.set_id else "set"}.get(
            line.kind, "value"
        )
        if role == "set":
            said = of_several(said)
            if _chosen_from(number, lines):
                said, chosen = uncounted(said, question)
        id_ = draft.add(said, role=role, condition=condition)
        if role == "set":
            draft.set_id = id_
        stands[number] = f"{{{id_}}}"
    if not draft.steps:
        return None
    several = bool(draft.set_id or draft.members)
    ranked = any(line.kind in ("most", "least") for line in lines)
    combine = COMBINES.get(operator, "") if several or operator in ("difference", "yesno") else ""
    margin = operator == "difference" and ranked
    reading = Decomposition(
        question=question,
        steps=tuple(draft.steps),
        members=tuple(without_article(member) for member in draft.members),
        counted=operator == "count" and several,
        combine="" if margin else combine,
        margin=margin,
        of_each=_asked_before_ranked(lines),
        chosen=chosen,
        open_ended=operator == "explain",
    )
    return awaiting_conditions(for_every_member(reading))


def _chosen_from(number: int, lines: Sequence[Line]) -> bool:
    """Whether a later line holds what a line names against a condition that some do not meet."""
    ranks = ("find", "set", "names", "ask", "most", "least")
    return any(
        f"{{{number}}}" in line.said and line.kind.partition(" ")[0] not in ranks
        for line in lines[number:]
    )


def _is_joined(lines: Sequence[Line]) -> bool:
    """Whether lines make one plan: what is found first is asked about, and no condition is.

    "Who invented the lightning rod?" before steps that do not name him loses what chooses among
    the universities.
    """
    asked_of = {
        int(one) for line in lines for one in _REFERENCE.findall(f"{line.bound} {line.said}")
    }
    return all(
        number in asked_of
        if line.kind == "find" or (line.kind == "set" and number < len(lines))
        else line.kind in _VALUED or number not in asked_of
        for number, line in enumerate(lines, 1)
        if len(lines) > 1
    )


_OF_A_MEMBER = re.compile(
    r"(?:what|which) (?:is|was) the (?:name of the )?([a-z]+) of \{(\d+)\}\?", re.IGNORECASE
)


_OF_NOTHING = re.compile(
    r"(?:is|are|was|were|does|do|did) (?:the )?(?:\{\d+\}|\w+)\?", re.IGNORECASE
)


_ITS_NAME = re.compile(
    r"(?:What|Which) (?:is|was) the (?:city|town|village|island|kingdom|republic|province) of "
    r"[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*\?"
)
"""Asks for what it names already: the city of Providence."""


def _asks_nothing(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line tells nothing of what it names ("Is Monaco?"), or only what it is a member as.

    "Name the planet" asks for the member itself, not for "the planet of Mercury".
    """
    if _OF_NOTHING.fullmatch(line.said) or (line.kind == "find" and _ITS_NAME.fullmatch(line.said)):
        return True
    match = _OF_A_MEMBER.fullmatch(line.said)
    if match is None or int(match[2]) > len(lines) or lines[int(match[2]) - 1].kind != "set":
        return False
    noun, _ = noun_and_rest(lines[int(match[2]) - 1].said)
    return bool(noun) and singular(noun[-1]).lower() == match[1].lower()


_VALUED = ("set", "names", "ask", "most", "least")
"""Kinds of lines whose answers others may be about; conditions only choose."""
_NAMED = r"[A-ZÀ-Þ][\w.-]*(?: (?:of (?:the )?|de |la )?[A-ZÀ-Þ][\w.-]*)*"
_END = r"(?P<end>\w+est|most \w+|least \w+)"
_EXTREMES = (
    re.compile(rf"the {_END} (?:\w+ ){{1,3}}?(?:of|in) (?P<of>\{{\w+\}})", re.IGNORECASE),
    re.compile(
        rf"the {_END} (?:[a-z]+ ){{1,2}}?(?:of|in) (?:the )?{_NAMED}(?![\w'’-]|,| and | or )"
    ),
    re.compile(rf"the {_END} {_NAMED} [a-z]+(?![\w'’-]|,| and | or )"),
    re.compile(
        rf"{_NAMED}['’]s? (?!best|most|least){_END} [a-z]+(?: (?:city|town|lake|river|island))?(?![\w'’-]|,| and | or )"
    ),
)
"""Descriptions of one thing by a superlative: "the largest moon of {1}", "Saturn's largest moon"."""


_ITSELF = re.compile(
    r"(?:what|who|which) (?:is|are|was|were) $|(?:is|are|was|were|do|does|did) |.*\b(?:with|has|have|had) $",
    re.IGNORECASE,
)
"""What opens a question for the thing that a superlative describes, or for who has it."""


def _extreme_first(draft: Draft, line: Line, said: str) -> str:
    """A question of "the largest moon of {1}", with the step that finds it before it."""
    patterns = _EXTREMES if line.kind in ("find", "ask") else _EXTREMES[:1]
    match = next(filter(None, (pattern.search(said) for pattern in patterns)), None)
    opening = said[: match.start()] if match else ""
    if match is None or not is_superlative(match["end"].split()[0]) or _ITSELF.match(opening):
        return said
    found = draft.add(f"What is {match[0]}?", role="bridge")
    return f"{opening}{{{found}}}{said[match.end() :]}"


_ASKING = re.compile(r"(?:what|who) (?:is|are|was|were) ", re.IGNORECASE)
_TIED = re.compile(r"['’]s\b|\bof\b")
"""Ties a description to a name: "Saturn's largest moon"."""


def _named(draft: Draft, name: str) -> str:
    """A thing as a question names it; one that is found first has its step's words for a name."""
    found = _REFERENCE.fullmatch(name)
    if found is None and any(map(is_superlative, name.split())) and _TIED.search(name):
        step = draft.add(f"What is {name}?", role="bridge", member=name, column="found")
        draft.stands[name] = f"{{{step}}}"
        return name
    if found is None:
        return name
    at = int(found[1]) - 1
    called = _ASKING.sub("", draft.steps[at].text.rstrip("?"))
    draft.steps[at] = replace(draft.steps[at], member=called, column="found")
    draft.stands[called] = name
    return called


def _asked_before_ranked(lines: Sequence[Line]) -> bool:
    kinds = [line.kind for line in lines]
    ranked = [place for place, kind in enumerate(kinds) if kind in ("most", "least")]
    return bool(ranked) and "ask" in kinds[: ranked[0]]


def _oldest_asked(question: str, kind: str) -> bool:
    """Whether the oldest is meant, not the youngest, by a line that ranks by how old something is.

    The question's own word says it, or that the most or the fewest years are meant. Where neither
    does, a line says "least" of the oldest, as of everything that is told by a date.
    """
    words = words_of(question.lower())
    ends = {degree for word in words if (degree := degree_of(word))}
    aged = {end for adjective, end in ends if SCALE_OF.get(adjective, adjective) == "old"}
    if not aged and not _AGES.isdisjoint(words):
        aged = {end for word, end in _DEGREES.items() if word in words}
    return aged == {1} if len(aged) == 1 else kind == "least"


_AGES = frozenset(["age", "ages", "aged", "years"])
_DEGREES = {"most": 1, "greatest": 1, "highest": 1, "fewest": -1, "least": -1, "lowest": -1}


def _condition(question: str, line: Line, stands: dict[int, str]) -> Condition | None:
    """What the answer of a step must be, None where its bound says nothing."""
    if line.kind in ("is", "not"):
        return Condition(kind="yes" if line.kind == "is" else "no")
    if line.kind in ("most", "least"):
        top = (number_of(line.bound) if line.bound else 1) or 1
        if AGED.match(line.said):
            oldest = _oldest_asked(question, line.kind)
            return Condition(kind="max" if oldest else "min", top=top, dimension="age")
        return Condition(kind="max" if line.kind == "most" else "min", top=top)
    reference = _REFERENCE.fullmatch(line.bound)
    against = stands[int(reference[1])].strip("{}") if reference else ""
    if line.kind == "in":
        return Condition(kind="in", against=against) if against.isdigit() else None
    dated = DATED.match(line.said) is not None
    if reference is not None:
        if not against.isdigit():
            return None
        aged = "age" if AGED.match(line.said) else ""
        return Condition(
            kind="date" if dated and not aged else "number",
            comparator=_comparator(line.kind),
            against=against,
            dimension=aged,
        )
    if dated and (timed := date_condition(_RELATIONS[line.kind], line.bound)):
        return timed
    if line.kind == "between":
        ends = re.split(r"\s+(?:and|to)\s+|\s*[-–]\s*", line.bound)
        unit = re.sub(r"^[\d.,:\s]+", "", ends[-1])
        if re.fullmatch(r"[\d.,]+", ends[0]) and re.match(r"\d", ends[-1]):
            ends[0] = f"{ends[0]} {unit}"
        bounds = [number_condition("at least", end) for end in ends if "{" not in end]
        if len(bounds) != 2 or any(one.kind != "number" for one in bounds):
            return None
        return replace(bounds[0], comparator="between", upper=bounds[1].bound)
    condition = number_condition(_WORDS_FOR[_comparator(line.kind)], line.bound)
    return condition if condition.kind == "number" else None


_RELATIONS = {
    "<": "before", "<=": "by", ">": "after", ">=": "since", "=": "in", "between": "between",
}  # fmt: skip


def _comparator(kind: str) -> Comparator:
    return kind if kind in _WORDS_FOR else "="
