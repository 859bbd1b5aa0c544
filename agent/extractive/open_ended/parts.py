"""Sub-questions by the headings of articles: of an open question, and what could be asked next."""

from __future__ import annotations

from collections.abc import Sequence

from agent.extractive.open_ended.outline import outline_questions
from agent.extractive.open_ended.quotes import account_facts, account_of, question_of
from agent.extractive.sources import Sources
from agent.extractive.weights.vectors import Encode
from agent.types import SubQuestion
from retrieval.types import Embedder, Hit

SUGGESTIONS = 3
"""Questions to ask next, at most."""


def outlined(
    question: str, hints: Sequence[Hit], sources: Sources, encode: Encode, embedder: Embedder
) -> list[SubQuestion]:
    """Return what the sections say that tell most of what an open question asks, numbered from 2.

    Args:
        question: as asked.
        hints: hits of the question itself.
        sources: the articles around them.
        encode: makes vectors of texts, which find the sections.
        embedder: tells core questions from others.

    Returns:
        None of them where no article gives an account.
    """
    from agent.extractive.planner.kinds import classify_kinds

    told = account_of(question, account_facts(hints, sources), encode)
    written = {
        fact.title: article.text for fact in told if (article := sources.article(fact.title))
    }
    texts = list(dict.fromkeys(question_of(fact, written.get(fact.title, "")) for fact in told))
    kinds = classify_kinds(question, texts, embedder)
    return [
        SubQuestion(id=str(number), text=text, kind=kind)
        for number, (text, kind) in enumerate(zip(texts, kinds, strict=True), start=2)
    ]


def suggested(hints: Sequence[Hit], sources: Sources, taken: int) -> list[SubQuestion]:
    """Return follow-ups about the article that fits the question best, numbered after `taken`."""
    article = sources.article(hints[0].chunk.revision.title) if hints else None
    if article is None:
        return []
    return [
        SubQuestion(id=str(taken + number), text=text, kind="follow_up")
        for number, text in enumerate(outline_questions(article, SUGGESTIONS), start=1)
    ]
