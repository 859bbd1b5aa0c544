"""Of an address the part that is of the kind asked for, where that is told; else all stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.subanswers import judged
from agent.extractive.answers import StepAnswers
from agent.extractive.finder.addresses import part_of_kind
from agent.extractive.finder.kinds import called
from agent.extractive.sources import Sources
from agent.types import SubQuestion
from retrieval.dense.embedders import shared_embedder
from tests.reasoners import hit

LEADS = {
    "Brod": "Brod is the capital and largest city of Vella, on the Arn.",
    "Vella": "Vella is a country on the coast.",
    "Ostby": "Ostby is a village in the south of Vella.",
    "Paris": "Paris is the capital and largest city of France.",
    "Paris, Texas": "Paris is a city in Lamar County.",
    "Elm": "Elm is a federal state of Austria, in the east.",
    "Lebanon": "Lebanon is a country in the Levant.",
    "Kern": "Kern is a country town in Vella.",
    "Lake Ro": "Lake Ro is a lake in Vella.",
}


@pytest.mark.parametrize(
    ("noun", "value", "label", "part"),
    [
        ("country", "Brod, Switzerland", "Birth place", "Switzerland"),
        ("country", "3 May 1901, Brod, Switzerland", "Born", "Switzerland"),
        ("country", "Brod, Elm, Switzerland (aged 80)", "Died", "Switzerland"),
        ("country", "Brod in Switzerland", "", "Switzerland"),
        ("country", "Brod, Ohio, U.S.", "Born", "U.S."),
        ("country", "Ayr, Scotland, United Kingdom", "Born", "United Kingdom"),
        ("country", "Mostar, Bosnia and Herzegovina", "Born", "Bosnia and Herzegovina"),
        ("country", "Brod, Switzerland, Europe", "Location", "Switzerland"),
        ("country", "Lebanon, Ohio", "Born", ""),  # a town there
        ("country", "Lebanon, Ohio, United States", "Born", ""),
        ("country", "Brod, Georgia", "Born", ""),  # the state or the country
        ("country", "Brod, Vella", "Born", ""),
        ("country", "Brod, Switzerland (now France)", "Born", ""),
        ("country", "Brod, Austria, now Ukraine", "Born", ""),
        ("country", "Brod, present-day Ukraine", "Born", ""),
        ("country", "Brod, the Netherlands", "Born", "the Netherlands"),
        ("country", "Riga, Latvia, Soviet Union", "Born", ""),
        ("country", "Mali, Niger", "Countries", ""),
        ("country", "Vella, Switzerland", "Country", ""),
        ("country", "Vella and Switzerland", "", ""),
        ("country", "Brod", "Born", ""),
        ("state", "Brod, Ohio, U.S.", "Born", "Ohio"),
        ("state", "Delaware, Ohio", "Born", ""),
        ("state", "Brod, Elm, Austria", "Born", "Elm"),
        ("state", "Brod, Elm", "Born", ""),
        ("state", "Brod, Switzerland", "Born", ""),
        ("city", "Estates Hall, Brod, Vella", "Premiere location", "Brod"),
        ("city", "Ostby, Brod", "Born", "Brod"),
        ("village", "Ostby, Brod", "Born", ""),  # its article does not say that it lies there
        ("town", "Ostby, Vella", "Born", "Ostby"),
        ("city", "Lyon, France", "Born", "Lyon"),
        ("town", "Lyon, France", "Born", "Lyon"),
        ("city", "Paris, Texas", "Born", ""),  # its name alone leads to another
        ("city", "Brod, Ohio", "Born", ""),
        ("city", "Basel, Brod", "Cities", ""),
        ("sea", "Brod Bay, Black Sea", "Mouth", "Black Sea"),
        ("sea", "Black Sea, Romania", "Mouth", "Black Sea"),
        ("lake", "Port Ilm, Lake Ro", "Mouth", "Lake Ro"),
        ("lake", "Lake Ro, Vella", "Mouth", "Lake Ro"),
        ("lake", "Lake Vo, Vella", "Mouth", ""),
        ("continent", "Brod, Europe", "Location", "Europe"),
        ("planet", "Gale Crater, Mars", "Landing site", "Mars"),
        ("location", "Brod, Switzerland", "Born", ""),
        ("language", "Brod, French", "Spoken", ""),
        ("", "Brod, Switzerland", "Born", ""),
    ],
)
def test_the_part_of_the_kind_asked_for(noun: str, value: str, label: str, part: str) -> None:
    assert part_of_kind(noun, value, label, lambda name: LEADS.get(name, "")) == part


@given(st.text(alphabet="Ab,(;)/ &é", max_size=40), st.sampled_from(["country", "city", "lake"]))
def test_a_part_of_any_text_stands_in_it(value: str, noun: str) -> None:
    assert part_of_kind(noun, value, "", lambda name: "It is a city in b.") in value


@pytest.mark.parametrize(
    ("lead", "nouns"),
    [
        ("Brod is the capital and largest city of Vella.", ["capital", "city"]),
        ("Kern is a country town in Kent.", ["town"]),
        ("Vella is a landlocked country located in Asia.", ["country"]),
        ("Ro is a small walled town, and the seat of a court.", ["town", "seat"]),
        ("Elm is one of the nine states of Vella.", ["state"]),
        ("Elm is in the north of Vella.", []),
        ("Elm", []),
    ],
)
def test_what_a_definition_calls_its_subject(lead: str, nouns: list[str]) -> None:
    assert called(lead) == nouns


@pytest.mark.parametrize(
    ("question", "text", "items"),
    [
        (
            "In which country was Bo Kern born?",
            "Born: 3 May 1901, Brod, Switzerland",
            ("Switzerland",),
        ),
        ("In which state was Bo Kern born?", "Birth place: Brod, Ohio, United States", ("Ohio",)),
        (
            "In which country was Bo Kern born?",
            "Bo Kern was a painter. Bo Kern was born in Brod, Switzerland, on 3 May 1901.",
            ("Switzerland",),
        ),
        ("Where was Bo Kern born?", "Birth place: Brod, Switzerland", ("Brod, Switzerland",)),
        (
            "In which country was Bo Kern born?",
            "Birth place: Brod, Georgia",
            ("Brod, Georgia",),
        ),
    ],
)
def test_what_is_handed_on_is_of_the_kind_asked_for_and_proven(
    question: str, text: str, items: tuple[str, ...]
) -> None:
    answers = StepAnswers(shared_embedder(), Sources(None, readable=False), None)
    step = SubQuestion(id="1", text=question, kind="core")
    finding = answers.answer(step, [hit(1, text, "Bo Kern")])
    chunks = {one.chunk.id: one.chunk for one in finding.hits}
    answer, struck = judged(finding.sub_answer, question, chunks)
    assert (answer.status, answer.items, struck) == ("answered", items, [])
    assert answer.citations[0].support == "supported"
    assert answer.text.startswith(items[0])
