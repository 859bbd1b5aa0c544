"""What a question names and a quote does not: told by the article's beginning, by its title, or not."""

from __future__ import annotations

import pytest

from agent.citations.content.origins import adjective_of, asked_origin, without_origin
from agent.citations.support.answers import examine_answer
from agent.citations.support.faults import Verdict
from tests.reasoners import chunk

ELM = "The mill burnt in 1871, and Bo Marsh rebuilt it."
OPENING = "Elm is a town in Orland."


def ruled(question: str, value: str, line: str, title: str, opening: str = "") -> Verdict:
    return examine_answer(question, [value], line, chunk(1, line, title), opening=opening)[0]


@pytest.mark.parametrize(
    ("question", "opening", "ruling", "wording"),
    [
        ("Who rebuilt the mill of the Orland town?", OPENING, "unsure", True),
        ("Who rebuilt the mill of the Orland town?", "", "unsupported", False),
        ("Who rebuilt the mill of the Vellan town?", OPENING, "unsupported", False),
        ("Who rebuilt the two mills of the Orland town?", OPENING, "unsupported", False),
    ],
)
def test_a_reader_may_settle_what_the_first_sentence_of_an_article_names(
    question: str, opening: str, ruling: str, wording: bool
) -> None:
    verdict = ruled(question, "Bo Marsh", ELM, "Elm", opening)
    assert (verdict.ruling, verdict.wording) == (ruling, wording)


@pytest.mark.parametrize(
    ("question", "title", "opening", "ruling"),
    [
        ("What is the population of Orland?", "Elm, Orland", "Elm is a town.", "unsupported"),
        ("What is the population of Elm?", "Elm, Orland", "Elm is a town.", "supported"),
        ("What is the population of Elm, Orland?", "Elm, Orland", OPENING, "supported"),
        ("What is the population of Brill?", "School of Oz, Brill",
         "The School of Oz, Brill is a school.", "supported"),
    ],
)  # fmt: skip
def test_a_place_at_the_end_of_a_title_has_nothing_of_its_thing(
    question: str, title: str, opening: str, ruling: str
) -> None:
    line = "Population: 11,870"
    assert ruled(question, "11,870", line, title, opening).ruling == ruling


@pytest.mark.parametrize(
    ("value", "ruling"), [("October 2015", "unsure"), ("3 October 2015", "supported")]
)
def test_a_month_is_no_day(value: str, ruling: str) -> None:
    line = f"Death date: {value}"
    assert ruled("On what day did Ann Lee die?", value, line, "Ann Lee").ruling == ruling


def test_a_place_is_in_what_its_address_names() -> None:
    values = ("Elm", "Orland")
    page = chunk(1, "Death place: Elm, Orland", "Ann Lee")
    question = "Where in Orland did Ann Lee die?"
    assert examine_answer(question, values, page.text, page)[0].ruling == "supported"


@pytest.mark.parametrize(("label", "ruling"), [("Mottoeng", "supported"), ("Motto", "unsure")])
def test_a_translation_is_told_by_its_label(label: str, ruling: str) -> None:
    line = f"{label}: We hope"
    question = "What is the motto of Elm College in English?"
    assert ruled(question, "We hope", line, "Elm College").ruling == ruling


@pytest.mark.parametrize(("name", "ruling"), [("Brill", "supported"), ("Lake", "unsure")])
def test_under_a_schools_label_its_name_may_be_short(name: str, ruling: str) -> None:
    line = "Alma mater: Brill College, Lake School of Arden"
    assert ruled(f"Did Ann Lee study at {name}?", "Yes", line, "Ann Lee").ruling == ruling


@pytest.mark.parametrize(
    "told", ["somebody other than Bo Marsh", "anyone except Bo Marsh", "anybody but Bo Marsh"]
)
def test_a_quote_that_names_one_says_nothing_of_others(told: str) -> None:
    line = "Founder: Bo Marsh"
    assert ruled(f"Was Elm founded by {told}?", "Yes", line, "Elm").ruling == "unsure"


@pytest.mark.parametrize(
    ("question", "origin", "without"),
    [
        ("Who is the Englishman who found it?", "English", "Who found it?"),
        ("Who was the Frenchwoman who found it?", "French", "Who found it?"),
        ("What is the small American town where it rains?", "American",
         "What is the small town where it rains?"),
        ("What is the old Swiss name?", "", "What is the old Swiss name?"),
    ],
)  # fmt: skip
def test_a_described_thing_is_from_where_its_adjective_says(
    question: str, origin: str, without: str
) -> None:
    assert (asked_origin(question), without_origin(question)) == (origin, without)


@pytest.mark.parametrize(
    ("word", "adjective"), [("Englishman", "English"), ("German", "German"), ("Roman", "Roman")]
)
def test_no_adjective_loses_its_end(word: str, adjective: str) -> None:
    assert adjective_of(word) == adjective
