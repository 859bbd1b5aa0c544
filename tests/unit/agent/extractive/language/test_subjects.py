"""The names in a question, each with the article that it leads to."""

from __future__ import annotations

import pytest

from agent.extractive.language.subjects import subjects_of

TITLES = {"Elm Prize", "Elm Prize in Chess", "Rallye 2016", "Elm", "1992 Elm Fair"}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who got Elm Prize in Chess 2017?", ["Elm Prize in Chess"]),
        ("Who got the Elm Prize in Chess in 2017?", ["Elm Prize in Chess"]),
        ("Who won the Rallye 2016?", ["Rallye 2016"]),
        ("Who won the Vik 2016?", ["Vik 2016"]),
        ("How many live in Elm 20170?", ["Elm 20170"]),
        ("Who won the 1992 Elm Fair?", ["1992 Elm Fair"]),
        ("Who got the 1992 Elm Prize?", ["Elm Prize"]),
    ],
)
def test_a_year_behind_a_title_is_no_part_of_the_name(question: str, names: list[str]) -> None:
    found = subjects_of(question, lambda name: name if name in TITLES else None)
    assert [said for said, _ in found] == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How wide is Kern's moon Elm?", ["Elm", "Kern"]),
        ("How wide is Kern's largest moon Elm?", ["Elm", "Kern"]),
        ("How wide is Elm Prize's moon Elm?", ["Elm", "Elm Prize"]),
        ("Did Kern found the moon Elm?", ["Kern", "Elm"]),
        ("Did Kern's owner marry Elm?", ["Kern", "Elm"]),
    ],
)
def test_what_has_an_owner_and_a_name_stands_first(question: str, names: list[str]) -> None:
    found = subjects_of(question, lambda name: name if name in TITLES else None)
    assert [said for said, _ in found] == names
