"""Which article a name leads to."""

from __future__ import annotations

import pytest

from agent.extractive.sources import Sources
from corpus.articles import MemoryArticles

TITLES = (
    "Vella (moon)", "Orsk (river)", "Orsk (town)", "Ann B. Lee", "Jo Marr", "Tarn University",
    "Kell (song)", "Mia Kell", "The Glass Mountain", "Ayr, Elmshire", "Brod, Elmshire",
    "Brod, Ashland",
)  # fmt: skip
SOURCES = Sources(
    MemoryArticles([(one, f"{one} is told of here.") for one in TITLES], name="few", date="2026-11-01"),
    readable=True,
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Vella", "Vella (moon)"),
        ("Orsk", None),
        ("vella", None),
        ("Ann Lee", "Ann B. Lee"),
        ("Marr", "Jo Marr"),
        ("Kell", "Kell (song)"),
        ("Tarn", "Tarn University"),
        ("Ulm", None),
        ("Glass Mountain", "The Glass Mountain"),
        ("Ayr", "Ayr, Elmshire"),
        ("Brod", None),
    ],
)
def test_a_name_leads_to_the_only_title_that_it_may_stand_for(name: str, title: str | None) -> None:
    assert SOURCES.subject_of(name) == title


def test_what_a_last_name_stands_for_is_told_of() -> None:
    assert SOURCES.told_of("Marr") == "Jo Marr is told of here."
    assert SOURCES.lead_of("Marr") == SOURCES.told_of("Ulm") == ""


def test_an_event_of_a_year_is_found_by_its_place() -> None:
    events = [
        ("1990 Spring Regatta", "Host city: Oakton, Elm"),
        ("1994 Spring Regatta", "Venue: Kern"),
        ("1998 Spring Regatta", "Venue: Kern"),
        ("Oakton Hall", "Location: Elm"),
    ]
    articles = MemoryArticles(events, name="few", date="2026-11-01")
    sources = Sources(articles, readable=True)
    assert sources.subject_of("Oakton Regatta") == "1990 Spring Regatta"
    assert sources.subject_of("Kern Regatta") is None, "there were two"
    assert sources.subject_of("Elm Hall") is None, "no event"
