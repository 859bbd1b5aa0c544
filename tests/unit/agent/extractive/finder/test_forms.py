"""Whether words have the form that a step asks for."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.finder.forms import (
    PERSON,
    asked_numbers,
    asks_amiss,
    tells_other_end,
    value_fits,
    with_unit,
)
from agent.extractive.finder.labels import head_score
from agent.extractive.finder.ranking import given
from agent.extractive.finder.values import read_best
from tests.unit.agent.extractive.finder.test_values import BAGS, hits_of


def form(question: str) -> str:
    return read_asked(question, lambda name: None).form


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("found by Asta Holm in August 1901", "Asta Holm"),
        ("sung by Ida Moor at Ostby", "Ida Moor"),
        ("Jan van der Elm led it", "Jan van der Elm"),
        ("Olaf the Younger led it", "Olaf the Younger"),
    ],
)
def test_a_preposition_ends_the_name_of_a_person(text: str, named: str) -> None:
    found = PERSON.search(text)
    assert found is not None
    assert found[0] == named


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("After which person was Kern College named?", "person"),
        ("After whom was Kern College named?", "person"),
        ("Which woman led the Ostby Choir?", "person"),
        ("By which firm was the Heron built?", "name"),
        ("From which countries is the tin won?", "list"),
        ("At what temperature does glass melt?", "number"),
        ("In which year was Kern College founded?", "date"),
        ("What is the count of looms of Kern?", "number"),
    ],
)
def test_a_preposition_before_what_is_asked_changes_no_form(question: str, expected: str) -> None:
    assert form(question) == expected


def test_a_measure_is_no_other_measure() -> None:
    def numbers(question: str, text: str) -> int:
        return len(asked_numbers(read_asked(question, lambda name: None), text))

    assert not numbers("At what speed does the Heron fly?", "It takes 29 days.")
    assert numbers("At what speed does the Heron fly?", "It flies at 29 km/h.")
    assert not numbers("How high is the tower?", "It weighs 29 tonnes.")
    assert numbers("How high is the population of Ostby?", "It has 29,000 inhabitants.")
    assert numbers("How deep is the mine?", "Depth: 29")
    asked = read_asked("How heavy is the Heron?", lambda name: None)
    assert not value_fits(asked, "29 m")


def test_what_is_asked_about_is_no_answer() -> None:
    articles = {"Kern College": "Name: Kern College\n\nKern College is a school."}
    asked = read_asked("For whom was Kern College named?", lambda n: n if n in articles else None)
    found = read_best(asked, facts_of(hits_of(articles)), BAGS)
    assert found is None or found.value != "Kern College"


COLLEGE = {
    "Kern College": (
        "Name: Kern College\nEstablished: 1701\nMotto: we would rather read\nAlma mater: Ham\n\n"
        "Kern College is a school. Women were let in in 1969."
    ),
    "Arn": "Cities: Brod, Ham, Vik\nMouth: Sea of Elm\n\nThe Arn is a river.",
}


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("When was Kern College established?", "Established: 1701"),
        ("In what year did women first get into Kern College?", None),
        ("Who was Kern College named after?", None),
        ("What is the motto of Kern College?", "Motto: we would rather read"),
        ("Which cities does the Arn flow through?", "Cities: Brod, Ham, Vik"),
        ("Which city lies at the mouth of the Arn?", None),  # a sea is none
    ],
)
def test_a_label_gives_what_it_says_and_of_whom(question: str, value: str | None) -> None:
    asked = read_asked(question, lambda name: name if name in COLLEGE else None)
    found = given(asked, facts_of(hits_of(COLLEGE)))
    assert (found.text if found else None) == value


def test_where_someone_works_is_not_where_they_studied() -> None:
    works = read_asked("Which university employs Bo Orr?", lambda name: None)
    studied = read_asked("Which university did Bo Orr attend?", lambda name: None)
    assert "alma" not in works.hints
    assert "alma" in studied.hints


def test_a_head_may_name_a_scale() -> None:
    assert with_unit("Distance (million km)", "4,495") == "4,495 million km"
    assert with_unit("Area (km²)", "505") == "505 km²"


MOONS = {
    "Orn": "Name: Orn\nMoons: 16 (as of 2025)\nLargest moon: Ilm",
    "Ilm": "Name: Ilm\nSatellite of: Orn\nDiscoverer: Bo Vik",
    "Alder Prize": "Year: 2018 | Winners: Ida Moor | Awarded for: Growth of elms (Moor)\n\n"
    "Year: 2019 | Winners: Bo Vik | Awarded for: Growth of ash (Vik)",
}


@pytest.mark.parametrize(
    ("question", "title", "found"),
    [
        ("What is the biggest moon of Orn?", "Orn", "Ilm"),
        ("How many moons does Orn have?", "Orn", "16 (as of 2025)"),
        ("What is the biggest satellite of Ilm?", "Ilm", None),
        ("Which planet is Ilm a satellite of?", "Ilm", "Orn"),
    ],
)
def test_a_number_of_moons_is_no_moon_and_what_a_moon_is_of_no_moon_of_it(
    question: str, title: str, found: str | None
) -> None:
    facts = facts_of(hits_of({title: MOONS[title]}))
    asked = read_asked(question, lambda name: title)
    sure = given(asked, facts)
    best = read_best(asked, facts, BAGS, sure) if sure is not None else None
    assert (best.value if best is not None else None) == found


def test_what_a_prize_was_awarded_for_is_nobody() -> None:
    asked = read_asked("Who won the 2018 Alder Prize?", lambda name: None)
    row = facts_of(hits_of({"Alder Prize": MOONS["Alder Prize"]}))[0]
    assert [head_score(asked, row, column) > 0 for column in range(3)] == [False, True, False]


def test_an_occupation_is_nobody() -> None:
    asked = read_asked("Whose work is the rest of Ida Moor?", lambda name: None)
    row = facts_of(hits_of({"Ida Moor": "Occupation: Composer\nTeacher: Ann Shechtman"}))
    assert head_score(asked, row[0]) == 0
    assert value_fits(asked, "Ann Shechtman")


def test_none_is_a_number_of_what_is_counted() -> None:
    def fits(question: str) -> bool:
        return value_fits(read_asked(question, lambda name: None), "None")

    assert fits("How many moons does Kern have?")
    assert not fits("How high is Kern?")


@pytest.mark.parametrize(("value", "fits"), [("Twelve", False), ("Ann Lee", True)])
def test_a_number_says_how_many_and_not_who(value: str, fits: bool) -> None:
    asked = read_asked("Who was first to walk to Ham?", lambda name: None)
    assert value_fits(asked, value) is fits


@pytest.mark.parametrize(
    ("question", "value", "fits"),
    [
        ("On what day is the garden of Ostby open?", "15 August", True),
        ("On what day is the garden of Ostby open?", "August", False),
        ("On which day was Ida Moor born?", "4 May 1910", True),
        ("On which day was Ida Moor born?", "May 1910", False),
        ("When was Ida Moor born?", "May 1910", True),
        ("At what age did Ida Moor die?", "fifteen", True),
        ("At what age did Ida Moor die?", "15", False),
        ("At what age did Ida Moor die?", "at home", False),
    ],
)
def test_days_without_a_year_and_ages_in_words_are_values(
    question: str, value: str, fits: bool
) -> None:
    assert value_fits(read_asked(question, lambda name: None), value) is fits


def test_where_may_be_a_place_without_a_name() -> None:
    asked = read_asked("Where did Ida Moor work?", lambda name: None)
    assert value_fits(asked, "the patent office", plain=True)
    assert not value_fits(asked, "the patent office")


@pytest.mark.parametrize(
    ("step", "name", "amiss"),
    [
        ("When was Ann Lee founded?", "Ann Lee", True),
        ("Where is Ann Lee located?", "Ann Lee", True),
        ("When was Ann Lee born?", "Ann Lee", False),
        ("When was Elm College founded?", "Elm College", False),
        ("In which year is Elm College located?", "Elm College", True),
        ("Where is Elm College located?", "Elm College", False),
        ("What is the population of Elm College?", "Elm College", True),
        ("What is the population of Elm?", "Elm", False),
        ("What is the name of Ann Lee?", "Ann Lee", True),
        ("What is the name of Ann Lee's sister?", "Ann Lee", False),
        ("What is the year of Ann Lee?", "Ann Lee", True),
        ("What is the year of the Elm fire?", "Elm", False),
        ("When was his Elm Prize?", "Elm", True),
        ("When did Elm get its name?", "Elm", False),
    ],
)
def test_some_steps_no_answer_could_answer(step: str, name: str, amiss: bool) -> None:
    leads = {
        "Ann Lee": "Ann Lee (1901 – 1987) was a painter.",
        "Elm College": "Elm College is a college.",
        "Elm": "Elm is a town.",
    }
    assert asks_amiss(step, name, leads[name]) is amiss


@pytest.mark.parametrize(
    ("step", "quote", "none"),
    [
        ("When was Bo Orr born?", "Bo Orr first stood on the Vik on 8 August 1786.", True),
        ("What is the birth date of Bo Orr?", "Bo Orr was born on 3 May 1762.", False),
        ("When was Bo Orr born?", "Bo Orr (3 May 1762 – 1834) was a hunter.", False),
        ("When did Bo Orr climb the Vik?", "He stood on it in 1786.", False),
        ("When did Bo Orr die?", "Bo Orr (born 3 May 1962) is a hunter.", True),
        ("When did Bo Orr die?", "Bo Orr (3 May 1762 – 1834) was a hunter.", False),
        ("When did Bo Orr die?", "He fell to his death in 1834.", False),
        ("When did Bo Orr die?", "He fell from the Vik in 1834.", False),
    ],
)
def test_a_birth_is_told_by_what_tells_of_one(step: str, quote: str, none: bool) -> None:
    assert tells_other_end(step, quote) is none
