"""Which members of a set meet the conditions, which are the most, and which stay open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import Generic, Protocol, TypeVar

from agent.extractive.composer.measures import comparable, in_no_order, measure, moment_of
from agent.extractive.composer.verdict import bound_to, is_among, verdict
from agent.extractive.language.quantities import find_dates
from agent.extractive.planner.conditions import Condition
from agent.extractive.planner.decomposition import Decomposition, Step

MOST_NAMED = 12
"""Members that stay open up to which they are named."""


FEW_RANKED = "what the members are ranked by was found of half of them at most"
NOT_RANKED = "what was found of the members is nothing that they could be ranked by"
ALONE = "only one was found of those that are compared, or counted"
NO_BOUND = "what the members are compared with was not found, or is unsure"


class Line(Protocol):
    """A member with the values found for it."""

    name: str

    def text_of(self, step_id: str) -> str:
        """Return the values of one step."""
        ...

    def values_of(self, step_id: str) -> list[str]:
        """Return the values of one step, each once."""
        ...

    def is_sure(self, step_id: str) -> bool:
        """Whether the values of one step were found and are proven by what they cite."""
        ...


L = TypeVar("L", bound=Line)


@dataclass(frozen=True, slots=True)
class Kept(Generic[L]):
    """The members that meet every condition, as far as what was found settles it."""

    lines: list[L]
    said: str = ""
    """How many meet the conditions, or among how many the most was sought."""
    shown: int = 0
    """Members that are shown to meet them."""
    open: int = 0
    """Members of which it stays open whether they meet the conditions."""
    unsettled: tuple[str, ...] = ()
    """Their names."""
    hedged: bool = False
    """Whether those kept are the most only among some: a value that they compare with lacks, or is unsure."""
    withheld: str = ""
    """Why nothing should be asserted, "" where something may be."""
    none: bool = False
    """Whether all members are shown not to meet the conditions."""


def keep_members(
    reading: Decomposition, lines: Sequence[L], found: Mapping[str, Sequence[str]] | None = None
) -> Kept[L]:
    """Return the members that meet every condition, and how many stay open.

    A member whose value is unknown or does not tell is left out: nothing shows that it belongs, and
    nothing that it does not. `found` has what steps about no member found, by their ids: bounds that
    others are held against.
    """
    if len(lines) == 1 and not reading.members and _chooses_of_several(reading):
        return Kept(list(lines), withheld=ALONE)
    kept = list(lines)
    met: dict[str, list[bool | None]] = {line.name: [] for line in lines}
    ranked = ""
    hedged = False
    for step in distinct_steps(reading.steps):
        condition = step.condition
        if condition is None:
            continue
        column = column_of(step)
        if condition.kind in ("max", "min"):
            few = 2 * sum(bool(line.text_of(column)) for line in kept) <= len(kept)
            if reading.members and not few and not _all_ranked(kept, column, condition):
                # "Who died first, A, B or C?": what is known of A and B alone rules nothing.
                ranked = "Not every value that this compares was found; what was found of each:"
                continue
            if any(_all_met(one) is None for one in met.values()):
                return Kept(list(lines), withheld="it stays open among which members it is")
            if few:
                return Kept(list(lines), withheld=FEW_RANKED)
            compared = kept
            kept = extremes(compared, column, condition)
            if not kept:
                return Kept(list(lines), withheld=NOT_RANKED)
            first = kept[: condition.top]
            if _compare(compared, column) and _within_a_year(compared, first, column):
                return Kept(
                    list(lines), withheld="which it is hangs on a date told by its year alone"
                )
            if any(not line.is_sure(column) for line in kept if line.text_of(column)):
                return Kept(list(lines), withheld="which it is hangs on a value that is unsure")
            ranked = _among(compared, column)
            hedged = bool(ranked)
            # What comes after is asked of those that are the most alone.
            met = {line.name: met[line.name] for line in kept}
            continue
        bounds = (found or {}).get(condition.against, ())
        if condition.against and not _bounds(condition, bounds):
            return Kept(list(lines), withheld=NO_BOUND)
        told = {line.name: _told(line, column, condition, bounds) for line in kept}
        for line in kept:
            met[line.name].append(told[line.name] if line.is_sure(column) else None)
        kept = _still_meant(kept, told, column, condition, counted=reading.counted)
    truths = [_all_met(one) for one in met.values()]
    if not any(met.values()):
        return Kept(kept, ranked, len(kept), hedged=hedged)
    shown, open_ = truths.count(True), truths.count(None)
    if not shown and len(met) < len(lines) and not reading.counted:
        return Kept(list(lines), withheld="none of those that are the most meets the condition")
    if open_ and not shown:
        return Kept(kept, open=open_, withheld="of no member it is shown that it is meant")
    said = f"{shown} of {len(met)} meet the condition, by the values cited:"
    unsettled = tuple(name for name, truth in zip(met, truths, strict=True) if truth is None)
    if open_:
        named = f" ({', '.join(unsettled)})" if open_ <= MOST_NAMED else ""
        said = f"{shown} of {len(met)} are shown to meet the condition, {open_} stay open{named}:"
    kept.sort(key=lambda line: line.name in unsettled)  # what is shown stands before what is not
    none = not shown and not ranked
    return Kept(kept, ranked or said, shown, open_, unsettled, hedged, none=none)


def _still_meant(
    lines: Sequence[L],
    told: Mapping[str, bool | None],
    column: str,
    condition: Condition,
    *,
    counted: bool,
) -> list[L]:
    """The members that a condition leaves: those that meet it, and some that are not sure to fail.

    Of a statement that is not shown to be denied, that is; more of them than meet it would hide those,
    and what is counted is "at least".
    """
    # Of "which are not …" a member of which nothing is said may be one.
    silent = None if condition.kind == "no" else True
    met = [line for line in lines if told[line.name] in (True, silent)]
    doubted = [line for line in lines if told[line.name] is False and not line.is_sure(column)]
    few = condition.kind in ("yes", "no") and len(doubted) <= len(met) and not counted
    return [line for line in lines if line in met or (few and line in doubted)]


def _chooses_of_several(reading: Decomposition) -> bool:
    """Whether the most are sought among members, or those counted that meet a condition."""
    kinds = {step.condition.kind for step in reading.steps if step.condition is not None}
    return bool(kinds & {"max", "min"} or (kinds and reading.counted))


def _bounds(condition: Condition, found: Sequence[str]) -> bool:
    """Whether what a step found bounds a value: names, or one measure."""
    if condition.kind == "in":
        return bool(found)
    measures = {one.bound for text in found[:1] if (one := bound_to(condition, text))}
    others = {one.bound for text in found[1:] if (one := bound_to(condition, text))}
    return bool(measures) and others <= measures


def _told(line: Line, column: str, condition: Condition, bounds: Sequence[str]) -> bool | None:
    """Whether a member meets a condition by its values; None where they do not tell, or differ."""
    if condition.against and not _bounds(condition, bounds):
        return None
    values = line.values_of(column)
    if condition.kind == "in":
        among = {is_among(value, bounds) for value in values}
        return True if True in among else None if None in among or not among else False
    told = {verdict(condition, value, next(iter(bounds), "")) for value in values}
    return told.pop() if len(told) == 1 else None


def _among(lines: Sequence[Line], column: str) -> str:
    """Among how many the most was sought and whose value is unsure, "" where nothing is amiss."""
    known = [line for line in lines if line.text_of(column)]
    doubted = [line.name for line in known if not line.is_sure(column)]
    parts = [f"Among the {len(known)} of {len(lines)} whose value was found"] * (
        len(known) < len(lines)
    )
    if doubted:
        named = f" ({', '.join(doubted)})" if len(doubted) <= MOST_NAMED else ""
        be = "is" if len(doubted) == 1 else "are"
        parts.append(f"unsure, since {len(doubted)} of the compared values {be}{named}")
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]}:" if said else ""


def _all_met(met: Sequence[bool | None]) -> bool | None:
    """Whether a member meets all conditions; None where one stays open and none fails."""
    return False if False in met else None if None in met else True


def _all_ranked(lines: Sequence[L], column: str, condition: Condition) -> bool:
    return all(_rank_of(line, column, condition) is not None for line in lines)


def extremes(lines: Sequence[L], column: str, condition: Condition) -> list[L]:
    """Return the members with the largest or smallest values, as many as the condition keeps.

    Those with the same value as the last of them are kept as well, and behind them those at the other
    end where both are asked for.
    """
    if condition.both:
        one_end = replace(condition, both=False)
        other = replace(one_end, kind="min" if condition.kind == "max" else "max")
        kept = extremes(lines, column, one_end)
        return [*kept, *(line for line in extremes(lines, column, other) if line not in kept)]
    measured = [
        (value, line) for line in lines if (value := _rank_of(line, column, condition)) is not None
    ]
    if not _compare(lines, column):
        return list(lines)
    measured.sort(key=lambda pair: pair[0], reverse=condition.kind == "max")
    last = measured[: condition.top][-1:]
    return [
        line
        for place, (value, line) in enumerate(measured)
        if place < condition.top or any(isclose(value, one) for one, _ in last)
    ]


def _compare(lines: Sequence[Line], column: str) -> bool:
    return comparable([value for line in lines for value in line.values_of(column)])


def _within_a_year(lines: Sequence[L], kept: Sequence[L], column: str) -> bool:
    """Whether a member may be the one instead of another that is: one's date lies within the other's."""
    taken = {line.name for line in kept}
    dates = [
        (line.name, moment)
        for line in lines
        for value in line.values_of(column)
        if (moment := moment_of(value)) is not None
    ]
    return any(
        in_no_order(one, other)
        for name, one in dates
        for beside, other in dates
        if name in taken and beside not in taken
    )


def _rank_of(line: Line, column: str, condition: Condition) -> float | None:
    """What a member is ranked by: of several values the one that ranks first."""
    values = [value for text in line.values_of(column) if (value := measure(text)) is not None]
    if condition.dimension == "age" and any(map(find_dates, line.values_of(column))):
        values = [-value for value in values]  # the earlier the date, the older
    return (max if condition.kind == "max" else min)(values, default=None)


def ruled(
    reading: Decomposition, lines: Sequence[Line], found: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Yes or no of a statement about all members, or any, by its conditions; "" where open."""
    conditions = [
        (step, step.condition)
        for step in distinct_steps(reading.steps)
        if step.condition is not None and step.condition.kind in ("yes", "no", "number", "date")
    ]
    if not conditions or not lines:
        return ""
    truths = [
        _all_met(
            [
                _told(line, column_of(step), one, (found or {}).get(one.against, ()))
                for step, one in conditions
            ]
        )
        for line in lines
    ]
    settling = reading.combine == "any"
    if settling in truths:
        return "Yes" if settling else "No"
    return "" if None in truths else "No" if settling else "Yes"


def distinct_steps(steps: Sequence[Step]) -> list[Step]:
    """Return one step for each column: those that ask the same of different members are one."""
    return list({column_of(step): step for step in steps}.values())


def column_of(step: Step) -> str:
    """Return under which column of the members' table a step's values stand."""
    return step.column or step.id
