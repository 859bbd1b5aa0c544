"""Sub-questions for open-ended questions and suggestions, from the headings of the best articles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.language.names import without_bracket
from agent.extractive.language.words import is_plural
from corpus.types import Article

MOST_FROM_ONE = 6
"""Headings taken from one article."""
_APPENDIX = re.compile(
    r"(?:see also|references?|notes?|external links|further reading|bibliography|sources|footnotes|"
    r"citations|gallery|参考文献|外部链接|参见|注释)",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    r"\b(?:with|to|for|of|in|on|at|by|from|between|under|after|before|during|since)\b"
)
"""Of a heading that goes on behind its noun: "work with Keller"."""
_CJK = re.compile(r"[\u3400-\u9fff]")


def heading_question(heading: str, title: str, text: str = "") -> str:
    """Return a heading of an article as a question: "Causes" of "Flood" asks for its causes.

    Args:
        heading: of a section.
        title: of the article.
        text: of the article, which shows what it writes with a capital letter, and with "the".
    """
    subject = without_bracket(title)
    if _CJK.search(subject):
        return f"{subject}的{heading}是什么？"
    words = heading.split()
    lowered = heading if _is_name(words, text) else heading[:1].lower() + heading[1:]
    if re.search(r"\b(?:of|in|and|by)\b", subject) or not re.search(r"[^\W_]", subject):
        return f"What does “{subject}” say about {lowered}?"
    if subject.casefold() in heading.casefold():
        return f"What is said about {lowered}?"
    if _PHRASE.search(lowered):
        return f"What does “{subject}” say about {lowered}?"
    called = f"the {subject}" if text and _takes_the(subject, text) else subject
    if words and words[0].endswith("ing") and len(words) == 1:
        return f"How does {lowered} matter for {called}?"
    several = {"and", "&"} & set(words) or words[-1].endswith("ics") or is_plural(words[-1])
    return f"What {'are' if several else 'is'} the {lowered} of {called}?"


def _is_name(words: Sequence[str], text: str) -> bool:
    """Whether a heading begins with a name, which keeps its capital letter."""
    first = re.escape(words[0]) if words else ""
    if len(words) > 1 and words[1][:1].isupper():
        return True
    # Within a sentence only names have one.
    named = re.search(rf"[^\W\d_,;] {first}\b", text)
    return bool(words and named and not re.search(rf"\b{first.lower()}\b", text))


def _takes_the(subject: str, text: str) -> bool:
    """Whether an article writes "the" before its subject's name, mostly."""
    whole = len(re.findall(rf"(?<!\w){re.escape(subject)}(?!\w)", text))
    return 2 * len(re.findall(rf"\b[Tt]he {re.escape(subject)}(?!\w)", text)) > whole


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
        questions.extend(
            (heading_question(h, title, article.text), title) for h in headings[:MOST_FROM_ONE]
        )
    return questions


def definition_question(title: str) -> str:
    """Return the question what an article's subject is."""
    subject = without_bracket(title)
    if _CJK.search(subject):
        return f"{subject}是什么？"
    return f"What is meant by {subject}?"
