"""What a sub-question asks for."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.forms import value_fits


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("What is the longest Asian river?", "What is the longest river of Asia?"),
        ("What is the most populous swiss canton?", "What is the most populous canton of Switzerland?"),
        # Several places are American.
        ("What is the longest American river?", "What is the longest American river?"),
        ("What is the oldest Ruritanian bank?", "What is the oldest Ruritanian bank?"),
    ],
)  # fmt: skip
def test_an_extreme_of_a_place_is_read_as_articles_say_it(question: str, read: str) -> None:
    assert read_asked(question, lambda name: None).text == read


@pytest.mark.parametrize(
    ("question", "form", "many"),
    [
        ("In which years did Ham play?", "list", True),
        ("Which years did Ham play in?", "list", True),
        ("In which year did Ham play?", "date", False),
        ("Who shared the Ham Prize?", "list", True),
        ("Who won the Ham Prize?", "person", False),
        ("What is the day of the week of Ham?", "name", False),
    ],
)
def test_several_are_a_list(question: str, form: str, many: bool) -> None:
    asked = read_asked(question, lambda name: None)
    assert (asked.form, asked.many) == (form, many)


@pytest.mark.parametrize(
    ("question", "persons"),
    [
        ("Who are the schools of Ham?", False),
        ("Who are the women of Ham?", True),
        ("Who are the bakers of Ham?", True),
    ],
)
def test_who_may_be_said_of_things(question: str, persons: bool) -> None:
    assert read_asked(question, lambda name: None).persons is persons


@pytest.mark.parametrize(
    ("question", "noun", "many"),
    [
        ("What is the language called after a tree?", "language", False),
        ("What is Ham's largest lake?", "lake", False),
        ("What are Ham's lakes?", "lake", True),
        ("What is the longest river of Ham's largest county?", "river", False),
        ("Which opera's heroine is called Ida?", "opera", False),
        ("What is the best known opera of Ida Moor?", "opera", False),
        ("What is the name of the ship of Ida Moor?", "ship", False),
        ("Which Massachusetts town has the ship of Ida Moor?", "town", False),
        ("Which Great Lakes hold the ship of Ida Moor?", "lake", True),
        ("What are the names of the lakes of Ham?", "lake", True),
        ("Which river down in Orland is longest?", "river", False),
        ("Who was the first city to hire a warden?", "city", False),
        ("Who was the first woman to hire a warden?", "", False),
    ],
)
def test_what_is_asked_for_is_neither_its_owner_nor_what_it_is_called(
    question: str, noun: str, many: bool
) -> None:
    asked = read_asked(question, lambda name: None)
    assert (asked.noun, asked.many) == (noun, many)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What do people speak in Ham?", ""),
        ("What did women win in Ham?", ""),
        ("Into which lake does Ham flow?", "lake"),
        ("What language do people speak in Ham?", "language"),
    ],
)
def test_who_does_something_is_not_what_is_asked_for(question: str, kind: str) -> None:
    assert read_asked(question, lambda name: None).kind == kind


@pytest.mark.parametrize(
    ("question", "value", "fits"),
    [
        ("In which years has Ham had the games?", "27 July – 12 August", False),
        ("In which years has Ham had the games?", "1908 and 2012", True),
        ("What age did Ann Lee reach?", "3 May 1901", False),
        ("What age did Ann Lee reach?", "3 May 1901 (aged 87)", True),
        ("When was Ann Lee born?", "3 May 1901", True),
        ("What is the day of death of Ann Lee?", "Ham, Elmshire", False),
        ("What is the exact day of birth of Ann Lee?", "3 May 1901", True),
        ("How many days does Ham take?", "29.5 years", False),
        ("How many days does Ham take?", "29.5 hours", True),
        ("How many days does Ham take?", "88 days", True),
        ("Which operas did Ann Lee write?", "three Italian operas", False),
        ("Which operas did Ann Lee write?", "three operas: Ham, Elm and Tarn", True),
    ],
)
def test_dates_ages_spans_of_time_and_persons_have_forms_of_their_own(
    question: str, value: str, fits: bool
) -> None:
    assert value_fits(read_asked(question, lambda name: None), value) is fits
