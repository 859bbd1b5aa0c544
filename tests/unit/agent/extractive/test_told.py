"""Things that their own articles tell: the title answers, not words of a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from agent.extractive.answers import StepAnswers
from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.reader.certainty import FAR_AHEAD, LEAST_MARGIN, Told, certainty_of_title
from agent.extractive.reader.span import Span, embedded_reader, titled
from agent.extractive.reader.told import (
    find_told,
    is_told,
    likeliest_told,
)
from agent.extractive.reader.windows import Window, windows_of
from agent.extractive.sources import Sources
from agent.types import SubQuestion
from retrieval.dense.embedders import shared_embedder
from tests.unit.agent.extractive.finder.test_values import hits_of
from tests.unit.agent.extractive.pointing import Pointer

ARTICLES = {
    "Tamm (lake)": (
        "Tamm is a lake in Orland. It was dammed in 1911 to drive the spinning mills of Ham. "
        "A chapel drowned in it can be seen in dry summers."
    ),
    "Orr": "The Orr is a river in Orland. It freezes from November to March.",
    "Mills of Ham": "Name: Mills of Ham\nBuilt: 1911",
}
FACTS = facts_of(hits_of(ARTICLES))


def lead_of(name: str) -> str:
    return next((text for title, text in ARTICLES.items() if title.startswith(name)), "")


def ask(question: str) -> Asked:
    return read_asked(question, lambda name: name if name in ARTICLES else None)


def found(question: str, words: str, margin: float) -> tuple[str, str] | None:
    value = find_told(ask(question), FACTS, shared_embedder(), Pointer(words, margin), lead_of)
    return None if value is None else (value.text, value.fact.text)


def test_the_title_answers_and_the_nearest_sentence_is_quoted() -> None:
    told = found("Which lake hides a drowned chapel?", "chapel", 20.0)
    assert told == ("Tamm", "A chapel drowned in it can be seen in dry summers.")


@pytest.mark.parametrize(
    ("question", "words", "margin"),
    [
        ("Which lake hides a drowned chapel?", "chapel", -30.0),  # the reader does not point at it
        ("Which river hides a drowned chapel?", "chapel", 20.0),  # of another kind
        ("Which part of the body hides a chapel?", "chapel", 20.0),  # of none that bears names
        ("When was the chapel drowned?", "chapel", 20.0),  # no thing is asked for
        ("Which lakes hide a drowned chapel?", "chapel", 20.0),  # several are
        (
            "Which lake is deeper than Tamm (lake)?",
            "chapel",
            20.0,
        ),  # what is named is not asked for
        ("Which one is it?", "chapel", 20.0),  # nothing is told of it
    ],
)
def test_nothing_else_is_answered_by_a_title(question: str, words: str, margin: float) -> None:
    assert found(question, words, margin) is None


def sentence(words: str) -> Fact:
    return next(fact for fact in FACTS if words in fact.text)


def test_a_sentence_is_proven_by_a_reader_that_points_at_its_title() -> None:
    asked, fact = ask("Which lake hides a drowned chapel?"), sentence("chapel")
    near = [one for one in FACTS if one.title == fact.title]
    for margin, proven in ((20.0, True), (-9.0, False)):
        reader = Pointer("chapel", margin)
        assert is_told(asked, fact, near, shared_embedder(), reader) is proven


def test_certainty_of_a_title_rises_with_its_margin_and_falls_with_a_rival() -> None:
    asked = ask("Which lake hides a drowned chapel?")

    def sure(margin: float, lead: float) -> float:
        return certainty_of_title(asked, Told(margin=margin, nearness=0.5, said=0.5, lead=lead))

    assert 0 < sure(-5, 3) < sure(5, 3) < sure(12, 3) < 1
    assert sure(5, 1) < sure(5, 9)
    assert sure(5, FAR_AHEAD) == sure(5, FAR_AHEAD + 5)


def test_words_that_name_the_title_speak_for_it() -> None:
    asked = ask("Which lake hides a drowned chapel?")
    told = {}
    for words in ("Tamm", "Orland"):
        known = likeliest_told(asked, FACTS, shared_embedder(), Saying(words), lead_of)
        assert known is not None
        assert known[0].title == "Tamm (lake)"
        told[words] = known[1]
    assert (told["Tamm"].named, told["Orland"].named) == (True, False)
    assert certainty_of_title(asked, told["Tamm"]) > certainty_of_title(asked, told["Orland"])


class Saying(Pointer):
    """Points at the chapel for its title, and at other words as what answers."""

    def __init__(self, words: str) -> None:
        super().__init__("chapel", 4.0)
        self.answer = Pointer(words, 4.0)

    def read(self, question: str, windows: Sequence[Window]) -> list[Span]:
        return self.answer.read(question, windows)


class OfTitles(Pointer):
    """Points at titles alone."""

    def read(self, question: str, windows: Sequence[Window]) -> list[Span]:
        return []


def test_what_a_title_answered_is_proven_where_it_was_read_beside_the_others() -> None:
    question, hits = "Which lake hides a drowned chapel?", hits_of(ARTICLES)
    known = Sources(None, readable=False)
    answers = StepAnswers(shared_embedder(), known, OfTitles("chapel", 1.0))
    step = SubQuestion(id="1", kind="core", text=question)
    found = answers.answer(step, hits).sub_answer
    assert (found.status, found.items) == ("answered", ("Tamm",))
    cited = found.citations[0]
    told = next(hit.chunk for hit in hits if hit.chunk.id == cited.chunk_id)
    doubting = StepAnswers(shared_embedder(), known, OfTitles("chapel", -9.0))
    for reader, value, proven in (
        (answers, "Tamm", True),
        (answers, "Orr", False),
        (doubting, "Tamm", False),
    ):
        assert reader.confirms(question, value, cited.quote, told) is proven


def test_who_is_asked_for_is_a_person() -> None:
    assert found("Who hides a drowned chapel?", "chapel", 20.0) is None


def test_titles_are_compared_by_the_reader_and_by_meaning() -> None:
    def worth(margin: float, nearness: float) -> float:
        return Told(margin=margin, nearness=nearness, said=0.5).worth

    assert worth(3, 0.5) > worth(2, 0.5)
    assert worth(2, 0.6) > worth(5, 0.5)
    assert worth(LEAST_MARGIN - 9, 0.5) == worth(LEAST_MARGIN, 0.5)


def test_the_trained_reader_tells_the_lake_from_its_neighbour() -> None:
    windows = windows_of(fact for fact in FACTS if fact.kind == "sentence")
    for question, title in (
        ("Which lake was dammed for the mills of Ham?", "Tamm"),
        ("Which river is frozen in winter?", "Orr"),
    ):
        best, *rest = embedded_reader().read_titles(question, windows)
        assert best.title == title
        assert all(other.margin < best.margin - 3 for other in rest if other.title != title)


def test_a_title_that_was_cut_away_is_not_pointed_at() -> None:
    reader = embedded_reader()
    (window,) = windows_of([sentence("freezes")])
    pair = reader._tokenizer.encode("Which?", window.text)
    assert titled(np.zeros((2, 2), np.float32), pair, window) is None
