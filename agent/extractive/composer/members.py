"""Puts an answer about a set together: a line for each member that is kept, and what is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.citations.check import UNSURE
from agent.extractive.composer.computation import COMPUTED, MADE_OF_ALL, combined
from agent.extractive.composer.lines import Marks, MemberLine, shown_marks
from agent.extractive.composer.membership import Kept, column_of, keep_members, ruled
from agent.extractive.planner.decomposition import Decomposition, Step
from agent.reasoner import Composed
from agent.types import Style, SubAnswer

OPEN = "Open:"
"""Stands above the members of which it is not known whether they meet the conditions."""
NOT_FOUND = ": not found"
"""Stands behind a member that a question names where nothing was found of it."""
AMONG_PROVEN = "Among those that are proven to be meant:"
GUESSED = "that none meets the condition was found by a less likely plan, and is a guess"
PARTIAL = "not all that was listed is proven to be meant"
MISCOUNTED = "the question says how many are meant, and another number was found"
NOT_COMPUTED = "what was found does not make what is to be computed of it"
NOTHING_OF_THEM = "of what is asked nothing that is sure was found of these members"
_OF_EVERY = {"all": "Yes", "any": "No"}
"""What is said of every member, by how their statements are combined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """Why what is said of a whole set may be wrong."""

    guessed: bool
    """Whether the likeliest plan was another one."""
    partial: bool
    """Whether some of what the list was made of is not proven."""


def compose_members(
    reading: Decomposition,
    lines: Sequence[MemberLine],
    found: Mapping[str, Sequence[str]],
    marks: Marks,
    style: Style,
    doubts: Doubts,
) -> Composed:
    """Write the answer about a set.

    Args:
        reading: of the question.
        lines: of the members, at least one.
        found: what members are held against, by the step that found it.
        marks: of what is cited.
        style: of the answer.
        doubts: why something must not be said of all of them.
    """
    remaining = keep_members(reading, lines, found)
    stated = _is_stated(reading)
    if remaining.withheld and not stated:
        return Composed(text="", withheld=remaining.withheld)
    result = ruled(reading, lines, found) if stated else combined(reading, remaining.lines)
    if withheld := _withheld(reading, remaining, len(lines), result, doubts):
        return Composed(text="", withheld=withheld)
    kept = list(lines) if stated else remaining.lines
    if reading.counted:
        least = remaining.open or doubts.partial
        result = f"At least {remaining.shown}" if least else str(remaining.shown)
    if not kept and remaining.none:
        result, kept = result or "None", list(lines)
    if not stated:
        result, kept = _beside_the_rest(reading, lines, result, kept)
    if reading.combine in COMPUTED and not result:
        return Composed(text="", withheld=NOT_COMPUTED)
    asked = {column_of(step) for step in reading.steps if _is_asked(step)}
    # Of several some may be right; of the one that is the most nothing else is told.
    answered = any(
        line.text_of(column) and (line.is_sure(column) or not _ranks(reading))
        for line in kept
        for column in asked
    )
    if asked and not reading.counted and not result and not answered:
        return Composed(text="", withheld=NOTHING_OF_THEM)
    return _told(reading, lines, _Shown(result, kept, remaining, doubts.partial), marks, style)


def _is_miscounted(reading: Decomposition, remaining: Kept[MemberLine], members: int) -> bool:
    """Whether a question says of how many members it asks, and another number is left of them.

    What is told as open may belong to them, and the number may be that of all members.
    """
    told = reading.chosen
    counts = told == members or remaining.shown <= told <= len(remaining.lines)
    return bool(told) and not counts and not _ranks(reading)


def _is_asked(step: Step) -> bool:
    """Whether a step asks for what is to be told of each member, and chooses none."""
    return step.role == "value" and step.condition is None


def _is_stated(reading: Decomposition) -> bool:
    """Whether a statement about all members, or any, is to be judged."""
    conditions = any(step.condition is not None for step in reading.steps)
    return reading.combine in ("all", "any") and conditions


def _withheld(
    reading: Decomposition,
    remaining: Kept[MemberLine],
    members: int,
    result: str,
    doubts: Doubts,
) -> str:
    """Why nothing can be said of the set as a whole, "" where it can."""
    if _is_miscounted(reading, remaining, members):
        return MISCOUNTED
    if reading.counted and remaining.open > remaining.shown:
        return f"of {remaining.open} of them it stays open whether they count"
    if reading.counted and doubts.guessed and (remaining.open or doubts.partial):
        return GUESSED
    if (remaining.open or doubts.partial) and reading.combine in MADE_OF_ALL:
        return f"it stays open of which {reading.combine} is asked"
    # Of any that one does, of all that one does not: else it is said of every member.
    of_every = result == _OF_EVERY[reading.combine] if _is_stated(reading) else remaining.none
    if of_every and doubts.partial:
        return PARTIAL
    return GUESSED if of_every and doubts.guessed and remaining.none else ""


def _beside_the_rest(
    reading: Decomposition, lines: Sequence[MemberLine], result: str, kept: list[MemberLine]
) -> tuple[str, list[MemberLine]]:
    """The one that was chosen named first, and the others shown as well, where more is asked of each."""
    others = [line for line in lines if line not in kept]
    if reading.of_each and reading.members and kept and others:
        result = result or " and ".join(line.name for line in kept)
        return result, [*kept, *others]
    if reading.margin and not result and len(lines) == 2:
        result = combined(replace(reading, combine="difference"), lines)
        if result and len(kept) == 1:
            chosen = kept[0].text_of("found") or kept[0].name
            return f"{chosen}, by {result}", [*kept, *others]
    return result, kept


@dataclass(frozen=True, slots=True)
class _Shown:
    """What an answer about a set shows."""

    result: str
    """What was computed or chosen, "" for nothing."""
    kept: Sequence[MemberLine]
    remaining: Kept[MemberLine]
    partial: bool


def _told(
    reading: Decomposition, lines: Sequence[MemberLine], shown: _Shown, marks: Marks, style: Style
) -> Composed:
    """Write the lines of an answer, and what stands above them."""
    remaining, result = shown.remaining, shown.result
    bounds = {step.condition.against for step in reading.steps if step.condition is not None}
    columns = [column for column in columns_of(reading) if column not in bounds]
    items: list[str] = [result] if result else []
    told: list[str] = []
    for line in shown.kept:
        values = [text for column in columns if (text := line.text_of(column))]
        items.append(f"{line.shown_name}: {'; '.join(values)}" if values else line.shown_name)
        if line.name in remaining.unsettled and not result and OPEN not in told:
            told.append(OPEN)
        hidden = _hidden(reading, line) if line.name in remaining.unsettled else ()
        said = [column for column in columns if column not in hidden]
        told.append(("- " if style == "long" else "") + _line_of(line, said))
    hedged = remaining.hedged or (shown.partial and _ranks(reading))
    above = remaining.said or (AMONG_PROVEN if hedged else "")
    head = []
    if result:
        doubt = any(
            not cell.sure for line in lines for cells in line.cells.values() for cell in cells
        )
        unsure = ", of which some are unsure" if doubt else ""
        computed = f"{result} (computed from the lines below{unsure})."
        head.append(computed if style == "long" else result)
    elif above and style == "long":
        head.append(above)
    elif hedged:
        # A line of its own: behind a mark it would be a part of what the quote must hold.
        told.append(UNSURE)
    return Composed(
        text="\n".join([*head, *told]),
        items=tuple(items),
        quotes=tuple(dict.fromkeys(marks.quotes)),
        computed=(*head, OPEN, *(one for one in told if one.endswith(NOT_FOUND))),
    )


def _hidden(reading: Decomposition, line: MemberLine) -> list[str]:
    """The columns whose "No" would settle what stays open, as it is not sure: "Yes" of what are not."""
    fails = {"yes": ["No"], "no": ["Yes"]}
    kinds = {column_of(step): step.condition.kind for step in reading.steps if step.condition}
    return [
        column
        for column, kind in kinds.items()
        if line.values_of(column) == fails.get(kind) and not line.is_sure(column)
    ]


def columns_of(reading: Decomposition) -> list[str]:
    """Return the columns of a table of members, in the order of the plan."""
    return list(dict.fromkeys(map(column_of, reading.steps)))


def is_partial(reading: Decomposition, answers: Mapping[str, SubAnswer]) -> bool:
    """Whether some of what a list was made of is not proven, so that its members are not all there are."""
    listed = answers.get(reading.set_step.id) if reading.set_step is not None else None
    return (
        listed is not None
        and listed.status == "answered"
        and any(citation.support == "unsure" for citation in listed.citations)
    )


def _ranks(reading: Decomposition) -> bool:
    conditions = (step.condition for step in reading.steps)
    return any(one is not None and one.kind in ("max", "min") for one in conditions)


def _line_of(line: MemberLine, columns: Sequence[str]) -> str:
    """Return a member with what was found for it."""
    name = f"{line.shown_name}{shown_marks(line.marks)}"
    values = "; ".join(line.shown(column) for column in columns if line.text_of(column))
    if values or line.marks:
        return f"{name}: {values}" if values else name
    return name + NOT_FOUND
