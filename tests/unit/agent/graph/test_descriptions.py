"""What a question asks for, put into another question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.graph.descriptions import described


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("What are the Baltic ports?", "the Baltic ports"),
        ("Who painted it?", "whoever painted it"),
        ("Who was elected mayor in 1901?", "whoever was elected mayor in 1901"),
        ("Which rivers cross the plain?", "the rivers that cross the plain"),
        ("Which of the ports have ice?", "those of the ports that have ice"),
        ("When did Ann Lee die?", "when Ann Lee died"),
        ("How many ships sank?", "the number of ships that sank"),
        ("Is Riga a port?", "the answer to “Is Riga a port”"),
        ("里加在哪里？", "the answer to “里加在哪里”"),
    ],
)
def test_a_question_becomes_what_it_asks_for(question: str, phrase: str) -> None:
    assert described(question) == phrase


@given(st.text(max_size=60))
def test_any_text_has_a_phrase(text: str) -> None:
    assert described(text)
