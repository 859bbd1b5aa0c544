"""Sub-questions by the headings of articles: of an open question, and what could be asked next."""

from __future__ import annotations

from collections.abc import Sequence

from agent.extractive.planner.outline import definition_question, outline_questions
from agent.extractive.sources import Sources, best_titles
from agent.types import SubQuestion
from retrieval.types import Embedder, Hit

SUGGESTIONS = 3
"""Questions to ask next, at most."""
MOST_OUTLINED = 16
"""Sub-questions of an open question, at most."""


def outlined(
    question: str, hints: Sequence[Hit], sources: Sources, embedder: Embedder
) -> list[SubQuestion]:
    """Return what the headings of the best articles ask of an open question, numbered from 2.

    Args:
        question: as asked.
        hints: hits of the question itself.
        sources: the articles around them.
        embedder: tells core questions from others.

    Returns:
        None of them where nothing they ask is core.
    """
    from agent.extractive.planner.kinds import classify_kinds

    if not sources.known or not hints:
        return []
    titles = best_titles(hints)
    articles = [found for title in titles if (found := sources.article(title)) is not None]
    texts = [definition_question(titles[0]), *(text for text, _ in outline_questions(articles))]
    texts = list(dict.fromkeys(texts))[:MOST_OUTLINED]
    kinds = classify_kinds(question, texts, embedder)
    if "core" not in kinds:
        return []
    return [
        SubQuestion(id=str(number), text=text, kind=kind)
        for number, (text, kind) in enumerate(zip(texts, kinds, strict=True), start=2)
    ]


def suggested(hints: Sequence[Hit], sources: Sources, taken: int) -> list[SubQuestion]:
    """Return follow-ups about the article that fits the question best, numbered after `taken`."""
    article = sources.article(hints[0].chunk.revision.title) if hints else None
    if article is None:
        return []
    asked = [text for text, _ in outline_questions([article])][:SUGGESTIONS]
    return [
        SubQuestion(id=str(taken + number), text=text, kind="follow_up")
        for number, text in enumerate(asked, start=1)
    ]
