"""How certain it is that words answer to which a reader points."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.reader.certainty import LEAST_MARGIN, Pointed, certainty, pointed_at
from agent.extractive.reader.confirmation import windows_around
from agent.extractive.reader.proof import confirmed
from agent.extractive.sources import Sources
from retrieval.dense.embedders import shared_embedder
from retrieval.types import Hit
from tests.reasoners import chunk
from tests.unit.agent.extractive.pointing import Pointer

TEXT = "The bridge of Brod was opened in 1902 by Ann Lee. Max Orr closed the mill of Brod in 1931."
ASKED = read_asked("Who opened the bridge of Brod?", lambda name: None)
MARGINS = st.floats(-30, 30)


def sentences() -> list[Fact]:
    return facts_of([Hit(chunk=chunk(1, TEXT, "Brod"), score=1.0, rank=1, source="test")])


def pointed(words: str, fact: Fact, rival: str = "") -> Pointed:
    windows = windows_around(fact, sentences())
    spans = [*Pointer(words, 8.0).read("", windows)]
    spans += Pointer(rival, 5.0).read("", windows) if rival else []
    return pointed_at(ASKED, words, fact, 8.0, spans, shared_embedder())


def test_other_words_are_rivals_and_parts_of_the_same_are_none() -> None:
    opened, closed = sentences()
    assert pointed("Ann Lee", opened).rival == LEAST_MARGIN
    assert pointed("Ann Lee", opened, "Lee").rival == LEAST_MARGIN
    assert pointed("Ann Lee", opened, "Max Orr").rival == 5.0
    assert pointed("Ann Lee", opened).nearness > pointed("Max Orr", closed).nearness


@given(MARGINS, MARGINS, st.floats(-1, 1))
def test_certainty_is_a_probability_that_rivals_lower_and_margins_raise(
    margin: float, rival: float, nearness: float
) -> None:
    fact = sentences()[0]
    found = Pointed(margin=margin, rival=rival, nearness=nearness)
    sure = certainty(ASKED, "Ann Lee", fact, found)
    assert 0 < sure < 1
    assert certainty(ASKED, "Ann Lee", fact, replace(found, rival=rival + 1)) <= sure
    assert certainty(ASKED, "Ann Lee", fact, replace(found, margin=margin + 1)) >= sure


def test_a_cell_is_surer_whose_label_says_what_is_asked() -> None:
    text = "Engineer: Ann Lee\nOpened: 1902\nOwner: Ann Lee"
    facts = facts_of([Hit(chunk=chunk(1, text, "Brod Bridge"), score=1.0, rank=1, source="test")])
    asked = read_asked("Who owns Brod Bridge?", lambda name: name)
    found = Pointed(margin=5.0, rival=1.0, nearness=0.5)
    engineer, _, owner = (certainty(asked, fact.cells[0][1], fact, found) for fact in facts)
    assert 0 < engineer < owner < 1


def test_a_cell_of_another_year_is_not_proven_by_a_sure_reader() -> None:
    text = "Population: 1,204\nAs of: 2020"
    place = chunk(1, text, "Brod")
    known = Sources(None, readable=False)
    for question, proven in (
        ("How many souls dwell at Brod?", True),
        ("How many souls dwelt at Brod in 1990?", False),
    ):
        told = confirmed(
            question, "1,204", "Population: 1,204", place, known, Pointer("1,204", 9.0),
            shared_embedder(),
        )  # fmt: skip
        assert told is proven
