"""Which fact proves words that stand in several."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.reader.proof import confirmed
from agent.extractive.reader.witness import witness
from agent.extractive.sources import Sources
from corpus.types import Chunk
from retrieval.dense.embedders import shared_embedder
from retrieval.types import Hit
from tests.reasoners import chunk
from tests.unit.agent.extractive.pointing import Pointer

BOX = "Name: Brod loom\nMakers: Ann Lee"
PROSE = "The Brod loom was invented by Ann Lee in 1902. Max Orr and Ann Lee sold it in Ham."
KNOWN = Sources(None, readable=False)


def facts(title: str = "Brod loom") -> list[Fact]:
    pages = [chunk(1, BOX, "Brod loom"), chunk(2, PROSE, title)]
    return facts_of([Hit(chunk=page, score=1.0, rank=1, source="test") for page in pages])


def heard(
    question: str, value: str, *, margin: float = -9.0, title: str = "Brod loom"
) -> Fact | None:
    asked = read_asked(question, lambda name: name if name in ("Brod loom", "Ham") else None)
    read = facts(title)

    def confirms(step: str, words: str, quote: str, page: Chunk) -> bool:
        reader = Pointer(value, margin)
        return confirmed(step, words, quote, page, KNOWN, reader, shared_embedder())

    return witness(asked, value, read[1], read, confirms)


def test_the_sentence_that_says_what_is_asked_proves_what_a_box_only_lists() -> None:
    fact = heard("Who invented the Brod loom?", "Ann Lee")
    assert fact is not None
    assert fact.text.startswith("The Brod loom was invented by Ann Lee")


def test_the_fact_in_which_words_were_found_is_heard_first() -> None:
    assert heard("Who are the makers of the Brod loom?", "Ann Lee") == facts()[1]


@pytest.mark.parametrize(("margin", "proven"), [(12.0, True), (-9.0, False)])
def test_a_sentence_in_other_words_needs_a_reader_that_is_certain(
    margin: float, proven: bool
) -> None:
    fact = heard("Who dreamt up the Brod loom?", "Ann Lee", margin=margin)
    assert (fact is not None) is proven


def test_no_sentence_of_another_article_and_no_other_words_are_heard() -> None:
    asked = "Who invented the Brod loom?"
    assert heard(asked, "Ann Lee", title="Weaving") is None
    assert heard(asked, "Lee Ann") is None


def test_the_article_of_what_is_asked_about_is_heard() -> None:
    asked = "Who sold looms in Ham?"
    fact = heard(asked, "Ann Lee", margin=12.0, title="Ham")
    assert fact is not None
    assert fact.title == "Ham"
    assert heard(asked, "Ann Lee", margin=12.0, title="Elm") is None
