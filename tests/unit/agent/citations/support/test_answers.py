from __future__ import annotations

import pytest

from agent.citations.support.answers import examine_answer
from tests.reasoners import chunk


@pytest.mark.parametrize(
    ("question", "value", "line", "ruling"),
    [
        ("Who wrote the notes?", "Ada", "Ada wrote the notes.", "supported"),
        ("Who wrote the notes?", "Ada", "Ada may have written the notes.", "unsure"),
        ("Who wrote the notes?", "Ada", "The notes were reportedly written by Ada.", "unsure"),
        ("Who built the mill?", "Bo", "Bo was planned to build the mill.", "unsure"),
        ("Who probably built the mill?", "Bo", "Bo probably built the mill.", "supported"),
        ("Who built the mill?", "Bo", "Bo built the mill, which might have burnt.", "supported"),
    ],
)
def test_what_a_quote_only_supposes_proves_no_answer(
    question: str, value: str, line: str, ruling: str
) -> None:
    verdict, held = examine_answer(question, [value], line, chunk(1, line))
    assert (verdict.ruling, held) == (ruling, {value})
