"""An account is made of whole sentences, each cited, under what its section is asked for."""

from __future__ import annotations

from agent.extractive.finder.facts import facts_of
from agent.extractive.open_ended.composition import (
    NO_ACCOUNT,
    compose_account,
    quote_hits,
    stands_in_section,
)
from agent.extractive.open_ended.quotes import quote_account, quote_section
from agent.types import SubAnswer, SubQuestion
from retrieval.dense.embedders import shared_embedder
from tests.unit.agent.extractive.open_ended.test_sentences import GLASS, WHY, facts, hit

WHOLE = SubQuestion(id="1", text=WHY, kind="core")
LEAD = SubQuestion(id="2", text="What is meant by Glass makers?", kind="background")
DECLINE = SubQuestion(id="3", text="What does “Glass makers” say about decline?", kind="core")
HITS = [hit(GLASS, "Glass makers")]


def whole() -> SubAnswer:
    answer = quote_account(WHOLE, facts(), shared_embedder().encode)
    assert answer is not None
    return answer


def test_quotes_are_sentences_of_the_hits_and_cited() -> None:
    for citation in whole().citations:
        assert GLASS[citation.start : citation.end] == citation.quote
        assert f"“{citation.quote}”" in whole().text


def test_names_and_years_that_the_articles_lack_get_no_account() -> None:
    for beyond in ("in Quuxville", "in 1777"):
        asked = SubQuestion(id="1", text=f"{WHY.rstrip('?')} {beyond}?", kind="core")
        assert quote_account(asked, facts(), shared_embedder().encode) is None


def test_a_section_is_quoted_from_its_own_sentences() -> None:
    answer = quote_section(DECLINE, "decline", facts(), shared_embedder().encode)
    assert answer is not None
    assert len(answer.citations) == 3
    assert all(stands_in_section(DECLINE.text, c.quote, HITS[0].chunk) for c in answer.citations)
    assert quote_section(DECLINE, "weather", facts(), shared_embedder().encode) is None


def test_a_sentence_of_another_section_does_not_stand_in_it() -> None:
    chunk = HITS[0].chunk
    visitor = next(fact.text for fact in facts_of(HITS) if "visitor" in fact.text)
    assert not stands_in_section(DECLINE.text, visitor, chunk)
    assert not stands_in_section("What does “Soup” say about decline?", visitor, chunk)
    assert not stands_in_section(WHY, visitor, chunk)


def test_each_sentence_is_quoted_once_under_its_section() -> None:
    section = quote_section(DECLINE, "decline", facts(), shared_embedder().encode)
    assert section is not None
    composed = compose_account([WHOLE, LEAD, DECLINE], [whole(), section], HITS, "long")
    lines = composed.text.splitlines()
    quoted = [line for line in lines if line.startswith("- ")]
    assert len(quoted) == len(set(quoted)) == len(whole().citations)
    assert all(line.endswith("[1]") for line in quoted)
    place = lines.index(DECLINE.text)
    assert all("glass" in line for line in lines[place + 1 : place + 4])


def test_what_a_section_says_beyond_the_account_is_left_out() -> None:
    section = quote_section(DECLINE, "decline", facts(), shared_embedder().encode)
    assert section is not None
    composed = compose_account([WHOLE, DECLINE], [section], HITS, "long")
    assert composed.text == ""
    assert composed.withheld == NO_ACCOUNT


def test_a_section_that_is_itself_asked_about_is_quoted() -> None:
    asked = SubQuestion(id="1", text=DECLINE.text, kind="core")
    section = quote_section(asked, "decline", facts(), shared_embedder().encode)
    assert section is not None
    composed = compose_account([asked], [section], HITS, "short")
    assert len(composed.items) == 3
    assert DECLINE.text not in composed.text


def test_how_an_article_begins_stands_before_what_else_is_quoted_of_it() -> None:
    text = "Brod is a town on the Sava. Its guild of makers left the city over a tax on sand."
    hits = [hit(text, "Brod")]
    begins, left = facts_of(hits)
    asked = SubQuestion(id="2", text="What is meant by Brod?", kind="background")
    lead = quote_section(asked, "", facts_of(hits), shared_embedder().encode)
    assert lead is not None
    cited = tuple(one for one in lead.citations if one.quote == left.text)
    whole = SubAnswer(sub_question_id="1", status="unsure", citations=cited)
    composed = compose_account([WHOLE, asked], [whole, lead], hits, "long")
    assert composed.items == (begins.text, left.text)
    assert compose_account([WHOLE, asked], [lead], hits, "long").items == ()


def test_an_account_of_hits_alone() -> None:
    encode = shared_embedder().encode
    alone = quote_hits(WHY, [], HITS, "long", encode)
    assert alone.text.startswith("What is meant by Glass makers?\n- “")
    assert DECLINE.text in alone.text
    parts = quote_hits(WHY, [WHOLE, DECLINE], HITS, "long", encode)
    assert DECLINE.text in parts.text
    assert set(parts.items) == set(alone.items)
    assert quote_hits("Why do primes end?", [], HITS, "long", encode).withheld == NO_ACCOUNT


def test_a_name_that_only_other_sections_know_gets_no_account() -> None:
    causes = ("rents", "taxes", "fires", "wars", "floods", "guilds", "debts", "plagues", "storms")
    left = " ".join(f"The glass makers left the city over its {one}." for one in causes)
    asides = f"{left} {left.replace('over', 'mostly over')}"
    text = f"{asides}\n\n## Names\n\nA street is called after Bo Lindqvist, a baker."
    found = facts_of([hit(text, "Glass makers")])
    encode = shared_embedder().encode
    asked = SubQuestion(id="1", text="Why did the glass makers leave Lindqvist?", kind="core")
    assert quote_account(WHOLE, found, encode) is not None
    assert quote_account(asked, found, encode) is None
