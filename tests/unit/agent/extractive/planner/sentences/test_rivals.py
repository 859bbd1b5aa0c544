"""Comparisons said short are the same comparisons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.sentences.rivals import set_apart


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("elbe vs oder how many km longer is the elbe", "How much longer is elbe than oder?"),
        ("The Mere and the Tarn: how much deeper is the deeper of them?",
         "How much deeper is The Mere than the Tarn?"),
        ("How much taller is the taller of the Shard and the Gherkin?",
         "How much taller is the Shard than the Gherkin?"),
        ("Elbe or Oder: which is the longer, and by what margin?",
         "Which is longer, Elbe or Oder, and by how much?"),
        ("vienna or prague, which is older", "Which is older, vienna or prague?"),
        ("By how many hectares is Uri's area larger than that of Zug?",
         "What is the difference between the area of Uri and that of Zug?"),
        ("If I put the areas of Uri and Zug together, what do I get?",
         "What is the total area of Uri and Zug?"),
        ("When you add up the populations of Uri and Zug, how many people do you get?",
         "What is the total population of Uri and Zug?"),
        ("How much longer is the Elbe than the Oder?", "How much longer is the Elbe than the Oder?"),
        ("In Uri and in Zug, which is the oldest bell?", "In Uri and in Zug, which is the oldest bell?"),
        ("Which of Uri or Zug is older?", "Which of Uri or Zug is older?"),
    ],
)  # fmt: skip
def test_a_comparison_is_told_plainly(question: str, plain: str) -> None:
    assert set_apart(question) == plain


@given(st.text(alphabet="Aab IorTvs:, how?er", max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(set_apart(text), str)
