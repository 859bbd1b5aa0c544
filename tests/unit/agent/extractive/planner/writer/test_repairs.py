"""Lines of a plan agree with what the question says in so many words."""

from __future__ import annotations

import pytest

from agent.extractive.planner.writer.repairs import repaired
from tests.unit.agent.extractive.planning import written

LAKES = "set: What are the lakes?"


def last(question: str, *lines: str) -> str:
    """The last line as it is repaired, in the form of bench/data/STEPS_GUIDE.md."""
    line = repaired(question, written(*lines))[-1]
    return f"{line.kind} {line.bound}".strip() + f": {line.said}"


@pytest.mark.parametrize(
    ("question", "line", "kind"),
    [
        ("Which lake was found first?", "most: When was {1} found?", "least"),
        ("Which lake was found most recently?", "least: When was {1} found?", "most"),
        ("Which lake froze first and thawed last?", "most: When did {1} freeze?", "most"),
        ("Which lake was the last to be dived first?", "most: When was {1} first dived?", "most"),
        ("Which is the shallowest lake?", "most: How deep is {1}?", "least"),
        ("Which is the shallowest lake?", "most: How shallow is {1}?", "least"),
        ("Rank the lakes by depth. Which comes last?", "most: What is the depth of {1}?", "least"),
        ("Lakes sorted by depth: top entry?", "least: How deep is {1}?", "most"),
        ("Sort them by depth, ascending: top one?", "least: How deep is {1}?", "least"),
        ("Sort from smallest to largest: last one?", "most: How large is {1}?", "most"),
        ("Which lake is the most small?", "most: How large is {1}?", "least"),
        ("Which lake is the least deep?", "most: How deep is {1}?", "least"),
        ("Of the largest and the smallest lake?", "most: How large is {1}?", "most"),
        ("Which lake has the fewest fish?", "most: How many fish does {1} have?", "least"),
        ("Which has been dived the longest?", "least: Since when has {1} been dived?", "least"),
        ("Which is the ugliest lake?", "most: Is {1} ugly?", "most"),
    ],
)
def test_the_question_says_which_end_is_meant(question: str, line: str, kind: str) -> None:
    assert last(question, LAKES, line).partition(":")[0] == kind


@pytest.mark.parametrize(
    ("question", "line", "wanted"),
    [
        ("Which is the shallowest?", "least: How shallow is {1}?", "least: How deep is {1}?"),
        ("Which is the shallowest?", "least: How large is {1}?", "least: How deep is {1}?"),
        ("Which largest lake is deeper?", "most: How deep is {1}?", "most: How deep is {1}?"),
        ("Which is the widest?", "most: How many fish has {1}?", "most: How many fish has {1}?"),
        ("Who died last?", "most: At what age did {1} die?", "most: When did {1} die?"),
        ("Who died oldest?", "most: At what age did {1} die?", "most: At what age did {1} die?"),
    ],
)
def test_what_is_ranked_by_is_what_the_superlative_measures(
    question: str, line: str, wanted: str
) -> None:
    assert last(question, LAKES, line) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("is: Does {1} have a depth of more than 30 m?", "> 30 m: What is the depth of {1}?"),
        ("is: Did {1} have a depth below 30 m?", "< 30 m: What was the depth of {1}?"),
        ("is: Does {1} have more than ten islands?", "> ten: How many islands does {1} have?"),
        ("is: Does {1} have at least 3 islands?", ">= 3: How many islands does {1} have?"),
        ("is: Does {1} have more than friends?", "is: Does {1} have more than friends?"),
        ("is: Was {1} dived before 1950?", "< 1950: When was {1} dived?"),
        ("ask: Does {1} have more than ten islands?", "ask: Does {1} have more than ten islands?"),
    ],
)
def test_a_bound_in_a_statement_is_held_against_a_value(line: str, wanted: str) -> None:
    assert last("Which of the lakes?", LAKES, line) == wanted


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((LAKES, "ask: Who dived in {1}?", "ask: What is the birth date of {1}?"), "{2}"),
        ((LAKES, "find: Who dived in {1}?", "ask: Where was {1} born?"), "{2}"),
        ((LAKES, "ask: How deep is {1}?", "ask: Where was {1} born?"), "{1}"),
        (("set: Who are the divers?", "ask: Who taught {1}?", "ask: Where was {1} born?"), "{1}"),
        ((LAKES, "ask: Who dived in {1}?", "ask: How many died in {1}?"), "{1}"),
    ],
)
def test_what_is_told_of_persons_is_asked_of_the_person(lines: tuple[str, ...], said: str) -> None:
    assert said in last("Who dived in each of the lakes?", *lines)


def test_an_age_is_asked_for_in_the_words_that_others_use() -> None:
    lines = ("set: Who are the poets?", "most: At what age is {1}?")
    assert last("Who of the poets has the most of age?", *lines) == "most: How old is {1}?"


@pytest.mark.parametrize(
    ("question", "said", "wanted"),
    [
        ("The deep lakes?", "What are the deep deep lakes?", "What are the deep lakes?"),
        ("Who dived in in Bled?", "Who dived in in Bled?", "Who dived in in Bled?"),
    ],
)
def test_no_word_is_said_twice_in_a_row(question: str, said: str, wanted: str) -> None:
    assert last(question, f"ask: {said}") == f"ask: {wanted}"


@pytest.mark.parametrize(
    ("lines", "kinds"),
    [
        (("find: Who dived first?", "ask: What is the name of {1}?"), ["ask"]),
        (("find: Who dived first?", "ask: What is {1} called?"), ["ask"]),
        (("find: Who dived first?", "ask: What is {1} called in Slovene?"), ["find", "ask"]),
        ((LAKES, "ask: What are the names of {1}?"), ["set"]),
        ((LAKES, "ask: What is the name of {1} in Slovene?"), ["set", "ask"]),
        (("find: Who dived?", "ask: What is the name of {1}?", "ask: When did {2} dive?"), ["find", "ask", "ask"]),
    ],
)  # fmt: skip
def test_what_was_found_is_not_asked_for_its_name(lines: tuple[str, ...], kinds: list[str]) -> None:
    assert [line.kind for line in repaired("Which?", written(*lines))] == kinds


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("set: What are the Tarn Lake?", "set: What are the Tarn Lakes?"),
        ("set: What are the Tarn Lakes?", "set: What are the Tarn Lakes?"),
        ("set: What are the people?", "set: What are the people?"),
        (
            "set: What are the teams at Tarn University?",
            "set: What are the teams at Tarn University?",
        ),
        ("ask: What are the Tarn Lake?", "ask: What are the Tarn Lake?"),
        ("set: Who has dived in Bled?", "set: Which people have dived in Bled?"),
        ("ask: Who has dived in Bled?", "ask: Who has dived in Bled?"),
        ("set: Who won it from 1950 to 1960?", "set: Which people won it from 1950 to 1960?"),
        ("set: Who won it in 1950?", "set: Who won it in 1950?"),
    ],
)
def test_a_set_is_of_several(line: str, wanted: str) -> None:
    assert last("Which tarn lake is deepest?", line) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("ask: In which lake does the Arn flow?", "ask: Into which lake does the Arn flow?"),
        ("ask: In what sea does the Arn end up?", "ask: Into what sea does the Arn end up?"),
        ("ask: In which lake does the Arn rise?", "ask: In which lake does the Arn rise?"),
        ("ask: In which country does the Arn flow?", "ask: In which country does the Arn flow?"),
    ],
)
def test_water_flows_into_a_lake(line: str, wanted: str) -> None:
    assert last("The lake in which the Arn is flowing?", line) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("is: Was {1} dived by somebody other than Bo?", "not: Was {1} dived by Bo?"),
        ("not: Was {1} dived by anyone except Bo?", "not: Was {1} dived by Bo?"),
        ("is: Was {1} dived by Bo?", "is: Was {1} dived by Bo?"),
    ],
)
def test_what_others_did_one_did_not(line: str, wanted: str) -> None:
    assert last("How many were dived by others?", LAKES, line) == wanted
