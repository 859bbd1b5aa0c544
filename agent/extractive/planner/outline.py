"""Sub-questions for open-ended questions and suggestions, from the headings of the best articles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.language.words import is_plural
from corpus.types import Article

MOST_FROM_ONE = 6
"""Headings taken from one article."""
_APPENDIX = re.compile(
    r"(?:see also|references?|notes?|external links|further reading|bibliography|sources|footnotes|"
    r"citations|gallery|参考文献|外部链接|参见|注释)",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3400-\u9fff]")


def heading_question(heading: str, title: str) -> str:
    """Return a heading of an article as a question: "Causes" of "Flood" asks for its causes."""
    subject = re.sub(r"\s*\([^()]*\)$", "", title)
    if _CJK.search(subject):
        return f"{subject}的{heading}是什么？"
    words = heading.split()
    lowered = (
        heading if len(words) > 1 and words[1][:1].isupper() else heading[:1].lower() + heading[1:]
    )
    if re.search(r"\b(?:of|in|and|by)\b", subject):
        return f"What does “{subject}” say about {lowered}?"
    if subject.casefold() in heading.casefold():
        return f"What is said about {lowered}?"
    if words and words[0].endswith("ing") and len(words) == 1:
        return f"How does {lowered} matter for {subject}?"
    verb = "are" if words and is_plural(words[-1]) else "is"
    return f"What {verb} the {lowered} of {subject}?"


def outline_questions(articles: Sequence[Article]) -> list[tuple[str, str]]:
    """Return (sub-question, title of the article it came from) from the headings, in their order.

    Only headings right under the article's title count; those that list sources do not.
    """
    questions: list[tuple[str, str]] = []
    for article in articles:
        title = article.revision.title
        headings = [
            section.title
            for section in article.sections
            if section.level == 2 and section.title and not _APPENDIX.fullmatch(section.title)
        ]
        questions.extend((heading_question(h, title), title) for h in headings[:MOST_FROM_ONE])
    return questions


def definition_question(title: str) -> str:
    """Return the question what an article's subject is."""
    subject = re.sub(r"\s*\([^()]*\)$", "", title)
    if _CJK.search(subject):
        return f"{subject}是什么？"
    return f"What is meant by {subject}?"
