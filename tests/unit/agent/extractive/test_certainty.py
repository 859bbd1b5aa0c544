"""How certain it is that words answer to which a reader points."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.reader.certainty import LEAST_MARGIN, Pointed, certainty, pointed_at
from agent.extractive.reader.confirmation import windows_around
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
