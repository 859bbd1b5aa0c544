"""Which article a name leads to."""

from __future__ import annotations

import pytest

from agent.extractive.sources import Sources
from corpus.articles import MemoryArticles

TITLES = (
    "Vella (moon)", "Orsk (river)", "Orsk (town)", "Ann B. Lee", "Jo Marr", "Tarn University",
    "Kell (song)", "Mia Kell",
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
        ("Tarn", None),
        ("Ulm", None),
    ],
)
def test_a_name_leads_to_the_only_title_that_it_may_stand_for(name: str, title: str | None) -> None:
    assert SOURCES.subject_of(name) == title


def test_what_a_last_name_stands_for_is_told_of() -> None:
    assert SOURCES.told_of("Marr") == "Jo Marr is told of here."
    assert SOURCES.lead_of("Marr") == SOURCES.told_of("Ulm") == ""
