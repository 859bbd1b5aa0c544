"""Which of several labels alike is the one asked for: that which says more, or none."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.finder.labels import (
    best_column,
    gives,
    head_score,
    is_own_cell,
)
from agent.extractive.finder.ranking import given as given_fact
from agent.extractive.finder.statements.polar import read_polar
from agent.extractive.sources import Sources
from retrieval.dense.embedders import shared_embedder
from tests.unit.agent.extractive.finder.test_values import hits_of

BOX = (
    "Cargo barge: Heron\nMail barge: Teal\nMaster: Ann Lee\nLaunch date: 3 May 1902\n"
    "Motto: Vela damus\nMottoeng: We set sail"
)
ROW = "Voyage: Vella 9 | Master: Ann Lee | Mail barge master: Bo Orr | Cargo barge master: Ida Moor"
NAMES = frozenset(["Vella 9", "Vella", "Brod"])


def title_of(name: str) -> str | None:
    return name if name in NAMES else None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the mail barge of Vella 9?", "Teal"),
        ("What was the cargo barge name of Vella 9?", "Heron"),
        ("Who was the master of Vella 9?", "Ann Lee"),
        ("What is the motto of Vella 9?", "Vela damus"),
    ],
)
def test_a_label_that_says_what_is_asked_is_given(question: str, value: str) -> None:
    fact = given_fact(read_asked(question, title_of), facts_of(hits_of({"Vella 9": BOX})))
    assert fact is not None
    assert fact.cells[0][1] == value


@pytest.mark.parametrize(
    "question",
    [
        "What was the barge of Vella 9?",  # which of two?
        "Who was the mail barge steward of Vella 9?",  # a barge is no steward
    ],
)
def test_one_that_says_but_a_part_of_it_is_not(question: str) -> None:
    assert given_fact(read_asked(question, title_of), facts_of(hits_of({"Vella 9": BOX}))) is None


@pytest.mark.parametrize(
    "question",
    [
        "Who designed the mail barge of Vella 9?",
        "Which shipyard built the mail barge of Vella 9?",
        "Where was the master of Vella 9 born?",
    ],
)
def test_what_something_is_asked_of_is_not_what_is_asked(question: str) -> None:
    asked = read_asked(question, title_of)
    facts = facts_of(hits_of({"Vella 9": BOX}))
    assert not any(is_own_cell(asked, fact) for fact in facts if fact.label != "Launch date")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who was the mail barge master of Vella 9?", "Bo Orr"),
        ("Who was the cargo barge master of Vella 9?", "Ida Moor"),
    ],
)
def test_of_heads_as_good_the_one_that_says_more_words_answers(question: str, value: str) -> None:
    (row,) = facts_of(hits_of({"Voyages": ROW}))
    column = best_column(read_asked(question, title_of), row)
    assert column is not None
    assert row.cells[column][1] == value


@pytest.mark.parametrize(
    ("question", "proven"),
    [
        ("Who was the master of Vella 9?", True),
        ("Who was the main master of Vella 9?", True),
        ("What was the school motto of Vella 9?", True),
        ("What was the planned launch date of Vella 9?", False),
        ("Who was the backup master of Vella 9?", False),
        ("What was Vella 9's second mail barge?", False),
    ],
)
def test_a_label_proves_nothing_of_a_narrower_thing(question: str, proven: bool) -> None:
    asked = read_asked(question, title_of)
    facts = facts_of(hits_of({"Vella 9": BOX}))
    assert any(gives(asked, fact, fact.cells[0][1]) for fact in facts) is proven


def test_that_one_name_has_another_is_said_by_no_list_of_both() -> None:
    facts = facts_of(hits_of({"Brod": "Countries: Vella, Ostland, Brod\nCapital: Brod (city)"}))
    asked = read_asked("Does Vella have Brod?", title_of)
    assert read_polar(asked, facts, shared_embedder(), Sources(None, readable=False)) is None


@pytest.mark.parametrize(
    ("question", "dated"),
    [
        ("When did Ann Lee win the Vella Prize?", True),
        ("In what year did Ann Lee get the Vella Prize?", True),
        ("In what year did Ann Lee take her doctorate?", False),
        ("When did Ann Lee retire?", False),
    ],
)
def test_the_year_of_a_row_dates_what_its_table_is_about(question: str, dated: bool) -> None:
    table = "Year | Winner\nYear: 1902 | Winner: Ann Lee\nYear: 1903 | Winner: Bo Orr"
    facts = facts_of(hits_of({"Vella Prize": table}))
    row = next(fact for fact in facts if "Ann Lee" in fact.text)
    asked = read_asked(question, {"Vella Prize": "Vella Prize"}.get)
    assert (head_score(asked, row, 0) > 0) is dated
