"""Whether a quote holds the years and numbers by which a question says which thing it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.citations.content.dates import Date, date_held, find_dates, is_year
from agent.citations.content.figures import Figure, find_figures
from agent.citations.content.names import without_names
from agent.citations.content.words import content_words, stem
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
    if valued and _LIVING.search(question) is None and _only_of_a_life(values, evidence):
        faults.hard.append(f"the quote only gives when {evidence.title} lived")
    if valued and _DAY.search(question) and all(date.day is None for date in valued):
        faults.soft.append("the question asks for the day, which the value does not give")
    listed = _listed(question) if len(values) > 1 and evidence.place.structured else ()
    if listed and not any(date_held(one, evidence.dates, evidence.framing_dates) for one in listed):
        faults.hard.append(f"the question names “{listed[0].text}”, which the quote does not")
    for span in _BETWEEN.finditer(question) if _WHICH_YEARS.match(question) else ():
        low, high = sorted(map(int, span.groups()))
        if any(one.year and not low <= one.year <= high for one in valued):
            faults.hard.append(f"the question is about {low} to {high}, the value is not")
    for date in find_dates(question):
        # How often something came about in some years, a quote tells that speaks of these years.
        if date in listed or (_is_bound(question, date) and not _TIMES.match(question)):
            continue
        framing = [*(() if _OF_A_YEAR.search(evidence.quote) else evidence.framing_dates), *valued]
        number = date.month is None and any(one.value == date.year for one in evidence.figures)
        if not number and not date_held(date, evidence.dates, framing):
            faults.hard.append(f"the question names “{date.text}”, which the quote does not")
    for figure in find_figures(question):
        which = figure.ordinal or _tells_which(question, figure)
        if which and evidence.holds_figure(figure) == "no":
            faults.soft.append(f"the quote does not say “{figure.text}”")


_DAY = re.compile(
    r"\b(?:(?:exact|precise) dates?|(?:exact|precise|which|what) days?|days? of (?:birth|death)|birthdays?)\b",
    re.IGNORECASE,
)
"""How a day is asked for, that a month or a year does not give."""
_TIMES = re.compile(r"how (?:often|many times)\b", re.IGNORECASE)


def _is_bound(question: str, date: Date) -> bool:
    """Whether a value may meet what a question says of a date without naming it: "after 1990"."""
    before, after = question[: date.start], question[date.end :]
    if _SPANS.search(before) or _SPAN.match(after):
        return True
    return bool(_BOUND.search(before) and (not _FROM.search(before) or _ONWARD.match(after)))


_LIVING = re.compile(
    r"\b(?:born|birth\w*|di(?:e|es|ed)|dead|deaths?|liv(?:e|es|ed)|life|lifetime|ages?|aged|old\w*|"
    r"young\w*|kill\w*|murder\w*|assassinat\w*|execut\w*|pass(?:es|ed)? away)\b",
    re.IGNORECASE,
)
_LIFE = re.compile(r"[^().]+\((?:born )?[^()]*\d{3,4}[^()]*\) (?:is|was) an?\b")
"""How the article of a person begins."""
_OF_A_PERSON = re.compile(r"^(?:Birth date|Born): ", re.MULTILINE)


def _only_of_a_life(values: Sequence[str], evidence: Evidence) -> bool:
    """Whether values stand only in the bracket that tells when a person lived."""
    sentence = evidence.place.sentence
    life = _LIFE.match(sentence)
    if life is None or not _OF_A_PERSON.search(evidence.chunk.text):
        return False
    return all(value in life[0] and value not in sentence[life.end() :] for value in values)


_OF_A_YEAR = re.compile(r"(?:^|\| )(?:year|season|edition)s?: \d{4}\b", re.IGNORECASE)
"""A row about a year of its own, whatever years its table is about."""
_BETWEEN = re.compile(r"\b([12]\d{3})\s*(?:[-–—]|and|to|until|till)\s*([12]\d{3})\b")
_WHICH_YEARS = re.compile(r"(?:in )?(?:which|what) years?\b", re.IGNORECASE)
_SPAN = re.compile(r"\s*[-–—]\s*\d{4}\b")
_SPANS = re.compile(r"\b\d{4}\s*[-–—]\s*$")
"""Two years with a dash are bounds: "1988–2024"."""
_BESIDE = re.compile(r"\s*(?:,|and|or|&|,\s*(?:and|or))\s*")


def _listed(question: str) -> tuple[Date, ...]:
    """Years that stand side by side, of which a row of several holds one: "in 2014 and 2016"."""
    dates = find_dates(question)
    pairs = [
        (one, other)
        for one, other in pairwise(dates)
        if is_year(one)
        and is_year(other)
        and _BESIDE.fullmatch(question[one.end : other.start])
        and not question[: one.start].rstrip().lower().endswith("between")
    ]
    return tuple(date for date in dates if any(date in pair for pair in pairs))


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


_WORD = re.compile(r"[^\W\d_]+")
_TO_DATE = re.compile(
    r"(?:\s+(?:in|of|at|by|to|the|his|her|its|their|early|late|\w+ly|[A-ZÀ-Þ][\w.'’-]*)){0,5}?"
    r"\s+(?:in|on|since|until|from|about|around)\s+(?:the\s+)?"
)
"""What may stand between a word for an event and its date: "died in Ham on", not another clause."""
_ALIKE = 5
"""Letters that words of one root share: "assassinated", "assassination"."""


def dates_another(question: str, value: str, sentence: str) -> str:
    """Return the date that a sentence gives to what is asked, "" where that may be the value.

    "He led Ham from May 1861 until his election in June 1865" does not date the election to 1861.
    """
    dates, mine = find_dates(sentence), find_dates(value)
    if len(dates) < 2 or not mine:
        return ""
    asked = {stem(word) for word in content_words(without_names(question, initial=False))}
    given = ""
    for word in _WORD.finditer(sentence):
        said = stem(word[0])
        if not any(said == one or said[:_ALIKE] == one[:_ALIKE] for one in asked if len(one) > 3):
            continue
        for date in dates:
            if not _TO_DATE.fullmatch(sentence, word.end(), date.start):
                continue
            if any(date_held(one, [date], []) for one in mine):
                return ""
            given = given or date.text
    return given
