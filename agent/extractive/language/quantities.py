"""Numbers with their units, and dates, read from running text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.citations.content.dates import FIRST_DECADE
from agent.extractive.language import words
from corpus.text import MONTHS

_SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9,
    "trillion": 1e12, "万": 1e4, "亿": 1e8,
}  # fmt: skip

_UNIT_FORMS = {
    "length 1": "m metre metres meter meters 米",
    "length 1000": "km kilometre kilometres kilometer kilometers 公里 千米",
    "length 0.01": "cm centimetre centimetres centimeter centimeters 厘米",
    "length 0.001": "mm millimetre millimetres millimeter millimeters",
    "length 0.3048": "ft foot feet",
    "length 0.0254": "in inch inches",
    "length 1609.344": "mi mile miles",
    "length 1852": "nmi",
    "length 149597870700": "au",
    "area 1000000": "km2 km² sqkm 平方公里",
    "area 1": "m2 m² sqm 平方米",
    "area 2589988.11": "mi2 mi² sqmi",
    "area 10000": "ha hectare hectares",
    "area 4046.8564": "acre acres",
    "mass 1": "kg kilogram kilograms 公斤",
    "mass 0.001": "g gram grams",
    "mass 1000": "t tonne tonnes",
    "mass 907.18474": "ton tons",
    "mass 0.45359237": "lb lbs pound pounds",
    "time 1": "s sec second seconds",
    "time 60": "min mins minute minutes",
    "time 3600": "h hr hrs hour hours",
    "time 86400": "day days 天",
    "time 604800": "week weeks",
    "time 2629800": "month months",
    "time 31557600": "year years yr yrs 年",
    "share 0.01": "% percent per-cent",
    "temperature 1 °C": "°c celsius",
    "temperature 1 °F": "°f fahrenheit",
    "temperature 1 K": "k kelvin",
    "money 1 $": "$ us$ usd dollar dollars",
    "money 1 €": "€ eur euro euros",
    "money 1 £": "£ gbp",
    "money 1 ¥": "¥ yen",
    "speed 1": "m/s",
    "speed 1000": "km/s",
    "speed 0.2777777778": "km/h kmh",
    "speed 0.44704": "mph",
    "speed 0.5144444444": "knots",
    "power 1": "w",
    "power 1000": "kw",
    "power 1000000": "mw",
    "people 1": "people inhabitants residents persons citizens students employees 人",
}
_UNITS: dict[str, tuple[str, float]] = {}
_SORTS: dict[str, str] = {}
"""What a unit that does not convert to others of its dimension measures in: "$" of "usd"."""
_BASES: dict[str, str] = {}
"""The unit of each dimension in which its others are told."""
for _meaning, _forms in _UNIT_FORMS.items():
    _dimension, _factor, *_sort = _meaning.split()
    for _form in _forms.split():
        _UNITS[_form] = (_dimension, float(_factor))
        _SORTS[_form] = "".join(_sort)
        if float(_factor) == 1 and not _sort:
            _BASES.setdefault(_dimension, _form)
_CLOCK = re.compile(
    r"(?<![\w.,:])(?P<hours>\d{1,4}):(?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d))?(?P<rest>\.\d+)?"
    r"(?![\d:]|,\d)"
)
"""A time of day, or how long something took: "9:30", "2:05:42"."""

_NUMBER = r"(?:\d{1,3}(?:[,\u202f\u00a0 ]\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_NUMBER_WORD = "|".join(sorted(words.NUMBER_WORDS, key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?<![\w.,])(?P<sign>[-−–]?)(?P<money>(?:US)?[$€£¥]\s?)?(?P<number>{_NUMBER})"
    rf"(?P<scale>\s?(?:{'|'.join(_SCALES)})\b|[万亿])?"
    r"(?:\s?(?P<square>sq\.?|square)\s)?(?:[\s\u00a0-]?(?!in\s+\w)(?P<unit>km/[sh]|m/s|°\s?[CF]|%|[^\W\d_]+[²2³]?))?",
    re.IGNORECASE,
)
_SPELLED = re.compile(
    rf"\b(?P<number>(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty-)?(?:{_NUMBER_WORD}))\b"
    r"(?:\s(?P<scale>hundred|thousand|million|billion|trillion))?(?:[\s-](?P<unit>[^\W\d_]+))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number in a text."""

    value: float
    """As written, scale words ("million") multiplied in."""
    unit: str
    """As written, in lower case; "" for a bare number."""
    dimension: str
    """"length", "area", …; "" where the unit is not known."""
    base: float
    """`value` in the dimension's base unit; `value` itself without one."""
    start: int
    end: int
    scaled: bool = False
    """Whether a scale word was there."""
    sort: str = ""
    """What it is told in, where that does not convert: "$", "°C", "h:m" of a time."""

    @property
    def measure(self) -> str:
        """What it measures: quantities compare that have this in common."""
        return f"{self.dimension} {self.sort}".strip()


def unit_of(word: str) -> tuple[str, float] | None:
    """Return a unit's dimension and its size in the dimension's base unit; None where it is none."""
    return _UNITS.get(word.casefold())


def find_quantities(text: str) -> list[Quantity]:
    """Return the numbers of a text in order, digits and spelled-out ones."""
    found = [_time(match) for match in _CLOCK.finditer(text)]
    times = [(time.start, time.end) for time in found]
    found += [
        _digits(match)
        for match in _QUANTITY.finditer(text)
        if not any(start <= match.start("number") < end for start, end in times)
    ]
    taken = [(quantity.start, quantity.end) for quantity in found]
    for match in _SPELLED.finditer(text):
        if any(start <= match.start() < end for start, end in taken):
            continue
        value = words.number_of(match["number"])
        if value is None or (value == 1 and not match["scale"]):
            continue
        scale = _SCALES.get((match["scale"] or "").lower(), 1)
        found.append(_make(match, float(value) * scale, match["unit"] or "", scale != 1))
    return sorted(found, key=lambda quantity: quantity.start)


def _digits(match: re.Match[str]) -> Quantity:
    value = float(re.sub(r"[,\u202f\u00a0 ]", "", match["number"]))
    scale = _SCALES.get((match["scale"] or "").strip().lower(), 1.0)
    # A dash before a number is a minus sign only where nothing is being ranged over.
    sign = -1.0 if match["sign"] in {"-", "−"} else 1.0
    unit = (match["unit"] or "").replace(" ", "")
    if match["square"]:
        unit = f"{unit}2" if unit.lower() in {"km", "mi", "m"} else f"sq{unit[:2]}"
        unit = {"sqki": "km2", "sqmi": "mi2", "sqme": "m2", "sqkm": "km2"}.get(unit.lower(), unit)
    if match["money"]:
        unit = match["money"].strip()
    return _make(match, sign * value * scale, unit, scale != 1)


def _time(match: re.Match[str]) -> Quantity:
    """A time as a number of what stands first; minutes and seconds do not compare with hours."""
    parts = [float(part) for part in match.group("hours", "minutes", "seconds") if part]
    value = sum(part / 60**place for place, part in enumerate(parts))
    value += float(match["rest"] or 0) / 60 ** (len(parts) - 1)
    return Quantity(
        value=value,
        unit="",
        dimension="",
        base=value,
        start=match.start(),
        end=match.end(),
        sort=":".join("hms"[: len(parts)]),
    )


def _make(match: re.Match[str], value: float, unit: str, scaled: bool) -> Quantity:
    low = unit.lower()
    dimension, factor = _UNITS.get(low, ("", 1.0))
    return Quantity(
        value=value,
        unit=low,
        dimension=dimension,
        base=value * factor,
        start=match.start(),
        end=match.end(),
        scaled=scaled,
        sort=_SORTS.get(low, ""),
    )


def base_unit(dimension: str) -> str:
    """Return the unit that base values of a dimension are told in, "" where it has none."""
    return _BASES.get(dimension, "")


_AHEAD = 4
"""Characters that may stand before a date that a text begins with: "c. 1450", "on 3 May"."""
_MONTHS = [month.lower() for month in MONTHS]
_MONTH = "|".join([*_MONTHS, *(month[:3] for month in _MONTHS), "sept"])
_DATE = re.compile(
    rf"\b(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m1>{_MONTH})\b\.?,?\s+(?P<y1>\d{{3,4}})\b"
    rf"|\b(?P<m2>{_MONTH})\b\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,\s*(?P<y2>\d{{3,4}})\b"
    rf"|\b(?P<y3>\d{{4}})-(?P<m3>\d\d)-(?P<d3>\d\d)\b"
    rf"|\b(?P<m4>{_MONTH})\b\.?,?\s+(?P<y4>\d{{4}})\b"
    r"|(?P<y5>\d{3,4})年(?:(?P<m5>\d{1,2})月(?:(?P<d5>\d{1,2})日)?)?"
    r"|(?<![\d.,\-−–$€£])(?P<y6>\d{1,4})\s?(?P<bc>BCE?|B\.C\.)"
    r"|(?<![\d.,$€£#])(?P<y7>1\d{3}|20\d\d)(?:s\b)?(?![\d%]|[.,]\d|\s?(?:km|m|ft|mi|kg|people|°|metres|feet)\b)"
    r"|\b(?P<century>\d{1,2})(?:st|nd|rd|th)[ -]century\b(?:\s(?P<before>BCE?\b|B\.C\.))?",
    re.IGNORECASE,
)

DAY_OF_YEAR = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b|\b(?:{_MONTH})\b\.?\s+\d{{1,2}}\b(?!\d)",
    re.IGNORECASE,
)
"""A day that comes every year, or whose year is not told: "15 August"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date in a text, as exact as the text gives it."""

    year: int
    """Negative before Christ; the first year of a century that is named alone."""
    month: int = 0
    """1 to 12, 0 where not given."""
    day: int = 0
    years: int = 1
    """How many years it may lie in: ten of "the 1890s", a hundred of a century."""
    start: int
    end: int

    @property
    def ordinal(self) -> float:
        """The date as a number of years, so that dates compare."""
        return self.year + max(self.month - 1, 0) / 12 + max(self.day - 1, 0) / 372


def find_dates(text: str) -> list[Moment]:
    """Return the dates of a text in order: days, months with year, years, centuries."""
    found = []
    for match in _DATE.finditer(text):
        parts = {k: v for k, v in match.groupdict().items() if v is not None}
        century = parts.get("century")
        years = 1
        if century is not None:
            years = 100
            year = -100 * int(century) if "before" in parts else (int(century) - 1) * 100 + 1
        else:
            year = int(next(v for k, v in parts.items() if k[0] == "y"))
        if "bc" in parts:
            year = -year
        if match[0].endswith("s") and year % 10 == 0:
            years = 10 if year % 100 or year >= FIRST_DECADE else 100
        month = next((v for k, v in parts.items() if k[0] == "m"), None)
        day = next((v for k, v in parts.items() if k[0] == "d"), None)
        found.append(
            Moment(
                year=year,
                month=_month(month) if month else 0,
                day=int(day) if day else 0,
                years=years,
                start=match.start(),
                end=match.end(),
            )
        )
    return found


def begins_with_date(text: str) -> bool:
    """Whether a text is a date, with what it says of it behind: "24 May 1819 (London)"."""
    dates = find_dates(text)
    return bool(dates) and dates[0].start <= _AHEAD


def _month(name: str) -> int:
    if name.isdigit():
        return min(max(int(name), 1), 12)
    return next(i for i, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()[:3]))


def shown(value: float) -> str:
    """Return a computed number as text: thousands with commas, no needless decimals."""
    if abs(value - round(value)) < 1e-9 or abs(value) >= 1e6:
        return f"{round(value):,}"
    return f"{value:,.2f}".rstrip("0").rstrip(".")
