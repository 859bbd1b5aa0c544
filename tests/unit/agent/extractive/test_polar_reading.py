"""Yes-or-no questions that the reader settles: which way, by which words, and how certainly."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.reader.polar import WEIGHTS, Settled, settled
from agent.extractive.reader.span import best_span
from agent.extractive.reader.windows import windows_of
from agent.extractive.weights.store import open_tokenizer
from retrieval.dense.embedders import shared_embedder
from retrieval.types import Hit
from tests.reasoners import chunk
from tests.unit.agent.extractive.pointing import Pointer

TEXT = "The bridge of Brod was opened in 1902 by Ann Lee. Max Orr closed the mill of Brod in 1931."


def facts(text: str = TEXT) -> list[Fact]:
    return facts_of([Hit(chunk=chunk(1, text, "Brod"), score=1.0, rank=1, source="test")])


def read(question: str, reader: Pointer) -> Settled | None:
    asked = read_asked(question, lambda name: None)
    return settled(asked, facts(), reader, shared_embedder())


def test_the_words_pointed_at_say_yes_or_no() -> None:
    yes = read("Was the bridge of Brod opened before 1910?", Pointer("1902", 6.0, yes=2.0))
    no = read("Was the mill of Brod closed by Ida Fell?", Pointer("Max Orr", 6.0, yes=-1.0))
    assert yes is not None
    assert no is not None
    assert (yes.yes, yes.fact.text[:10]) == (True, "The bridge")
    assert (no.yes, no.fact.text[:7]) == (False, "Max Orr")


def test_a_reader_that_learned_no_such_questions_settles_none() -> None:
    assert read("Was the bridge of Brod opened before 1910?", Pointer("1902", 6.0)) is None


def test_words_about_another_thing_settle_nothing() -> None:
    assert read("Was the bridge of Wessel opened in 1902?", Pointer("1902", 9.0, yes=9.0)) is None


@given(st.floats(-10, 20), st.floats(0, 8), st.floats(0.1, 5))
def test_certainty_is_a_probability_that_margin_and_decision_raise(
    margin: float, decided: float, more: float
) -> None:
    base = dict.fromkeys(WEIGHTS, 0.0) | {"margin": margin, "decided": decided}
    fact = facts()[0]

    def certainty(**changed: float) -> float:
        return Settled(yes=True, fact=fact, features=base | changed).certainty

    assert 0 < certainty() < 1
    assert certainty(margin=margin + more) >= certainty()
    assert certainty(decided=decided + more) >= certainty()


def test_yes_is_read_where_the_words_start() -> None:
    window = windows_of(facts())[0]
    pair = open_tokenizer().encode("Was it opened?", window.text)
    scores = np.zeros((len(pair.ids), 3), np.float32)
    start = pair.tokens.index("1902")
    scores[start, :2], scores[:, 2], scores[start, 2] = 9.0, -5.0, 3.0
    span = best_span(scores, pair, window)
    assert span is not None
    assert (span.text, span.yes) == ("1902", 3.0)
    without = best_span(scores[:, :2], pair, window)
    assert without is not None
    assert without.yes is None
