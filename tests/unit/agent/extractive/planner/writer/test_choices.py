"""The ways to say a word of a step, and the one that is shown to the writer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.writer.choices import Action, actions_of, followed
from agent.extractive.planner.writer.forms import FORMS, forms_of

VOCABULARY = {"who": 0, "is": 1, "deep": 2}
QUESTION = ["Which", "three", "lakes", "are", "the", "deepest", "lakes"]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("who", [(-1, "who")]),
        ("Lakes", [(0, 2), (0, 6)]),
        ("lake", [(2, 2), (2, 6)]),
        ("deep", [(-1, "deep"), (6, 5)]),
        ("3", [(0, 1)]),
        ("ocean", []),
    ],
)
def test_a_word_is_of_the_vocabulary_or_of_the_question(
    word: str, said: list[tuple[int, int | str]]
) -> None:
    wanted = [(form, VOCABULARY[at] if isinstance(at, str) else at) for form, at in said]
    assert actions_of(word, QUESTION, VOCABULARY) == wanted


WORDS = st.sampled_from([*QUESTION, "lake", "deep", "who", "Wrote", "write", "3", "1,000", "'s"])


@given(WORDS, st.lists(WORDS, max_size=8))
def test_each_way_says_the_word(word: str, question: list[str]) -> None:
    for form, place in actions_of(word, question, VOCABULARY):
        assert form < len(FORMS)
        if form < 0:
            assert VOCABULARY[word.lower()] == place
        elif not word.isdigit():
            made = forms_of(question[place])[form]
            assert made is not None
            assert made.casefold() == word.casefold()


@pytest.mark.parametrize(
    ("actions", "before", "wanted"),
    [
        ([(-1, 4), (0, 2), (0, 6)], 5, (0, 6)),
        ([(-1, 4), (0, 2), (0, 6)], 3, (-1, 4)),
        ([(0, 2), (0, 6)], 3, (0, 6)),
        ([(0, 2), (0, 6)], 7, (0, 2)),
        ([(0, 0), (0, 6)], -1, (0, 0)),
        ([(-1, 4), (0, 0)], -1, (-1, 4)),
    ],
)
def test_what_goes_on_from_the_word_before_is_followed(
    actions: list[Action], before: int, wanted: Action
) -> None:
    assert followed(actions, before) == wanted
