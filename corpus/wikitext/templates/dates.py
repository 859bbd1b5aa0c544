"""Templates about dates: of birth and death, of foundation, of releases; ages are not computed.

An age changes with the day the page is shown; a dated snapshot keeps what the page states.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from corpus.wikitext.templates.arguments import Values

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def date(year: str, month: str = "", day: str = "", *, day_first: bool = False) -> str:
    """Return a date as prose writes it; parts that are missing or no numbers stay as they are."""
    name = MONTHS[int(month) - 1] if month.isdecimal() and 1 <= int(month) <= 12 else month
    day = day.lstrip("0")
    if not name:
        return year
    if not day:
        return f"{name} {year}".strip()
    return f"{day} {name} {year}".strip() if day_first else f"{name} {day}, {year}".strip(", ")


def _numbers(values: Values, begin: int = 1) -> tuple[str, str, str]:
    year, month, day = (values.at(number) for number in range(begin, begin + 3))
    return year, month, day


def _day_first(values: Values) -> bool:
    return values.get("df", "dayfirst").casefold() in ("y", "yes", "1", "true")


def whole_date(values: Values) -> str:
    """`{{start date|1969|7|20}}`, `{{birth date and age|1950|3|9|df=y}}`; one value is free text."""
    year, month, day = _numbers(values)
    if not re.fullmatch(r"\d{1,4}", year):
        return year
    shown = date(year, month, day, day_first=_day_first(values))
    hour, minute = values.at(4), values.at(5)
    return f"{shown}, {hour}:{minute}" if hour.isdecimal() and minute.isdecimal() else shown


def death_date_and_age(values: Values) -> str:
    """`{{death date and age|1934|7|4|1867|11|7}}`: the date of death and the age, from both dates."""
    year, month, day = _numbers(values)
    if not year.isdecimal():
        return year
    shown = date(year, month, day, day_first=_day_first(values))
    born = _numbers(values, 4)
    if all(part.isdecimal() for part in (year, month, day, *born)):
        before = (int(month), int(day)) < (int(born[1]), int(born[2]))
        return f"{shown} (aged {int(year) - int(born[0]) - before})"
    return shown


def years_of(values: Values) -> str:
    """`{{birth-death|1867|1934}}`: a span of years."""
    return "–".join(values.filled()[:2])


def age_given(values: Values) -> str:
    """`{{birth year and age|1950}}`, `{{birth based on age as of date|…}}`: the year."""
    return values.at(1)


def film_date(values: Values) -> str:
    """`{{film date|1999|3|31|United States}}`: every date with its place."""
    parts = values.positional
    shown = []
    for start in range(0, len(parts), 4):
        year, month, day, place = (*parts[start : start + 4], "", "", "", "")[:4]
        if year:
            where = f" ({place})" if place else ""
            shown.append(date(year, month, day, day_first=_day_first(values)) + where)
    return ", ".join(shown)


def sortable(values: Values) -> str:
    """`{{dts|1969|July|20}}` or `{{dts|20 July 1969}}`."""
    parts = values.filled()
    if len(parts) >= 2 and re.fullmatch(r"[-−]?\d{1,4}", parts[0]):
        return date(parts[0], *parts[1:3], day_first=_day_first(values))
    return parts[0] if parts else ""


DATES: dict[str, Callable[[Values], str]] = {
    **dict.fromkeys(
        ("birth date", "birth date and age", "birth-date", "birth-date and age", "bda", "dob", "death date",
         "death-date", "start date", "end date", "start date and age", "start-date", "end-date",
         "start date and years ago", "release date", "date", "launch date", "birth date and age2",
         "birth date2", "date and age", "first date", "birthdate and age", "opening date", "birth date text",
         "startdate", "enddate", "founded date", "birthdate", "dob and age", "start and end dates"),
        whole_date,
    ),
    **dict.fromkeys(
        ("death date and age", "death-date and age", "dda", "death date and given age"), death_date_and_age
    ),
    **dict.fromkeys(("birth-death", "lifetime", "year range", "years", "birth-death year"), years_of),
    **dict.fromkeys(
        ("birth year and age", "death year and age", "birth year", "death year", "bya", "start year",
         "birth based on age as of date", "birth year2"),
        age_given,
    ),
    **dict.fromkeys(("film date", "released", "video game release", "vgrelease", "tv date"), film_date),
    **dict.fromkeys(("dts", "date table sorting", "dtsh"), sortable),
    **dict.fromkeys(("oldstyledate", "os date", "old style date", "oldstyledatedy"),
                    lambda v: f"{v.at(1)} {v.at(2)} [O.S. {v.at(3)}]" if v.at(3) else f"{v.at(1)} {v.at(2)}"),
    "age": lambda values: "",
    "years ago": lambda values: "",
    "mya": lambda v: f"{'–'.join(v.filled()[:2])} million years ago",
    "ma": lambda v: f"{'–'.join(v.filled()[:2])} million years ago",
    "fossil range": lambda v: "–".join(v.filled()[:2]),
}  # fmt: skip
