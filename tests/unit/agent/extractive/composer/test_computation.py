from __future__ import annotations

import pytest

from agent.extractive.composer.computation import combined, gap_between
from agent.extractive.composer.lines import Cell, MemberLine
from agent.extractive.composer.measures import measure
from agent.extractive.composer.members import columns_of
from agent.extractive.composer.membership import FEW_RANKED, extremes, keep_members, ruled
from agent.extractive.finder.rows import compare
from agent.extractive.planner.conditions import Condition, holds
from tests.unit.agent.extractive.planning import planned

LAKES = "set: What are the lakes?"
DEEP = (LAKES, "> 90 metres: How deep is {1}?")
DEEPER = ("names: Erie | Huron", "most: How deep is {1}?")
BOTH = ("names: Ayr | Bute", "> 9 m: How deep is {1}?")
OLDER = ("find: How old is Crail?", "names: Ayr | Bute", "> {1}: How old is {2}?")
FIRTH = ("names: Ayr | Bute", "is: Does {1} lie on a firth?")
MONEY = ("names: Norway | Sweden", "ask: What is the currency of {1}?")


def line(name: str, **cells: str) -> MemberLine:
    return MemberLine(
        name=name,
        cells={key.strip("_"): [Cell(value=value, marks=(1,))] for key, value in cells.items()},
    )


def test_members_are_kept_by_their_values() -> None:
    reading = planned("Which of the lakes are more than 90 metres deep?", "give", *DEEP)
    lines = [line("Erie", _2="64 m"), line("Huron", _2="229 m"), line("Unknown")]
    kept = keep_members(reading, lines)
    assert [one.name for one in kept.lines] == ["Huron"]
    assert kept.said == "1 of 3 are shown to meet the condition, 1 stay open (Unknown):"
    settled = keep_members(reading, lines[:2])
    assert settled.said.startswith("1 of 2 meet the condition")
    assert (settled.shown, settled.open) == (1, 0)


def test_none_of_the_members_may_meet_the_condition() -> None:
    reading = planned("Which of the lakes are more than 90 metres deep?", "give", *DEEP)
    kept = keep_members(reading, [line("Erie", _2="64 m"), line("Saimaa", _2="82 m")])
    assert (kept.lines, kept.said[:5], kept.withheld) == ([], "0 of ", "")


def test_what_is_unsure_settles_nothing() -> None:
    doubtful = line("Huron", _2="229 m")
    doubtful.cells["2"][0].sure = False
    deep = planned("Which of the lakes are more than 90 metres deep?", "give", *DEEP)
    assert keep_members(deep, [line("Erie", _2="64 m"), doubtful]).withheld
    kept = keep_members(deep, [line("Ohrid", _2="288 m"), doubtful])
    assert (kept.shown, kept.open, kept.withheld) == (1, 1, "")
    deepest = planned("Which lake is deepest?", "give", LAKES, "most: How deep is {1}?")
    assert keep_members(deepest, [line("Erie", _2="64 m"), doubtful]).withheld
    assert keep_members(deepest, [line("Ohrid", _2="288 m"), doubtful]).lines[0].name == "Ohrid"


@pytest.mark.parametrize(("other", "kept"), [("229 m", ["Huron"]), ("", ["Erie", "Huron"])])
def test_nothing_is_chosen_where_a_value_is_not_known(other: str, kept: list[str]) -> None:
    reading = planned("Which is deeper, Erie or Huron?", "give", *DEEPER)
    column = columns_of(reading)[-1]
    found = {f"_{column}": other} if other else {}
    lines = [line("Erie", **{f"_{column}": "64 m"}), line("Huron", **found)]
    left = keep_members(reading, lines)
    assert [one.name for one in left.lines] == kept
    assert left.withheld == ("" if other else FEW_RANKED)


def test_extremes_compare_in_base_units() -> None:
    lines = [line("a", _2="2 km"), line("b", _2="900 m"), line("c", _2="no number")]
    longest = extremes(lines, "2", Condition(kind="max"))
    assert [one.name for one in longest] == ["a"]
    assert measure("born 4 March 1912") == pytest.approx(1912 + 2 / 12 + 3 / 372)
    assert measure("nothing") is None


@pytest.mark.parametrize(
    ("operator", "steps", "values", "result"),
    [
        (
            "sum",
            ("names: Malta | Cyprus", "ask: How many inhabitants does {1} have?"),
            ("500", "1,200"),
            "1,700",
        ),
        (
            "difference",
            ("names: Delhi | Mumbai", "ask: What is the population of {1}?"),
            ("30", "21"),
            "9",
        ),
        ("same", MONEY, ("Krone", "krone"), "Yes"),
        ("same", MONEY, ("Krone", "Euro"), "No"),
        ("same", MONEY, ("Krone", ""), ""),
        ("yesno", OLDER, ("Yes", "No"), "No"),
    ],
)
def test_results_are_computed_from_what_was_found(
    operator: str, steps: tuple[str, ...], values: tuple[str, str], result: str
) -> None:
    reading = planned("What is made of them?", operator, *steps)
    column = reading.steps[-1].column or reading.steps[-1].id
    lines = [line("x", **{column: values[0]}), line("y", **{column: values[1]})]
    if not values[1]:
        lines[1] = line("y")
    assert combined(reading, lines) == result


def test_conditions_hold_or_stay_open() -> None:
    assert holds(Condition(kind="yes"), "Yes: “it is”")
    assert holds(Condition(kind="no"), "No")
    assert holds(Condition(kind="yes"), "perhaps") is None
    assert holds(Condition(kind="date", comparator="<", bound=1750), "founded in 1701")
    assert holds(Condition(kind="number", comparator="between", bound=2, upper=4), "3")
    assert holds(Condition(kind="number", comparator=">", bound=2), "None") is False
    assert holds(Condition(kind="number", comparator=">", bound=2), "several") is None
    assert holds(Condition(kind="max"), "3") is None
    assert compare(3, "at least", 3)
    assert not compare(3, "before", 3)


def test_a_year_is_held_against_whole_years() -> None:
    in_1930 = Condition(kind="date", comparator="between", bound=1930, upper=1930)
    assert holds(in_1930, "August 5, 1930")
    assert not holds(Condition(kind="date", comparator=">", bound=1930), "August 5, 1930")
    assert holds(Condition(kind="date", comparator="<=", bound=1930), "August 5, 1930")


def test_values_of_one_thing_lie_apart() -> None:
    assert gap_between(["12 May 1901", "3 June 1950"]) == "49 years"
    assert gap_between(["30 km", "21 km"]) == "9 km"
    assert gap_between(["30 km", "1950"]) == ""
    assert gap_between(["30 km"]) == ""


@pytest.mark.parametrize(
    ("operator", "steps", "first", "second", "result"),
    [
        ("yesno", OLDER, "1200", "1300", "Yes"),
        ("yesno", OLDER, "1200", "1500", "No"),
        ("yesno", OLDER, "1200", "", ""),
        ("yesno", OLDER, "", "1500", "No"),
        ("any", BOTH, "12 m", "", "Yes"),
        ("any", BOTH, "2 m", "", ""),
        ("any", BOTH, "2 m", "3 m", "No"),
        ("yesno", FIRTH, "Yes", "No", "No"),
    ],
)
def test_statements_about_several_are_ruled_by_their_conditions(
    operator: str, steps: tuple[str, ...], first: str, second: str, result: str
) -> None:
    reading = planned("Is it true of Ayr and Bute?", operator, *steps)
    asked = next(step for step in reading.steps if step.condition is not None)
    column = asked.column or asked.id
    lines = [line("Ayr", **{column: first}), line("Bute", **{column: second} if second else {})]
    bound = "" if asked.condition is None else asked.condition.against
    assert ruled(reading, lines, {bound: ("1400",)}) == result


def test_none_measures_nothing() -> None:
    assert measure("None") == 0
    assert measure("None of it") is None
