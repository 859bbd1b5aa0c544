"""Clauses of one sentence that speak of different things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.support.clauses import (
    aside_of_another,
    lesser,
    only_a_place,
    said_of_another,
    turned_round,
    whose_else,
)

LAMPS = "The two upper lamps, Ada and Bea, burn oil; the two lower ones, Cyd and Dot, have mirrors."


@pytest.mark.parametrize(
    ("about", "word", "sentence", "far"),
    [
        ("Bea", "mirrors", LAMPS, ["mirrors"]),
        ("Bea", "oil", LAMPS, []),
        ("Dot", "mirrors", LAMPS, []),
        ("Dot", "oil", LAMPS, ["oil"]),
        ("Ada", "mirrors", "Ada burns oil; it has mirrors.", []),
        ("Ada", "mirrors", "Ada burns oil; built of brass, it has mirrors.", []),
        ("Ada", "mirrors", "Ada burns oil, while Cyd has mirrors.", ["mirrors"]),
        ("Ada", "mirrors", "Ada was lit by hand while its mirrors turned.", []),
        ("Ada", "mirrors", "Ada burns oil and has mirrors.", []),
        ("Eve", "mirrors", LAMPS, []),
    ],
)
def test_what_another_clause_says(about: str, word: str, sentence: str, far: list[str]) -> None:
    assert said_of_another(about, [word], sentence) == far


@pytest.mark.parametrize(
    ("question", "value", "sentence", "turned"),
    [
        ("What is the capital of Elm?", "Orland", "Elm is the capital of Orland.", True),
        ("What is the capital of Elm?", "Orland", "It is the capital and largest city of Orland.", True),
        ("What is the capital of Orland?", "Elm", "Elm is the capital of Orland.", False),
        ("What is the capital of Orland?", "Elm", "Orland is a country whose capital is the city of Elm.", False),
        ("What is the capital of Elm?", "Elm is the capital of Orland", "Elm is the capital of Orland.", True),
        ("Who was the mother of Ida Moor?", "Jo Moor", "Ida Moor was the mother of Jo Moor.", True),
        ("Who was the mother of Jo Moor?", "Ida Moor", "Ida Moor was the mother of Jo Moor.", False),
        ("What was the title of Ida Moor?", "Countess", "Ida Moor was given the title of Countess.", False),
        ("Where is Elm?", "Orland", "Elm is the capital of Orland.", False),
    ],
)  # fmt: skip
def test_who_is_what_to_whom(question: str, value: str, sentence: str, turned: bool) -> None:
    assert turned_round(question, value, sentence) is turned


@given(st.text(alphabet="Ada b;,while. ", max_size=60), st.lists(st.sampled_from(["oil", "b"])))
def test_only_words_of_the_sentence_are_said_of_another(sentence: str, words: list[str]) -> None:
    assert set(said_of_another("Ada", words, sentence)) <= set(words)
    if ";" not in sentence and "while" not in sentence:
        assert said_of_another("Ada", words, sentence) == []


@pytest.mark.parametrize(
    ("names", "value", "sentence", "owner"),
    [
        (["Loom"], "1815", "Ada Kern (born 1815) made the Loom.", "Ada Kern"),
        (["Ada Kern"], "1815", "Ada Kern (born 1815) made the Loom.", ""),
        (["Kern"], "1815", "Ada Kern (born 1815) made the Loom.", ""),
        (["Loom"], "1815", "In 1815 Ada Kern (born 1790) made the Loom.", ""),
        (["Loom"], "1815", "The Loom of Ostby, by Ada Kern, was sold (in 1815).", ""),
        ([], "1815", "Ada Kern (born 1815) made it.", ""),
        (
            ["Ostby"],
            "1865",
            "Ostby is the home of Kern College, which was founded in 1865.",
            "Kern College",
        ),
        (["Ostby"], "9,100", "Ostby, which has a college, had 9,100 inhabitants.", ""),
    ],
)
def test_an_aside_speaks_of_the_name_before_it(
    names: list[str], value: str, sentence: str, owner: str
) -> None:
    assert aside_of_another(names, value, sentence) == owner


@pytest.mark.parametrize(
    ("name", "question", "sentence", "place"),
    [
        ("Ostby", "When was Ostby founded?", "Kern is a school in Ostby, founded in 1861.", True),
        (
            "Ostby",
            "Which school in Ostby is old?",
            "Kern is a school in Ostby, founded in 1861.",
            False,
        ),
        (
            "Ostby",
            "When was Ostby founded?",
            "Ostby was founded in 1861 by a man from Kern.",
            False,
        ),
        ("Kern", "When was Kern founded?", "Ostby was founded in 1861 by a man from Kern.", True),
    ],
)
def test_where_a_thing_is_says_nothing_of_the_place(
    name: str, question: str, sentence: str, place: bool
) -> None:
    assert only_a_place(name, question, sentence) == place


@pytest.mark.parametrize(
    ("claim", "sentence", "noun"),
    [
        ("Brod the capital of Elm", "Brod is the capital of Kern and a town in Elm.", "capital"),
        ("Brod the capital of Elm", "Brod is the capital of Elm.", ""),
        ("Brod the capital of Elm", "Brod is a capital and the seat of Kern.", ""),
        ("Brod the capital of Elm", "Brod, a capital, is the capital of Kern.", ""),
    ],
)
def test_whose_a_thing_is(claim: str, sentence: str, noun: str) -> None:
    assert whose_else(claim, sentence) == noun


@pytest.mark.parametrize(
    ("claim", "sentence", "most"),
    [
        ("Brod the largest town", "Brod is the second largest town.", "largest"),
        ("Brod the largest town", "Brod is one of the largest towns.", "largest"),
        ("Brod the longest river", "Brod is large and one of the two longest.", "longest"),
        ("Brod the most visited town", "Brod is the third most visited town.", "most visited"),
        ("Brod the largest town", "Brod is the largest town.", ""),
        ("Brod the second largest town", "Brod is the second largest town.", ""),
        ("Brod the largest town", "Brod is the largest town, Ham the second largest.", ""),
    ],
)
def test_a_rank_is_not_the_first(claim: str, sentence: str, most: str) -> None:
    assert lesser(claim, sentence) == most
