"""Plans are written of the words given and of no other, the likeliest first."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from agent.extractive.planner.smollm2.beam import written
from agent.extractive.planner.smollm2.rows import STOP, said_in, sayings_of, tokens_of
from agent.extractive.planner.writer.forms import words_in
from agent.extractive.planner.writer.program import KINDS, SPECIALS, line_of, row_of
from retrieval.dense.runtime import Array

QUESTION = "How many of the lakes in Finland are deeper than 60 m?"
VOCABULARY = [*SPECIALS, "what", "are", "is", "how", "the", "in", "of", "?"]
PLAN = (
    "count",
    ["set: What are the lakes in Finland?", "> 60 m: How deep is {1}?"],
)
SAYINGS = sayings_of(words_in(QUESTION), VOCABULARY)
BYTES = 3
"""Before the byte of a letter among the tokens: a token for each byte, and some of control."""


def encode(text: str) -> list[int]:
    return [BYTES + byte for byte in text.encode()]


def row(plan: tuple[str, list[str]] = PLAN) -> list[str]:
    lines = [line for text in plan[1] if (line := line_of(text))]
    found = said_in(QUESTION, row_of(plan[0], lines), VOCABULARY)
    assert found is not None
    return found


class Recalling:
    """A model that goes on as one of its texts does, each as likely as it is given."""

    def __init__(self, *texts: tuple[Sequence[int], float]) -> None:
        self._texts = texts

    def read(self, tokens: Sequence[int]) -> tuple[Array, list[list[int]]]:
        return self._states([[]]), [[]]

    def follow(
        self, cache: list[list[int]], rows: Sequence[int], tokens: Sequence[int]
    ) -> tuple[Array, list[list[int]]]:
        before = [[*cache[row], token] for row, token in zip(rows, tokens, strict=True)]
        return self._states(before), before

    def embedded(self, tokens: Sequence[int]) -> Array:
        return np.eye(BYTES + 256, dtype=np.float32)[list(tokens)]

    def _states(self, before: list[list[int]]) -> Array:
        found = np.full((len(before), BYTES + 256), -20.0, np.float32)
        for state, one in zip(found, before, strict=True):
            for text, likely in self._texts:
                if list(text[: len(one)]) == one and len(text) > len(one):
                    state[text[len(one)]] = np.logaddexp(state[text[len(one)]], math.log(likely))
        return found


def tokens(words: Sequence[str]) -> list[int]:
    return [token for word in words for token in tokens_of(word, encode)]


def test_the_likeliest_plan_comes_first_with_its_probability() -> None:
    other = row(("give", ["set: What are the lakes in Finland?"]))
    model = Recalling((tokens(row()), 0.75), (tokens(other), 0.25))
    found = written(model, encode(QUESTION), SAYINGS, encode)
    assert [list(words) for words, _ in found[:2]] == [row(), other]
    assert found[0][1] == pytest.approx(math.log(0.75), abs=0.01)
    assert found[1][1] == pytest.approx(math.log(0.25), abs=0.01)


def test_no_word_is_said_that_nobody_asked() -> None:
    elsewhere = tokens(
        ["<count>", "<set>", "what", "are", "the", "rivers", "in", "Norway", "<end>"]
    )
    model = Recalling((elsewhere, 1.0))
    found = written(model, encode(QUESTION), SAYINGS, encode)
    assert all(word in SAYINGS for words, _ in found for word in words)
    assert not any("Norway" in words for words, _ in found)


def test_a_plan_begins_with_its_operator_and_a_kind() -> None:
    model = Recalling((tokens(["in", "the", "<set>", "<end>"]), 1.0))
    for words, _ in written(model, encode(QUESTION), SAYINGS, encode):
        assert words[0] in VOCABULARY
        assert words[1].strip("<>") in (*KINDS, "end")


def test_a_word_that_begins_another_is_told_from_it() -> None:
    sayings = ["<give>", "<ask>", "<end>", "deep", "deeper"]
    plans = [["<give>", "<ask>", "deep", "<end>"], ["<give>", "<ask>", "deeper", "<end>"]]
    model = Recalling((tokens(plans[0]), 0.6), (tokens(plans[1]), 0.4))
    found = written(model, encode(QUESTION), sayings, encode)
    assert [list(words) for words, _ in found[:2]] == plans


def test_words_are_said_as_the_question_has_them() -> None:
    asked = "lakes in finland, how deep"
    lines = [line for text in PLAN[1][:1] if (line := line_of(text))]
    said = said_in(asked, row_of("give", lines), VOCABULARY)
    assert said == ["<give>", "<set>", "what", "are", "the", "lakes", "in", "finland", "<end>"]
    assert said_in("how deep", row_of("give", lines), VOCABULARY) is None


def test_every_word_of_a_question_may_be_said_as_it_stands() -> None:
    assert {word.text for word in words_in(QUESTION)} <= set(SAYINGS)


def test_the_end_is_a_token_of_control() -> None:
    assert tokens_of("<end>", encode) == (STOP,)
    assert tokens_of("{2}", encode) == tuple(encode(" #2"))
    assert tokens_of("<set>", encode) == tuple(encode("\nset"))
    assert tokens_of(",", encode) == tuple(encode(","))
