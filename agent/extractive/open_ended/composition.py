"""An account made of whole sentences, quoted under what their sections are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.extractive.composer.lines import Marks, shown_marks
from agent.extractive.composer.sub_answers import SHOWN
from agent.extractive.finder.facts import facts_of
from agent.extractive.open_ended.outline import section_asked
from agent.extractive.open_ended.quotes import asks_for, question_of, quote_account
from agent.extractive.weights.vectors import Encode
from agent.reasoner import Composed
from agent.types import Citation, Style, SubAnswer, SubQuestion
from corpus.types import Chunk
from retrieval.types import Hit

NO_ACCOUNT = "no article tells several things of what is asked"


def compose_account(
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    hits: Sequence[Hit],
    style: Style,
) -> Composed:
    """Put the sentences of an account under what their sections are asked for, each once.

    What a section says beyond them is left out, they were chosen for the whole question; but how an
    article begins stands before what else is quoted of its beginning.
    """
    answers = {one.sub_question_id: one for one in sub_answers if one.status in SHOWN}
    marks = Marks(hits)
    lines: list[str] = []
    items: list[str] = []
    for asked, cited in _by_section(sub_questions, answers, hits):
        quoted = []
        for citation in cited:
            one = SubAnswer(sub_question_id="", status="answered", citations=(citation,))
            numbers = marks.of(one)
            if numbers:
                items.append(citation.quote)
                quoted.append(f"- “{citation.quote}”{shown_marks(numbers)}")
        if quoted and style == "long":
            lines.append(f"{asked.rstrip(' ?.!')}?")
        lines.extend(quoted)
    return Composed(
        text="\n".join(lines),
        items=tuple(items),
        quotes=tuple(dict.fromkeys(marks.quotes)),
        withheld="" if items else NO_ACCOUNT,
    )


def _by_section(
    sub_questions: Sequence[SubQuestion],
    answers: Mapping[str, SubAnswer],
    hits: Sequence[Hit],
) -> list[tuple[str, list[Citation]]]:
    """What each section is asked for, and what is quoted of it, in the order of the articles."""
    facts = {(fact.hit.chunk.id, fact.text): fact for fact in facts_of(hits)}
    under: dict[str, dict[str, Citation]] = {question.text: {} for question in sub_questions}
    known: set[str] = set()
    for question in sub_questions:
        is_part = section_asked(question.text) and question is not sub_questions[0]
        if question.id not in answers or is_part:
            continue
        for citation in answers[question.id].citations:
            if citation.quote in known:
                continue
            known.add(citation.quote)
            fact = facts.get((citation.chunk_id, citation.quote))
            asking = next((text for text in under if fact and asks_for(text, fact)), None)
            text = asking or (question_of(fact) if fact is not None else question.text)
            under.setdefault(text, {})[citation.quote] = citation
    for question in sub_questions:
        section = section_asked(question.text)
        own = answers[question.id].citations if question.id in answers else ()
        if under[question.text] and own and section is not None and not section[1]:
            first = min(own, key=_place)
            under[question.text].setdefault(first.quote, first)
    titles = {one.revision.title: None for cited in under.values() for one in cited.values()}
    ranked = {title: rank for rank, title in enumerate(titles)}
    sections = [
        (text, sorted(cited.values(), key=_place)) for text, cited in under.items() if cited
    ]
    sections.sort(key=lambda one: (ranked[one[1][0].revision.title], one[1][0].start))
    return sections


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


def stands_in_section(question: str, quote: str, chunk: Chunk) -> bool:
    """Whether a quote is a sentence of the very section that a question asks about."""
    facts = facts_of([Hit(chunk=chunk, score=0.0, rank=1, source="read")])
    return any(fact.text == quote and asks_for(question, fact) for fact in facts)
