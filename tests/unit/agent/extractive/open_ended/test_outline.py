"""Sections of articles as sub-questions, and back."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from agent.extractive.open_ended.outline import (
    definition_question,
    outline_questions,
    section_asked,
    section_question,
)
from corpus import Snapshot


def test_headings_become_questions(sample: Snapshot) -> None:
    assert section_question("Causes", "Flood") == "What does “Flood” say about causes?"
    assert section_question("历史", "北京") == "“北京”关于历史说了什么？"
    assert definition_question("Titan (moon)") == "What is meant by Titan?"
    assert definition_question("北京") == "北京是什么？"
    article = sample.find("Switzerland")
    assert article is not None
    assert outline_questions(article, 3)[0] == "What does “Switzerland” say about history?"


def test_a_name_keeps_its_capital() -> None:
    text = "Glass was made by Keller. The workshop of Keller burnt down."
    assert section_question("Keller's oven", "Glass", text).endswith("about Keller's oven?")
    assert section_question("Ovens", "Glass", text).endswith("about ovens?")
    assert section_question("World War II", "Glass", text).endswith("about World War II?")


TITLES = st.text(
    st.characters(exclude_characters="“”\n", exclude_categories=["Cs", "Cc"]), min_size=1
)
HEADINGS = st.text(st.characters(categories=["Ll", "Lu", "Nd"], max_codepoint=0x24F), min_size=1)


@given(TITLES, HEADINGS)
@example("Glass", "İ")
def test_what_a_section_is_asked_for_is_read_back(title: str, heading: str) -> None:
    asked = section_asked(section_question(heading, title))
    assert asked is not None
    assert asked[0] == title
    assert asked[1][1:] == heading[1:]


def test_what_is_meant_is_told_before_the_first_heading() -> None:
    assert section_asked(definition_question("Titan (moon)")) == ("Titan", "")
    assert section_asked(definition_question("北京")) == ("北京", "")


def test_other_questions_ask_for_no_section() -> None:
    assert section_asked("What does Galileo say about the Moon?") is None
    assert section_asked("What is the history of Switzerland?") is None
    assert section_asked("") is None
