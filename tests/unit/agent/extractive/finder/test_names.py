"""The words of a sentence that answer: who did it, where, what was done."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.finder.names import full_name, name_in, object_in, place_in
from tests.unit.agent.extractive.finder.test_values import ask, hits_of


def sentence_of(text: str, title: str = "Ann Lee") -> Fact:
    """Return the one sentence of an article without a box."""
    return facts_of(hits_of({title: text}))[0]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Ann Lee was born on the Old Farm in Brod, Vella, and grew up in Ilm.", "Brod, Vella"),
        ("Lee was born (as Ann May) in Port Ilm.", "Port Ilm"),
        ("Ann Lee (born 3 May 1902) is the ninth woman in Parliament.", ""),
        ("Ann Lee sang in Brod.", ""),
        ("In Brod Ann Lee was born.", ""),
    ],
)
def test_places_stand_in_the_clause_that_says_so(text: str, place: str) -> None:
    assert place_in(ask("Where was Ann Lee born?"), text) == place


@pytest.mark.parametrize(
    ("question", "text", "name"),
    [
        ("Who lit the fire?", "The fire was lit by the old archer Ivo Brand.", "Ivo Brand"),
        ("Who lit the fire?", "Ivo Brand lit the fire before Sue Dell.", "Ivo Brand"),
        ("Who built the hall?", "The hall was built in front of Sue Dell.", ""),
        ("Who lit the fire?", "She lit the fire.", "Ann Lee"),
        ("Who lit the fire?", "Lee lit the fire.", "Ann Lee"),
        ("Who wrote the words for Ilma?", "Ilma is by Ann Lee to words by Sue Dell.", "Sue Dell"),
        ("Who commanded the ship?", "Its commander Neil Orr left.", "Neil Orr"),
        ("Who is the mother of Ann Lee?", "Led by her mother, she went to the Brod School.", ""),
        ("Who is the mother of Ann Lee?", "Led by her mother, Eva Orr, she left.", "Eva Orr"),
        (
            "Which academy taught her?",
            "She was taught at Brod Academy near Port Ilm.",
            "Brod Academy",
        ),
    ],
)
def test_names_stand_where_the_doer_does(question: str, text: str, name: str) -> None:
    assert name_in(read_asked(question, lambda _: None), sentence_of(text)) == name


def test_last_names_are_completed_from_the_article() -> None:
    facts = facts_of(hits_of({"Opera": "Lee wrote it. It is by Ann Lee. The Lee house stands."}))
    assert full_name("Lee", facts[0], facts) == "Ann Lee"
    assert full_name("Moor", facts[0], facts) == "Moor"


def test_what_was_done_follows_the_verb() -> None:
    studied = ask("What did Ann Lee study?")
    assert object_in(studied, "She studied music and law at Brod.") == "music and law"
    assert object_in(studied, "She studied at Brod.") == ""
    assert object_in(ask("Who is Ann Lee?"), "She studied law.") == ""
