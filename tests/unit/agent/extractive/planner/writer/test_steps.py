"""From written lines to steps, conditions and members."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.conditions import Condition
from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.writer.program import KINDS, OPERATORS, Line
from agent.extractive.planner.writer.steps import COMBINES, reading_of
from tests.unit.agent.extractive.planning import planned, written

LAKES = "set: What are the lakes?"
RIVERS = "names: the Rhine | the Elbe"


def plan(*lines: str, operator: str = "give") -> Decomposition:
    """The plan that written steps tell."""
    return planned("Which of them?", operator, *lines)


def condition(line: str) -> Condition | None:
    """What the members of a set must meet."""
    return plan(LAKES, line).steps[1].condition


def texts(reading: Decomposition) -> list[str]:
    return [step.text for step in reading.steps]


def test_what_is_found_on_the_way_is_asked_first() -> None:
    reading = plan("find: Who directed Jaws?", "ask: Where was {1} born?")
    assert texts(reading) == ["Who directed Jaws?", "Where was {1} born?"]
    assert [step.role for step in reading.steps] == ["bridge", "value"]
    assert reading.steps[1].depends_on == ("1",)


def test_members_are_those_for_which_it_is_so_or_not() -> None:
    reading = plan(LAKES, "is: Does {1} freeze?", "not: Is {1} salty?")
    assert reading.set_step is reading.steps[0]
    kinds = [step.condition and step.condition.kind for step in reading.steps]
    assert kinds == [None, "yes", "no"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            "> 90 metres: How deep is {1}?",
            Condition(kind="number", comparator=">", bound=90, dimension="length"),
        ),
        (
            "<= 2 km: How long is {1}?",
            Condition(kind="number", comparator="<=", bound=2000, dimension="length", scaled=True),
        ),
        ("= 3: How many islands does {1} have?", Condition(kind="number", bound=3)),
        (
            "between 10 km and 20 km: How long is {1}?",
            Condition(
                kind="number",
                comparator="between",
                bound=10_000,
                upper=20_000,
                dimension="length",
                scaled=True,
            ),
        ),
        ("< 1800: When was {1} mapped?", Condition(kind="date", comparator="<", bound=1800)),
        (
            ">= 1950: In what year did {1} freeze?",
            Condition(kind="date", comparator=">=", bound=1950),
        ),
        (
            "= the 1990s: When did {1} freeze?",
            Condition(kind="date", comparator="between", bound=1990, upper=1999),
        ),
        (
            "between 1801 and 1900: When was {1} mapped?",
            Condition(kind="date", comparator="between", bound=1801, upper=1900),
        ),
        ("most: How deep is {1}?", Condition(kind="max")),
        ("most 3: How deep is {1}?", Condition(kind="max", top=3)),
        ("least 2: When was {1} mapped?", Condition(kind="min", top=2)),
    ],
)
def test_members_are_held_against_a_bound(line: str, wanted: Condition) -> None:
    assert condition(line) == wanted


def test_both_ends_of_a_bound_have_the_unit_that_is_told_once() -> None:
    told = condition("between 10 and 20 km: How long is {1}?")
    assert told == condition("between 10 km and 20 km: How long is {1}?")


def test_a_bound_may_be_what_another_step_finds() -> None:
    reading = plan(LAKES, "find: How deep is Loch Ness?", "> {2}: How deep is {1}?")
    assert reading.steps[2].condition == Condition(kind="number", comparator=">", against="2")
    dated = plan("find: When was Bo born?", "set: Who are the poets?", "< {1}: When was {2} born?")
    assert dated.steps[2].condition == Condition(kind="date", comparator="<", against="1")
    aged = plan("find: How old is Crail?", "set: What are the towns?", "> {1}: How old is {2}?")
    assert aged.steps[2].condition == Condition(
        kind="number", comparator=">", against="1", dimension="age"
    )


def test_an_answer_may_have_to_be_among_what_another_step_lists() -> None:
    reading = plan(
        "set: Who are the poets?", "set: What are the Nordic lands?", "in {2}: Where was {1} born?"
    )
    assert [step.role for step in reading.steps] == ["set", "bridge", "value"]
    assert reading.steps[2].condition == Condition(kind="in", against="2")


def test_the_same_is_asked_of_every_name() -> None:
    reading = plan(RIVERS, "ask: How long is {1}?", "ask: Where does {1} rise?")
    assert reading.members == ("Rhine", "Elbe")
    assert texts(reading) == [
        "How long is the Rhine?",
        "How long is the Elbe?",
        "Where does the Rhine rise?",
        "Where does the Elbe rise?",
    ]
    assert [step.member for step in reading.steps] == ["Rhine", "Elbe"] * 2
    assert len({step.column for step in reading.steps}) == 2


def test_what_follows_from_a_name_is_asked_of_every_name() -> None:
    reading = plan("names: Jaws | Alien", "find: Who directed {1}?", "ask: Where was {2} born?")
    assert texts(reading) == [
        "Who directed Jaws?",
        "Who directed Alien?",
        "Where was {1} born?",
        "Where was {2} born?",
    ]


def test_a_thing_to_be_found_may_stand_among_the_names() -> None:
    reading = plan("find: Who directed Alien?", "names: Bo Lee | {1}", "least: When was {2} born?")
    assert texts(reading) == [
        "Who directed Alien?",
        "When was Bo Lee born?",
        "When was {1} born?",
    ]
    assert len(reading.members) == 2
    assert reading.steps[2].depends_on == ("1",)


def test_conditions_come_before_what_is_asked() -> None:
    reading = plan("set: Who are the poets?", "ask: When did {1} die?", "is: Was {1} a doctor?")
    assert texts(reading) == ["Who are the poets?", "Was {1} a doctor?", "When did {1} die?"]
    assert reading.steps[2].depends_on == ("1", reading.steps[1].id)


def test_a_ranked_difference_asks_for_the_margin() -> None:
    ranked = plan(RIVERS, "most: How long is {1}?", operator="difference")
    assert (ranked.margin, ranked.combine) == (True, "")
    plain = plan(RIVERS, "ask: How long is {1}?", operator="difference")
    assert (plain.margin, plain.combine) == (False, "difference")


def test_what_is_asked_before_the_ranking_is_asked_of_each() -> None:
    asked, ranked = "ask: Where does {1} rise?", "most: How long is {1}?"
    assert plan(RIVERS, asked, ranked).of_each
    assert not plan(RIVERS, ranked, asked).of_each
    assert not plan(RIVERS, asked).of_each


@pytest.mark.parametrize(("operator", "combine"), COMBINES.items())
def test_the_operator_says_what_is_made_of_the_values(operator: str, combine: str) -> None:
    assert plan(RIVERS, "ask: How long is {1}?", operator=operator).combine == combine


def test_only_members_are_counted() -> None:
    assert plan(LAKES, operator="count").counted
    assert not plan("ask: How many people live in Oslo?", operator="count").counted


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["ask: Where was {2} born?", "find: Who directed Jaws?"],
        ["ask: Where was {1} born?"],
        [LAKES, "> {3}: How deep is {1}?", "find: How deep is Loch Ness?"],
        [RIVERS],
        [RIVERS, "names: the Po | the Inn", "ask: How long is {1}?"],
        [LAKES, "> deep: How deep is {1}?"],
        [LAKES, "between here and there: How deep is {1}?"],
        [RIVERS, "in {1}: Where does {1} rise?"],
        [LAKES, "between {1} and {1}: How deep is {1}?"],
        # What is found and never asked about chose among what is asked.
        ["find: Who built the canal?", RIVERS, "ask: How long is {2}?"],
        [LAKES, RIVERS, "ask: How long is {2}?"],
        [RIVERS, "is: Does {1} freeze?", "ask: How long is {2}?"],
        # Whoever wants the lake named wants the member, not something of it.
        [LAKES, "ask: What is the lake of {1}?"],
        # A name that nothing is told of.
        [LAKES, "not: Is Windermere?", "ask: How deep is {1}?"],
        [LAKES, "is: Is {1}?", "ask: How deep is {1}?"],
        ["find: What is the city of Oslo?", "ask: Who founded {1}?"],
    ],
)
def test_lines_that_tell_no_plan_give_none(lines: list[str]) -> None:
    assert reading_of("Which of them?", "give", written(*lines)) is None


@pytest.mark.parametrize(
    ("question", "line", "kind"),
    [
        ("Which of the lakes is the oldest?", "least: How old is {1}?", "max"),
        ("Which of the lakes is the oldest?", "most: How old is {1}?", "max"),
        ("Which of the lakes is the youngest?", "least: How old is {1}?", "min"),
        ("Which of the lakes is newer?", "most: How old is {1}?", "min"),
        ("Which of the lakes came first?", "least: How old is {1}?", "max"),
        ("Which of the lakes has the most of age?", "most: How old is {1}?", "max"),
        ("Which of the lakes has the fewest years?", "most: How old is {1}?", "min"),
    ],
)
def test_the_question_says_whether_the_oldest_is_meant(question: str, line: str, kind: str) -> None:
    condition = planned(question, "give", LAKES, line).steps[-1].condition
    assert condition is not None
    assert (condition.kind, condition.dimension) == (kind, "age")


@pytest.mark.parametrize(
    ("question", "kind"),
    [("Which of the lakes is the youngest?", "max"), ("Which of the lakes is the oldest?", "min")],
)
def test_the_youngest_has_the_latest_date(question: str, kind: str) -> None:
    for line in (
        "least: What is the birth date of {1}?",
        "most: What is the founding year of {1}?",
    ):
        condition = planned(question, "give", LAKES, line).steps[-1].condition
        assert condition is not None
        assert condition.kind == kind


@pytest.mark.parametrize(
    ("said", "steps"),
    [
        ("Who found Saturn's largest moon?", 2),
        ("How many people live in the largest city of Norway?", 2),
        ("When was the newest Ivy League university founded?", 2),
        ("What is Saturn's largest moon?", 1),
        ("Is Oslo the largest city of Norway?", 1),
        ("Which town has the oldest pub in Ireland?", 1),
        ("How high are the highest peaks of Norway and Sweden?", 1),
    ],
)
def test_what_a_superlative_describes_is_found_first(said: str, steps: int) -> None:
    reading = planned(said, "give", f"ask: {said}")
    assert len(reading.steps) == steps
    assert steps == 1 or reading.steps[0].role == "bridge"


def test_a_measure_of_each_is_asked_not_chosen_by() -> None:
    reading = planned(
        "Name each lake with its greatest depth.",
        "give",
        LAKES,
        "most: What is the greatest depth of {1}?",
    )
    assert [step.condition for step in reading.steps] == [None, None]
    deepest = planned("Which is the deepest of them?", "give", LAKES, "most: How deep is {1}?")
    assert deepest.steps[-1].condition is not None


LINES = st.builds(
    Line,
    st.sampled_from(KINDS),
    st.sampled_from(["", "{1}", "{2}", "3", "1900", "the 1990s", "10 and 20 km", "deep"]),
    st.sampled_from(
        [
            "Who is Bo?",
            "Who is {1}?",
            "How deep is {2}?",
            "When was {3} built?",
            "Yale | Brown",
            "Yale | {1}",
        ]
    ),
)


@given(st.sampled_from(OPERATORS), st.lists(LINES, max_size=6))
def test_any_lines_give_none_or_a_plan_that_can_be_run(operator: str, lines: list[Line]) -> None:
    reading = reading_of("Which?", operator, lines)
    ids = [step.id for step in reading.steps] if reading is not None else []
    assert len(set(ids)) == len(ids)
    known: set[str] = set()
    for step in reading.steps if reading is not None else ():
        assert set(step.depends_on) <= known
        assert step.condition is None or step.condition.against in ("", *ids)
        known.add(step.id)
