"""Turns of phrase are put as most people put them, and what is no turn of phrase stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.wording import other_wordings, plainly, spelt_out

TITLES = {"Deimos", "Apollo 12", "Apollo 14", "Bo Lee", "Dr Tarn"}


def title_of(name: str) -> str | None:
    return name if name in TITLES else None


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("Who was the 2nd king after the 1st Battalion?", "Who was the second king after the 1st Battalion?"),
        ("Who did order the opera?", "Who ordered the opera?"),
        ("which firm did build Ham Hall", "which firm built Ham Hall"),
        ("Who did Bo marry?", "Who did Bo marry?"),
        ("Who did great things?", "Who did great things?"),
        ("How wide is that little moon of Mars called Deimos?", "How wide is Deimos?"),
        ("When was a man named Bo Lee born?", "When was Bo Lee born?"),
        ("What is the moon called Vella?", "What is the moon called Vella?"),
        ("What are the moons called?", "What are the moons called?"),
        ("was Apollo 12 or 14 heavier", "was Apollo 12 or Apollo 14 heavier"),
        ("Apollo 11, 12 and 14: crews?", "Apollo 11, Apollo 12 and Apollo 14: crews?"),
        ("Apollo 12 and 15 of them", "Apollo 12 and 15 of them"),
        ("where is the first guy on the Moon from", "where is the first person on the Moon from"),
        ("who opened the tarn olympics", "who opened the tarn Olympics"),
        ("Who climbed Ham Hill, sorry, no, I meant the Tarn?", "Who climbed the Tarn?"),
        ("Is Bo Lee, no, I mean Ann Kern, older than Elm?", "Is Ann Kern older than Elm?"),
        ("Is Ham what I mean by Elm?", "Is Ham what I mean by Elm?"),
        ("When did Mr. Bo Lee die?", "When did Bo Lee die?"),
        ("Where does Mr van Ham live?", "Where does van Ham live?"),
        ("Where does Dr Tarn live?", "Where does Dr Tarn live?"),
        ("Which is the tiniest, the loftiest, the hugest?", "Which is the smallest, the highest, the largest?"),
        ("which is fatter, or the better manifest", "which is wider, or the better manifest"),
        ("Is Ham wider than our own moon?", "Is Ham wider than the Moon?"),
        ("whats the height of Deimos", "what is the height of Deimos"),
        ("Apollo 12 to 14 of them", "Apollo 12 to Apollo 14 of them"),
        ("who built a mill in 10 days", "who built a mill in ten days"),
        ("who found the 2 tiny moons of Mars", "who found the two tiny moons of Mars"),
        ("which lakes have more than 5 islands", "which lakes have more than 5 islands"),
        ("what happened on 5 june", "what happened on 5 june"),
        ("Apollo 12 crew", "Apollo 12 crew"),
        ("how far is 12 km", "how far is 12 km"),
        ("what was the mill called again", "what was the mill called"),
        ("which have the 2 of them", "which have the 2 of them"),
        ("who won again", "who won again"),
        ("who won in '92 and ’08?", "who won in 1992 and 2008?"),
        ("who won from 1988 up to '08", "who won from 1988 to 2008"),
        ("up to 2024 of them", "up to 2024 of them"),
        ("the '90s and Ham's 12'34", "the '90s and Ham's 12'34"),
    ],
)  # fmt: skip
def test_turns_of_phrase(asked: str, wanted: str) -> None:
    assert plainly(asked, title_of) == wanted


@given(st.text(max_size=200))
def test_any_text_is_put_once(text: str) -> None:
    once = plainly(text, title_of)
    assert plainly(once, title_of) == once


@pytest.mark.parametrize(
    ("typed", "full"),
    [
        ("ppl w/ a prize b4 1990", "people with a prize before 1990"),
        ("who made it n where", "who made it and where"),
        ("the diam. of Ro", "the diameter of Ro"),
        # Other letters are names, variables or parts of words.
        ("N of Ro, the U.S., r-u, n/a and w/o.", "N of Ro, the U.S., r-u, n/a and without"),
        ("What's Ro's?", "What's Ro's?"),
    ],
)
def test_what_people_type_short_is_read_in_full(typed: str, full: str) -> None:
    assert spelt_out(typed) == full


def test_other_wordings_say_the_same_in_another_order_in_haste_or_as_a_request() -> None:
    assert other_wordings("There is a lake in Como. How deep is it?") == [
        "How deep is it? There is a lake in Como.",
        "there is a lake in Como. How deep is it",
        "Please tell me: There is a lake in Como. How deep is it?",
    ]
    assert other_wordings("Of all lakes (in Italy), which is the deepest?") == [
        "which is the deepest, Of all lakes (in Italy)?",
        "Of all lakes, which is the deepest?",
        "of all lakes (in Italy), which is the deepest",
        "Please tell me: Of all lakes (in Italy), which is the deepest?",
    ]
    assert not any("Name all." in one for one in other_wordings("Name all (but Como)."))
    assert other_wordings("How deep is it?") == [
        "how deep is it",
        "Please tell me: How deep is it?",
    ]
