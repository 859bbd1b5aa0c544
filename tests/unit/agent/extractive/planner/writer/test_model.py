"""The embedded writer on plain questions, and how its pieces go together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.writer.forms import words_in
from agent.extractive.planner.writer.model import (
    LONGEST,
    Writer,
    Written,
    embedded_writer,
    left_out,
    pieces_of,
)
from agent.extractive.planner.writer.program import Line
from agent.extractive.weights.store import FOLDER, open_tokenizer
from tests.unit.agent.extractive.planning import written


@pytest.fixture(scope="module")
def writer() -> Writer:
    return embedded_writer()


@pytest.mark.parametrize(
    ("question", "operator", "lines"),
    [
        ("Who wrote Emma?", "give", ["ask: Who wrote Emma?"]),
        ("How long is the Elbe?", "give", ["ask: How long is the Elbe?"]),
        (
            "How many of the lakes in Finland are deeper than 80 metres?",
            "count",
            ["set: What are the lakes in Finland?", "> 80 metres: How deep is {1}?"],
        ),
        ("Did Kepler work in Prague?", "yesno", ["ask: Did Kepler work in Prague?"]),
        ("Why did the Roman Empire fall?", "explain", []),
        ("Thank you very much!", "none", []),
    ],
)
def test_a_plain_question_is_planned(
    writer: Writer, question: str, operator: str, lines: list[str]
) -> None:
    best = writer.write(question)[0]
    assert (best.operator, best.lines) == (operator, written(*lines))
    assert -1.0 < best.score <= 0.0
    assert writer.operator(question) == operator


def test_plans_differ_in_more_than_little_words_and_the_likeliest_comes_first(
    writer: Writer,
) -> None:
    plans = writer.write("Which is longer, the Rhine or the Elbe?")
    scores = [plan.score for plan in plans]
    assert scores == sorted(scores, reverse=True)
    assert len({(plan.operator, plan.lines) for plan in plans}) == len(plans)
    assert all(len(set(plan.lines)) == len(plan.lines) for plan in plans)


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_of_a_text_without_words_nothing_is_asked(writer: Writer, text: str) -> None:
    assert writer.write(text) == ()
    assert writer.operator(text) == "none"


def test_the_same_question_has_the_same_plans(writer: Writer) -> None:
    plans = writer.write("Who wrote Emma?")
    assert writer.write("Who wrote Emma?") is plans
    assert Writer.open(FOLDER).write("Who wrote Emma?") == plans


def test_of_a_long_text_the_beginning_is_read(writer: Writer) -> None:
    begun = "Who wrote Emma? " + "Tell me soon. " * LONGEST
    assert writer.operator(begun + "Ely") == writer.operator(begun + "Ayr")
    assert writer.write(begun)


def test_a_word_has_the_pieces_that_it_is_made_of() -> None:
    text = "Who lived in Llanfair?"
    encoding = open_tokenizer().encode(text)
    spans = pieces_of(words_in(text), encoding.offsets)
    assert spans[:3] == [[1], [2], [3]]
    assert len(spans[3]) > 1
    assert [piece for span in spans for piece in span] == list(range(1, len(encoding.ids) - 1))


@given(st.text(max_size=60))
def test_every_word_of_any_text_has_a_piece(text: str) -> None:
    encoding = open_tokenizer().encode(text)
    words = words_in(text)
    spans = pieces_of(words, encoding.offsets)
    assert len(spans) == len(words)
    assert all(0 <= piece < len(encoding.ids) for span in spans for piece in span)
    assert all(spans)


def test_a_question_that_is_asked_whole_leaves_out_nothing() -> None:
    question = words_in("What changed in the valley of the dam?")
    whole = Written("explain", (), -0.1)
    step = Written("give", (Line("ask", "", "What changed in the valley?"),), -0.1)
    assert left_out(question, whole) == 0
    assert left_out(question, step) == 1


def test_who_was_born_first_is_the_oldest() -> None:
    question = words_in("Who is the oldest of Ann and Bo?")
    for asked, lost in (("When was {1} born?", 0), ("When was {1} seen?", 1)):
        lines = written("names: Ann | Bo", f"least: {asked}")
        assert left_out(question, Written("give", lines, -0.1)) == lost
