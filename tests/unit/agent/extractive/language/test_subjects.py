"""The names in a question, each with the article that it leads to."""

from __future__ import annotations

import pytest

from agent.extractive.language.subjects import is_held_against, subjects_of

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


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many live in Kern, West Ostland in 2020?", ["Kern, West Ostland"]),
        ("Is Kern, West Ostland and Elm, Vik larger?", ["Kern, West Ostland", "Elm", "Vik"]),
        ("It flows through Kern. What is its length?", ["Kern"]),
        ("How many MW does Elm give?", ["Elm"]),
        ("It flows through St. Kern. Elm lies there?", ["St. Kern", "Elm"]),
    ],
)
def test_names_end_with_their_sentence_and_with_the_place_of_their_title(
    question: str, names: list[str]
) -> None:
    titles = {"Kern, West Ostland", "Kern", "St. Kern", "Elm"}
    found = subjects_of(question, lambda name: name if name in titles else None)
    assert [said for said, _ in found if said != "It"] == names


@pytest.mark.parametrize(
    ("question", "against"),
    [
        ("How many people live in Elmfeld?", True),
        ("how many live in elmfeld", True),
        ("How many people live in Hamby?", True),
        ("How many people live in Brodwick?", False),
        ("Which town has fewer people than Elmfeld?", False),
        ("Who lives in Elmfeld?", True),
    ],
)
def test_what_others_are_held_against_is_not_what_a_sentence_tells_of(
    question: str, against: bool
) -> None:
    sentence = "It has 134,000 inhabitants, fewer than Elmfeld and Hamby."
    assert is_held_against(question, "Brodwick", sentence) is against


def test_the_second_is_held_against_the_first() -> None:
    sentence = "With 1.6 million inhabitants it is the second largest city, after Elmfeld."
    assert is_held_against("population of elmfeld", "Brodwick", sentence)
    named = "It is named after Elmfeld, where he was born."
    assert not is_held_against("What is named after Elmfeld?", "Brodwick", named)
    assert not is_held_against("Whose birthplace is Elmfeld?", "Brodwick", named)
