"""Dates in any usual form, as exact as a text gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from corpus.text import MONTHS as NAMES

MONTHS = tuple(name.lower() for name in NAMES)
_VERBS = frozenset(("may", "march", "mar"))
"""Months that are other words in small letters."""
_MONTH = "|".join(
    f"(?-i:{name.title()})" if name in _VERBS else name
    for name in (*MONTHS, *(month[:3] for month in MONTHS), "sept")
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_DATE = re.compile(
    rf"\b(?P<d1>{_DAY})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<m1>{_MONTH})\b\.?(?:,?\s+(?P<y1>\d{{3,4}})\b)?"
    rf"|\b(?P<y8>\d{{4}}),?\s+(?P<m8>{_MONTH})\b\.?(?:\s+(?P<d8>{_DAY})\b)?"
    rf"|\b(?P<m2>{_MONTH})\b\.?\s+(?P<d2>{_DAY})(?:st|nd|rd|th)?\b(?![,.:]\d)(?:,?\s+(?P<y2>\d{{3,4}})\b)?"
    rf"|\b(?P<m4>{_MONTH})\b\.?,?\s+(?:of\s+)?(?P<y4>\d{{3,4}})\b"
    r"|\b(?P<y3>\d{4})-(?P<m3>0[1-9]|1[0-2])-(?P<d3>\d\d)\b"
    r"|\b(?P<a9>\d{1,2})[./](?P<b9>\d{1,2})[./](?P<y9>\d{4})\b"
    r"|(?P<y5>\d{3,4})年(?:(?P<m5>\d{1,2})月(?:(?P<d5>\d{1,2})[日号])?)?"
    r"|(?P<m6>\d{1,2})月(?P<d6>\d{1,2})[日号]"
    r"|\b(?P<y10>\d{1,4})\s?(?P<bc>BCE?|B\.C\.)"
    r"|\b(?P<c11>\d{1,2})(?:st|nd|rd|th)[ -]centur(?:y|ies)\b|(?P<c12>\d{1,2})世纪"
    r"|\b(?P<decade>(?:1\d|20)\d0)['’]?s\b|(?P<decade2>(?:1\d|20)\d0)年代"
    r"|(?<![A-Za-z0-9_.,$€£#:])(?P<y7>1\d{3}|20\d\d)(?![\d%]|[.,:]\d"
    r"|[\s-]?(?:km|m|ft|mi|kg|people|inhabitants|°|met|feet|miles|kilomet|square|hectares|ha|million|tons|tonnes)\b)"
    r"(?:\s?[–—/-]\s?(?P<until>\d{2})(?![\d-]))?",
    re.IGNORECASE,
)
FIRST_DECADE = 2000
"""Year of the first decade that is called by the first year of its century."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """A date in a text; what it does not say is None."""

    year: int | None = None
    """Negative before Christ; the first year of a decade or a century."""
    month: int | None = None
    day: int | None = None
    span: int = 1
    """Years: 10 for a decade, 100 for a century."""
    swapped: bool = False
    """Day and month stand in an order that cannot be told."""
    start: int = 0
    end: int = 0
    text: str = ""

    def holds(self, other: Date) -> bool:
        """Say whether this date, of the evidence, agrees with all that another one gives."""
        if other.year is not None and not self._holds_year(other):
            return False
        pairs = ((self.month, self.day), (self.day, self.month) if self.swapped else (None, None))
        wanted = (other.month, other.day)
        readings = (wanted, (other.day, other.month)) if other.swapped else (wanted,)
        return any(
            all(asked is None or asked == given for asked, given in zip(reading, pair, strict=True))
            for reading in readings
            for pair in pairs
        )

    def _holds_year(self, other: Date) -> bool:
        if self.year is None or other.year is None:
            return False
        # A year proves its decade; a decade proves no year.
        return other.year <= self.year and self.year + self.span <= other.year + other.span


@lru_cache(maxsize=512)
def find_dates(text: str) -> tuple[Date, ...]:
    """Return the dates of a text, in order; "1914–18" are two."""
    return tuple(date for match in _DATE.finditer(text) for date in _read(match))


def _read(match: re.Match[str]) -> Iterator[Date]:
    parts = {name: value for name, value in match.groupdict().items() if value is not None}
    first = {
        name[0]: value for name, value in parts.items() if name[0] in "ymd" and name[1:].isdigit()
    }
    span, swapped = 1, False
    year = int(first["y"]) if "y" in first else None
    month = _month(first["m"]) if "m" in first else None
    day = int(first["d"]) if "d" in first else None
    if century := parts.get("c11") or parts.get("c12"):
        year, span = (int(century) - 1) * 100, 100
    if decade := parts.get("decade") or parts.get("decade2"):
        year = int(decade)
        # "the 1700s" are a century; "the 2000s" a decade.
        span = 100 if year % 100 == 0 and year < FIRST_DECADE else 10
    if "bc" in parts and year is not None:
        year = -year
    if "a9" in parts:
        day, month, swapped = int(parts["a9"]), int(parts["b9"]), True
    made = Date(
        year=year, month=month, day=day, span=span, swapped=swapped,
        start=match.start(), end=match.end(), text=match[0].strip(),
    )  # fmt: skip
    yield made
    if year is not None and "until" in parts:
        until = year // 100 * 100 + int(parts["until"])
        yield Date(year=until, start=match.start(), end=match.end(), text=str(until))


def _month(name: str) -> int:
    if name.isdigit():
        return int(name)
    return next(n for n, month in enumerate(MONTHS, 1) if month.startswith(name.lower()[:3]))


def is_year(date: Date) -> bool:
    """Say whether a date is a bare year, which may be a number of something as well."""
    return date.month is None and date.span == 1 and date.year is not None and date.year > 0


def date_held(claimed: Date, quoted: Sequence[Date], context: Sequence[Date]) -> bool:
    """Say whether evidence holds a claimed date.

    Args:
        claimed: of the claim.
        quoted: of the quote.
        context: of the title, the section, the row's head and the question, which may give the year.
    """
    everywhere = (*quoted, *context)
    if any(date.holds(claimed) for date in everywhere):
        return True
    if claimed.year is None or claimed.month is None:
        return False
    # "on 24 January" under a heading "1986", "between 24 January and 3 March 1986".
    without = Date(month=claimed.month, day=claimed.day, swapped=claimed.swapped)
    year = Date(year=claimed.year)
    return any(date.year is None and date.holds(without) for date in quoted) and any(
        date.holds(year) for date in everywhere
    )
