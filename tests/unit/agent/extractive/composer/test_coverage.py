"""Open questions quote whole sentences, chosen to cover what is asked."""

from __future__ import annotations

from dataclasses import replace

from agent.extractive.composer.coverage import about_question, compose_quotes, quote_step
from agent.extractive.finder.facts import facts_of
from agent.types import SubQuestion
from corpus.types import Chunk, Revision
from retrieval.dense.embedders import shared_embedder
from retrieval.types import Hit

TEXT = (
    "The guild of glass makers left the city after the tax on sand was doubled in 1602. "
    "The tax on sand was doubled in 1602, and the makers of glass left. "
    "Fires in the furnaces had already driven many workshops to the island. "
    "A visitor praised the soup of the harbour inns in his letters home."
)
REVISION = Revision(page_id=1, rev_id=1, title="Glass makers", timestamp="", url="")
HIT = Hit(
    chunk=Chunk(id="1:1:0", revision=REVISION, start=0, end=len(TEXT), section="", text=TEXT),
    score=1.0,
    rank=1,
    source="bm25",
)
WHY = SubQuestion(id="1", text="Why did the glass makers leave the city?", kind="core")


def test_quotes_are_sentences_of_the_hits_and_cited() -> None:
    answer = quote_step(WHY, facts_of([HIT]), shared_embedder())
    assert answer is not None
    assert all(c.quote in TEXT and TEXT[c.start : c.end] == c.quote for c in answer.citations)
    assert "Fires in the furnaces" in answer.text
    assert "soup" not in answer.items[0]


def test_nothing_near_is_not_quoted() -> None:
    odd = SubQuestion(id="1", text="Why is the sum of two primes even?", kind="core")
    assert quote_step(odd, facts_of([HIT]), shared_embedder()) is None
    assert quote_step(WHY, [], shared_embedder()) is None


def test_each_sentence_is_quoted_once_under_its_question() -> None:
    answer = quote_step(WHY, facts_of([HIT]), shared_embedder())
    assert answer is not None
    second = SubQuestion(id="2", text="What led the makers away?", kind="core")
    again = quote_step(second, facts_of([HIT]), shared_embedder())
    assert again is not None
    composed = compose_quotes([WHY, second], [answer, again], [HIT], "long")
    lines = [line for line in composed.text.splitlines() if line.startswith("- ")]
    assert len(lines) == len(set(lines))
    assert composed.text.startswith(WHY.text)
    assert all("[1]" in line for line in lines)


def test_of_the_articles_that_a_question_leads_to_what_is_unsure_is_quoted_too() -> None:
    found = quote_step(WHY, facts_of([HIT]), shared_embedder())
    assert found is not None
    first = replace(found, status="unsure")
    elsewhere = replace(REVISION, title="Soup")
    strange = replace(
        first,
        sub_question_id="2",
        citations=tuple(replace(one, revision=elsewhere) for one in first.citations),
    )
    second = SubQuestion(id="2", text="What is soup?", kind="core")
    answers = {"1": first, "2": strange}
    assert [one.sub_question_id for one in about_question([WHY, second], answers)] == ["1"]
    proven = {**answers, "2": replace(strange, status="answered")}
    kept = about_question([WHY, second], proven)
    assert [(one.sub_question_id, one.status) for one in kept] == [
        ("1", "answered"),
        ("2", "answered"),
    ]
    assert about_question([WHY, second], {"2": strange}) == []
