"""Editions of an event that are called by place and year: "Barcelona 92" is the 1992 Summer Olympics."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.citations.content.dates import MONTHS
from agent.extractive.planner.wording import whole_year

_NAME = r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+| de [A-ZÀ-Þ][\w'’-]+)*"
_EVENT = r"(?:(?: (?:Summer|Winter))?(?: Olympics?)? [Gg]ames| (?:(?:Summer|Winter) )?[Oo]lympics?(?: [Gg]ames)?)"
_PLACED = re.compile(
    rf"\b(?:[Tt]he )?(?:(?P<place>{_NAME}),? (?P<year>(?:19|20)\d\d|['’]?\d\d)(?:{_EVENT})?(?!\d|[-–]\d|,\d|\.\d| [a-z]*(?:km|kg|m)\b)"
    rf"|(?P<first>(?:19|20)\d\d) (?P<city>{_NAME}?){_EVENT})"
)
_IN = re.compile(rf"\b(?P<place>{_NAME}) in (?P<year>(?:19|20)\d\d)\b")
_GAMES = re.compile(r"\b(?:olympi\w+|games)\b", re.IGNORECASE)
_TWO_DIGITS = 2


def with_editions(
    text: str,
    near: Callable[[str], Sequence[str]],
    lead_of: Callable[[str], str],
) -> str:
    """Return a question with the titles of events that it calls by place and year.

    Only where one article of that year begins by naming the place: "Apollo 12" stays what it is.

    Args:
        text: a question, its names in capitals.
        near: returns titles like a text.
        lead_of: returns how the article of a title begins.
    """

    def titled(found: re.Match[str], place: str, said: str) -> str:
        digits = said.lstrip("'’")
        year = whole_year(digits) if len(digits) == _TWO_DIGITS else digits
        first = place.split()[0]
        if not first[:1].isupper() or first.lower() in MONTHS:
            return found[0]
        titles = dict.fromkeys((*near(f"{year} {place}"), *near(year), *near(f"{year} Olympics")))
        meant = [
            one for one in titles
            if one.startswith(f"{year} ") and re.search(rf"\b{re.escape(place)}\b", lead_of(one))
        ]  # fmt: skip
        return f"the {meant[0]}" if len(meant) == 1 else found[0]

    def adjoining(found: re.Match[str]) -> str:
        return titled(found, found["place"] or found["city"] or "", found["year"] or found["first"])

    out = _PLACED.sub(adjoining, text)
    if _GAMES.search(out):
        out = _IN.sub(lambda found: titled(found, found["place"], found["year"]), out)
    return out
