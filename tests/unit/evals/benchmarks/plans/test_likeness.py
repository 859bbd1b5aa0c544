"""Steps that ask the same of the same are alike, whatever names fill them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.benchmarks.plans.likeness import likeness
from evals.benchmarks.plans.questions import ask_the_same
from evals.metrics.plan import THRESHOLD
from retrieval.dense.embedders import shared_embedder

WHOLE = "When did the heads of the five oldest guilds of Orland die, and how tall are their halls?"
ALIKE = [
    ("When did Odo Tam die?", "When did Odo Tam die?"),
    ("What typing is Marv?", "What is the typing of Marv?"),
    ("When did the channel of Ashby start?", "In what years did Ashby start?"),
    ("Who are the 5 oldest guilds of Orland?", "What are the five oldest guilds of Orland?"),
    ("What is J. D. Kell's birth date?", "What is the birth date of JD Kell?"),
    ("How many people lived in Kald from 2019-2023?", "How many people lived in Kald from 2019 to 2023?"),
    ("What are the symptoms of Orv Fever?", "What are the symptoms of orv fever?"),
]  # fmt: skip
OTHER = [
    ("When did Odo Tam die?", "When did Per Kell die?"),
    ("When did William Grenville die?", "Who is the head of William Grenville?"),
    ("Who are the senators of Kald in Orland?", "Who are the senators of Birk in Orland?"),
    ("How high was Kald in 2010?", "How high was Kald in 2012?"),
    ("Which guilds lie in Kald?", "Does Odo Tam lie in Kald?"),
    ("When did Odo Tam die?", "When did {1} die?"),
    ("What are the five oldest guilds of Orland?", WHOLE),
]


def of(gold: str, own: str, *, filled: bool = True) -> float:
    return float(likeness(WHOLE, [gold], [own], shared_embedder(), filled=filled)[0, 0])


@pytest.mark.parametrize(("gold", "own"), ALIKE)
def test_steps_that_ask_the_same_are_matched(gold: str, own: str) -> None:
    assert of(gold, own) >= THRESHOLD


@pytest.mark.parametrize(("gold", "own"), OTHER)
def test_steps_that_ask_something_else_are_not(gold: str, own: str) -> None:
    assert of(gold, own) < THRESHOLD


def test_a_placeholder_stands_for_any_name_where_steps_are_not_asked_one_by_one() -> None:
    assert of("When did Odo Tam die?", "When did {1} die?", filled=False) >= THRESHOLD
    assert of("How tall is Odo Tam?", "When did {1} die?", filled=False) < THRESHOLD


def test_nothing_is_like_nothing() -> None:
    assert likeness(WHOLE, [], ["When?"], shared_embedder(), filled=True).shape == (0, 1)


@pytest.mark.parametrize(
    ("gold", "own"),
    [
        ("Who surveyed the largest bay of Tarn?", "How many bays does Tarn have?"),
        ("Where was Otto Brandl born?", "When was Otto Brandl born?"),
        ("Who commands the ships that won?", "What are the ships that won?"),
        ("Which novels won the prize?", "Who are the writers whose novels won the prize?"),
        ("What is the largest bay of Tarn?", "Who found the largest bay of Tarn?"),
        ("How high is Kelud?", "How did Kelud erupt?"),
    ],
)
def test_steps_that_ask_for_another_thing_are_not_matched(gold: str, own: str) -> None:
    assert of(gold, own) == of(own, gold) == 0.0


@pytest.mark.parametrize(
    ("gold", "own"),
    [
        ("Who designed Tarn?", "Who is the designer of Tarn?"),
        ("Who leads the Dockers' Union?", "What is the name of the leader of the Dockers' Union?"),
        ("How deep is Tarn?", "What is the depth of Tarn?"),
        ("When did Otto Brandl die?", "What is the date of Otto Brandl's death?"),
        ("Which of the Great Lakes is the deepest?", "What is the deepest of the Great Lakes?"),
        ("What is the capital of Kald, and what is its size?", "How large is the capital of Kald?"),
    ],
)
def test_one_thing_may_be_asked_for_in_several_ways(gold: str, own: str) -> None:
    assert of(gold, own) > 0.0 < of(own, gold)


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_read_and_asks_what_it_asks(first: str, second: str) -> None:
    def never(one: str, other: str) -> bool:
        return False

    assert ask_the_same(first, first, never)
    assert ask_the_same(first, second, never) == ask_the_same(second, first, never)
