"""A box denies a statement by another value only where one value excludes the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.finder.statements.denial import stated
from agent.extractive.language.classes import classes_of, excludes, members_in
from agent.extractive.sources import Sources
from corpus.articles import MemoryArticles
from tests.unit.agent.extractive.finder.test_values import hits_of

PERSON = (
    "Name: Ida Kern\nBirth place: Lund, Sweden\nDeath date: 3 May 1990\nDeath place: Reno, Nevada\n"
    "Alma mater: Brod School"
)
COUNTRY = "Name: Austria\nCapital: Vienna\nCurrency: Euro\nOfficial languages: German"
OPERA = "Name: Nerva\nComposer: Ida Kern\nLanguage: French\nPremiere location: Brod Opera, Lyon"
RIVER = "Name: Danube\nMouth: Black Sea\nCountries: Austria, Hungary"
TABLE = """Plays
Play: Nerva | First performance: 1900 | City: Lyon
Play: Otho | First performance: 1901 | City: Ghent
Play: Galba | First performance: 1902 | City: Brod"""
PAGES = {
    "Ida Kern": f"{PERSON}\n\nIda Kern was a composer.",
    "Austria": f"{COUNTRY}\n\nAustria is a country.",
    "Nerva": f"{OPERA}\n\nNerva is an opera by Ida Kern.",
    "Danube": f"{RIVER}\n\nThe Danube is a river.",
    "Vienna": "Country: Austria\n\nVienna is the capital and largest city of Austria.",
    "Bern": "Country: Switzerland\n\nBern is a city in Switzerland.",
    "Elm College": "Location: Graz\n\nElm College is a college in Graz.",
    "Brod School": "Location: Brod\n\nBrod School is a school in Brod.",
    "Brod School of Law": "Location: Brod\n\nBrod School of Law is a school in Brod.",
    "Galba": "Name: Galba\nPremiere location: La Fenice, Venice\n\nGalba is an opera.",
    "Jo Ott": "Name: Jo Ott\nBirth date: 3 May 1960 (age 66)\n\nJo Ott was a composer from Graz.",
    "Plays": f"{TABLE}\n",
    "Tessel": "Designer: Mia Rand\n\nTessel is a programming language.",
    "Mia Rand": "Born: Ulm\n\nMia Rand (born 3 May 1960) is a Vellan programmer who made Tessel.",
    "Lev Oru": "Born: Brod\n\nLev Oru (born 1 July 1955) is a programmer.",
    "Orm": "Satellites: None\nMotto: Onward\n\nOrm is a planet.",
    "Ulm": "Satellites: 1: Pet\n\nUlm is a planet.",
}
SOURCES = Sources(MemoryArticles(PAGES.items(), name="few", date="2026-11-01"), readable=False)
FACTS = facts_of(hits_of(PAGES))


def told(question: str) -> bool | None:
    asked = read_asked(question, SOURCES.subject_of)
    known = (stated(asked, fact, SOURCES, FACTS) for fact in FACTS)
    return next((one for one in known if one is not None), None)


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("Was Ida Kern born in Sweden?", True),
        ("Was Ida Kern born in Norway?", False),
        ("Was Tessel created by Lev Oru?", False),
        ("Was Tessel created by Mia Rand?", True),
        ("Does the Danube flow into the Indian Ocean?", False),
        ("Does the Danube flow into the Atlantic Ocean?", None),
        ("Was Ida Kern born in Texas?", False),
        ("Did Ida Kern die in Texas?", False),
        ("Did Ida Kern die in Canada?", False),
        ("Does Austria use the euro?", True),
        ("Does Orm have a moon?", False),
        ("Does Ulm have any moons?", True),
        ("Does Orm have a motto?", True),
        ("Does Austria use the Swiss franc?", False),
        ("Is French the official language of Austria?", False),
        ("Is Bern the capital of Austria?", False),
        ("Was Nerva written in Italian?", False),
        ("Is Nerva sung in Italian?", False),
        ("Was Nerva composed by Jo Ott?", False),
        ("Did Jo Ott compose Nerva?", False),
        ("Was Nerva first performed in the city of Ghent?", False),
        ("Does the Danube flow into the North Sea?", False),
        ("Does the Danube flow into the Black Sea?", True),
        # What a value lies in, and what it does not.
        ("Does the Danube belong to Europe?", True),
        ("Does the Danube lie in Asia?", False),
        ("Was Ida Kern born in Europe?", True),
        ("Did Ida Kern die in the United States?", True),
        ("Is Vienna in Europe?", True),
        ("Is Bern in Africa?", False),
        # The label is meant, in whatever words.
        ("Was Nerva first seen in Ghent?", False),
        ("Can Austria pay with euros?", True),
        ("Does Hungary touch the Danube?", True),
        ("Can Austria pay with Swiss francs?", False),
        ("Does the Danube flow through just one country?", False),
        # A city that everyone knows lies in its country, and a box tells who lives.
        ("Was Galba first performed in Italy?", True),
        ("Was Galba first performed in Spain?", False),
        ("Is Ida Kern still alive?", False),
        ("Has Ida Kern died?", True),
        ("Is Jo Ott alive?", True),
        ("Is Jo Ott dead?", False),
        ("Did Ida Kern study at the University of Graz?", False),
        # A box lists all the schools.
        ("Did Ida Kern study at Elm College?", False),
        ("Did Ida Kern study at Brod School?", True),
    ],
)
def test_a_box_states_or_denies(question: str, yes: bool) -> None:
    assert told(question) is yes


@pytest.mark.parametrize(
    "question",
    [
        "Was Ida Kern born in Scania?",  # which may lie in Sweden
        "Was Ida Kern's father born in Norway?",
        "Was the wife of Ida Kern born in Norway?",
        "Was Ida Kern married in Norway?",
        "Did Ida Kern study at Graz School?",  # of which nothing is known
        "Did Ida Kern study at Brod School of Law?",  # which may be a part of it
        "Did Ida Kern teach at Elm College?",
        "Did Ida Kern found Elm College?",
        "Did Ida Kern drop out of Elm College?",
        "Did Ida Kern turn down a place at Elm College?",
        "Was Ida Kern raised in Norway?",
        "Was Nerva banned in Ghent?",
        "Does The Danube go from a border?",
        "Does the Danube flow through more than one country?",
        "Does the Danube have its mouth in a single country?",
        "Did Ida Kern die in 1990?",
        "Did Ida Kern's father die?",
        "Was Ida Kern married in Europe?",
        "Was Ida Kern not born in Norway?",
        "Was Bern the capital of Austria?",  # it may have been
        "Is Bern the capital of Austria since 1950?",
        "Did Austria use the Swiss franc?",
        "Was Nerva performed in Ghent?",  # if not first
        "Was Nerva sung by Jo Ott?",
        "Was Nerva composed by Alan Brod?",  # of whom nothing says that it is a person
        "Does the Danube flow through Poland?",
    ],
)
def test_silence_and_doubt_rule_nothing(question: str) -> None:
    assert told(question) is None


NAMES = ["Sweden", "U.S.", "Scotland", "UK", "the Netherlands", "Texas", "euro", "Adriatic Sea"]


@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_members_exclude_one_another_alike(one: str, other: str) -> None:
    for kind in classes_of(one):
        assert not excludes(one, one, kind)
        assert excludes(one, other, kind) == excludes(other, one, kind)


def test_names_of_one_member_exclude_nothing() -> None:
    assert not excludes("Scotland", "United Kingdom", "country")
    assert not excludes("Adriatic Sea", "Mediterranean Sea", "sea")
    assert excludes("Scotland", "France", "country")
    assert classes_of("Georgia") == {}, "a country and a state"
    assert members_in("Does it pay in dollars?", "currency") == ["dollars"]
