"""What something is in its country: told by its own article, or by its country's box."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.statements.roles import of_its_kind
from agent.extractive.sources import Sources
from corpus.articles import MemoryArticles

PAGES = {
    "Brod": "Country: Ostland\n\nBrod is the capital and largest city of Ostland.",
    "Ham": "Country: Ostland\n\nHam is a port and the capital of Mereshire in Ostland.",
    "Elm": "Country: Ostland\n\nElm is a town. It was the capital of Ostland from 1763 until 1960.",
    "Vik": "Country: Ostland\n\nVik is a town in the east.",
    "Ula": "Ula is the capital of Japan.",
    "Ro": "Ro is the capital of Mereshire.",
    "Kern": "Kern is a town. Brod is the capital of Ostland.",
    "Ostland": "Capital: Brod\n\nOstland is a country.",
}
SOURCES = Sources(MemoryArticles(PAGES.items(), name="few", date="2026-11-01"), readable=True)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Is Brod the capital of its country?", True),
        ("Is Brod a national capital?", True),
        ("Is Ham the capital of its country?", False),
        ("Is Ham a capital of the nation?", False),
        ("Is Elm the capital of its country?", False),
        ("Is Vik the capital of its country?", False),  # its country's box has another
        ("Is Ula the capital of its country?", True),  # which everyone knows to be one
        # What Mereshire is nothing tells, nor where Kern lies.
        ("Is Ro the capital of its country?", None),
        ("Is Kern the capital of its country?", None),
        ("Is Brod the largest city of its country?", None),
        ("Was Elm the capital of its country?", None),
        ("Is Brod the capital of Ostland?", None),
    ],
)
def test_its_country_tells(question: str, told: bool | None) -> None:
    found = of_its_kind(read_asked(question, SOURCES.subject_of), SOURCES)
    assert (found and found[0]) is told
