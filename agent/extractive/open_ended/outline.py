"""Sub-questions by the headings of articles: what each section says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.extractive.language.names import without_bracket
from corpus.types import Article

_APPENDIX = re.compile(
    r"(?:see also|references?|notes?|external links|further reading|bibliography|sources|footnotes|"
    r"citations|gallery|参考文献|外部链接|参见|注释)",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3400-\u9fff]")
_SECTION_ASKED = re.compile(
    r"\s*What does “(?P<title>[^“”]+)” say about (?P<heading>.+?)\?\s*"
    r"|\s*“(?P<cjk_title>[^“”]+)”关于(?P<cjk_heading>.+?)说了什么？\s*"
)
_MEANING_ASKED = re.compile(
    r"\s*What is meant by (?P<subject>[^“”]+)\?\s*|\s*(?P<cjk_subject>[^“”]+)是什么？\s*"
)


def section_question(heading: str, title: str, text: str = "") -> str:
    """Return a section of an article as a question: what the article says about its heading.

    Args:
        heading: of the section.
        title: of the article.
        text: of the article, which shows what it writes with a capital letter.
    """
    if _CJK.search(title):
        return f"“{title}”关于{heading}说了什么？"
    words = heading.split()
    first = heading[:1].lower()
    # "İ" has no small letter of its own.
    kept = len(first) != 1 or _is_name(words, text)
    lowered = heading if kept else first + heading[1:]
    return f"What does “{title}” say about {lowered}?"


def section_asked(question: str) -> tuple[str, str] | None:
    """Return the title and the heading that a question asks about, None where it asks for no section.

    It asks as `section_question` does; or as `definition_question`: then the heading is "", the lead,
    and the title may lack what is in brackets.
    """
    if found := _SECTION_ASKED.fullmatch(question):
        return found["title"] or found["cjk_title"], found["heading"] or found["cjk_heading"]
    if meant := _MEANING_ASKED.fullmatch(question):
        return meant["subject"] or meant["cjk_subject"], ""
    return None


def _is_name(words: Sequence[str], text: str) -> bool:
    """Whether a heading begins with a name, which keeps its capital letter."""
    first = re.escape(re.sub(r"['’]s?$", "", words[0])) if words else ""
    if len(words) > 1 and words[1][:1].isupper():
        return True
    # Within a sentence only names have one.
    named = re.search(rf"[^\W\d_,;] {first}\b", text)
    return bool(words and named and not re.search(rf"\b{first.lower()}\b", text))


def outline_questions(article: Article, most: int) -> list[str]:
    """Return what the first headings right under an article's title ask, but those that list sources."""
    title = article.revision.title
    headings = [
        section.title
        for section in article.sections
        if section.level == 2 and section.title and not _APPENDIX.fullmatch(section.title)
    ]
    return [section_question(heading, title, article.text) for heading in headings[:most]]


def definition_question(title: str) -> str:
    """Return the question what an article's subject is."""
    subject = without_bracket(title)
    if _CJK.search(subject):
        return f"{subject}是什么？"
    return f"What is meant by {subject}?"
