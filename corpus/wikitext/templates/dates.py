"""Templates about dates: of birth and death, of foundation, of releases.

Ages that change with the day a page is shown are left out; an age at death is computed.
"""

from __future__ import annotations

import datetime
import re
from calendar import monthrange

from corpus.text import MONTHS
from corpus.wikitext.templates.call import Call, table

_MONTH_NUMBER = {name[:3].lower(): number for number, name in enumerate(MONTHS, 1)}
_YEAR = re.compile(r"[-−]?\d{1,4}")
_CJK_LETTER = re.compile(r"[\u3040-\u9fff]")
_HIDDEN_SORT_KEY = re.compile(r"^[\d-]+$")


def write_date(year: str, month: str = "", day: str = "", *, day_first: bool = False) -> str:
    """Return a date as prose writes it; a part that is no number stays as it is."""
    month = MONTHS[int(month) - 1] if month.isdecimal() and 1 <= int(month) <= 12 else month
    day = day.lstrip("0") or day
    if not month:
        return year
    if not day:
        return f"{month} {year}".strip()
    if day_first:
        return f"{day} {month} {year}".strip()
    return f"{month} {day}, {year}" if year else f"{month} {day}"


def _part(call: Call, first: int) -> tuple[str, str, str]:
    return call.at(first), call.at(first + 1), call.at(first + 2)


def _day_first(call: Call) -> bool:
    return call.flag("df", "dayfirst", "day_first")


def whole_date(call: Call) -> str:
    """`{{start date|1969|7|20}}`, `{{birth date and age|1950|3|9|df=y}}`; one value is free text."""
    year, month, day = _part(call, 1)
    if _CJK_LETTER.search(call.name) and year.isdecimal():
        return (
            f"{year}年{month}月{day}日" if day else f"{year}年{month}月" if month else f"{year}年"
        )
    if year.isdecimal() and len(year) <= 2 and month.isalpha():
        # The order of other languages: {{date|14|juillet|1789}}.
        return " ".join(filter(None, (year, month, day)))
    if not _YEAR.fullmatch(year):
        return year or call.get("year", "1")
    shown = write_date(year, month, day, day_first=_day_first(call))
    hour, minute = call.at(4), call.at(5)
    if hour.isdecimal() and minute.isdecimal():
        zone = call.at(7)
        shown += f", {hour}:{minute.zfill(2)}" + (" (UTC)" if zone.upper() == "Z" else "")
    return shown


def death_date_and_age(call: Call) -> str:
    """`{{death date and age|1934|7|4|1867|11|7}}`: the date of death and the age, from both dates."""
    died, born = _part(call, 1), _part(call, 4)
    if not _YEAR.fullmatch(died[0]):
        dates = [value for value in call.filled() if not _HIDDEN_SORT_KEY.match(value)]
        return dates[0] if dates else ""
    shown = write_date(*died, day_first=_day_first(call))
    numbers = [_month_number(part) for part in (*died, *born)]
    if all(numbers):
        age = numbers[0] - numbers[3] - ((numbers[1], numbers[2]) < (numbers[4], numbers[5]))
        return f"{shown} (aged {age})" if 0 <= age < 130 else shown
    return shown


def _month_number(part: str) -> int:
    return int(part) if part.isdecimal() else _MONTH_NUMBER.get(part[:3].lower(), 0)


def time_between(call: Call) -> str:
    """`{{age in years, months and days|1775|4|19|1783|9|3}}`: the time from one date to another.

    Without a second date it runs to the day a page is shown, and is left out.
    """
    numbers = [_month_number(part) for part in (*_part(call, 1), *_part(call, 4))]
    if not all(numbers):
        return ""
    try:
        begun, ended = datetime.date(*numbers[:3]), datetime.date(*numbers[3:])
    except ValueError:
        return ""
    months = 12 * (ended.year - begun.year) + ended.month - begun.month - (ended.day < begun.day)
    if months < 0:
        return ""
    years, month = divmod(begun.year * 12 + begun.month - 1 + months, 12)
    day = min(begun.day, monthrange(years, month + 1)[1])
    days = (ended - datetime.date(years, month + 1, day)).days
    counts = {"year": months // 12, "month": months % 12, "day": days}
    return ", ".join(f"{n} {unit}{'s' * (n != 1)}" for unit, n in counts.items() if n)


def birth_year(call: Call) -> str:
    """`{{birth year and age|1950|3}}`: the month and the year."""
    return write_date(call.at(1), call.at(2))


def death_year(call: Call) -> str:
    """`{{death year and age|1934|1867|7}}`: the month and the year, the age within a year."""
    died, born, month = call.at(1), call.at(2), call.at(3)
    shown = write_date(died, month)
    if died.isdecimal() and born.isdecimal():
        age = int(died) - int(born)
        return f"{shown} (aged {age - 1}–{age})"
    return shown


def dates_with_places(call: Call) -> str:
    """`{{film date|1999|3|31|United States|2000|…}}`: every date with its place."""
    shown = []
    for first in range(1, len(call.positional) + 1, 4):
        year, month, day = _part(call, first)
        if year:
            place = call.at(first + 3)
            date = write_date(year, month, day, day_first=_day_first(call))
            shown.append(f"{date} ({place})" if place else date)
    return ", ".join(shown)


def releases(call: Call) -> str:
    """`{{vgrelease|NA|1 May 1999|JP|…}}` or `{{vgrelease|NA=1 May 1999}}`: places and dates."""
    pairs = [f"{place.upper()}: {date}" for place, date in call.named.items() if date]
    values = call.filled()
    pairs += [f"{place}: {date}" for place, date in zip(values[::2], values[1::2], strict=False)]
    if len(values) == 1:
        pairs.append(values[0])
    return ", ".join(pairs)


def sortable_date(call: Call) -> str:
    """`{{dts|1969|July|20}}`, `{{dts|20 July 1969}}`."""
    values = call.filled()
    if len(values) >= 2 and _YEAR.fullmatch(values[0]):
        return write_date(*values[:3], day_first=call.get("format").lower() == "dmy")
    return values[0] if values else ""


def as_of(call: Call) -> str:
    """`{{as of|2014|3|lc=y}}`: "as of March 2014"."""
    if alternative := call.get("alt"):
        return alternative + call.get("post")
    words = "since" if call.flag("since") else "as of"
    if not call.flag("lc"):
        words = words.capitalize()
    date = write_date(*_part(call, 1), day_first=call.get("df").lower() != "us")
    return f"{words} {date}{call.get('post')}" if date else ""


def life_span(call: Call) -> str:
    """`{{bd|1900年|1月1日|1980年|2月2日}}`: the dates of birth and death."""
    born, died = call.at(1) + call.at(2), call.at(3) + call.at(4)
    return "–".join(filter(None, (born, died)))


def releases_by_place(call: Call) -> str:
    """`{{English anime licensee|AUS=…|NA=…}}`: places and names."""
    return ", ".join(f"{place.upper()}: {value}" for place, value in call.named.items() if value)


def old_style_date(call: Call) -> str:
    """`{{OldStyleDate|3 June|1700|23 May}}`: both datings."""
    new, year, old = _part(call, 1)
    shown = f"{new} {year}".strip()
    return f"{shown} [O.S. {old}]" if old else shown


def span_of_years(call: Call) -> str:
    """`{{reign|336|323}}`, `{{floruit|1200}}`: one year or two."""
    lead = {"reign": "r. ", "r.": "r. ", "floruit": "fl. ", "fl": "fl. ", "fl.": "fl. "}
    years = "–".join(call.filled()[:2])
    return lead.get(call.name, "") + years if years else ""


def about(call: Call) -> str:
    """`{{circa|1200}}`, `{{c.|1200|1250}}`: "c. 1200 – c. 1250"."""
    values = call.filled()[:2]
    return " – ".join(f"c. {value}" for value in values) if values else "c."


def in_millions_of_years(call: Call) -> str:
    """`{{fossil range|66|0}}`, `{{mya|66}}`: a span in millions of years, or the names of periods."""
    values = call.filled()[:2]
    if not values:
        return ""
    span = "–".join(dict.fromkeys(values))
    return f"{span} million years ago" if values[0][:1].isdecimal() else span


def name_of_month(call: Call) -> str:
    """`{{monthname|5}}`: "May"."""
    number = call.at(1)
    return MONTHS[int(number) - 1] if number.isdecimal() and 1 <= int(number) <= 12 else number


def date_of_magic_word(call: Call) -> str:
    """`{{#dateformat:25 December 2009|ymd}}`: the date as it is given."""
    return call.at(1)


DATES = table(
    {
        (
            "birth date | birth date and age | birth-date | birth-date and age | bda | dob | "
            "death date | death-date | start date | end date | start date and age | start-date | "
            "end-date | start date and years ago | end date and age | release date | date | "
            "launch date | birth date and age2 | date and age | birthdate and age | opening date | "
            "startdate | enddate | founded date | birthdate | dob and age | release date and age | "
            "launched | datum | fecha | date de naissance | date de décès | geburtsdatum | "
            "fecha de inicio | fecha de fin | 生年月日 | 生年月日と年齢 | 没年月日 | birth date and given age | dada | "
            "birth date 2 | initial release | film start date | 生日 | 出生日期 | 出生日期及年龄 | bda2 | uc date | "
            "nowrap date | isodate | dmy | mdy | дата | дата на раждане"
        ): whole_date,
        (
            "death date and age | death-date and age | dda | dd | death date and given age | "
            "死亡年月日と没年齢 | 死亡日期及年龄 | 死亡日期及年齡 | date de décès et âge"
        ): death_date_and_age,
        "age in years, months and days | age in years, months, weeks and days": time_between,
        "birth year and age | birth year | bya | start year | birth-year": birth_year,
        "death year and age | dya | death-year": death_year,
        "film date | filmdate | released | tv date": dates_with_places,
        "vgrelease | video game release | vg release | vgrelease new": releases,
        "dts | date table sorting | date sort": sortable_date,
        "as of | asof | as of?": as_of,
        "oldstyledate | old style date | os date | oldstyledatedy": old_style_date,
        (
            "reign | r. | floruit | fl | fl. | birth-death | lifetime | year range | lived"
        ): span_of_years,
        "bd": life_span,
        "monthname | month name": name_of_month,
        (
            "english anime licensee | english manga publisher | english anime network"
        ): releases_by_place,
        "circa | c. | ca | ca. | c | около": about,
        (
            "fossil range | fossilrange | geological range | long fossil range | mya | ma | "
            "period span"
        ): in_millions_of_years,
        "dateformat | formatdate | #dateformat | #formatdate | date format": date_of_magic_word,
    }
)
