from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import ModelError
from evals.judges.coverage import (
    NOT_COVERED,
    PromptedCoverage,
    covers_all,
    find_fragment,
    word_position,
)
from tests.fakes import Asked, ScriptedModel

TEXT = "Floods follow rain. Dams “hold” back the\nwater – for a while."


def said(*judgments: tuple[int, bool, str]) -> dict[str, Any]:
    return {
        "judgments": [
            {"number": number, "answered": answered, "fragment": fragment}
            for number, answered, fragment in judgments
        ]
    }


async def test_fragments_are_looked_up_and_what_is_not_there_is_unscored() -> None:
    reply = said((1, True, "hold back the water"), (2, True, "Dams \"hold\" back the water - for a"),
                 (3, False, ""), (5, True, "follow rain."))  # fmt: skip
    model = ScriptedModel(lambda _: reply)
    judge = PromptedCoverage(model)
    invented, quoted, denied, passed_over, last = await judge.covers(TEXT, list("abcde"))
    assert invented.covered is None
    assert invented.unscored == "the fragment named is not in the text"
    assert TEXT[quoted.start : quoted.end] == "Dams “hold” back the\nwater – for a"
    assert denied == NOT_COVERED
    assert passed_over.unscored == "the reply passes over this sub-question"
    assert TEXT[last.start : last.end] == "follow rain"
    assert judge.name == "scripted"


@pytest.mark.parametrize(("batch", "calls"), [(1, 5), (2, 3), (10, 1)])
async def test_sub_questions_go_in_batches(batch: int, calls: int) -> None:
    def mind(asked: Asked) -> dict[str, Any]:
        return said(*((n, True, "rain") for n in range(1, batch + 1)))

    model = ScriptedModel(mind)
    found = await PromptedCoverage(model, batch=batch).covers(TEXT, list("abcde"))
    assert all(covered.covered for covered in found)
    assert len(found) == 5
    assert len(model.asked) == calls


async def test_a_model_that_fails_leaves_its_batch_unscored() -> None:
    def mind(asked: Asked) -> Any:
        raise ModelError("gone\naway")

    (covered,) = await PromptedCoverage(ScriptedModel(mind)).covers(TEXT, ["a"])
    assert covered.covered is None
    assert covered.unscored == "gone away"


async def test_an_empty_text_covers_nothing_and_asks_nobody() -> None:
    model = ScriptedModel(lambda _: said())
    assert (
        await covers_all(PromptedCoverage(model), ["", " "], ["a", "b"]) == [[NOT_COVERED] * 2] * 2
    )
    assert model.asked == []


@given(st.text(min_size=1, max_size=60), st.data())
def test_words_of_a_text_are_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    fragment = text[start : data.draw(st.integers(start + 1, len(text)))]
    found = find_fragment(fragment, text)
    if found is not None:
        assert 0 <= found[0] < found[1] <= len(text)
    if fragment.strip(" \t\n\"'“”‘’«».…").isalnum():
        assert found is not None


@given(st.text("ab \n", max_size=40), st.integers(0, 40))
def test_positions_are_shares(text: str, start: int) -> None:
    assert 0.0 <= word_position(text, start) <= 1.0
