"""Of what whole something is told to be a part."""

from __future__ import annotations

import pytest

from agent.citations.support.answers import examine_answer
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


LIFE = "Birth place: Ham, Orland\nDeath place: Elm, Vella (aged 82)\nHome port: Tarn, Ostia"


@pytest.mark.parametrize(
    ("question", "line", "ruling"),
    [
        ("Who was born in Orland?", "Birth place: Ham, Orland", "supported"),
        ("Who was born in Vella?", "Death place: Elm, Vella (aged 82)", "unsure"),
        ("Who died in Vella?", "Death place: Elm, Vella (aged 82)", "supported"),
        ("Who was born in Ostia?", "Home port: Tarn, Ostia", "unsure"),
    ],
)
def test_a_box_tells_of_its_thing_what_its_label_says(
    question: str, line: str, ruling: str
) -> None:
    place = chunk(1, LIFE, "Ann Lee")
    assert examine_answer(question, ["Ann Lee"], line, place)[0].ruling == ruling
