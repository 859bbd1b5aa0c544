"""Any text can be read: no error, a plan that can be run, and soon."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.extractive.finder.asked import read_asked
from agent.plan import placeholders
from tests.unit.agent.extractive.planning import read

TEXT = st.text(max_size=300)
WORDS = st.lists(
    st.sampled_from(
        [
            "which",
            "who",
            "what",
            "when",
            "how",
            "many",
            "of",
            "the",
            "each",
            "and",
            "or",
            "than",
            "more",
            "longest",
            "rivers",
            "planets",
            "Rome",
            "A",
            "Nile,",
            "born",
            "whose",
            "that",
            "is",
            "are",
            "was",
            "did",
            "has",
            "have",
            "in",
            "1990",
            "by",
            "it",
            "their",
            "{1}",
            '"',
            "(",
            "?",
            "'s",
            "first",
            "it",
        ]
    ),
    max_size=40,
).map(" ".join)


@settings(deadline=None, max_examples=150)
@given(TEXT | WORDS)
def test_any_text_gives_a_plan_that_can_be_run(text: str) -> None:
    reading = read(text or "?")
    seen: set[str] = set()
    # What is asked of members waits for what they must meet as well, without naming it.
    awaited = {step.id for step in reading.steps if step.condition is not None}
    for step in reading.steps:
        assert step.text.strip()
        assert set(step.depends_on) <= {other.id for other in reading.steps}
        assert step.id not in seen
        seen.add(step.id)
        assert set(step.depends_on) - awaited <= set(placeholders(step.text))


@settings(deadline=None, max_examples=100)
@given(TEXT | WORDS)
def test_any_text_can_be_read_as_a_sub_question(text: str) -> None:
    asked = read_asked(text, lambda name: None)
    assert len(asked.subjects) <= len(asked.names)
    assert asked.text == " ".join(text.split())


@pytest.mark.parametrize(
    "unit",
    ["which of the rivers ", "Alpha Beta, ", "the capital of ", "Is A or B ", "(", "than ", "1,",
     "Who is A and B and ", "in A in 1992, ", "X's father ", "the man who saw ", "谁", '"'],
)  # fmt: skip
def test_long_texts_end_soon(unit: str) -> None:
    for size in (1_400, 100_000):
        began = time.process_time()
        read((unit * size)[:size])
        read_asked((unit * size)[:size], lambda name: None)
        assert time.process_time() - began < 2.0
