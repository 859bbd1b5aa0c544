"""What is counted, ranked and held against bounds, where a value is missing, unsure or another measure."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent.extractive.composer.computation import combined, gap_between
from agent.extractive.composer.lines import Cell, MemberLine
from agent.extractive.composer.measures import comparable, measure
from agent.extractive.composer.membership import FEW_RANKED, NOT_RANKED, keep_members, ruled
from agent.extractive.composer.verdict import is_among
from agent.extractive.planner.decomposition import Decomposition
from agent.types import Citation, Status, SubAnswer
from tests.reasoners import chunk
from tests.unit.agent.extractive.composer.test_composition import Found, composed
from tests.unit.agent.extractive.planning import planned

MOONS = "set: What are the moons of Vella?"
WIDEST = (MOONS, "most: How wide is {1}?")
NAMES = ("Ro", "Vo", "Kern", "Ostby")


def reading(*lines: str, operator: str = "give") -> Decomposition:
    return planned("Which moons of Vella?", operator, *lines)


def moons(*values: str | Sequence[str], step: str = "2") -> list[MemberLine]:
    """Moons with the values of one step, none for ""."""
    lines = []
    for name, value in zip(NAMES, values, strict=False):
        found = [value] if isinstance(value, str) else value
        cells = [Cell(value=one, marks=(1,)) for one in found if one]
        lines.append(MemberLine(name=name, cells={step: cells} if cells else {}))
    return lines


def kept(read: Decomposition, lines: list[MemberLine], **found: str) -> list[str]:
    bounds = {key.strip("_"): (value,) for key, value in found.items()}
    return [line.name for line in keep_members(read, lines, bounds).lines]


def test_what_is_not_among_the_widest_does_not_count_among_those_that_meet_a_condition() -> None:
    read = reading(MOONS, "most 2: How wide is {1}?", "> 1700: When was {1} found?")
    lines = moons("90 km", "80 km", "70 km", "60 km")
    for line, year in zip(lines, ("1650", "1801", "1802", "1803"), strict=True):
        line.cells["3"] = [Cell(value=year, marks=(1,))]
    left = keep_members(read, lines)
    assert ([line.name for line in left.lines], left.shown) == (["Vo"], 1)
    assert left.said.startswith("1 of 2 meet")


def test_those_that_are_as_wide_as_the_widest_are_the_widest_as_well() -> None:
    assert kept(reading(*WIDEST), moons("80 km", "90 km", "90,000 m")) == ["Vo", "Kern"]
    assert kept(reading(MOONS, "most 2: How wide is {1}?"), moons("80 km", "90 km", "70 km")) == [
        "Vo",
        "Ro",
    ]


def test_both_ends_of_an_order_are_kept_where_both_are_asked_for() -> None:
    read = reading(MOONS, "least: How wide is {1}?", MOONS, "most: How wide is {3}?")
    assert kept(read, moons("80 km", "90 km", "70 km")) == ["Kern", "Vo"]


def test_one_thing_is_not_counted_as_all_that_meet_a_bound() -> None:
    lines = (MOONS, "> 50 km: How wide is {1}?")
    assert keep_members(reading(*lines, operator="count"), moons("90 km")).withheld
    assert kept(reading(*lines, operator="count"), moons("90 km", "80 km")) == ["Ro", "Vo"]
    assert kept(reading(*lines), moons("90 km")) == ["Ro"]


def test_of_members_of_which_half_have_no_value_none_is_the_widest() -> None:
    read = reading(*WIDEST)
    assert kept(read, moons("80 km", "90 km", "", "")) == list(NAMES)
    assert keep_members(read, moons("80 km", "90 km", "", "")).withheld == FEW_RANKED
    assert kept(read, moons("80 km", "90 km", "70 km", "")) == ["Vo"]


def test_of_members_whose_values_are_no_measures_none_is_the_widest() -> None:
    assert keep_members(reading(*WIDEST), moons("No", "No", "No", "No")).withheld == NOT_RANKED


def test_a_member_with_several_values_is_ranked_by_the_one_that_is_the_most() -> None:
    lines = moons(("10 km", "95 km"), "90 km")
    assert kept(reading(*WIDEST), lines) == ["Ro"]
    assert kept(reading(MOONS, "least: How wide is {1}?"), lines) == ["Ro"]


def test_a_member_whose_values_differ_in_what_they_say_of_a_bound_stays_open() -> None:
    left = keep_members(
        reading(MOONS, "> 50 km: How wide is {1}?"), moons(("10 km", "95 km"), "90 km", "20 km")
    )
    assert ([line.name for line in left.lines], left.shown, left.unsettled) == (["Vo"], 1, ("Ro",))


@pytest.mark.parametrize(
    ("bound", "values", "left"),
    [
        ("2,850 km", ("3,530", "900"), None),  # of what?
        ("3,530", ("2,850 km", "90 km"), None),
        ("2,850 km", ("900 people", "3,530 km"), ["Vo"]),
        ("2,850 km", ("900 km", "3,530 km"), ["Vo"]),
    ],
)
def test_members_are_held_against_a_bound_of_the_same_measure(
    bound: str, values: tuple[str, str], left: list[str] | None
) -> None:
    read = reading(MOONS, "find: How wide is Elm?", "> {2}: How wide is {1}?")
    found = keep_members(read, moons(*values, step="3"), {"2": (bound,)})
    assert (None if found.withheld else [line.name for line in found.lines]) == left


def test_a_bound_of_several_values_is_none() -> None:
    read = reading(MOONS, "find: How wide is Elm?", "> {2}: How wide is {1}?")
    lines = moons("80 km", "30 km", step="3")
    assert keep_members(read, lines, {"2": ("50 km", "90 km")}).withheld
    assert not keep_members(read, lines, {"2": ("50 km", "50,000 m")}).withheld


@pytest.mark.parametrize(
    ("bound", "value", "left"),
    [
        ("1900", "5 May 1900", None),
        ("3 May 1900", "1900", None),
        ("3 May 1900", "5 May 1900", ["Ro"]),
        ("1900", "5 May 1901", ["Ro"]),
        ("19th century", "1850", None),
        ("1850", "19th century", None),
        ("1850", "20th century", ["Ro"]),
    ],
)
def test_a_year_alone_tells_no_order_within_it(
    bound: str, value: str, left: list[str] | None
) -> None:
    read = reading(MOONS, "find: When was Elm found?", "> {2}: When was {1} found?")
    found = keep_members(read, moons(value, step="3"), {"2": (bound,)})
    assert (None if found.withheld else [line.name for line in found.lines]) == left


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (("19th century", "1850"), None),
        (("1890s", "1895"), None),
        (("19th century", "1750"), "Ro"),
    ],
)
def test_the_latest_is_not_told_by_a_time_that_holds_the_others(
    values: tuple[str, str], said: str | None
) -> None:
    found = keep_members(reading(MOONS, "most: When was {1} found?"), moons(*values))
    assert (None if found.withheld else found.lines[0].name) == said


def test_a_name_inside_another_is_not_among_those_named() -> None:
    assert not is_among("Nigeria", ["Niger"])
    assert is_among("Brod, Niger", ["Niger"])
    assert is_among("the U.S.", ["United States"]) is None
    assert is_among("Italy", ["France"]) is False
    assert is_among("the North Sea", ["Baltic Sea"]) is False  # both are of the Atlantic


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("1,200 km", "1200 km", "Yes"),
        ("1.2 km", "1,200 m", "Yes"),
        ("1.2 km", "1,300 m", "No"),
        ("U.S.", "United States", ""),
        ("Scotland", "England", ""),
        ("France", "Italy", "No"),
        ("Krone", "Norwegian krone", ""),
        ("3 May 1901", "May 3, 1901", "Yes"),
        ("1901", "3 May 1901", ""),
    ],
)
def test_values_are_the_same_by_what_they_mean(first: str, second: str, said: str) -> None:
    read = planned("Are they the same?", "same", "names: Ro | Vo", "ask: What is it of {1}?")
    lines = moons(first, second, step=read.steps[-1].column)
    assert combined(read, lines) == said


@pytest.mark.parametrize(
    ("values", "gap"),
    [
        (("2 km", "900 m"), "1,100 m"),
        (("2 km", "900 km"), "898 km"),
        (("1 kg", "500 g"), "0.5 kg"),
        (("30 °C", "86 °F"), ""),
        (("$30 million", "€20 million"), ""),
        (("$30 million", "$20 million"), "10 million $"),
        (("4,495 million km", "2,871 million km"), "1,624 million km"),
        (("4.5 billion km", "871 million km"), "3,629,000,000 km"),
    ],
)
def test_what_is_computed_is_of_one_unit(values: tuple[str, str], gap: str) -> None:
    assert gap_between(values) == gap


@pytest.mark.parametrize(
    ("texts", "same"),
    [
        (("30 °C", "86 °F"), False),
        (("30 °C", "40 °C"), True),
        (("$30", "€20"), False),
        (("$30", "20 dollars"), True),
        (("11 km/s", "40,000 km/h"), True),
        (("9:30", "9:10"), True),
        (("9:30", "2:05:42"), False),
        (("9:30", "10"), False),
    ],
)
def test_values_compare_that_measure_the_same(texts: tuple[str, str], same: bool) -> None:
    assert comparable(texts) is same


@pytest.mark.parametrize(
    ("value", "measured"),
    [
        ("97 (as of 2025)", 97),
        ("about 90,000 (2019)", 90_000),
        ("2,100,000 in 2019", 2_100_000),
        ("12 km (7 mi)", 12_000),
        ("(c. 1,200)", 1_200),
        ("1850", 1850),
        ("5–7 July 1901", 1901.5),
        ("3rd of July 1901", 1901.5),
        ("Flight 9, July 1901", 1901.5),
        ("July 1901 (with 3 men)", 1901.5),
        ("several", None),
    ],
)
def test_a_number_is_not_the_year_that_it_is_of(value: str, measured: float | None) -> None:
    found = measure(value)
    assert found == (None if measured is None else pytest.approx(measured, abs=0.02))


def test_speeds_and_times_of_day_are_ranked_by_what_they_measure() -> None:
    assert kept(reading(MOONS, "most: How fast is {1}?"), moons("11 km/s", "4,000 km/h")) == ["Ro"]
    opened = reading(MOONS, "least: When does {1} open?")
    assert kept(opened, moons("9:30", "9:10", "10:05")) == ["Vo"]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("> 9:30: When does {1} open?", ["Vo", "Kern"]),
        ("between 9:30 and 10:15: When does {1} open?", ["Vo"]),
        ("< 9:45: When does {1} open?", ["Ro"]),
        ("> 2:05:42: When does {1} open?", None),
        ("between 9 and 10:15: When does {1} open?", None),
    ],
)
def test_members_are_held_against_times(line: str, left: list[str] | None) -> None:
    found = keep_members(reading(MOONS, line), moons("9:05", "9:45", "10:30"))
    assert (None if found.withheld else [one.name for one in found.lines]) == left


def test_nothing_is_made_of_members_while_it_stays_open_which_they_are() -> None:
    found: list[Found] = [
        ("1", "What are the moons of Vella?", "answered", ("Ro", "Vo", "Kern")),
        ("2.1", "How wide is Ro?", "answered", ("80 km",)),
        ("2.2", "How wide is Vo?", "answered", ("90 km",)),
        ("2.3", "How wide is Kern?", "answered", ("wide",)),
        ("3.1", "How heavy is Ro?", "answered", ("3 kg",)),
        ("3.2", "How heavy is Vo?", "answered", ("4 kg",)),
    ]
    lines = (MOONS, "> 50 km: How wide is {1}?", "ask: How heavy is {1}?")
    made = composed(lines, found, operator="sum")
    assert made.text == ""
    assert "stays open" in made.withheld
    settled = [(*one[:3], ("20 km",)) if one[0] == "2.3" else one for one in found]
    assert composed(lines, settled, operator="sum").text.startswith("7 kg")


@pytest.mark.parametrize(("values", "counted"), [("90 km", "At least 2"), ("wide", "")])
def test_nothing_is_counted_while_more_stay_open_than_are_shown(values: str, counted: str) -> None:
    found: list[Found] = [
        ("1", "What are the moons of Vella?", "answered", ("Ro", "Vo", "Kern")),
        ("2.1", "How wide is Ro?", "answered", ("80 km",)),
        ("2.2", "How wide is Vo?", "answered", (values,)),
        ("2.3", "How wide is Kern?", "answered", ("wide",)),
    ]
    made = composed((MOONS, "> 50 km: How wide is {1}?"), found, operator="count")
    assert made.text.partition(" (")[0] == counted
    assert ("stays open" in made.withheld) is not bool(counted)
    # Of a less likely plan, "at least" is no answer to how many.
    lines = (MOONS, "> 50 km: How wide is {1}?")
    assert composed(lines, found, operator="count", guessed=True).text == ""


def test_a_margin_is_told_of_two() -> None:
    lines = ("names: Ro | Vo | Kern", "most: How wide is {1}?")
    found: list[Found] = [
        ("1", "How wide is Ro?", "answered", ("80 km",)),
        ("2", "How wide is Vo?", "answered", ("70 km",)),
        ("3", "How wide is Kern?", "answered", ("20 km",)),
    ]
    assert "60" not in composed(lines, found, operator="difference").text
    two = composed(("names: Ro | Vo", lines[1]), found[:2], operator="difference")
    assert two.text.startswith("Ro, by 10 km")


@pytest.mark.parametrize("third", ["not_found", "unsure"])
def test_the_most_of_those_whose_value_is_known_is_unsure(third: Status) -> None:
    found: list[Found] = [
        ("1", "What are the moons of Vella?", "answered", ("Ro", "Vo", "Kern")),
        ("2.1", "How wide is Ro?", "answered", ("80 km",)),
        ("2.2", "How wide is Vo?", "answered", ("90 km",)),
        ("2.3", "How wide is Kern?", third, ("20 km",) if third == "unsure" else ()),
    ]
    assert composed(WIDEST, found, "short").text.splitlines() == ["Vo: 90 km", "(unsure)"]
    said, line = composed(WIDEST, found, "long").text.splitlines()
    assert ("Among the 2 of 3" in said, "Unsure" in said) == (
        third == "not_found",
        third == "unsure",
    )
    assert line == "- Vo: 90 km"


def test_a_list_of_which_some_is_not_proven_is_not_the_whole() -> None:
    page = chunk(1, "Moon: Ro\nMoon: Vo\nMoon: Kern", "Vella")
    citations = tuple(
        Citation(
            number=number, chunk_id=page.id, revision=page.revision, start=0, end=8, quote=quote,
            support="unsure" if name == "Kern" else "supported",
        )
        for number, (name, quote) in enumerate(
            [("Ro", "Moon: Ro"), ("Vo", "Moon: Vo"), ("Kern", "Moon: Kern")], start=1
        )
    )  # fmt: skip
    listed = SubAnswer(
        sub_question_id="1", status="answered", text="Ro, Vo", items=("Ro", "Vo"), citations=citations
    )  # fmt: skip
    found: list[Found] = [("1", "What are the moons of Vella?", "answered", ("Ro", "Vo"))]
    assert composed((MOONS,), found, operator="count").text.startswith("2 ")
    partly = composed((MOONS,), found, operator="count", answers=[listed])
    assert partly.text.startswith("At least 2 ")
    wide: list[Found] = [
        *found,
        ("2.1", "How wide is Ro?", "answered", ("80 km",)),
        ("2.2", "How wide is Vo?", "answered", ("90 km",)),
    ]
    most = composed(WIDEST, wide, "short", answers=[listed])
    assert most.text.splitlines() == ["Vo: 90 km", "(unsure)"]
    none = composed((MOONS, "> 100 km: How wide is {1}?"), wide, answers=[listed])
    assert (none.text, "is proven" in none.withheld) == ("", True)


def test_a_no_of_any_needs_every_value() -> None:
    read = planned("Is any of them wider than 90 km?", "any", MOONS, "> 90 km: How wide is {1}?")
    assert ruled(read, moons("20 km", "30 km")) == "No"
    assert ruled(read, moons("20 km", "")) == ""
    assert ruled(read, moons(("20 km", "95 km"), "30 km")) == ""
