"""Which sentences tell most of what an open question asks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.open_ended.sentences import MOST_TOLD, telling_sentences
from corpus.types import Chunk, Revision
from retrieval.dense.embedders import shared_embedder
from retrieval.types import Hit

WHY = "Why did the glass makers leave the city?"
GLASS = (
    "The guild of glass makers was founded in 1411.\n\n## Decline\n\n"
    "The guild of glass makers left the city after the tax on sand was doubled in 1602. "
    "Fires in the furnaces had already driven many makers of glass to the island. "
    "The city lost its glass makers because rents near the harbour rose.\n\n## Visitors\n\n"
    "A visitor praised the soup of the harbour inns in his letters home."
)
SOUP = "Soup of eel is cooked slowly. Soup of eel is served in deep bowls of clay with bread."


def hit(text: str, title: str, rank: int = 1) -> Hit:
    revision = Revision(page_id=rank, rev_id=rank, title=title, timestamp="", url="")
    chunk = Chunk(
        id=f"{rank}:{rank}:0", revision=revision, start=0, end=len(text), section="", text=text
    )
    return Hit(chunk=chunk, score=1.0, rank=rank, source="bm25")


def facts() -> list[Fact]:
    return facts_of([hit(SOUP, "Eel soup", 2), hit(GLASS, "Glass makers")])


def test_sentences_of_the_section_that_tells_it_come_first() -> None:
    told = telling_sentences(WHY, facts(), shared_embedder().encode, 3)
    assert told is not None
    assert told.is_account
    assert [fact.section for fact in told.facts] == ["Decline"] * 3
    places = [fact.start for fact in told.facts]
    assert places == sorted(places)


def test_other_articles_are_left_out() -> None:
    told = telling_sentences(WHY, facts(), shared_embedder().encode)
    assert told is not None
    assert {fact.title for fact in told.facts} == {"Glass makers"}


def test_what_no_article_is_about_is_no_account() -> None:
    told = telling_sentences(
        "Why is the sum of two primes even?", facts(), shared_embedder().encode
    )
    assert told is not None
    assert not told.is_account
    assert telling_sentences(WHY, [], shared_embedder().encode) is None


def test_one_sentence_alone_is_no_account() -> None:
    text = (
        "In 1984 the women of Ostby got the vote. Barley is grown around Ostby. "
        "The harbour of Ostby freezes in hard winters. Its inns are known for eel soup."
    )
    asked = "How is it that the women of Ostby got the vote in 1984?"
    told = telling_sentences(asked, facts_of([hit(text, "Ostby")]), shared_embedder().encode)
    assert told is not None
    assert not told.is_account


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(min_size=0, max_size=80), max_size=20), st.text(max_size=60))
def test_any_text_gives_sentences_of_it_once(lines: list[str], question: str) -> None:
    found = facts_of([hit("\n".join(lines), "Lines")])
    told = telling_sentences(question, found, shared_embedder().encode)
    if told is None:
        return
    assert 0 < len(told.facts) <= MOST_TOLD
    assert len({fact.text for fact in told.facts}) == len(told.facts)
    assert all(fact in found for fact in told.facts)


def test_what_stands_under_a_picture_is_no_sentence() -> None:
    text = f"{GLASS}\n\nThe glass makers leaving the city, painting of 1650\n\nAn example is this:"
    told = telling_sentences(WHY, facts_of([hit(text, "Glass")]), shared_embedder().encode)
    assert told is not None
    assert not any("painting" in fact.text or "example" in fact.text for fact in told.facts)
