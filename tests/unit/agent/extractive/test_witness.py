"""Which fact proves words that stand in several."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.reader.witness import witness
from agent.extractive.sources import Sources
from retrieval.dense.embedders import shared_embedder
from retrieval.types import Hit
from tests.reasoners import chunk
from tests.unit.agent.extractive.pointing import Pointer

BOX = "Name: Brod loom\nMakers: Ann Lee"
PROSE = "The Brod loom was invented by Ann Lee in 1902. Max Orr and Ann Lee sold it in Ham."
KNOWN = Sources(None, readable=False)


def facts() -> list[Fact]:
    pages = [chunk(1, BOX, "Brod loom"), chunk(2, PROSE, "Brod loom")]
    return facts_of([Hit(chunk=page, score=1.0, rank=1, source="test") for page in pages])


def heard(question: str, value: str, *, sure: bool, margin: float = 0.0) -> Fact | None:
    asked = read_asked(question, lambda name: "Brod loom" if name == "Brod loom" else None)
    makers = facts()[1]
    return witness(
        asked, value, makers, facts(), KNOWN, Pointer(value, margin), shared_embedder(), sure=sure
    )


def test_the_sentence_that_says_what_is_asked_proves_what_a_box_only_lists() -> None:
    fact = heard("Who invented the Brod loom?", "Ann Lee", sure=True)
    assert fact is not None
    assert fact.text.startswith("The Brod loom was invented by Ann Lee")


def test_the_fact_in_which_words_were_found_is_heard_first() -> None:
    assert heard("Who are the makers of the Brod loom?", "Ann Lee", sure=True) == facts()[1]


@pytest.mark.parametrize(("margin", "proven"), [(12.0, True), (-9.0, False)])
def test_what_its_finder_doubts_needs_a_reader_that_is_certain(margin: float, proven: bool) -> None:
    fact = heard("Who invented the Brod loom?", "Ann Lee", sure=False, margin=margin)
    assert (fact is not None) is proven


def test_no_fact_proves_other_words() -> None:
    assert heard("Who painted the Brod loom?", "Ann Lee", sure=True, margin=-9.0) is None
    assert heard("Who invented the Brod loom?", "Lee Ann", sure=True, margin=12.0) is None
