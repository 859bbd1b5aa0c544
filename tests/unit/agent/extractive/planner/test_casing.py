"""Names typed in lower case get the capitals that the articles give them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.casing import (
    with_capitals,
    with_compounds,
    with_plain_beginning,
    with_whole_names,
)

LEADS = {
    "Lake Como": "Lake Como is a lake in Lombardy.",
    "River": "A river is a natural stream of water.",
    "Pride and Prejudice": "Pride and Prejudice is a novel.",
    "Oslo": "Oslo is the capital of Norway.",
    "Bergen": "Bergen is a city in Norway.",
    "Soyuz 11": "Soyuz 11 was a flight of the Soyuz programme.",
    "Bob Fry": "Bob Fry (born 3 May 1931) is a baker.",
    "Ann Lee": "Ann Lee (1701 – 1790) was a baker.",
    "Tarn Lakes": "The Tarn Lakes are five lakes.",
    "Cy Lee": "Cy Lee (1702 – 1791) was a baker.",
    "The Glass Mountain": "The Glass Mountain is an opera.",
    "Great Tarns": "The Great Tarns are nine ponds.",
    "The North": "The North is what lies north; the north is cold.",
    "Moon landing": "A Moon landing is an arrival on the moon.",
}
FOLDED = {title.casefold(): title for title in LEADS} | {
    "ush": "University of Southern Holm",
    "tarn valleys": "Tarn Lakes",
    "tarn villages": "Tarn Lakes",
}


def cased(text: str) -> str:
    return with_capitals(
        text,
        lambda name: FOLDED.get(name.casefold()),
        lambda name: LEADS.get(name, ""),
        lambda name: [title for title in LEADS if name.casefold() in title.casefold()],
    )


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("who is older, fry or lee", "who is older, Fry or lee"),
        ("who dug the river como", "who dug the river como"),
        ("is como deeper than oslo", "is Lake Como deeper than Oslo"),
        ("which tarn lake is deep", "which Tarn Lake is deep"),
        ("how deep is lake como", "how deep is Lake Como"),
        ("who wrote pride and prejudice", "who wrote Pride and Prejudice"),
        ("which river is longest", "which river is longest"),
        ("what is oslo's area", "what is Oslo's area"),
        ("how large are oslo bergen and lake como", "how large are Oslo, Bergen and Lake Como"),
        ("who flew on soyuz", "who flew on Soyuz"),
        ("which great houses are in the north", "which great houses are in the north"),
        ("who walked on the moon", "who walked on the moon"),
        ("Is oslo in Norway", "Is oslo in Norway"),
        ("who founded ush", "who founded USH"),
        ("which swiss towns are norwegian", "which Swiss towns are Norwegian"),
        ("what is the longest african river", "what is the longest African river"),
        ("which pole is on the island", "which pole is on the island"),
        ("how long are the tarn valleys", "how long are the Tarn Valleys"),
        ("how old are the tarn villages", "how old are the Tarn villages"),
        ("glass mountain's composer", "Glass Mountain's composer"),
        ("the glass mountain, who wrote it", "The Glass Mountain, who wrote it"),
    ],
)
def test_names_are_written_as_their_articles_write_them(typed: str, wanted: str) -> None:
    assert cased(typed) == wanted


@given(st.text(max_size=60))
def test_nothing_but_case_and_commas_changes(text: str) -> None:
    made = cased(text)
    assert made.replace(",", "").casefold() == text.replace(",", "").casefold()


def test_a_place_and_what_it_lies_in_need_no_comma() -> None:
    titles = {"ham, upper elm": "Ham, Upper Elm", "white river": "White River"}
    find = titles.get

    def title_of(name: str) -> str | None:
        return find(name.casefold())

    def near(name: str) -> list[str]:
        return ["White River"] if name == "white" else []

    typed = with_capitals("ham upper elm population", title_of, lambda title: title, near)
    assert typed == "Ham, Upper Elm population"
    typed = with_capitals("what makes the white river white", title_of, lambda title: title, near)
    assert typed == "what makes the White River white"


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("who are the hill walkers of Uri", "who are the hillwalkers of Uri"),
        ("who dug the river como", "who dug the river como"),
    ],
)
def test_words_written_apart_are_joined_where_one_word_is_a_name(typed: str, wanted: str) -> None:
    known = {"hillwalkers": "Hillwalking", "rivercomo": "Como", "river como": "Como"}
    assert with_compounds(typed, known.get) == wanted


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("Which Elm schools are old?", "Which Elm League schools are old?"),
        ("Which Elm school is the oldest?", "Which Elm League school is the oldest?"),
        ("Which Elm Leagues are there?", "Which Elm Leagues are there?"),
        ("Elm grows where?", "Elm grows where?"),
        ("Which Elm leagues are there?", "Which Elm leagues are there?"),
        ("Which Oak schools are old?", "Which Oak schools are old?"),
        ("Which Ann schools are old?", "Which Ann schools are old?"),
        ("Did Ida study at an Elm?", "Did Ida study at an Elm League school?"),
        ("Which of the elms is the oldest?", "Which of the Elm League schools is the oldest?"),
        ("Which Oak is the oldest?", "Which Oak is the oldest?"),
        ("Which Ann is the oldest?", "Which Ann is the oldest?"),
        ("Which Ash is the oldest?", "Which Ash is the oldest?"),
    ],
)
def test_one_word_of_a_name_before_a_kind_of_thing_gets_the_others(typed: str, wanted: str) -> None:
    leads = {
        "Elm League": "The Elm League is a league of four old schools.",
        "Ash League": "The Ash League is a league, first held in 1966 at nine.",
        "Oak": "The oak is a tree.",
        "Oak League": "The Oak League is a league of schools.",
        "Ann Lee": "Ann Lee (1901 – 1987) was a painter.",
    }

    def near(name: str) -> list[str]:
        return [title for title in leads if title.startswith(name)]

    title_of = {title: title for title in leads}.get
    assert with_whole_names(typed, title_of, lambda title: leads[title], near) == wanted


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("University at which Ann Lee studied?", "university at which Ann Lee studied?"),
        ("River Orr, how long is it?", "River Orr, how long is it?"),
        ("River of Ham, its length?", "river of Ham, its length?"),
        ("Tower of Elm, its height?", "Tower of Elm, its height?"),
        ("Which university is old?", "Which university is old?"),
        ("Where is it? University I mean.", "Where is it? university I mean."),
        ("Latin motto of Elm?", "Latin motto of Elm?"),
        ("Alpine towns?", "Alpine towns?"),
        ("MIT, where is it?", "MIT, where is it?"),
    ],
)
def test_a_first_word_that_is_no_name_loses_its_capital(typed: str, wanted: str) -> None:
    leads = {"River": "A river is a stream.", "Tower": "Tower is a novel by Ann Lee."}
    assert with_plain_beginning(typed, {one: one for one in leads}.get, leads.__getitem__) == wanted
