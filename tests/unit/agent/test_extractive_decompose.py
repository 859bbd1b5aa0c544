from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.combine import combined, extremes, holds, keep_members, measure
from agent.extractive.compose import Cell, MemberLine
from agent.extractive.conditions import Condition
from agent.extractive.decompose import for_every_member, read_question
from agent.extractive.outline import definition_question, heading_question
from agent.extractive.rows import compare

PLANS = {
    "What is the capital of the country where Marie Curie was born?": [
        "What is the country where Marie Curie was born?",
        "What is the capital of {1}?",
    ],
    "Which is longer, the Nile or the Amazon?": [
        "How long is the Nile?",
        "How long is the Amazon?",
    ],
    "Who wrote Hamlet, Faust and Don Quixote?": [
        "Who wrote Hamlet?",
        "Who wrote Faust?",
        "Who wrote Don Quixote?",
    ],
    "How many of the five largest islands of Greece have more than 100,000 inhabitants?": [
        "What are the five largest islands of Greece?",
        "How many inhabitants does {1} have?",
    ],
    "What is the average height of the three highest mountains of Japan?": [
        "What are the three highest mountains of Japan?",
        "What is the height of {1}?",
    ],
    "When was the founder of IKEA born?": ["Who is the founder of IKEA?", "When was {1} born?"],
    "Do Norway and Sweden have the same head of state?": [
        "Who is the head of state of Norway?",
        "Who is the head of state of Sweden?",
    ],
    "Are both Lisbon and Porto older than Madrid?": [
        "Is Lisbon older than Madrid?",
        "Is Porto older than Madrid?",
    ],
    "Who is the mayor of the largest city in Texas?": [
        "What is the largest city in Texas?",
        "Who is the mayor of {1}?",
    ],
    "Name the first five presidents of France and their parties.": [
        "Who are the first five presidents of France?",
        "What is the party of {1}?",
    ],
    "What year was the university attended by Angela Merkel founded?": [
        "What is the university attended by Angela Merkel?",
        "What year was {1} founded?",
    ],
    "Which of the Beatles were born after 1940?": ["What are the Beatles?", "When was {1} born?"],
    "Who directed the film that won the Palme d'Or in 1994?": [
        "What is the film that won the Palme d'Or in 1994?",
        "Who directed {1}?",
    ],
    "What is the difference in population between Delhi and Mumbai?": [
        "What is the population of Delhi?",
        "What is the population of Mumbai?",
    ],
    "Tell me the names of the moons of Mars": ["What are the moons of Mars?"],
    "Which of the G7 countries are not in Europe?": [
        "What are the G7 countries?",
        "Is {1} in Europe?",
    ],
    "Which of the lakes are more than 90 metres deep?": [
        "What are the lakes?",
        "How deep is {1}?",
    ],
    "What are the names of the mayors of the capitals of Kenya and Ghana?": [
        "What is the capital of Kenya?",
        "What is the capital of Ghana?",
        "Who is the mayor of {1}?",
        "Who is the mayor of {2}?",
    ],
}


@pytest.mark.parametrize("question", PLANS)
def test_a_question_falls_into_its_steps(question: str) -> None:
    reading = for_every_member(read_question(question))
    assert [step.text for step in reading.steps] == PLANS[question]
    known = {step.id for step in reading.steps}
    assert all(before in known for step in reading.steps for before in step.depends_on)


def test_conditions_and_computations_are_read() -> None:
    reading = read_question(
        "How many of the five largest islands of Greece have more than 100,000 inhabitants?"
    )
    assert reading.counted
    condition = reading.steps[1].condition
    assert condition is not None
    assert (condition.kind, condition.comparator, condition.bound) == ("number", ">", 100_000)
    assert read_question("What is the average height of the hills of Rome?").combine == "average"
    assert read_question("Are both Lisbon and Porto older than Madrid?").combine == "all"
    deep = read_question("Which of the lakes are more than 90 metres deep?").steps[1].condition
    assert deep is not None
    assert (deep.kind, deep.bound, deep.dimension) == ("number", 90, "length")


@pytest.mark.parametrize("question", ["Why do cats purr?", "How does inflation affect savings?"])
def test_open_ended_questions_are_told_apart(question: str) -> None:
    assert read_question(question).open_ended


@given(st.text(max_size=200))
def test_any_text_gives_at_least_one_step(text: str) -> None:
    reading = for_every_member(read_question(text))
    assert reading.steps
    assert len({step.id for step in reading.steps}) == len(reading.steps)


def line(name: str, **cells: str) -> MemberLine:
    return MemberLine(
        name=name,
        cells={key.strip("_"): [Cell(value=value, marks=(1,))] for key, value in cells.items()},
    )


def test_members_are_kept_by_their_values() -> None:
    reading = read_question("Which of the lakes are more than 90 metres deep?")
    lines = [line("Erie", _2="64 m"), line("Huron", _2="229 m"), line("Unknown")]
    kept, said = keep_members(reading, lines)
    assert [one.name for one in kept] == ["Huron"]
    assert said.startswith("1 of 3 meet")


def test_extremes_compare_in_base_units() -> None:
    lines = [line("a", _2="2 km"), line("b", _2="900 m"), line("c", _2="no number")]
    longest = extremes(lines, "2", Condition(kind="max"))
    assert [one.name for one in longest] == ["a"]
    assert measure("born 4 March 1912") == pytest.approx(1912 + 2 / 12 + 3 / 372)
    assert measure("nothing") is None


@pytest.mark.parametrize(
    ("question", "values", "result"),
    [
        (
            "How many inhabitants do Malta and Cyprus have taken together?",
            ("500", "1,200"),
            "1,700",
        ),
        ("What is the difference in population between Delhi and Mumbai?", ("30", "21"), "9"),
        ("Do Norway and Sweden have the same currency?", ("Krone", "krone"), "Yes"),
        ("Do Norway and Sweden have the same currency?", ("Krone", "Euro"), "No"),
        ("Do Norway and Sweden have the same currency?", ("Krone", ""), ""),
        ("Are both Lisbon and Porto older than Madrid?", ("Yes", "No"), "No"),
    ],
)
def test_results_are_computed_from_what_was_found(
    question: str, values: tuple[str, str], result: str
) -> None:
    reading = for_every_member(read_question(question))
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
    assert holds(Condition(kind="number", comparator=">", bound=2), "none") is None
    assert holds(Condition(kind="max"), "3") is None
    assert compare(3, "at least", 3)
    assert not compare(3, "before", 3)


def test_headings_become_questions() -> None:
    assert heading_question("Causes", "Flood") == "What are the causes of Flood?"
    assert heading_question("Course", "Rhine (river)") == "What is the course of Rhine?"
    assert heading_question("Farming", "Nile") == "How does farming matter for Nile?"
    assert heading_question("历史", "北京") == "北京的历史是什么？"
    assert "say about" in heading_question("Names", "Moons of the planets")
    assert definition_question("Titan (moon)") == "What is meant by Titan?"
