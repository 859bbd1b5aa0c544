"""Quotes that hold a value and say another thing of it than is asked, beside ones that say it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.citations.support.answers import examine_answer
from tests.reasoners import chunk

HELD = [
    # Of several dates, the one beside the word for what is asked.
    ("When was Bo Lee elected?", "May 1861", "supported", "Bo Lee, elected in May 1861, died in June 1865."),
    ("When was Bo Lee elected?", "May 1861", "unsure",
     "Bo Lee led Ham from May 1861 until he was elected in June 1865."),
    # Who did it.
    ("Who founded Ham?", "Bo Lee", "supported", "Bo Lee founded Ham in 1861."),
    ("By whom was Ham founded?", "Bo Lee", "supported", "Ham was founded by Ann and Bo Lee."),
    ("By whom was Ham founded?", "Elm", "unsure", "The President of Elm founded Ham."),
    ("Who defeated Ham?", "Bo Lee", "supported", "Bo Lee defeated Ham at Elm."),
    ("Who defeated Ham?", "Bo Lee", "unsure", "Most writers, including Bo Lee, say that Elm defeated Ham."),
    ("By whom was Ham founded?", "Oak Stores", "unsure",
     "Ham has shops founded in 1889 as Oak Stores."),
    ("By whom was Ham founded?", "Kern", "unsure",
     "Shops in Ham range from the Oak founded in 1870 to Kern, a small shop founded in 1889."),
    ("Who defeated Ham?", "Bo Lee", "unsure", "Bo Lee was defeated with Ham at Elm."),
    ("Who created Ham Show?", "Elmish", "unsure", "Ham Show is an Elmish series created for children."),
    ("Who created Ham Show?", "Bo", "supported", "Ham Show is a series created by Bo."),
    ("Who composed Ham?", "Bo Lee", "supported", "Ham is a poem by the Elmish composer Bo Lee, written in 1901."),
    ("Who composed Ham?", "Bo Lee", "unsure", "Ham is a poem by Ann, and composer Bo Lee liked it."),
    # Who stands beside the subject, of whom alone it says the most.
    ("Who was the oldest baker?", "Bo Lee", "unsure",
     "She shared the prize with Ann and Bo Lee and became the oldest baker."),
    ("Who was the oldest baker?", "Bo Lee", "unsure",
     "She shared the prize with J. Elm and Bo Lee and became the oldest baker."),
    ("Who was the oldest baker?", "Bo Lee", "supported", "Bo Lee was the oldest baker."),
    ("Who made Ham by Bo Lee?", "Ann Kern", "unsure", "Ham was made by Ann Kern."),
    ("Who made Ham?", "Ann Kern", "supported", "Ham was made by Ann Kern."),
    # Another year than the row's, or than those the question is about.
    ("How many played in Ham in 2024?", "23", "unsupported", "Year: 1988 | City: Ham | Played: 23"),
    ("How many played in Ham in 1988?", "23", "supported", "Year: 1988 | City: Ham | Played: 23"),
    ("In which years between 2010 and 2019 did Ham play?", "1988", "unsupported", "Year: 1988 | City: Ham"),
    # The thing, and a narrower one.
    ("Who invented the ladder?", "Bo Lee", "unsure", "Bo Lee invented a folding ladder."),
    ("Who invented the ladder?", "Bo Lee", "supported", "Bo Lee invented the ladder."),
    # Said of another in the same sentence.
    ("Where was Ham Eight born?", "Oakton", "unsure", "Ham Eight carried Bo Lee who was born in Oakton."),
    ("Where was Bo Lee born?", "Oakton", "supported", "The pilot was Bo Lee who was born in Oakton."),
    # Whoever held an office need not be the first who did.
    ("Who was the first president of Ham?", "Bo Lee", "unsure", "Bo Lee was president of Ham from 1869 to 1909."),
    ("Who was the first president of Ham?", "Bo Lee", "supported", "Bo Lee was the first president of Ham."),
    # What something else is compared with.
    ("How many live in Ham?", "134 people", "unsure", "It has 134 people, fewer than Ham and Elm."),
    ("How many live in Ham's port?", "134 people", "supported", "134 people live in the port, fewer than in Ham."),
    ("Which town has fewer people than Ham?", "Oakton", "supported", "The town of Oakton has fewer people than Ham."),
    # The second largest is not the largest.
    ("Which is the largest moon of Elm?", "Ham", "unsure", "Ham is the second largest moon of Elm."),
    ("Which is the second largest moon of Elm?", "Ham", "supported", "Ham is the second largest moon of Elm."),
    # Planned and called off.
    ("Did Ham Eight land on Elm?", "Yes", "unsure", "Ham Eight was to be the third to land on Elm."),
    ("Did Ham Eight land on Elm?", "Yes", "supported", "Ham Eight was the third to land on Elm."),
    ("When did Ham have its navy?", "1868", "unsure", "Ham abolished its navy in 1868."),
]  # fmt: skip


@pytest.mark.parametrize(("question", "value", "ruling", "line"), HELD)
def test_a_sentence_proves_what_it_says_of_what_is_asked(
    question: str, value: str, ruling: str, line: str
) -> None:
    assert examine_answer(question, [value], line, chunk(1, line))[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "value", "ruling", "line", "title"),
    [
        ("Who was the successor of Bo?", "King of Ham", "unsure", "Successor: King of Ham", "Bo"),
        ("Who was the successor of Bo?", "Ann Lee", "supported", "Successor: Ann Lee", "Bo"),
        ("Who was Bo?", "King of Ham", "supported", "Bo: King of Ham", "Bo"),
        ("Who won the Ham War?", "Elm victory, Oak lost", "unsure", "Won by: Elm victory, Oak lost", "Ham War"),
        ("Who won the Ham War?", "Elm", "supported", "Won by: Elm", "Ham War"),
        ("Where does the Elm spring?", "Oakton", "unsure", "Mouth location: Oakton", "Elm"),
        ("What did its crew call the lander of Elm 9?", "Bo Lee", "unsure", "Lander pilot: Bo Lee", "Elm 9"),
        ("At which school does Bo Lee teach?", "Ham College", "unsure", "Alma mater: Ham College", "Bo Lee"),
        ("Where is the source of the Elm?", "Oakton", "supported", "Source: Oakton", "Elm"),
        ("What is the mass of Ham?", "21 kg", "unsure", "Samples mass: 21 kg", "Ham"),
        ("What is the mass of Ham?", "21 kg", "supported", "Mass: 21 kg", "Ham"),
        ("What is the mean depth of Ham?", "21 m", "unsure", "Max-depth: 21 m", "Ham"),
        ("What day did Ham land?", "3 May 1901", "unsure", "Launch date: 3 May 1901", "Ham"),
        ("When was Ham born?", "3 May 1901", "unsure", "Launch date: 3 May 1901", "Ham"),
        ("Where was Ham born?", "Oakton", "unsure", "Location: Oakton", "Ham"),
        ("Where was Ham born?", "Oakton", "supported", "Birth place: Oakton", "Ham"),
        ("What did Ham die of?", "Oakton", "unsure", "Death place: Oakton", "Ham"),
        ("Where did Ham die?", "Oakton", "supported", "Death place: Oakton", "Ham"),
        ("In which years did Ham play?", "Oakton, Elm", "unsure", "Played: Oakton, Elm", "Ham"),
        ("What are the summer games of Ham?", "Winter Games", "unsure", "Games: Winter Games", "Ham"),
        ("What are the Summer Games of Ham?", "Summer Games", "supported", "Games: Summer Games", "Ham"),
        ("Which countries border Ham?", "Elmish", "unsure", "National languages: Elmish", "Ham"),
        ("Into which lake does Ham flow?", "Oakton, Elm", "unsure", "Cities: Oakton, Elm", "Ham"),
        ("What languages are national in Ham?", "Elmish", "supported", "National languages: Elmish", "Ham"),
        ("By whom was Ham bought and sold?", "Bo Lee", "unsure", "Owner: Bo Lee", "Ham"),
        ("Who is the owner of Ham?", "Bo Lee", "supported", "Owner: Bo Lee", "Ham"),
    ],
)  # fmt: skip
def test_a_label_gives_what_it_says(
    question: str, value: str, ruling: str, line: str, title: str
) -> None:
    verdict, _ = examine_answer(question, [value], line, chunk(1, line, title))
    # What lacks the words alone, a reader of meanings may confirm: not these.
    assert (verdict.ruling, verdict.wording) == (ruling, False)


@pytest.mark.parametrize(
    ("section", "ruling"), [("Films", "supported"), ("External links", "unsure")]
)
def test_a_list_of_references_holds_no_members(section: str, ruling: str) -> None:
    source = replace(chunk(1, "- The Oak Tree, a film by Bo Lee", "Bo Lee"), section=section)
    question = "What are the films by Bo Lee?"
    verdict, _ = examine_answer(question, ["The Oak Tree"], source.text, source)
    assert verdict.ruling == ruling


def test_what_points_elsewhere_is_no_member() -> None:
    line = "Played by: Ann Lee, Bo Kern, See below"
    values = ["Ann Lee", "Bo Kern", "See below"]
    _, held = examine_answer("Who played Ham?", values, line, chunk(1, line, "Ham"))
    assert held == {"Ann Lee", "Bo Kern"}


@pytest.mark.parametrize(
    ("result", "ruling"), [("Landed on Elm", "supported"), ("Landing on Elm called off", "unsure")]
)
def test_a_row_that_says_it_was_called_off_names_no_member(result: str, ruling: str) -> None:
    line = f"Flight: Ham Eight | Result: {result}"
    question = "What are the Ham flights that landed on Elm?"
    members = ["Ham Seven", "Ham Eight"]
    verdict, _ = examine_answer(question, members, line, chunk(1, line, "Ham flights"))
    assert (verdict.ruling, verdict.wording) == (ruling, False)


@pytest.mark.parametrize(
    "asked", ["did Ham do away with", "was Ham getting rid of", "did Ham get rid of"]
)
def test_what_a_question_does_away_with_may_be_called_off(asked: str) -> None:
    line = "Ham abolished its navy in 1868."
    verdict, held = examine_answer(f"When {asked} its navy?", ["1868"], line, chunk(1, line, "Ham"))
    # What it lacks is but a word of the question, which a reader may confirm.
    assert (held, verdict.wording) == ({"1868"}, True)


@pytest.mark.parametrize(("value", "ruling"), [("Kern", "unsure"), ("The Oak Tree", "supported")])
def test_the_last_name_of_what_is_asked_about_is_no_answer(value: str, ruling: str) -> None:
    line = "Kern is told of in The Oak Tree, a film directed by Bo Kern."
    question = "What are the films directed by Bo Kern?"
    assert examine_answer(question, [value], line, chunk(1, line, "Bo Kern"))[0].ruling == ruling


@pytest.mark.parametrize(("value", "ruling"), [("Ann Lee", "unsure"), ("One Day", "supported")])
def test_who_did_the_like_is_no_thing_done(value: str, ruling: str) -> None:
    line = "- One Day of Bo Kern: film directed by Ann Lee and directed by Bo Kern"
    question = "What are the films directed by Bo Kern?"
    assert examine_answer(question, [value], line, chunk(1, line, "Bo Kern"))[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "ruling"),
    [
        ("Who was the first woman to win the Ham Prize?", "unsure"),
        ("Who was the first to win the Ham Prize?", "supported"),
    ],
)
def test_the_first_woman_need_not_be_the_first(question: str, ruling: str) -> None:
    line = "Bo Lee was the first to win the Ham Prize."
    assert (
        examine_answer(question, ["Bo Lee"], line, chunk(1, line, "Ham Prize"))[0].ruling == ruling
    )


@pytest.mark.parametrize(
    ("question", "after", "ruling"),
    [
        ("Who was the first man on Mount Ham?", "He was a baker.", "supported"),
        ("Who was the first man on Mount Ham?", "She was a baker.", "unsure"),
        ("Who was the first woman on Mount Ham?", "She was a baker.", "unsure"),
        ("Who was the first person on Mount Ham?", "She was a baker.", "supported"),
    ],
)
def test_the_first_person_is_the_first_man_where_it_is_one(
    question: str, after: str, ruling: str
) -> None:
    line = "Bo Lee was the first person on Mount Ham."
    source = chunk(1, f"{line} {after}", "Bo Lee")
    assert examine_answer(question, ["Bo Lee"], line, source)[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "title", "ruling"),
    [
        ("Who won the Oakton Regatta?", "1990 Spring Regatta", "supported"),
        ("Who won the Kern Regatta?", "1990 Spring Regatta", "unsupported"),
        ("Who won the Oakton Derby?", "1990 Spring Regatta", "unsupported"),
        # Held every year, where the last one was.
        ("Who won the Oakton Regatta?", "Spring Regatta", "unsupported"),
    ],
)
def test_an_event_of_a_year_is_called_by_its_place(question: str, title: str, ruling: str) -> None:
    box = chunk(1, "Name: Spring Regatta\nHost city: Oakton, Elm\nWon by: Bo Lee", title)
    assert examine_answer(question, ["Bo Lee"], "Won by: Bo Lee", box)[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "ruling"),
    [("Who won the Oakton Regatta?", "supported"), ("Who won the Oakton Derby?", "unsupported")],
)
def test_a_row_is_called_by_its_place_and_what_its_table_is_about(
    question: str, ruling: str
) -> None:
    row = "Year: 1990 | Host city: Oakton | Won by: Bo Lee"
    verdict, _ = examine_answer(question, ["Bo Lee"], row, chunk(1, row, "Spring regattas"))
    assert verdict.ruling == ruling


@pytest.mark.parametrize(
    ("question", "line", "value", "ruling"),
    [
        ("How often was Elm top at the Ham Games from 1988 to 2024?", "Frequency: Every four years",
         "Every four years", "unsupported"),
        ("How often has Elm won the Ham Games between 1988 and 2024?",
         "Between 1988 and 2024 Elm won the Ham Games three times.", "three", "supported"),
    ],
)  # fmt: skip
def test_how_often_in_some_years_is_told_where_these_stand(
    question: str, line: str, value: str, ruling: str
) -> None:
    source = chunk(1, f"{line}\n\nThe Ham Games are held in Elm.", "Ham Games")
    assert examine_answer(question, [value], line, source)[0].ruling == ruling


@pytest.mark.parametrize(
    ("question", "value", "ruling"),
    [
        ("How long is one lap of Ham?", "1,469 km", "unsure"),
        ("How wide is Ham?", "1,469 km", "supported"),
        ("What is the diameter of Ham?", "1,469 km", "supported"),
        ("What was the module of Ham called?", "Ann Kern", "unsure"),
        ("Who was the module pilot of Ham?", "Ann Kern", "supported"),
        ("What is the name of the module pilot of Ham?", "Ann Kern", "supported"),
    ],
)
def test_a_label_of_another_measure_or_of_a_person_is_not_what_is_asked(
    question: str, value: str, ruling: str
) -> None:
    line = "Width: 1,469 km" if question.startswith("How wide") else "Diameter: 1,469 km"
    line = line if value.endswith("km") else "Module pilot: Ann Kern"
    source = chunk(1, f"Name: Ham\n{line}\n\nHam is a moon.", "Ham")
    assert examine_answer(question, [value], line, source)[0].ruling == ruling
