"""The decoder of small random weights: a search over rows of words."""

from __future__ import annotations

import math

import numpy as np
import pytest

from agent.extractive.planner.writer.decoder import HEADS, MOST_WORDS, Decoder
from agent.extractive.planner.writer.forms import FORMS, forms_of, words_in
from agent.extractive.planner.writer.program import END, OPERATORS
from retrieval.dense.runtime import Array

SIZE, WIDE, LAYERS = 2 * HEADS, 16, 2
VOCABULARY = [END, *(f"<{one}>" for one in OPERATORS), "<ask>", "who", "wrote"]
QUESTION = words_in("Who wrote Emma?")
SPANS = [[1], [2], [3, 4], [5]]
EVERY = 800
"""Rows that are followed where none is to be lost."""
SEEDS = pytest.mark.parametrize("seed", range(5))


def shapes() -> dict[str, tuple[int, ...]]:
    """The shapes of all weights."""
    linear = {
        "copied": (SIZE, SIZE),
        "say": (SIZE, SIZE),
        "point": (SIZE, SIZE),
        "form_of_state": (len(FORMS), SIZE),
        "form_of_word": (len(FORMS), SIZE),
    }
    norms = ["norm"]
    for block in range(LAYERS):
        name = f"blocks.{block}."
        linear |= {
            name + "inner_in": (3 * SIZE, SIZE),
            name + "inner_out": (SIZE, SIZE),
            name + "outer_query": (SIZE, SIZE),
            name + "outer_in": (2 * SIZE, SIZE),
            name + "outer_out": (SIZE, SIZE),
            name + "widen": (WIDE, SIZE),
            name + "narrow": (SIZE, WIDE),
        }
        norms += [name + "inner_norm", name + "outer_norm", name + "wide_norm"]
    found: dict[str, tuple[int, ...]] = {
        "words.weight": (len(VOCABULARY) + 1, SIZE),
        "words_bias": (len(VOCABULARY) + 1,),
        "places.weight": (MOST_WORDS, SIZE),
        "forms.weight": (len(FORMS), SIZE),
    }
    for name, shape in linear.items():
        found |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    for name in norms:
        found |= {f"{name}.weight": (SIZE,), f"{name}.bias": (SIZE,)}
    return found


def decoder(seed: int, most: int = 2) -> tuple[Decoder, Array]:
    """A decoder of random weights whose rows end after some words, and the states of a question."""
    random = np.random.default_rng(seed)
    state = {
        name: random.normal(scale=0.3, size=shape).astype(np.float32)
        for name, shape in shapes().items()
    }
    end = np.resize(np.array([1, -1], np.float32), SIZE)
    state["norm.weight"][:], state["say.weight"][:] = 1, np.eye(SIZE)
    state["words.weight"][VOCABULARY.index(END)] = end
    state["places.weight"][:most] -= end
    state["places.weight"][most:] += 5 * end
    return Decoder(state, VOCABULARY), random.normal(size=(7, SIZE)).astype(np.float32)


def written(seed: int, beam: int, most: int = 2) -> list[tuple[list[str], float]]:
    """The likeliest plans of the question."""
    made, pieces = decoder(seed, most)
    return made.write(pieces, QUESTION, SPANS, beam)


@SEEDS
def test_rows_end_once_and_the_likeliest_comes_first(seed: int) -> None:
    rows = written(seed, 4)
    assert rows
    assert all(row.count(END) == 1 and row[-1] == END for row, _ in rows)
    assert len({tuple(row) for row, _ in rows}) == len(rows)
    scores = [score for _, score in rows]
    assert scores == sorted(scores, reverse=True)


@SEEDS
def test_the_probabilities_of_all_rows_add_up_to_one(seed: int) -> None:
    together = sum(math.exp(score) for _, score in written(seed, EVERY))
    assert 0.99 < together < 1.0001


@SEEDS
def test_each_word_of_a_row_followed_alone_is_the_likeliest(seed: int) -> None:
    ((greedy, score),) = written(seed, 1)
    every = written(seed, EVERY)
    for place, word in enumerate(greedy):
        following: dict[str, float] = {}
        for row, one in every:
            if row[:place] == greedy[:place]:
                following[row[place]] = following.get(row[place], 0.0) + math.exp(one)
        assert following[word] == max(following.values())
    assert {tuple(row): one for row, one in every}[tuple(greedy)] == pytest.approx(score, abs=1e-4)
    assert every[0][1] >= score - 1e-4


def test_a_row_that_never_ends_is_no_plan() -> None:
    assert written(0, 2, MOST_WORDS) == []


@SEEDS
def test_words_are_of_the_vocabulary_or_of_the_question(seed: int) -> None:
    said = {word for row, _ in written(seed, EVERY) for word in row}
    copied = {form for word in QUESTION for form in forms_of(word.text) if form is not None}
    assert said <= {*VOCABULARY, *copied}
    assert {"Emma", "write"} <= said
    assert "Who" not in said


@SEEDS
def test_the_first_word_is_the_likeliest_operator(seed: int) -> None:
    made, pieces = decoder(seed)
    first = made.first(pieces, QUESTION, SPANS)
    begun: dict[str, float] = {}
    for row, score in made.write(pieces, QUESTION, SPANS, EVERY):
        begun[row[0]] = begun.get(row[0], 0.0) + math.exp(score)
    operators = {f"<{one}>" for one in OPERATORS}
    assert first in operators
    assert first == max(operators & set(begun), key=lambda one: begun[one])
