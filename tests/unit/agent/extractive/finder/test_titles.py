"""Things that their own articles call what is asked for."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.finder.titles import find_called, find_titled
from tests.unit.agent.extractive.finder.test_values import hits_of

FACTS = facts_of(
    hits_of(
        {
            "Arden": "Arden is the capital and largest city of South Orland. It lies on the Ull.",
            "Brill (city)": "Brill is the capital of North Orland.",
            "Corin": "Corin was the capital of Umbria Nova until 1820.",
            "Dunmore": "Dunmore is the former capital of West Orland.",
            "Ull": "The Ull is the longest river of South Orland, at 90 km.",
            "Elm": "Elm is the capital of East Orland.",
            "Elmet": "Elmet is the capital of East Orland.",
            "Ada Corin": "Ada Corin (1901 – 1950) was a baker and the first person to stand on Mount Ull.",
        }
    )
)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("What is the capital of South Orland?", "Arden"),
        ("What is the largest city of South Orland?", "Arden"),
        ("Which city is the capital of North Orland?", "Brill"),
        ("What was the capital of Umbria Nova?", "Corin"),
        ("What is the capital of Umbria Nova?", None),
        ("What is the longest river of South Orland?", "Ull"),
        ("What is the capital of West Orland?", None),
        ("What is the capital of Orland?", None),
        # Two articles say so: neither is taken.
        ("What is the capital of East Orland?", None),
        ("How large is the capital of South Orland?", None),
        ("Who was the first person on Mount Ull?", "Ada Corin"),
        ("Who was the first man on Mount Ull?", "Ada Corin"),
        ("Who was the first woman on Mount Ull?", None),
        ("Who was the second person on Mount Ull?", None),
        ("Who was the first person on Mount Arden?", None),
    ],
)
def test_a_thing_is_what_its_article_calls_it(question: str, title: str | None) -> None:
    found = find_called(read_asked(question, lambda name: None), FACTS)
    assert (found[0] if found else None) == title


def test_a_thing_is_called_what_is_asked_for_and_not_its_like() -> None:
    pages = {
        "Varn": "The Varn flows through ten countries and the capitals Elm, Ham and Ostby to the sea.",
        "Ostland": "Ostland is a country in the east. Its capital is Elm.",
    }
    asked = read_asked("Which country has the capital Elm?", lambda name: None)
    facts = facts_of(hits_of(pages))
    assert [title for title, _ in find_titled(asked, facts, lambda title: pages[title])] == [
        "Ostland"
    ]
