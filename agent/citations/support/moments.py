"""Whether a quote holds the years and numbers by which a question says which thing it means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.dates import date_held, find_dates
from agent.citations.content.figures import Figure, find_figures
from agent.citations.content.words import content_words
from agent.citations.support.faults import Faults
from agent.citations.support.grounds import Evidence
from corpus.text import word_set

_MEASURING = word_set("least most exactly about around nearly top reach exceed roughly")
"""Words before a number that is an amount and tells no thing from another."""
_BOUND = re.compile(
    r"\b(?:before|after|since|between|until|till|by|from|to|and|than|over|under|earlier|later|as of)"
    r"\s+(?:the\s+)?(?:years?\s+)?$",
    re.IGNORECASE,
)
"""Words before a date that make it a condition, which the value meets without naming it."""
_FROM = re.compile(r"\bfrom\s+(?:the\s+)?$", re.IGNORECASE)
_ONWARD = re.compile(r"\s*(?:[-–]|to\b|un?til+\b|on(?:wards?)?\b|through\b|thru\b)", re.IGNORECASE)
"""What makes the date after "from" a bound; "from the 1700s" alone says when."""


def check_moments(question: str, values: Sequence[str], evidence: Evidence, faults: Faults) -> None:
    """Ask for the years that the question names, unless they are a bound."""
    valued = [date for value in values for date in find_dates(value)]
    for date in find_dates(question):
        before, after = question[: date.start], question[date.end :]
        if _BOUND.search(before) and (not _FROM.search(before) or _ONWARD.match(after)):
            continue
        framing = [*evidence.framing_dates, *valued]
        number = date.month is None and any(one.value == date.year for one in evidence.figures)
        if not number and not date_held(date, evidence.dates, framing):
            faults.hard.append(f"the question names “{date.text}”, which the quote does not")
    for figure in find_figures(question):
        which = figure.ordinal or _tells_which(question, figure)
        if which and evidence.holds_figure(figure) == "no":
            faults.soft.append(f"the quote does not say “{figure.text}”")


def _tells_which(question: str, figure: Figure) -> bool:
    """Whether a number tells one thing from its like: "chapter 15", not "at least 15 chapters"."""
    found = re.search(
        rf"(?<![^\W_])(?P<before>[^\W\d_]+)\s+{re.escape(figure.text)}"
        r"(?=\s*(?:[,;:?!)]|\.(?!\d)|$)|\s+(?:of|in|on|at|from|for|by|was|is|were|are|and|or)\b)",
        question,
    )
    return (
        found is not None
        and bool(content_words(found["before"]))
        and found["before"].lower() not in _MEASURING
    )
