from __future__ import annotations

import pytest

from agent.citations.content.origins import asked_origin, without_origin
from agent.citations.support.answers import examine_answer
from tests.reasoners import chunk


@pytest.mark.parametrize(
    ("question", "value", "line", "ruling"),
    [
        ("Who wrote the notes?", "Ada", "Ada wrote the notes.", "supported"),
        ("Who wrote the notes?", "Ada", "Ada may have written the notes.", "unsure"),
        ("Who wrote the notes?", "Ada", "The notes were reportedly written by Ada.", "unsure"),
        ("Who built the mill?", "Bo", "Bo was planned to build the mill.", "unsure"),
        ("Who probably built the mill?", "Bo", "Bo probably built the mill.", "supported"),
        ("Who built the mill?", "Bo", "Bo built the mill, which might have burnt.", "supported"),
    ],
)
def test_what_a_quote_only_supposes_proves_no_answer(
    question: str, value: str, line: str, ruling: str
) -> None:
    verdict, held = examine_answer(question, [value], line, chunk(1, line))
    assert (verdict.ruling, held) == (ruling, {value})


BUDAPEST = "Budapest is the capital of Hungary, with 1.7 million inhabitants in 2022."


@pytest.mark.parametrize(
    ("question", "value", "ruling"),
    [
        ("How many inhabitants has Hungary?", "1.7 million", "unsure"),
        ("How many inhabitants has Budapest?", "1.7 million", "supported"),
        ("How many inhabitants has the capital of Hungary?", "1.7 million", "supported"),
        ("What is the capital of Hungary?", "Budapest", "supported"),
    ],
)
def test_what_is_said_of_a_capital_is_not_said_of_its_country(
    question: str, value: str, ruling: str
) -> None:
    source = chunk(1, BUDAPEST, "Budapest")
    assert examine_answer(question, [value], BUDAPEST, source)[0].ruling == ruling


ROWS = """University: Ham University | Founded: 1701

University: Elm University | Founded: 1861"""


@pytest.mark.parametrize(
    ("row", "held", "ruling"),
    [(0, {"Ham University"}, "supported"), (1, {"Elm University"}, "unsupported")],
)
def test_a_row_holds_its_own_university_and_no_other(row: int, held: set[str], ruling: str) -> None:
    source = chunk(1, ROWS, "Four Oaks League")
    members = ["Ham University", "Elm University"]
    question = "Which universities of the Four Oaks League date from the 1700s?"
    verdict, found = examine_answer(question, members, ROWS.split("\n\n")[row], source)
    assert (verdict.ruling, found) == (ruling, held)


FAIRS = "Year: 1901 | Town: Ham\nYear: 1902 | Town: Elm\nYear: 1903 | Town: Oster"


@pytest.mark.parametrize(
    ("members", "wording"), [(("Ham", "Elm", "Oster"), True), (("Ham", "Elm"), False)]
)
def test_no_row_says_that_it_lies_between_two_names(
    members: tuple[str, ...], wording: bool
) -> None:
    row = FAIRS.splitlines()[1]
    question = "What are the fairs from Ham to Oster?"
    verdict, _ = examine_answer(question, members, row, chunk(1, FAIRS, "Fairs"))
    # Both ends among the members, the rest may be shown in another way; without, nothing is.
    assert (verdict.ruling == "unsure", verdict.wording) == (wording, wording)
    assert verdict.ruling != "supported"


def test_a_value_of_one_word_that_the_quote_does_not_hold_is_not_proven() -> None:
    line = "The mill was built by Bo."
    verdict, held = examine_answer("Who built the mill?", ["Ada"], line, chunk(1, line))
    assert (verdict.ruling, held) == ("unsupported", frozenset())


def test_a_number_that_counts_nothing_settles_no_question() -> None:
    line = "The mill ground ten sacks."
    verdict, _ = examine_answer("Is Mill above ten?", ["Yes"], line, chunk(1, line, "Mill"))
    assert verdict.ruling == "unsure"


@pytest.mark.parametrize(
    ("line", "value", "ruling"),
    [
        ("The undergraduates of Ham live in fourteen colleges.", "fourteen", "unsure"),
        ("Ham has fourteen undergraduates in two colleges.", "fourteen", "supported"),
    ],
)
def test_a_number_counts_the_noun_after_it(line: str, value: str, ruling: str) -> None:
    question = "What is the number of undergraduates of Ham?"
    assert examine_answer(question, [value], line, chunk(1, line, "Ham"))[0].ruling == ruling


def test_who_studied_there_are_not_all_its_students() -> None:
    line = "Five ministers of Norland studied at Ham."
    question = "How many students does Ham have?"
    assert examine_answer(question, ["Five"], line, chunk(1, line, "Ham"))[0].ruling == "unsure"


def test_a_prize_is_meant_by_the_first_word_of_its_name() -> None:
    row = "Year: 1984 | Laureate: Ann Lee | For: Maps"
    source = chunk(1, row, "Otter Award")
    asked = "What year did Ann Lee get her Otter?"
    assert examine_answer(asked, ["1984"], row, source)[0].ruling == "supported"
    other = chunk(1, row, "Otter Island")
    assert examine_answer(asked, ["1984"], row, other)[0].ruling != "supported"


REGATTA = """Lunn Regatta

## Often visited races

Three races
Year | Town | Winner
Year: 2004 | Town: Brod | Winner: Ann Lee
Year: 2008 | Town: Ayr | Winner: Bo Lee
Year: 2012 | Town: Elm | Winner: Cy Lee"""


@pytest.mark.parametrize(
    ("question", "row", "ruling"),
    [
        ("Who are the winners of the Lunn Regatta in 2004 and 2012?", 0, "supported"),
        ("Who are the winners of the Lunn Regatta in 2004 and 2012?", 1, "unsupported"),
        ("Who are the winners of the Lunn Regatta in 2004 and 2012?", 2, "supported"),
        ("Who are the winners of the Lunn Regatta in 2004?", 2, "unsupported"),
        ("What are the towns of the Lunn Regatta in the years 2004-2012?", 1, "supported"),
        # The heading in the chunk says what the table lists, whatever stands at the chunk's start.
        ("What are the towns of the visited races of the Lunn Regatta?", 1, "supported"),
    ],
)
def test_rows_hold_one_of_the_years_and_what_their_heading_says(
    question: str, row: int, ruling: str
) -> None:
    lines = REGATTA.split("\n")[-3:]
    members = ["Ann Lee", "Bo Lee", "Cy Lee"] if question.startswith("Who") else ["Brod", "Ayr"]
    source = chunk(1, REGATTA, "Lunn Regatta")
    verdict, _ = examine_answer(question, members, lines[row], source)
    assert verdict.ruling == ruling


@pytest.mark.parametrize(
    ("question", "ruling"),
    [
        ("What is the date of birth of the man behind the language Elmo?", "supported"),
        ("When was the man who created Elmo born?", "supported"),
        ("When did Elmo appear?", "unsure"),
        ("What is the age of Elmo?", "unsure"),
    ],
)
def test_dates_of_a_life_in_an_aside_answer_for_who_is_described(
    question: str, ruling: str
) -> None:
    line = "Bo Kern (born 4 May 1954) is the man behind the language Elmo, which he created."
    verdict = examine_answer(question, ["4 May 1954"], line, chunk(1, line, "Bo Kern"))[0]
    assert verdict.ruling == ruling


@pytest.mark.parametrize(
    ("question", "ruling"),
    [
        ("In what year was Bo Kern founded?", "unsupported"),
        ("In what year was Bo Kern built?", "unsupported"),
        ("In what year was Bo Kern born?", "unsure"),  # the line lacks the word
    ],
)
def test_when_a_person_lived_is_not_when_something_was_founded(question: str, ruling: str) -> None:
    line = "Bo Kern (4 May 1954 – 7 June 1999) was a printer."
    source = chunk(1, f"Name: Bo Kern\nBirth date: 4 May 1954\n\n{line}", "Bo Kern")
    assert examine_answer(question, ["4 May 1954"], line, source)[0].ruling == ruling


def test_a_clause_of_its_own_speaks_of_the_name_that_opens_it() -> None:
    line = "Ann Lee graduated here, and Bo Orr took his doctorate in 1961."
    source = chunk(1, line, "Ham University")
    question = "At which university did Bo Orr take his doctorate?"
    assert examine_answer(question, ["Ham University"], line, source)[0].ruling == "supported"
    question = "When did Bo Orr take his doctorate?"
    assert examine_answer(question, ["1961"], line, source)[0].ruling == "supported"
    other = "Ann Lee graduated in 1950, and Bo Orr took his doctorate later."
    source = chunk(1, other, "Ham University")
    assert examine_answer(question, ["1950"], other, source)[0].ruling == "unsure"


@pytest.mark.parametrize(
    ("question", "value", "line", "ruling"),
    [
        ("When was Bo Orr born?", "1897", "Bo B. Orr was born in 1897.", "supported"),
        ("Who shared the medal with Ann Lee?", "Bo Orr", "Ann Lee shared the medal with Bo Orr.",
         "supported"),
        ("What is the motto of Ham?", "We would read", "Motto: We would read", "supported"),
        ("How far is Elmo?", "4,495 million km",
         "Planet: Elmo | Distance (million km): 4,495 | Moons: 2", "supported"),
        ("How far is Elmo?", "4,495 km",
         "Planet: Elmo | Distance (million km): 4,495 | Moons: 2", "unsupported"),
    ],
)  # fmt: skip
def test_initials_scales_and_those_who_share(
    question: str, value: str, line: str, ruling: str
) -> None:
    assert examine_answer(question, [value], line, chunk(1, line, "Ham"))[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "value", "line", "ruling"),
    [
        ("How many countries does the Elm cross?", "3", "Countries: Ostland, Vik, Moor", "supported"),
        ("How many countries does the Elm cross?", "2", "Countries: Ostland, Vik, Moor", "unsupported"),
        ("How many countries does the Elm cross?", "3", "Cities: Ostby, Vikby, Moorby", "unsupported"),
        ("How many cities does the Elm cross?", "3", "Cities: Ostby, Vikby, Moorby", "unsupported"),
        ("How many countries does the Elm cross?", "3", "Countries: Vik, Moor, and others", "unsupported"),
    ],
)  # fmt: skip
def test_a_number_is_how_many_a_label_lists_where_it_lists_all(
    question: str, value: str, line: str, ruling: str
) -> None:
    source = chunk(1, f"{line}\nLength: 90 km", "Elm")
    assert examine_answer(question, [value], line, source)[0].ruling == ruling


@pytest.mark.parametrize(("asked", "ruling"), [("countries", "supported"), ("cantons", "unsure")])
def test_countries_are_no_cantons(asked: str, ruling: str) -> None:
    line = "Countries: Ostland, Vik"
    question = f"Which {asked} does the Elm cross?"
    verdict, _ = examine_answer(question, ["Ostland", "Vik"], line, chunk(1, line, "Elm"))
    assert verdict.ruling == ruling


@pytest.mark.parametrize(
    ("line", "ruling"),
    [
        ("The first winner of the Alder Prize was Bo Vik.", "unsure"),
        ("The first woman to win the Alder Prize was Ida Vik.", "supported"),
    ],
)
def test_the_first_of_all_is_not_the_first_woman(line: str, ruling: str) -> None:
    source = chunk(1, f"{line} Ann Elm was a woman as well.", "Alder Prize")
    value = line.split(" was ")[1].rstrip(".")
    question = "Who was the first woman to win the Alder Prize?"
    assert examine_answer(question, [value], line, source)[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "ruling"),
    [
        ("Which countries of the Kern Range are there?", "supported"),
        # Bohm is one of those that are listed: that says of none that it borders Bohm.
        ("Which Kern Range countries use the Bohm?", "unsure"),
        ("Which Kern Range countries use the Swiss franc?", "unsure"),
    ],
)
def test_a_name_that_is_one_of_what_is_listed_tells_nothing_of_the_others(
    question: str, ruling: str
) -> None:
    listed = ("Arn", "Bohm", "Switzerland")
    source = chunk(1, "Kern Range\n\nCountries: Arn, Bohm, Switzerland", "Kern Range")
    quote = "Countries: Arn, Bohm, Switzerland"
    assert examine_answer(question, listed, quote, source)[0].ruling == ruling


KERN = "Name: Kern\nCurrency: Krone\nLanguage: Danish\nType: Island\n\nKern is an island, as Ro is."


@pytest.mark.parametrize(
    ("question", "line", "ruling"),
    [
        ("Is Kern an island?", "Type: Island", "supported"),
        # What it has is not what it is.
        ("Is Kern a currency?", "Currency: Krone", "unsure"),
        ("Is Kern in another language?", "Language: Danish", "unsure"),
        # One letter is a name as well, and no word that any quote holds.
        ("Is C with krone currency?", "Currency: Krone", "unsupported"),
        ("Is Kern with krone currency?", "Currency: Krone", "supported"),
        # A box says nothing of what is not named.
        ("Is the currency the krone?", "Currency: Krone", "unsure"),
    ],
)
def test_a_box_says_of_its_own_thing_what_it_has(question: str, line: str, ruling: str) -> None:
    source = chunk(1, KERN, "Kern")
    assert examine_answer(question, ["Yes"], line, source)[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "ruling"),
    [("How many moons does Kern have?", "supported"), ("How wide is Kern?", "unsure")],
)
def test_a_box_may_say_that_there_are_none(question: str, ruling: str) -> None:
    line = "Moons: None"
    source = chunk(1, f"Name: Kern\n{line}\n\nKern is a planet.", "Kern")
    assert examine_answer(question, ["None"], line, source)[0].ruling == ruling


TOWN = """Population total: 190,934
Population as of: 2020 census
Area code: 401 (since 1947)
Death place: Ham
Death date: 3 May 1901"""


@pytest.mark.parametrize(
    ("question", "value", "line", "ruling"),
    [
        ("How many people did the census of 2020 count in Oakford?", "190,934", 0, "supported"),
        ("What was the population of Oakford in 2020?", "190,934", 0, "supported"),
        ("What was the population of Oakford in 1990?", "190,934", 0, "unsupported"),
        ("What was the area code of Oakford in 2020?", "401 (since 1947)", 2, "unsupported"),
        ("Where did Oakford die in 1901?", "Ham", 3, "supported"),
        ("Where did Oakford die in 1902?", "Ham", 3, "unsupported"),
    ],
)
def test_a_box_dates_a_line_by_the_one_beside_it(
    question: str, value: str, line: int, ruling: str
) -> None:
    source = chunk(1, TOWN, "Oakford")
    quote = TOWN.split("\n")[line]
    assert examine_answer(question, [value], quote, source)[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "title", "line", "ruling"),
    [
        ("When did Ham++ appear?", "Ham++", "Ham++ appeared in 1985.", "supported"),
        ("When did Ham appear?", "Ham", "Ham++ appeared in 1985.", "unsure"),
        ("When did Ham++ appear?", "Ham", "Ham appeared in 1972.", "unsupported"),
        ("When did Ham# appear?", "Ham", "Ham++ appeared in 1985.", "unsupported"),
    ],
)
def test_signs_behind_a_name_make_it_another(
    question: str, title: str, line: str, ruling: str
) -> None:
    year = line.split()[-1].rstrip(".")
    assert examine_answer(question, [year], line, chunk(1, line, title))[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "origin", "without"),
    [
        ("Which American city burnt down?", "American", "Which city burnt down?"),
        ("In which German town was he born?", "German", "In which town was he born?"),
        ("Who is the Swiss who made it?", "Swiss", "Who made it?"),
        ("What is the first European city to do it?", "European", "What is the first city to do it?"),
        ("Which Apollo mission landed?", "", "Which Apollo mission landed?"),
        ("What is the Swiss capital?", "", "What is the Swiss capital?"),
        ("Which MIT student flew?", "", "Which MIT student flew?"),
        ("Which city burnt down in America?", "", "Which city burnt down in America?"),
    ],
)  # fmt: skip
def test_where_the_thing_asked_for_is_from(question: str, origin: str, without: str) -> None:
    assert (asked_origin(question), without_origin(question)) == (origin, without)


@pytest.mark.parametrize(
    ("question", "wording"),
    [("Which Swiss town burnt down in 1871?", True), ("Which town of Elm burnt down?", False)],
)
def test_where_a_value_is_from_may_be_told_elsewhere(question: str, wording: bool) -> None:
    line = "The fire of 1871 burnt down Ham."
    verdict, held = examine_answer(question, ["Ham"], line, chunk(1, line, "Ham"))
    assert held == {"Ham"}
    assert verdict.ruling == ("unsure" if wording else "unsupported")
    assert verdict.wording is wording
