"""How old somebody became, told by the dates of birth and death behind a name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.dates import Date, find_dates
from agent.citations.content.words import fold

_SOMEBODY = r"(?:he|she|they|[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*)"
_AT_DEATH = re.compile(
    r"(?:at|by) (?:what|which) age did (?P<dying>.+?) (?:die|pass away)\W*$"
    rf"|how old (?:was|were) (?P<when>.+?) (?:when {_SOMEBODY} (?:died|passed away)"
    r"|(?:at|on) (?:his|her|their|the) deaths?)\W*$"
    r"|(?:what|which) age did (?P<reaching>.+?) (?:reach|attain|live to|get to)\W*$"
    r"|how old did (?P<becoming>.+?) (?:get|become|live to be)\W*$"
    r"|(?:what (?:is|was) )?the age at (?:the )?death of (?P<having>.+?)\W*$"
    r"|how (?:many years|long) did (?P<living>.+?) live\W*$",
    re.IGNORECASE,
)
_LIFE = re.compile(r"\(([^()]*\d[^()]*[–—-][^()]*\d[^()]*)\)")
"""What stands behind the name of somebody who is dead: "(7 March 1850 – 2 May 1901)"."""


def whose_age_at_death(question: str) -> str:
    """Return whose age at death a question asks for, "" where it asks for another thing."""
    found = _AT_DEATH.match(question.strip())
    return next(filter(None, found.groups()), "") if found else ""


def age_at_death(text: str) -> int | None:
    """Return the age that somebody reached, None where no two whole dates behind a name tell it."""
    dates = _life(text)
    if dates is None:
        return None
    (born, day_born), (died, day_died) = dates
    return died - born - (day_died < day_born)


def age_of(name: str, text: str) -> int | None:
    """Return the age that somebody of a name reached, None where no dates behind that name tell it."""
    return age_at_death(text) if _is_behind(name, text) else None


def whose_age(question: str, values: Sequence[str], quote: str) -> str:
    """Return whose age at death an answer gives as the dates of a quote tell it.

    Args:
        question: that was asked.
        values: of its answer.
        quote: that is cited.

    Returns:
        The name in the question; "" where it asks for no age at death, or the dates tell another one.
    """
    who = whose_age_at_death(question)
    number = re.match(r"\D{0,12}(\d+)\D{0,12}$", values[0]) if who and len(values) == 1 else None
    return who if number is not None and age_of(who, quote) == int(number[1]) else ""


def _is_behind(name: str, text: str) -> bool:
    """Whether dates of birth and death stand behind a name: those of her husband are not hers."""
    found = _LIFE.search(text)
    before = re.sub(r",? (?:Jr|Sr|I{2,3})\.?$", "", text[: found.start()].rstrip()) if found else ""
    return fold(before).endswith(fold(name.split()[-1]))


def _life(text: str) -> tuple[tuple[int, tuple[int, int]], ...] | None:
    """The years of birth and death, each with its month and day."""
    found = _LIFE.search(text)
    dates = find_dates(found[1]) if found else ()
    whole = [made for date in dates if (made := _whole(date)) is not None]
    return tuple(whole) if len(dates) == len(whole) == 2 and whole[0] < whole[1] else None


def _whole(date: Date) -> tuple[int, tuple[int, int]] | None:
    if date.year is None or date.year < 0 or date.month is None or date.day is None:
        return None
    return None if date.swapped else (date.year, (date.month, date.day))
