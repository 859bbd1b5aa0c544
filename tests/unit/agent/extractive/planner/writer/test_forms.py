"""Words of a question, and the forms in which a step may say them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.writer.forms import CASES, FORMS, cases, forms_of, words_in


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Who wrote Emma?", ["Who", "wrote", "Emma", "?"]),
        ("Oslo's mayor", ["Oslo", "'s", "mayor"]),
        ("O'Neill’s 12-year-old son", ["O'Neill", "’s", "12-year-old", "son"]),
        ("over 1,000 km2, or 5 km/h", ["over", "1,000", "km2", ",", "or", "5", "km/h"]),
        ("(AT&T) and {12}", ["(", "AT&T", ")", "and", "{12}"]),
        (" \n ", []),
    ],
)
def test_a_text_is_split_into_words_and_marks(text: str, words: list[str]) -> None:
    assert [word.text for word in words_in(text)] == words


@given(st.text(max_size=80) | st.text(alphabet="aB1 ’'s{}.,-/&?", max_size=80))
def test_words_stand_at_their_offsets_in_order(text: str) -> None:
    end = 0
    for word in words_in(text):
        assert end <= word.start < word.end
        assert not text[end : word.start].strip()
        assert text[word.start : word.end] == word.text
        end = word.end
    assert not text[end:].strip()


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("moons", {"moons", "moon"}),
        ("child", {"child", "children"}),
        ("wrote", {"wrote", "write", "written"}),
        ("bordering", {"bordering", "border", "bordered"}),
        ("deeper", {"deeper", "deep"}),
        ("largest", {"largest", "large"}),
        ("1,000", {"1,000"}),
    ],
)
def test_a_word_may_be_said_in_other_forms(word: str, forms: set[str]) -> None:
    assert forms <= set(forms_of(word))


@given(st.text(min_size=1, max_size=20))
def test_a_word_comes_first_and_no_form_comes_twice(word: str) -> None:
    found = forms_of(word)
    assert (len(found), found[0]) == (len(FORMS), word)
    said = [form for form in found if form is not None]
    assert len(set(said)) == len(said)


def test_how_a_word_is_written_is_told_of_each_of_its_pieces() -> None:
    assert cases("who led NASA Paris", [(0, 3), (8, 10), (10, 12), (13, 18)]) == [0, 2, 2, 1]
    assert cases("", [(0, 0)]) == [0]


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40))))
def test_any_piece_is_written_somehow(text: str, offsets: list[tuple[int, int]]) -> None:
    inside = [(a, b) for a, b in offsets if a <= b <= len(text)]
    assert all(0 <= case < CASES for case in cases(text, inside))
