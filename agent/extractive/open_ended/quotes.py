"""Sub-questions that are answered with whole sentences: of an account, or of a section."""

from __future__ import annotations

from collections.abc import Sequence

from agent.citations.content.dates import find_dates, is_year
from agent.citations.content.names import find_names
from agent.extractive.composer.sub_answers import sub_answer
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.open_ended.outline import (
    definition_question,
    section_asked,
    section_question,
)
from agent.extractive.open_ended.sentences import last_of, telling_sentences
from agent.extractive.sources import Sources
from agent.extractive.weights.vectors import Encode
from agent.types import SubAnswer, SubQuestion
from retrieval.types import Hit

FIRST = 3
"""Sentences of an article that say what it is about."""
MOST_OF_SECTION = 12
"""Sentences quoted of one section."""


def account_facts(hits: Sequence[Hit], sources: Sources) -> list[Fact]:
    """The facts that an account may be made of: of the hits, then of the rest of their articles."""
    return facts_of(sources.with_whole_articles(hits))


def section_named(question: str, sources: Sources) -> tuple[str, str] | None:
    """The title and the heading of the section that a question asks about, if there is one."""
    asked = section_asked(question)
    title = sources.subject_of(asked[0]) if asked is not None else None
    return (title, asked[1]) if asked is not None and title is not None else None


def quote(
    question: SubQuestion,
    section: tuple[str, str] | None,
    hits: Sequence[Hit],
    sources: Sources,
    encode: Encode,
) -> tuple[SubAnswer | None, Sequence[Fact]]:
    """Answer with whole sentences: of the section that is asked about, or of what tells most.

    Returns:
        The answer, None where nothing tells it, and the facts that it was chosen from.
    """
    if section is None:
        facts: Sequence[Fact] = account_facts(hits, sources)
        return quote_account(question, facts, encode), facts
    title, heading = section
    facts = sources.facts_at(title) or [one for one in facts_of(hits) if one.title == title]
    return quote_section(question, heading, facts, encode), facts


def quote_account(question: SubQuestion, facts: Sequence[Fact], encode: Encode) -> SubAnswer | None:
    """Answer a question that asks for an account with the sentences that tell most of it."""
    told = account_of(question.text, facts, encode)
    return _quoting(question, told) if told else None


def account_of(question: str, facts: Sequence[Fact], encode: Encode) -> tuple[Fact, ...]:
    """Return the sentences that tell most of what a question asks, in the order of their articles.

    None of them where no article is about it, no more than one sentence is, or neither they nor how
    their articles begin name what it names.
    """
    told = telling_sentences(question, facts, encode)
    if told is None or not told.is_account:
        return ()
    titles = dict.fromkeys(fact.title for fact in told.facts)
    begun = [fact for title in titles for fact in _beginning(title, facts)]
    said = " ".join(fact.context for fact in (*told.facts, *begun))
    return told.facts if _names_all(question, said.casefold()) else ()


def _beginning(title: str, facts: Sequence[Fact]) -> list[Fact]:
    """The first sentences of an article, which say what it is about."""
    own = (fact for fact in facts if fact.title == title and not fact.section)
    prose = [fact for fact in own if fact.kind == "sentence"]
    return sorted(prose, key=lambda fact: fact.hit.chunk.start + fact.start)[:FIRST]


def _names_all(question: str, said: str) -> bool:
    """Whether each name of a question, or a word of it, and each year stands in a lower-case text."""
    names = [name.text.casefold() for name in find_names(question) if not name.initial]
    years = [date.text for date in find_dates(question) if is_year(date)]
    return all(any(word in said for word in name.split()) for name in (*names, *years))


def quote_section(
    question: SubQuestion, heading: str, facts: Sequence[Fact], encode: Encode
) -> SubAnswer | None:
    """Answer what an article says about a heading with the sentences of that section.

    Args:
        question: as `section_question` asks.
        heading: of the section; "" for what stands before the first.
        facts: of the article.
        encode: chooses among them where the section is long.
    """
    own = [fact for fact in facts if last_of(fact.section).casefold() == heading.casefold()]
    told = telling_sentences(question.text, own, encode, MOST_OF_SECTION)
    return _quoting(question, told.facts) if told is not None else None


def _quoting(question: SubQuestion, chosen: Sequence[Fact]) -> SubAnswer:
    text = " ".join(f"“{fact.text}”" for fact in chosen)
    return sub_answer(question, text, tuple(fact.text for fact in chosen), chosen)


def question_of(fact: Fact, text: str = "") -> str:
    """What the section that a fact stands in is asked for.

    Args:
        fact: of an article.
        text: of the article, which shows what it writes with a capital letter.
    """
    heading = last_of(fact.section)
    if not heading:
        return definition_question(fact.title)
    return section_question(heading, fact.title, text)


def asks_for(question: str, fact: Fact) -> bool:
    """Whether a question asks what the section says that a fact stands in."""
    heading = last_of(fact.section)
    if not heading:
        return question.casefold() == definition_question(fact.title).casefold()
    asked = section_asked(question)
    return asked is not None and (asked[0], asked[1].casefold()) == (fact.title, heading.casefold())
