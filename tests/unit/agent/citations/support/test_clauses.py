"""Clauses of one sentence that speak of different things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.support.clauses import aside_of_another, said_of_another

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
    ],
)
def test_what_stands_in_brackets_is_said_of_the_name_before_it(
    names: list[str], value: str, sentence: str, owner: str
) -> None:
    assert aside_of_another(names, value, sentence) == owner
