"""Claims and quotes by the kinds of fault that a citation can have."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations import judge
from agent.citations.content.dates import find_dates
from agent.citations.content.figures import find_figures
from agent.citations.content.names import aliases_from, spoken
from agent.citations.content.rounding import figure_held
from agent.citations.support.answers import examine_answer
from corpus.types import Article, Chunk
from tests.reasoners import chunk

DANUBE = chunk(
    1,
    "Length: 2,850 km\nMouth: Black Sea\n\nThe Danube is, after the Volga, the second longest river of Europe, at about 2,850 km. It flows into the Black Sea. Its delta, mostly in Romania, is a large wetland and a World Heritage Site. Johann Strauss II wrote the waltz The Blue Danube in 1866. It was not dammed until 1972. It has no locks. It does not freeze in most winters.",
    "Danube",
)
URANUS = chunk(
    2,
    "Name: Uranus\nSatellites: 29 (as of August 2025)\nDiscoverer: William Herschel\n\nUranus is the seventh planet from the Sun. William Herschel found Uranus on 13 March 1781 from the garden of his house in Bath, England. Herschel wished to call it after King George III.\n\nMoon | Diameter (km) | Discoverer | Date of discovery\nMoon: Titania | Diameter (km): 1,577 | Discoverer: William Herschel | Date of discovery: 11 January 1787\nMoon: Oberon | Diameter (km): 1,523 | Discoverer: William Herschel | Date of discovery: 11 January 1787",
    "Uranus",
)
URANUS = replace(URANUS, section="Moons")
NIGERIA = chunk(
    3,
    "Nigeria is a country in West Africa. It has a population of 3,812,345. Lagos was founded by Awori settlers. Barack Obama visited it in 2015. France beat Brazil in 1998.",
    "Nigeria",
)
ROW = "Moon: Oberon | Diameter (km): 1,523 | Discoverer: William Herschel | Date of discovery: 11 January 1787"
JUPITER = replace(
    chunk(
        4,
        "Name: Jupiter\nSatellites: 97 (as of 2025)\nLargest satellite: Ganymede\n\nAs of 2025 Jupiter has 97 known moons. Ganymede is the largest moon of Jupiter and of the whole Solar System.",
        "Jupiter",
    )
)
OLYMPICS = replace(
    chunk(
        5,
        "Host city: Sydney, Australia\nThe 2000 Summer Olympics were held in Sydney.\n\nYear: 1996 | City: Atlanta | Nations: 197\nYear: 2000 | City: Sydney | Nations: 199",
        "2000 Summer Olympics",
    )
)
VIENNA = chunk(
    6,
    "Vienna is the capital of Austria. The mayor of Vienna is Michael Ludwig. The city is home to the UNO City. Lake Neusiedl covers 315 km2.",
    "Vienna",
)
KEPT = [
    (DANUBE, "The Danube flows into the Black Sea.", "It flows into the Black Sea."),
    (
        DANUBE,
        "The Danube's delta lies mostly in Romania and is a large wetland.",
        "Its delta, mostly in Romania, is a large wetland and a World Heritage Site.",
    ),
    (
        DANUBE,
        "In 1866, Johann Strauss II wrote the waltz The Blue Danube.",
        "Johann Strauss II wrote the waltz The Blue Danube in 1866.",
    ),
    (DANUBE, "The Danube has a length of 2,850 km.", "Length: 2,850 km"),
    (DANUBE, "The Danube is about 2,900 km long.", "Length: 2,850 km"),
    (DANUBE, "The Danube has no locks.", "It has no locks."),
    (URANUS, "Oberon was discovered by William Herschel on 11 January 1787.", ROW),
    (URANUS, "Oberon has a diameter of 1,523 km.", ROW),
    (URANUS, "Uranus has 29 satellites as of August 2025.", "Satellites: 29 (as of August 2025)"),
    (
        URANUS,
        "Uranus was found by William Herschel in 1781.",
        "William Herschel found Uranus on 13 March 1781 from the garden of his house in Bath, England.",
    ),
    (
        URANUS,
        "On 1781-03-13 William Herschel discovered Uranus.",
        "William Herschel found Uranus on 13 March 1781",
    ),
    (
        NIGERIA,
        "Nigeria has a population of about 3.8 million.",
        "It has a population of 3,812,345.",
    ),
    (NIGERIA, "Obama visited Nigeria in 2015.", "Barack Obama visited it in 2015."),
    (
        URANUS,
        "William Herschel wished to call it after King George III.",
        "Herschel wished to call it after King George III.",
    ),
    (DANUBE, "The Danube was dammed in 1972.", "It was not dammed until 1972."),
]
REFUSED = [
    (DANUBE, "The Danube was dug by Napoleon in 1805 and flows into the Baltic", "in"),
    (
        DANUBE,
        "The Danube was dug by hand and flows into the Black Sea.",
        "It flows into the Black Sea.",
    ),
    (DANUBE, "The Danube does not flow into the Black Sea.", "It flows into the Black Sea."),
    (DANUBE, "The Danube has locks.", "It has no locks."),
    (DANUBE, "The Danube freezes in most winters.", "It does not freeze in most winters."),
    (DANUBE, "The Rhine flows into the Black Sea.", "It flows into the Black Sea."),
    (DANUBE, "The Danube has a length of 2,851 km.", "Length: 2,850 km"),
    (DANUBE, "The Danube has a length of 2,850 miles.", "Length: 2,850 km"),
    (
        DANUBE,
        "The Danube wrote the waltz in 1866.",
        "Johann Strauss II wrote the waltz The Blue Danube in 1866.",
    ),
    (
        DANUBE,
        "In 1867, Johann Strauss II wrote the waltz.",
        "Johann Strauss II wrote the waltz The Blue Danube in 1866.",
    ),
    (
        DANUBE,
        "Richard Wagner wrote the waltz in 1866.",
        "Johann Strauss II wrote the waltz The Blue Danube in 1866.",
    ),
    (URANUS, "Uranus was discovered on 11 January 1787.", ROW),
    (URANUS, "Moon was discovered by William Herschel.", ROW),
    (URANUS, "Oberon was discovered by William Herschel.", "Discoverer"),
    (
        URANUS,
        "Oberon was discovered by William Herschel.",
        "Moon | Diameter (km) | Discoverer | Date of discovery",
    ),
    (URANUS, "Oberon has a diameter of 1,523 miles.", ROW),
    (URANUS, "Titania has a diameter of 1,523 km.", ROW),
    (NIGERIA, "Niger has a population of 3,812,345.", "It has a population of 3,812,345."),
    (NIGERIA, "Nigeria has a population of 4,812,345.", "It has a population of 3,812,345."),
    (NIGERIA, "Brazil beat France in 1998.", "France beat Brazil in 1998."),
    (NIGERIA, "Nigeria was founded by Awori settlers.", "Lagos was founded by Awori settlers."),
]
ANSWERS = [
    (
        1,
        "How many known moons does Jupiter have?",
        ["97 (as of 2025)"],
        "Satellites: 97 (as of 2025)",
        JUPITER,
    ),
    (
        1,
        "What is the largest moon of Jupiter?",
        ["Ganymede"],
        "Largest satellite: Ganymede",
        JUPITER,
    ),
    (
        1,
        "What is the largest moon of Jupiter?",
        ["Ganymede"],
        "Ganymede is the largest moon of Jupiter and of the whole Solar System.",
        JUPITER,
    ),
    (
        0,
        "What is the smallest moon of Jupiter?",
        ["Ganymede"],
        "Largest satellite: Ganymede",
        JUPITER,
    ),
    (0, "How many moons does Saturn have?", ["97"], "Satellites: 97 (as of 2025)", JUPITER),
    (0, "Who discovered Moon?", ["William Herschel"], ROW, URANUS),
    (0, "Who discovered the Moon?", ["William Herschel"], ROW, URANUS),
    (0, "Who discovered Uranus?", ["William Herschel"], ROW, URANUS),
    (1, "Who discovered Oberon?", ["William Herschel"], ROW, URANUS),
    (1, "Who discovered Uranus?", ["William Herschel"], "Discoverer: William Herschel", URANUS),
    (1, "When was Oberon discovered?", ["11 January 1787"], ROW, URANUS),
    (0, "When was Oberon discovered?", ["1,523"], ROW, URANUS),
    (
        1,
        "Which city hosted the 2000 Summer Olympics?",
        ["Sydney"],
        "Host city: Sydney, Australia",
        OLYMPICS,
    ),
    (
        0,
        "Which city hosted the 2008 Summer Olympics?",
        ["Sydney"],
        "Host city: Sydney, Australia",
        OLYMPICS,
    ),
    (
        1,
        "Which city hosted the Summer Olympics in 1996?",
        ["Atlanta"],
        "Year: 1996 | City: Atlanta | Nations: 197",
        OLYMPICS,
    ),
    (
        0,
        "Which city hosted the Summer Olympics in 1996?",
        ["Sydney"],
        "Year: 2000 | City: Sydney | Nations: 199",
        OLYMPICS,
    ),
    (1, "What is the capital of Austria?", ["Vienna"], "Vienna is the capital of Austria.", VIENNA),
    (
        0,
        "What is the capital of the Black Sea?",
        ["Vienna"],
        "Vienna is the capital of Austria.",
        VIENNA,
    ),
    (
        1,
        "Who is the mayor of Vienna?",
        ["Michael Ludwig"],
        "The mayor of Vienna is Michael Ludwig.",
        VIENNA,
    ),
    (0, "Who is the mayor of Vienna?", ["UNO City"], "The city is home to the UNO City.", VIENNA),
    (
        0,
        "What is the area of Lake Constance?",
        ["315 km2"],
        "Lake Neusiedl covers 315 km2.",
        VIENNA,
    ),
    (1, "What is the area of Lake Neusiedl?", ["315 km2"], "Lake Neusiedl covers 315 km2.", VIENNA),
    (1, "Is Vienna the capital of Austria?", ["Yes"], "Vienna is the capital of Austria.", VIENNA),
    (0, "Is Vienna the capital of Germany?", ["Yes"], "Vienna is the capital of Austria.", VIENNA),
    (0, "Is Vienna the capital of Germany?", ["No"], "Vienna is the capital of Austria.", VIENNA),
]


@pytest.mark.parametrize(("source", "claim", "quote"), KEPT)
def test_a_true_claim_is_supported(source: Chunk, claim: str, quote: str) -> None:
    assert judge(claim, quote, source) == "supported"


@pytest.mark.parametrize(("source", "claim", "quote"), REFUSED)
def test_a_false_claim_is_not(source: Chunk, claim: str, quote: str) -> None:
    assert judge(claim, quote, source) != "supported"


@pytest.mark.parametrize(("proven", "question", "values", "quote", "source"), ANSWERS)
def test_a_sub_answer_is_judged_with_its_question(
    proven: int, question: str, values: list[str], quote: str, source: Chunk
) -> None:
    verdict, _ = examine_answer(question, values, quote, source)
    assert (verdict.ruling == "supported") == bool(proven), verdict.reason


LIST = chunk(9, "Quantity 1 of the list is 7. It has 15 lines of at least 4 words.", "The list")


@pytest.mark.parametrize(
    ("proven", "question", "value"),
    [
        (True, "What is quantity 1 of the list?", "7"),
        (False, "What is quantity 15 of the list?", "7"),
        (False, "What is quantity 3 of the list?", "7"),
    ],
)
def test_a_number_tells_which_thing_is_meant(proven: bool, question: str, value: str) -> None:
    verdict, _ = examine_answer(question, [value], "Quantity 1 of the list is 7.", LIST)
    assert (verdict.ruling == "supported") == proven, verdict.reason


@pytest.mark.parametrize(
    ("claimed", "found", "held"),
    [
        ("3.8 million", "3,812,345", "yes"),
        ("3.9 million", "3,812,345", "no"),
        ("more than 3 million", "3,812,345", "yes"),
        ("more than 4 million", "3,812,345", "no"),
        ("nearly 4 million", "3,812,345", "yes"),
        ("1.5 km", "1,545 m", "yes"),
        ("1,545 km", "1,545 m", "no"),
        ("5 miles", "8 km", "yes"),
        ("about 100", "97", "yes"),
        ("100", "97", "unsure"),
        ("98", "97", "no"),
        ("seven", "7", "yes"),
        ("half a million", "503,000", "yes"),
        ("25%", "25 percent", "yes"),
        ("472 km", "472", "unsure"),
    ],
)
def test_a_number_is_held_in_any_form_and_as_far_as_its_digits_go(
    claimed: str, found: str, held: str
) -> None:
    assert figure_held(find_figures(claimed)[0], find_figures(found), ()) == held


@given(st.integers(min_value=2, max_value=10**11))
def test_every_number_is_found_as_it_was_written_and_no_neighbour_is_taken_for_it(n: int) -> None:
    (figure,) = find_figures(f"{n:,} km")
    assert figure.value == n
    assert figure_held(figure, find_figures(f"{n * 1000:,} m"), ()) == "yes"
    assert figure_held(figure, find_figures(f"{n + 1:,} km"), ()) == "no" or figure.digits < len(
        str(n)
    )


@given(st.dates())
def test_a_date_is_the_same_in_every_form(day: object) -> None:
    from datetime import date

    assert isinstance(day, date)
    if day.year < 1000:
        return
    forms = (f"{day:%d %B} {day.year}", f"{day:%B %d}, {day.year}", day.isoformat())
    forms += (f"{day.year}年{day.month}月{day.day}日",)
    for form in forms:
        (found,) = find_dates(form)
        assert (found.year, found.month, found.day) == (day.year, day.month, day.day)
        assert all(found.holds(other) for text in forms for other in find_dates(text))


def test_whole_names_only_and_redirects_only_where_the_article_has_them() -> None:
    assert spoken("Niger", "Nigeria borders Niger.") == "whole"
    assert spoken("Niger", "Nigeria is a country.") == "no"
    assert spoken("Georgia", "South Georgia is an island.") == "no"
    assert spoken("Lassell", "It was found by William Lassell.") == "surname"

    class Shelf:
        def find(self, title: str) -> Article | None:
            text = "The Netherlands, informally Holland, is a country."
            revision = replace(chunk(9, text).revision, title="Netherlands")
            known = (
                "Holland",
                "Amstel (river)",
                "Netherlands",
                "Elm College",
                "Oak Museum",
                "Oak College",
            )
            if title not in known:
                return None
            return Article(revision=revision, text=text, sections=(), redirects=known[:2])

    aliases = aliases_from(Shelf())
    assert "Netherlands" in aliases("Holland")
    assert aliases("Amstel (river)") == ()
    assert aliases("Elm") == ("Elm College",)
    assert aliases("Oak") == aliases("elm") == aliases("Ida Elm") == ()


COUNTRIES = chunk(
    11,
    "Country | Capital | Population | Largest lake\n"
    "Country: Ostland | Capital: Brod | Population: 9.1 million | Largest lake: Lake Kern",
    "List of countries",
)
OSTLAND = "Country: Ostland | Capital: Brod | Population: 9.1 million | Largest lake: Lake Kern"


@pytest.mark.parametrize(
    ("question", "value", "ruling"),
    [
        ("What is the population of Ostland?", "9.1 million", "supported"),
        ("What is the population of Brod?", "9.1 million", "unsure"),
        ("What is the population of Lake Kern?", "9.1 million", "unsure"),
        ("Which country has Brod as its capital?", "Ostland", "supported"),
        (
            "What is the largest lake of the country whose capital is Brod?",
            "Lake Kern",
            "supported",
        ),
    ],
)
def test_a_row_says_nothing_of_what_stands_in_one_of_its_cells(
    question: str, value: str, ruling: str
) -> None:
    assert examine_answer(question, [value], OSTLAND, COUNTRIES)[0].ruling == ruling
