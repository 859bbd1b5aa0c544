"""Which members of a set meet the conditions, which are the most, and which stay open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from agent.extractive.composer.measures import comparable, measure
from agent.extractive.composer.verdict import bound_to, is_among, verdict
from agent.extractive.language.quantities import find_dates
from agent.extractive.planner.conditions import Condition, holds
from agent.extractive.planner.decomposition import Decomposition, Step

MOST_NAMED = 12
"""Members that stay open up to which they are named."""


NO_BOUND = "what the members are compared with was not found, or is unsure"


class Line(Protocol):
    """A member with the values found for it."""

    name: str

    def text_of(self, step_id: str) -> str:
        """Return the values of one step."""
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
    doubted: tuple[str, ...] = ()
    """Members with an unsure value that those kept were compared with."""
    withheld: str = ""
    """Why nothing should be asserted, "" where something may be."""


def keep_members(
    reading: Decomposition, lines: Sequence[L], found: Mapping[str, Sequence[str]] | None = None
) -> Kept[L]:
    """Return the members that meet every condition, and how many stay open.

    A member whose value is unknown or does not tell is left out: nothing shows that it belongs, and
    nothing that it does not. `found` has what steps about no member found, by their ids: bounds that
    others are held against.
    """
    kept = list(lines)
    met: dict[str, list[bool | None]] = {line.name: [] for line in lines}
    ranked = ""
    doubted: tuple[str, ...] = ()
    for step in distinct_steps(reading.steps):
        condition = step.condition
        if condition is None:
            continue
        column = column_of(step)
        if condition.kind in ("max", "min"):
            if reading.members and not _all_ranked(kept, column, condition):
                # "Who died earlier, A or B?": what is known of A alone rules nothing.
                ranked = "Not every value that this compares was found; what was found of each:"
                continue
            if any(_all_met(one) is None for one in met.values()):
                return Kept(list(lines), withheld="it stays open among which members it is")
            if len(lines) == 1 and not reading.members:
                return Kept(list(lines), withheld="only one was found of those that are compared")
            compared = kept
            kept = extremes(compared, column, condition)
            if _within_a_year(compared, kept, column):
                return Kept(
                    list(lines), withheld="which it is hangs on a date told by its year alone"
                )
            if any(not line.is_sure(column) for line in kept if line.text_of(column)):
                return Kept(list(lines), withheld="which it is hangs on a value that is unsure")
            doubted = _unsure(compared, column)
            ranked = _among(compared, column, doubted)
            continue
        against = (found or {}).get(condition.against, ())
        if condition.kind == "in" and not against:
            return Kept(list(lines), withheld=NO_BOUND)
        if condition.against and condition.kind != "in":
            bounded = bound_to(condition, against[0]) if against else None
            if bounded is None:
                return Kept(list(lines), withheld=NO_BOUND)
            condition = bounded
        for line in kept:
            text = line.text_of(column)
            among = is_among(text, against) if text else None
            told = among if condition.kind == "in" else holds(condition, text)
            met[line.name].append(told if told is None or line.is_sure(column) else None)
        kept = [line for line in kept if _belongs(condition, line.text_of(column), against)]
    truths = [_all_met(one) for one in met.values()]
    if not any(met.values()):
        return Kept(kept, ranked, len(kept), doubted=doubted)
    shown, open_ = truths.count(True), truths.count(None)
    if open_ and not shown:
        return Kept(kept, open=open_, withheld="of no member it is shown that it is meant")
    said = f"{shown} of {len(lines)} meet the condition, by the values cited:"
    unsettled = tuple(name for name, truth in zip(met, truths, strict=True) if truth is None)
    if open_:
        named = f" ({', '.join(unsettled)})" if open_ <= MOST_NAMED else ""
        said = f"{shown} of {len(lines)} are shown to meet the condition, {open_} stay open{named}:"
    kept.sort(key=lambda line: line.name in unsettled)  # what is shown stands before what is not
    return Kept(kept, ranked or said, shown, open_, unsettled, doubted)


def _unsure(lines: Sequence[Line], column: str) -> tuple[str, ...]:
    """The members whose value was found, and is not proven."""
    return tuple(one.name for one in lines if one.text_of(column) and not one.is_sure(column))


def _among(lines: Sequence[Line], column: str, doubted: Sequence[str]) -> str:
    """Among how many the most was sought and whose value is unsure, "" where nothing is amiss."""
    known = sum(1 for line in lines if line.text_of(column))
    parts = [f"Among the {known} of {len(lines)} whose value was found"] * (known < len(lines))
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
    return all(_rank_of(line.text_of(column), condition) is not None for line in lines)


def _belongs(condition: Condition, value: str, names: Sequence[str]) -> bool:
    """Whether a member is shown; one that nothing is said of only for "which are not …"."""
    if condition.kind == "in":
        return is_among(value, names)
    met = holds(condition, value)
    return condition.kind == "no" if met is None else met


def extremes(lines: Sequence[L], column: str, condition: Condition) -> list[L]:
    """Return the members with the largest or smallest values, as many as the condition keeps."""
    measured = [
        (value, line)
        for line in lines
        if (value := _rank_of(line.text_of(column), condition)) is not None
    ]
    if not comparable([line.text_of(column) for line in lines]):
        return list(lines)
    measured.sort(key=lambda pair: pair[0], reverse=condition.kind == "max")
    return [line for _, line in measured[: condition.top]]


def _within_a_year(lines: Sequence[L], kept: Sequence[L], column: str) -> bool:
    """Whether a member that was left out may be the one: its date, or theirs, is told by the year alone."""
    taken = {line.name for line in kept}
    dates = {line.name: find_dates(line.text_of(column))[:1] for line in lines}
    last = [date for name, (date,) in ((n, d) for n, d in dates.items() if d) if name in taken]
    rest = [date for name, (date,) in ((n, d) for n, d in dates.items() if d) if name not in taken]
    return any(
        one.year == other.year and not (one.month and other.month) for one in last for other in rest
    )


def _rank_of(text: str, condition: Condition) -> float | None:
    value = measure(text)
    if value is not None and condition.dimension == "age" and find_dates(text):
        # The earlier the date, the older.
        return -value
    return value


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
    truths: list[bool | None] = []
    for line in lines:
        met = [
            verdict(
                one,
                line.text_of(column_of(step)),
                next(iter((found or {}).get(one.against, ())), ""),
            )
            for step, one in conditions
        ]
        truths.append(_all_met(met))
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
