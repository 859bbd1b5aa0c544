"""Numbers with their units, and years, as a text gives them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from agent.citations.content.dates import Date, find_dates, is_year
from corpus.text import CARDINALS, ORDINALS

_SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "millions": 1e6, "mn": 1e6, "billion": 1e9,
    "billions": 1e9, "bn": 1e9, "trillion": 1e12, "trillions": 1e12, "万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8,
}  # fmt: skip
_UNIT_FORMS = """
length 1: m metre metres meter meters 米
length 1000: km kms kilometre kilometres kilometer kilometers 公里 千米
length 0.01: cm centimetre centimetres centimeter centimeters 厘米
length 0.001: mm millimetre millimetres millimeter millimeters 毫米
length 0.3048: ft foot feet
length 0.0254: inch inches
length 0.9144: yd yard yards
length 1609.344: mi mile miles 英里
length 1852: nmi
length 149597870700: au
length 9460730472580800: ly light-year light-years
area 1: m2 m² sqm 平方米
area 1e6: km2 km² sqkm 平方公里 平方千米
area 2589988.11: mi2 mi² sqmi
area 0.09290304: ft2 ft² sqft
area 1e4: ha hectare hectares 公顷
area 4046.8564: acre acres
volume 1: m3 m³
volume 1e9: km3 km³
volume 0.001: l litre litres liter liters
mass 1: kg kilogram kilograms 公斤 千克
mass 0.001: g gram grams
mass 1000: t tonne tonnes
mass 907.18474: ton tons
mass 0.45359237: lb lbs pound pounds
time 1: s sec second seconds 秒
time 60: min mins minute minutes 分钟
time 3600: h hr hrs hour hours 小时
time 86400: d day days 天
time 604800: week weeks 周
time 2629800: month months 个月
time 31557600: year years yr yrs
share 1: % percent per-cent
celsius 1: °c celsius 摄氏度
fahrenheit 1: °f fahrenheit
kelvin 1: k kelvin kelvins
usd 1: $ us$ usd dollar dollars 美元
eur 1: € eur euro euros 欧元
gbp 1: £ gbp
yen 1: ¥ yen jpy
speed 1: m/s
speed 0.2777777777777778: km/h kmh kph
speed 0.44704: mph
speed 1000: km/s
power 1: w watt watts
power 1e3: kw kilowatt kilowatts
power 1e6: mw megawatt megawatts
energy 3.6e9: mwh
energy 3.6e12: gwh
energy 3.6e15: twh
density 1e-6: /km2 /km²
"""
_UNITS: dict[str, tuple[str, float]] = {
    form: (head.split()[0], float(head.split()[1]))
    for head, _, forms in (line.partition(": ") for line in _UNIT_FORMS.strip().split("\n"))
    for form in forms.split()
}
UNIT_WORDS = frozenset(
    [*(form for form in _UNITS if form.isalpha() and len(form) > 2), "square", "cubic"]
)
_SMALL = {name: value for value, name in enumerate(CARDINALS)}
_TENS = {
    name: 10 * value
    for value, name in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_ORDINALS = {name: value for value, name in enumerate(ORDINALS[1:], start=2)}
NOTHING = frozenset(["none", "nil"])
"""Values that say how many there are: "Satellites: None"."""
NUMBER_WORDS = frozenset((*_SMALL, *_TENS, *_ORDINALS, *_SCALES, "dozen"))
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_NUMBER = re.compile(
    r"(?P<money>(?:US)?[$€£¥]\s?)?(?<![A-Za-z0-9_.])(?P<sign>[-−](?=\d))?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u202f\u00a0\u2009 ]\d{3})+(?!\d)(?:\.\d+)?"
    r"|\d+(?:\.\d+)?)(?P<ordinal>(?:st|nd|rd|th)\b)?"
    rf"(?:[\s\u00a0-]?(?P<scale>(?:{_SCALE})(?![a-z]))|(?P<short>(?-i:[kKM])(?![\w²³/])))?",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"[\s\u00a0-]?(?:(?P<square>sq\.?|square|cubic)\s)?"
    r"(?P<unit>°\s?[CF]\b|%|per[ -]?cent|light-years?|/km[2²]|[A-Za-z]{1,3}/[sh]\b|[A-Za-z]{1,12}[²³2]?(?![\w])"
    r"|平方公里|平方千米|平方米|公里|千米|厘米|毫米|米|公斤|千克|公顷|分钟|小时|秒|天|个月|英里|摄氏度|美元|欧元)"
)
_SPELLED = re.compile(
    r"\b(?P<words>half an? (?:hundred|thousand|million|billion)|"
    rf"(?:(?:{'|'.join(_TENS)})[- ])?(?:{'|'.join([*_SMALL, *_TENS])}|dozen)"
    rf"(?:[- ](?:hundred|thousand|million|billion))*)\b",
    re.IGNORECASE,
)
_BEHIND = r")\s*(?:an?\s|the\s)?\s*(?:US)?[$€£¥]?$"
_ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|some|circa|ca?\.|close to|estimated|estimated at|"
    r"order of|region of|neighbou?rhood of|quite|put at|approx\.?)|[~≈]|约|大约|左右" + _BEHIND,
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"(?:\b(?:over|above|more than|greater than|upwards of|in excess of|exceeding|at least|beyond|"
    r"no fewer than|no less than)|超过|逾" + _BEHIND,
    re.IGNORECASE,
)
"""What is counted is this or more: a number cut off at its last digit."""
_BELOW = re.compile(
    r"(?:\b(?:nearly|almost|under|below|less than|fewer than|up to|short of|shy of|as many as|"
    r"as much as|at most|approaching|not quite)|近|将近" + _BEHIND,
    re.IGNORECASE,
)
_ABOUT_AFTER = re.compile(
    r"\s?(?:[^\W\d_]+\s){0,2}(?:or so|give or take|左右|上下)\b", re.IGNORECASE
)
_LABEL_UNIT = re.compile(r"\(([^()]{1,12})\)\s*$|[ _]((?:k?m|mi|ft|ha|kg|sq)[2²]?)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number in a text."""

    value: float
    """Scale words ("million") multiplied in, in the unit written."""
    step: float
    """Value of one unit of its last digit that is not a closing zero."""
    digits: int
    """From its first digit to that one."""
    dimension: str = ""
    """"length", "area", …; "" where no measure is named."""
    factor: float = 1.0
    """Of the unit, to the dimension's base."""
    ordinal: bool = False
    about: bool = False
    """Whether the text says that it is rounded."""
    bound: Literal["above", "below", ""] = ""
    """Whether it says that the true number is above ("more than") or below ("nearly")."""
    plain: bool = True
    """Written without a decimal point and without a scale word."""
    text: str = ""


@lru_cache(maxsize=512)
def find_figures(text: str) -> tuple[Figure, ...]:
    """Return the numbers of a text that are no dates, in order."""
    blank = list(text)
    for date in find_dates(text):
        blank[date.start : date.end] = " " * (date.end - date.start)
    rest = "".join(blank)
    found: list[tuple[int, Figure]] = []
    for match in _NUMBER.finditer(rest):
        found.append((match.start(), _written(match, rest)))
        blank[match.start() : match.end()] = " " * (match.end() - match.start())
    rest = "".join(blank)
    for match in _SPELLED.finditer(rest):
        value = _spelled_value(match["words"])
        if value is not None:
            figure = _make(value, str(int(value)), rest, match, 1.0)
            scaled = any(word in _SCALES for word in re.split(r"[- ]", match["words"].lower()))
            found.append((match.start(), replace(figure, plain=not scaled)))
    for name in re.finditer(r"[a-z]+", rest, re.IGNORECASE):
        value = _ORDINALS.get(name[0].lower())
        if value is not None:
            found.append(
                (name.start(), Figure(value=value, step=1, digits=2, ordinal=True, text=name[0]))
            )
    return tuple(figure for _, figure in sorted(found, key=lambda pair: pair[0]))


def _written(match: re.Match[str], text: str) -> Figure:
    bare = re.sub(r"[,\s\u00a0\u202f\u2009]", "", match["number"])
    short = {"k": 1e3, "m": 1e6}.get((match["short"] or "").lower(), 1.0)
    scale = _SCALES.get((match["scale"] or "").lower(), short)
    if match["ordinal"]:
        return Figure(value=float(bare), step=1, digits=2, ordinal=True, text=match[0])
    value = float(bare) * scale * (-1 if match["sign"] else 1)
    return _make(value, bare, text, match, scale, money=(match["money"] or "").strip())


def _make(
    value: float, bare: str, text: str, match: re.Match[str], scale: float, money: str = ""
) -> Figure:
    whole, point, part = bare.partition(".")
    if point:
        step, digits = 10.0 ** -len(part), len((whole + part).lstrip("0"))
    else:
        kept = whole.lstrip("0").rstrip("0")
        step, digits = 10.0 ** (len(whole) - len(whole.rstrip("0"))), len(kept)
    dimension, factor, written = "", 1.0, match[0]
    unit = _UNIT.match(text, match.end())
    before = text[max(0, match.start() - 24) : match.start()]
    if money:
        dimension, factor = _UNITS[money.lower()]
    elif unit:
        form = (
            unit["unit"].replace(" ", "").lower().replace("percent", "%").replace("per-cent", "%")
        )
        # "M" is no metre, and "5 d" rarely days: short letters count as they are written.
        if unit["square"]:
            power = "3" if unit["square"].lower() == "cubic" else "2"
            names = {"kilomet": "km", "met": "m", "mile": "mi", "mi": "mi", "f": "ft", "km": "km"}
            base = next((short for long, short in names.items() if form.startswith(long)), form)
            form = f"{base}{power}"
        if (
            len(form) > 1
            or (form == "%" or unit["unit"] in "mgtswhk")
            or not unit["unit"].isascii()
        ):
            dimension, factor = _UNITS.get(form, ("", 1.0))
        if dimension:
            written += unit[0]
    return Figure(
        value=value,
        step=step * scale,
        digits=max(digits, 1),
        dimension=dimension,
        factor=factor,
        about=bool(_ABOUT.search(before) or _ABOUT_AFTER.match(text, match.end())),
        bound="above" if _ABOVE.search(before) else "below" if _BELOW.search(before) else "",
        plain=not point and scale == 1.0,
        text=written.strip(),
    )


def _spelled_value(words: str) -> float | None:
    if words.lower().startswith("half"):
        return 0.5 * _SCALES[words.lower().split()[-1]]
    total = current = 0.0
    for word in re.split(r"[- ]", words.lower()):
        if word == "dozen":
            current += 12
        elif word in _SCALES:
            total, current = (total + max(current, 1) * _SCALES[word], 0.0)
        else:
            current += _SMALL.get(word, _TENS.get(word, 0))
    total += current
    # "one" is as often a pronoun as a number.
    return None if total == 1 else total


def year_as_figure(date: Date, text: str) -> Figure:
    """Return a bare year as the number it may be: "1850 students"."""
    digits = str(date.year)
    step = 10.0 ** (len(digits) - len(digits.rstrip("0")))
    about = bool(_ABOUT.search(text[max(0, date.start - 24) : date.start]))
    return Figure(
        value=float(digits), step=step, digits=len(digits.rstrip("0")), about=about, text=digits
    )


def figures_and_years(text: str) -> list[Figure]:
    """Return the numbers of a text, bare years among them."""
    years = [year_as_figure(date, text) for date in find_dates(text) if is_year(date)]
    return [*find_figures(text), *years]


def labelled_figures(cells: Sequence[tuple[str, str]]) -> list[Figure]:
    """Return the figures of cells, with the unit that a cell's head names: "Area (km2): 505"."""
    found: list[Figure] = []
    for head, value in cells:
        named = _LABEL_UNIT.search(head)
        words = (named[1] or named[2]).strip().lower() if named else ""
        first, _, rest = words.partition(" ")
        scale = _SCALES.get(first, 1.0) if rest else 1.0
        unit = _UNITS.get(rest if scale > 1 else words)
        for figure in figures_and_years(value):
            if unit and not figure.dimension and not figure.ordinal:
                figure = Figure(
                    value=figure.value, step=figure.step, digits=figure.digits,
                    dimension=unit[0], factor=unit[1] * scale, about=figure.about, plain=figure.plain,
                    text=figure.text,
                )  # fmt: skip
            found.append(figure)
    return found
