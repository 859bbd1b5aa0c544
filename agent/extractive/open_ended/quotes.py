"""An account made of whole sentences, quoted under the sections that they stand in."""

from __future__ import annotations

from collections.abc import Sequence

from agent.citations.content.dates import find_dates, is_year
from agent.citations.content.names import find_names
from agent.extractive.composer.lines import Marks, shown_marks
from agent.extractive.composer.sub_answers import SHOWN, sub_answer
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.open_ended.outline import definition_question, section_asked
from agent.extractive.open_ended.sentences import last_of, telling_sentences
from agent.extractive.sources import Sources
from agent.extractive.weights.vectors import Encode
from agent.reasoner import Composed
from agent.types import Citation, Style, SubAnswer, SubQuestion
from corpus.types import Chunk
from retrieval.types import Hit

MOST_OF_SECTION = 12
"""Sentences quoted of one section."""
NO_ACCOUNT = "no article tells several things of what is asked"


def account_facts(hits: Sequence[Hit], sources: Sources) -> list[Fact]:
    """The facts that an account may be made of: of the hits, then of the rest of their articles."""
    return facts_of(sources.with_whole_articles(hits))


def quote_account(question: SubQuestion, facts: Sequence[Fact], encode: Encode) -> SubAnswer | None:
    """Answer a question that asks for an account with the sentences that tell most of it.

    None where no article is about it, no more than one sentence is, or the articles do not name
    what it names.
    """
    told = telling_sentences(question.text, facts, encode)
    if told is None or not told.is_account:
        return None
    titles = {fact.title for fact in told.facts}
    said = " ".join(f"{fact.title} {fact.text}" for fact in facts if fact.title in titles)
    if not _names_all(question.text, said.casefold()):
        return None
    return _quoting(question, told.facts)


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
        heading: of the section.
        facts: of the article.
        encode: chooses among them where the section is long.
    """
    own = [fact for fact in facts if last_of(fact.section).casefold() == heading.casefold()]
    told = telling_sentences(question.text, own, encode, MOST_OF_SECTION)
    return _quoting(question, told.facts) if told is not None else None


def stands_in_section(question: str, quote: str, chunk: Chunk) -> bool:
    """Whether a quote is a sentence of the very section that a question asks about."""
    facts = facts_of([Hit(chunk=chunk, score=0.0, rank=1, source="read")])
    return any(fact.text == quote and _asks_for(question, fact) for fact in facts)


def _quoting(question: SubQuestion, chosen: Sequence[Fact]) -> SubAnswer:
    text = " ".join(f"“{fact.text}”" for fact in chosen)
    return sub_answer(question, text, tuple(fact.text for fact in chosen), chosen)


def compose_account(
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    hits: Sequence[Hit],
    style: Style,
) -> Composed:
    """Put the sentences of an account under what their sections are asked for, each once.

    What a section says beyond them is left out: they were chosen for the whole question.
    """
    answers = {one.sub_question_id: one for one in sub_answers if one.status in SHOWN}
    places = {(fact.hit.chunk.id, fact.text): fact for fact in facts_of(hits)}
    under: dict[str, dict[str, Citation]] = {question.id: {} for question in sub_questions}
    for question in sub_questions:
        beyond = section_asked(question.text) and question is not sub_questions[0]
        if question.id not in answers or beyond:
            continue
        for citation in answers[question.id].citations:
            fact = places.get((citation.chunk_id, citation.quote))
            asking = (other.id for other in sub_questions if fact and _asks_for(other.text, fact))
            if not any(citation.quote in quoted for quoted in under.values()):
                under[next(asking, question.id)][citation.quote] = citation
    marks = Marks(hits)
    lines: list[str] = []
    items: list[str] = []
    for question in sub_questions:
        quoted = []
        for citation in sorted(under[question.id].values(), key=_place):
            one = SubAnswer(sub_question_id=question.id, status="answered", citations=(citation,))
            numbers = marks.of(one)
            if numbers:
                items.append(citation.quote)
                quoted.append(f"- “{citation.quote}”{shown_marks(numbers)}")
        if quoted and style == "long":
            lines.append(f"{question.text.rstrip(' ?.!')}?")
        lines.extend(quoted)
    return Composed(
        text="\n".join(lines),
        items=tuple(items),
        quotes=tuple(dict.fromkeys(marks.quotes)),
        withheld="" if items else NO_ACCOUNT,
    )


def _place(citation: Citation) -> tuple[str, int]:
    return citation.revision.title, citation.start


def quote_hits(
    question: str,
    sub_questions: Sequence[SubQuestion],
    hits: Sequence[Hit],
    style: Style,
    encode: Encode,
) -> Composed:
    """Put an account together from hits alone, where no sub-question was answered.

    Args:
        question: that asks for it.
        sub_questions: under which the sentences of their sections stand; may be none.
        hits: the only evidence.
        style: short leaves out what the sections are asked for.
        encode: makes vectors of texts, whose cosines compare meanings.
    """
    whole = SubQuestion(id="", text=question, kind="core")
    answer = quote_account(whole, facts_of(hits), encode)
    parts = [step for step in sub_questions if step.text != question]
    return compose_account([whole, *parts], [answer] if answer is not None else [], hits, style)


def _asks_for(question: str, fact: Fact) -> bool:
    """Whether a question asks what the section says that a fact stands in."""
    heading = last_of(fact.section)
    if not heading:
        return question == definition_question(fact.title)
    asked = section_asked(question)
    return asked is not None and (asked[0], asked[1].casefold()) == (fact.title, heading.casefold())
