"""Open questions: whole sentences, chosen to cover what is asked, quoted under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from agent.extractive.composer.lines import Marks, shown_marks
from agent.extractive.composer.sub_answers import sub_answer
from agent.extractive.finder.facts import Fact
from agent.reasoner import Composed
from agent.types import Style, SubAnswer, SubQuestion
from retrieval.ranking.coverage import facility_location
from retrieval.types import Embedder, Hit

QUOTED = 4
"""Sentences quoted for one sub-question."""
NEAR_FROM = 0.3
"""Cosine from which a sentence is about a question at all."""
MOST_COMPARED = 120
SHORTEST = 40
"""Characters: what is shorter is no statement."""


def quote_step(
    question: SubQuestion, facts: Sequence[Fact], embedder: Embedder
) -> SubAnswer | None:
    """Answer a sub-question that asks for an account with the sentences that cover it best.

    A sentence is chosen for being near the question and unlike those chosen before (facility
    location over the similarities, Lin and Bilmes 2011). None where nothing is near.
    """
    sentences = [f for f in facts if f.kind == "sentence" and len(f.text) >= SHORTEST]
    sentences = list({fact.text: fact for fact in sentences}.values())[:MOST_COMPARED]
    if not sentences:
        return None
    vectors = embedder.encode([question.text, *(fact.context for fact in sentences)])
    near = np.clip(vectors[1:] @ vectors[0], 0.0, 1.0)
    kept = [i for i in np.argsort(-near)[: 4 * QUOTED] if near[i] >= NEAR_FROM]
    if not kept:
        return None
    chosen_from = [sentences[i] for i in kept]
    alike = np.clip(vectors[1:][kept] @ vectors[1:][kept].T, 0.0, 1.0)
    relevance = (near[kept][:, None] * alike * near[kept][None, :]).astype(np.float32)
    places = [place for place, _ in facility_location(relevance, QUOTED)]
    chosen = [chosen_from[place] for place in sorted(places)]
    text = " ".join(f"“{fact.text}”" for fact in chosen)
    return sub_answer(question, text, tuple(fact.text for fact in chosen), chosen)


def about_question(
    sub_questions: Sequence[SubQuestion], answers: Mapping[str, SubAnswer]
) -> list[SubAnswer]:
    """The answers to an open question and its parts that an account of it may quote.

    Sentences seldom say "why" in the question's words, so what is unsure is quoted as well, and
    marked so; but of other articles than those that the question itself led to only what is sure.
    """
    first = answers.get(sub_questions[0].id) if sub_questions else None
    titles = {one.revision.title for one in first.citations} if first is not None else set()
    return [
        replace(answer, status="answered") if answer.status == "unsure" else answer
        for answer in answers.values()
        if answer.status == "answered"
        or (
            answer.status == "unsure" and {one.revision.title for one in answer.citations} <= titles
        )
    ]


def compose_quotes(
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    hits: Sequence[Hit],
    style: Style,
) -> Composed:
    """Put the quoted sentences under the sub-questions they answer, each sentence once."""
    answers = {answer.sub_question_id: answer for answer in sub_answers}
    marks = Marks(hits)
    lines: list[str] = []
    items: list[str] = []
    for question in sub_questions:
        answer = answers.get(question.id)
        if answer is None or answer.status != "answered":
            continue
        quoted = []
        for citation in answer.citations:
            if citation.quote in items:
                continue
            one = SubAnswer(sub_question_id=question.id, status="answered", citations=(citation,))
            numbers = marks.of(one)
            if numbers:
                items.append(citation.quote)
                quoted.append(f"- “{citation.quote}”{shown_marks(numbers)}")
        if quoted and style == "long":
            lines.append(question.text)
        lines.extend(quoted)
    return Composed(
        text="\n".join(lines), items=tuple(items), quotes=tuple(dict.fromkeys(marks.quotes))
    )
