"""How certain it is that a list is the set that a question asks for, and what follows from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.subanswers import judged
from agent.extractive.answers import DOUBTFUL_SET, StepAnswers
from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.reader.sets import WEIGHTS, certainty_of_set, features_of_set
from agent.extractive.sources import Sources
from agent.types import SubAnswer, SubQuestion
from retrieval.dense.embedders import shared_embedder
from tests.reasoners import hit
from tests.unit.agent.extractive.pointing import Pointer

MILLS = hit(
    1,
    "The mills of Brod stand on the Elm.\n\n"
    "Mill: Ostmill | Built: 1702 | Miller: Ann Lee\n"
    "Mill: Vikmill | Built: 1711 | Miller: Max Orr\n"
    "Mill: Sudmill | Built: 1715 | Miller: Ida Moe",
    "Mills of Brod",
)
NAMES = ("Ostmill", "Vikmill", "Sudmill")


def features(
    question: str, names: tuple[str, ...] = NAMES, margin: float = 5.0
) -> dict[str, float]:
    facts = facts_of([MILLS])
    lines = [one for one in facts if any(name in one.text for name in names)]
    return features_of_set(
        read_asked(question, lambda name: None), names, lines, facts,
        Pointer("Vikmill", margin), lambda name: "",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "names", "counted", "single"),
    [
        ("What are the mills of Brod?", NAMES, 0, 0),
        ("What are the three mills of Brod?", NAMES, 1, 0),
        ("Which mills of Brod are there?", NAMES[:1], 0, 1),
    ],
)
def test_how_many_there_should_be_speaks_for_a_list_or_against_it(
    question: str, names: tuple[str, ...], counted: int, single: int
) -> None:
    found = features(question, names)
    assert set(found) == set(WEIGHTS)
    assert (found["counted"], found["single"]) == (counted, single)


def test_words_that_no_line_holds_speak_against_a_list() -> None:
    plain, other = features("What are the mills of Brod?"), features("Which mills of Brod burnt?")
    assert plain["said"] == 1.0
    assert 0 < other["said"] < 1.0


@given(st.floats(-30, 30), st.floats(-30, 30))
def test_the_surer_the_reader_the_surer_the_set(one: float, other: float) -> None:
    low, high = sorted((one, other))
    facts = facts_of([MILLS])
    chances = [
        certainty_of_set(
            read_asked("Which mills of Brod burnt?", lambda name: None), NAMES, facts[1:], facts,
            Pointer("Vikmill", margin), lambda name: "",
        )
        for margin in (low, high)
    ]  # fmt: skip
    assert 0 < chances[0] <= chances[1] < 1


def found(question: str, margin: float) -> SubAnswer:
    """What the engine finds for a set, checked."""
    engine = StepAnswers(
        shared_embedder(), Sources(None, readable=False), Pointer("Vikmill", margin)
    )
    finding = engine.answer(SubQuestion(id="1", text=question, kind="core"), [MILLS])
    chunks = {MILLS.chunk.id: MILLS.chunk}
    return judged(finding.sub_answer, question, chunks, confirms=engine.confirms)[0]


def test_a_certain_set_is_asserted_though_its_lines_lack_a_word() -> None:
    question = "Which mills of Brod did travellers frequent?"
    assert found(question, 12.0).status == "answered"
    assert found(question, 12.0).items == NAMES
    unsure = found(question, -6.0)
    assert unsure.status == "unsure"
    assert "does not say" in (unsure.error or "")


def test_a_doubtful_set_is_unsure_though_its_lines_hold_the_words() -> None:
    assert found("Which mills stand on the Elm of Brod?", 12.0).status == "answered"
    miscounted = found("Which seven mills stand on the Elm of Brod?", 12.0)
    assert (miscounted.status, miscounted.error) == ("unsure", DOUBTFUL_SET)
