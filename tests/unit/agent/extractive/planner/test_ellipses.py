"""Words left to be understood are written out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.ellipses import asks_alone, with_ones_named, written_out
from tests.unit.agent.extractive.planning import read


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When and where was Ann Lee born?", "When was Ann Lee born, and where?"),
        ("How deep and how wide is the Mere?", "How deep is the Mere, and how wide?"),
        ("When, where and by whom was it sung?", "When was it sung, and where, and by whom?"),
        ("Tell me when and where Ann died.", "Tell me when Ann died, and where."),
        (
            "In which year and in which port was she built, and who built her?",
            "In which year was she built, and in which port, and who built her?",
        ),
        ("Who wrote it and when was it sung?", "Who wrote it and when was it sung?"),
        ("When and where?", "When and where?"),
        (
            "Who won the cup in 2010 and who in 2014?",
            "Who won the cup in 2010 and who won the cup in 2014?",
        ),
        (
            "When was Uri founded, and when Zug?",
            "When was Uri founded and when was Zug founded?",
        ),
        ("Who founded Uri? And in what year was that?", "Who founded Uri, and in what year?"),
        ("Who rules Uri and who lives there?", "Who rules Uri and who lives there?"),
        (
            "How many men sailed from Uri, and how many from Zug?",
            "How many men sailed from Uri and how many men sailed from Zug?",
        ),
        ("How and how often did Ann sing?", "How did Ann sing, and how often?"),
    ],
)
def test_the_clause_stands_behind_the_first_word(question: str, expected: str) -> None:
    assert written_out(question) == expected


@given(st.text(max_size=80))
def test_any_text_is_written_out_once(text: str) -> None:
    once = written_out(text)
    assert sorted(set(once) - set(text) - set(", and")) == []
    assert len(once) >= len(text.rstrip()) - 8


def test_a_question_word_is_no_step() -> None:
    assert asks_alone("When?")
    assert asks_alone("In which year?")
    assert not asks_alone("When was it built?")


def test_both_words_are_asked() -> None:
    plan = read("When and where was Clara Zetkin born?")
    assert [step.text for step in plan.steps] == [
        "When was Clara Zetkin born?",
        "Where was Clara Zetkin born?",
    ]
    counted = read("How many moons and how many rings does Saturn have?")
    assert counted.steps[-1].text == "How many rings does Saturn have?"


def test_the_compared_one_points_back_as_a_whole() -> None:
    plan = read("Which is longer, the Elbe or the Oder, and where does the longer one rise?")
    assert plan.steps[-1].text == "Where does the Oder rise?"
    assert not plan.of_each


def test_each_means_all_that_are_compared() -> None:
    plan = read("Which is older, Uppsala University or Lund University, and who founded each?")
    assert plan.of_each
    assert len(plan.steps) == 4


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Ports with over ten cranes, and who built the biggest one of each?",
            "Ports with over ten cranes, and who built the biggest crane of each?",
        ),
        (
            "Lakes with more than 12 known islands: name the most populous one in each.",
            "Lakes with more than 12 known islands: name the most populous island in each.",
        ),
        (
            "Lakes over 250 metres deep, and the biggest one of each country?",
            "Lakes over 250 metres deep, and the biggest one of each country?",
        ),
        ("Who built the biggest one of each?", "Who built the biggest one of each?"),
    ],
)
def test_the_biggest_one_is_what_was_counted(question: str, expected: str) -> None:
    assert with_ones_named(question) == expected


def test_each_year_and_each_name_of_a_list_is_asked() -> None:
    plan = read("Who won the World Cup in 2002, 2006 and 2010?")
    assert [step.text for step in plan.steps] == [
        "Who won the World Cup in 2002?",
        "Who won the World Cup in 2006?",
        "Who won the World Cup in 2010?",
    ]
    plan = read("Who lit the Olympic cauldron in Barcelona, Atlanta and Sydney?")
    assert plan.members == ("Barcelona", "Atlanta", "Sydney")


def test_a_place_in_a_place_is_no_list() -> None:
    plan = read("Who founded Providence in Rhode Island?")
    assert [step.text for step in plan.steps] == ["Who founded Providence in Rhode Island?"]


def test_words_between_a_thing_and_what_is_asked_belong_to_it() -> None:
    plan = read("apollo 15 command module name")
    assert plan.steps[0].text == "What is the command module name of apollo 15?"
