"""Of what whole something is told to be a part."""

from __future__ import annotations

import pytest

from agent.citations.support.examination import examine
from agent.citations.support.kinds import of_another_whole
from tests.reasoners import chunk


@pytest.mark.parametrize(
    ("claim", "sentence", "whole"),
    [
        ("Brod the capital of the country", "Brod is the capital of the state of Elm.", "state"),
        (
            "Brod the capital of its nation",
            "Brod is the seat of the old province of Elm.",
            "province",
        ),
        ("Brod the capital of the country", "Brod is the capital of the nation of Elm.", ""),
        ("Brod the capital of the country", "Brod is the capital of Elm.", ""),
        ("Brod the capital of the state", "Brod is the capital of the state of Elm.", ""),
        ("Brod the capital of Elm", "Brod is the capital of the state of Elm.", ""),
    ],
)
def test_what_is_of_one_whole_is_not_of_another(claim: str, sentence: str, whole: str) -> None:
    assert of_another_whole(claim, sentence) == whole


@pytest.mark.parametrize(
    ("claim", "ruling"),
    [
        ("Brod is the capital of the state of Elm", "supported"),
        ("Brod is the capital of the country", "unsure"),
    ],
)
def test_a_capital_of_a_state_is_no_proof_of_a_country(claim: str, ruling: str) -> None:
    quote = "Brod is the capital and largest city of the state of Elm."
    assert examine(claim, quote, chunk(1, quote, "Brod")).ruling == ruling
