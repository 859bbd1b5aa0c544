"""Dates and quantities in English text: read, and changed so that nothing that is said of them breaks.

All years of a passage move by the same number of years, all months by the same number of months, all
days of a month by the same number of days, and none of these crosses the end of a year or a month; all
quantities are multiplied by the same factor. Order, ages and ratios therefore stay what they were:
"aged 77", "for 20 years" and "twice as long" remain true and are left alone.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from decimal import Decimal

from corpus.text import MONTHS
from evals.builders.infobox.relations import FULL_DATE, MONTH

_MONTHS = {name: number for number, name in enumerate(MONTHS, start=1)}
_NAMES = {number: name for name, number in _MONTHS.items()}
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_TIME = r"(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?)"
_YEAR = r"(?:1\d{3}|20\d{2})"
_UNIT = r"(?:[kc]?m²?|km/h|kg|t|g|°C|percent|million|billion|people|inhabitants|dollars|miles|feet)"
_BEFORE_MONTH = [
    "in", "of", "by", "since", "until", "early", "late", "every", "each", "before", "after",
    "from",
]  # fmt: skip
_SEEN = "|".join(rf"(?<=\b{word}\s)" for word in _BEFORE_MONTH)
PATTERN = re.compile(
    rf"""(?P<day>\b\d{{1,2}}\s{MONTH}\b|\b{MONTH}\s\d{{1,2}}\b(?!\d))
    |(?P<month>(?:{_SEEN}){MONTH}\b|\b{MONTH}(?=,?\s{_YEAR}\b))
    |(?P<kept>\b\d+(?:\.\d+)?(?:\s|-)(?:[a-z]+\s)?{_TIME}\b|\b[Hh]e\swas\s\d+|\b[Ss]he\swas\s\d+|\b(?:aged|age\sof|[Aa]t(?!\s\d+\s?(?:[km]|percent)))\s\d{{1,2}}\b(?![,.]\d)|\b\d+\s{_TIME}\s(?:after|before|later|earlier|old|apart)\b|\d+(?:st|nd|rd|th)\b)
    |(?P<range>\b{_YEAR}[–-]\d{{2}}(?:\d{{2}})?\b)
    |(?P<decade>\b{_YEAR}(?=s\b))
    |(?P<quantity>(?:{_NUMBER})(?=(?:\s|-){_UNIT}(?![a-z])))
    |(?P<year>\b{_YEAR}\b(?![,.]\d))
    |(?P<number>{_NUMBER})""",
    re.VERBOSE,
)
"""Everything with digits, and months. The year of a date is matched on its own."""
UNSAFE = re.compile(
    r"\d\s?(?:h|min|s)\b|\bcentur|\bB\.?C\b|\bAD\b|\d:\d|[A-Za-z]-?\d|\d[A-Za-z]"
    rf"|\b(?:tens|hundreds|thousands) of {_TIME}|\b(?:days?|weeks?)\s(?:after|before|later|earlier)\b"
    r"|\b(?:yesterday|spring|summer|autumn|winter|Easter|Christmas|New Year)\b"
)
"""What cannot be changed without breaking it: times of day, centuries, codes with digits, days
counted from one date to another, seasons."""


def days_of(text: str) -> tuple[int, int] | None:
    """Return the first and the last day a date may mean, as ordinals; None where it is no date."""
    if FULL_DATE.fullmatch(text):
        words = re.findall(r"\w+", text)
        month = next(_MONTHS[word] for word in words if word in _MONTHS)
        day, year = (int(word) for word in words if word not in _MONTHS)
        # A day that a month has not (29 February of another year) counts from the first on.
        ordinal = datetime.date(year, month, 1).toordinal() + day - 1
        return ordinal, ordinal
    found = re.fullmatch(rf"(?:({MONTH}) )?({_YEAR})", text)
    if found is None:
        return None
    first = datetime.date(int(found[2]), _MONTHS.get(found[1] or "", 1), 1).toordinal()
    return first, first + (30 if found[1] else 365)


def amount_of(text: str) -> tuple[float, str] | None:
    """Return number and unit of a quantity such as "1,230 km", or None."""
    found = re.fullmatch(rf"({_NUMBER})(?: (.*))?", text)
    return None if found is None else (float(found[1].replace(",", "")), found[2] or "")


def months_of(text: str) -> set[int]:
    """Return the months that a text names, 1 to 12."""
    return {_MONTHS[name] for name in re.findall(rf"\b{MONTH}\b", text)}


def days_in(text: str) -> set[int]:
    """Return the days of months that a text names."""
    return {int(re.search(r"\d+", m[0])[0]) for m in PATTERN.finditer(text) if m["day"]}  # type: ignore[index]


def moves_whole(text: str) -> bool:
    """Tell whether every month that a text names is one that a shift would find."""
    found = {m.start() for m in re.finditer(rf"\b{MONTH}\b", text)}
    reached = {
        match.start() + inner.start()
        for match in PATTERN.finditer(text)
        if match["day"] or match["month"]
        for inner in re.finditer(MONTH, match[0])
    }
    return found <= reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How the numbers of one passage change."""

    years: int
    """Added to every year; a multiple of ten, so that decades stay decades."""
    factor: Decimal
    """Quantities are multiplied by it; shares in percent by it or its inverse, what is below 1."""
    ordinal: int
    """Added to the number in a name: "Apollo 11"."""
    months: int = 0
    """Added to every month; none of the passage leaves its year."""
    days: int = 0
    """Added to every day of a month; none of the passage leaves its month."""

    def change(self, found: re.Match[str], *, in_name: bool) -> str:
        """Return what stands for a match of `PATTERN`."""
        text = found[0]
        kind = found.lastgroup
        if kind == "kept":
            return text
        if kind in ("day", "month"):
            moved = re.sub(MONTH, lambda m: _NAMES[_MONTHS[m[0]] + self.months], text)
            return re.sub(r"\d+", lambda m: str(int(m[0]) + self.days), moved)
        if kind in ("year", "decade"):
            return str(int(text) + self.years)
        if kind == "range":
            return self._range(text)
        if in_name and kind == "number" and text.isdigit():
            return str(int(text) + self.ordinal)
        if kind == "number" and re.fullmatch(r"\d", text):
            return text
        after = found.string[found.end() : found.end() + 9]
        factor = self.factor
        if re.match(r"\s?(?:percent|%)", after) and factor > 1:
            factor = 1 / factor
        return scale(text, factor)

    def _range(self, text: str) -> str:
        first, second = re.split(r"[–-]", text)
        moved = int(second) + self.years
        end = str(moved) if len(second) == 4 else f"{moved % 100:02d}"
        return f"{int(first) + self.years}{text[len(first)]}{end}"


def scale(text: str, factor: Decimal) -> str:
    """Return a number multiplied, written as it was: decimals, commas, and zeros at the end."""
    bare = Decimal(text.replace(",", ""))
    places = len(text.partition(".")[2])
    if places:
        moved = round(bare * factor, places)
    else:
        digits = str(int(bare))
        zeros = len(digits) - len(digits.rstrip("0")) if len(digits) > 2 else 0
        # Two digits more than the original, as many as a factor has decimals: nothing is rounded
        # away, so that 195 and 200 keep their order.
        step = Decimal(10) ** max(0, zeros - 2)
        moved = (bare * factor / step).quantize(Decimal(1)) * step
    grouped = "," in text or moved >= 10_000 or (bare < 1000 <= moved)
    return f"{moved:,.{places}f}" if grouped else f"{moved:.{places}f}"
