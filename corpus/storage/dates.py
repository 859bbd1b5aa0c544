"""A snapshot's date: what was asked for, what each source vouches for, and the earlier of them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from corpus.errors import InputError

NEVER = "9999-12-31T23:59:59Z"
"""A time that nothing is later than."""
BY_NAME = "its name"
BY_NEWEST = "its newest revision"
BY_NOTHING = "nothing: it states no date"
STATES_NO_DATE = "its source states no date"
"""The caveat of what such a source gives."""
_IN_NAME = re.compile(
    r"(?:^|[-_.])((?:19|20)\d\d)(-?)(\d\d)\2(\d\d)(?:T?\d{6})?(?=[-_.]|$)", re.ASCII
)
"""`enwiki-20231101-pages-articles.xml.bz2`, `Wikipedia-20231101123456.xml`, `x_2023-11-01.zim`."""
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vouched:
    """The last day for which a source can say how its pages stood."""

    day: str
    """YYYY-MM-DD; empty where it can say it for none."""
    by: str
    """How that is known: `BY_NAME`, `BY_NEWEST`, …"""
    rendered: bool
    """Whether it was made from the pages as HTML is: its redirects have no time of their own."""


class Dated(Protocol):
    """What a source says about its own date."""

    @property
    def name(self) -> str:
        """File name, or the address of an API."""

    @property
    def made(self) -> str:
        """Day on which it was made, YYYY-MM-DD; empty where it does not say."""

    @property
    def made_by(self) -> str:
        """How that is known."""

    @property
    def rendered(self) -> bool:
        """As in `Vouched`."""


def check_date(date: str) -> None:
    """Refuse what is no day.

    Raises:
        InputError: `date` is not written YYYY-MM-DD or is no day of the calendar.
    """
    if not _is_day(date):
        raise InputError(f"{date!r} is no date: write it as YYYY-MM-DD, such as 2023-11-20")


def _is_day(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_timestamp(text: str) -> bool:
    """Whether a text is a time as MediaWiki writes it, of a day and an hour that exist."""
    if not _TIMESTAMP.fullmatch(text):
        return False
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def cutoff_of(date: str) -> str:
    """Return the last second of a day as MediaWiki writes time."""
    return f"{date}T23:59:59Z"


def day_in_name(name: str) -> str:
    """Return the day that a file's name carries as dumps' names do; "" where it carries none."""
    for year, _, month, day in _IN_NAME.findall(name):
        if _is_day(date := f"{year}-{month}-{day}"):
            return date
    return ""


def vouch(source: Dated, newest: str, undated: int) -> Vouched:
    """Return what a source vouches for, after it was read.

    Args:
        source: it.
        newest: time of the newest revision it holds, those after the date included.
        undated: its articles that have no time of their own.
    """
    if source.made:
        return Vouched(day=source.made, by=source.made_by, rendered=source.rendered)
    if undated or not newest:
        return Vouched(day="", by=BY_NOTHING, rendered=source.rendered)
    return Vouched(day=newest[:10], by=BY_NEWEST, rendered=source.rendered)


def snapshot_date(asked: str, days: Iterable[str]) -> str:
    """Return the earlier of what was asked and what the sources vouch for.

    Of several sources the one that reaches furthest counts: what comes of the others carries its
    own day (`source_caveat`). Where one states no date there is only the day asked for.

    Args:
        asked: the day asked for.
        days: that each source vouches for, "" for none.
    """
    return min(asked, max(day or asked for day in days))


def foretold(sources: Sequence[Dated], asked: str) -> str:
    """Say, before sources are read, which date a snapshot of them will have, as far as it is known.

    Args:
        sources: the snapshot's.
        asked: the day asked for.
    """
    silent = next((source.name for source in sources if not source.made), "")
    if silent:
        return (
            f"the snapshot will be as of {asked} at most: {silent} does not say when it was made, "
            "so that its newest revision tells"
        )
    date = snapshot_date(asked, [source.made for source in sources])
    last = max(sources, key=lambda source: source.made)
    given = f"{last.name} is of {last.made} (by {last.made_by})"
    return f"the snapshot will be as of {date}{f', not of {asked}' * (date < asked)}: {given}"


def source_caveat(vouched: Vouched, date: str) -> str:
    """Return what a reader must know about text of a source in a snapshot of this date; or ""."""
    if not vouched.day:
        return STATES_NO_DATE
    if vouched.day < date:
        return f"its source vouches for {vouched.day}, not for {date}"
    return ""
