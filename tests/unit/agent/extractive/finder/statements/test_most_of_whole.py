"""The most of a set is told by a table of all of it, and by no part of one."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.statements.extremes import asks_for_the_most, most_of_whole
from agent.extractive.sources import Sources
from corpus.articles import MemoryArticles

PAGES = {
    "Kern Lakes": """The Kern Lakes are four lakes in the north.

Lakes
Lake: Ula | Depth (m): 64 | Area (km²): 257 | Opened: 1 May 1950
Lake: Ro | Depth (m): 406 | Area (km²): 82 | Opened: 2 May 1951
Lake: Vo | Depth (m): 229 | Area (km²): 59 | Opened: 3 May 1952
Lake: Brod | Depth (m): 98 | Area (km²): 257 | Opened: 4 May 1953""",
    "Elm Lakes": """The Elm Lakes are five lakes in the south.

Lakes
Lake: Ida | Depth (m): 12
Lake: Moor | Depth (m): 15
Lake: Lund | Depth (m): 18""",
}
SOURCES = Sources(MemoryArticles(PAGES.items(), name="few", date="2026-11-01"), readable=True)


@pytest.mark.parametrize(
    ("question", "lake"),
    [
        ("What is the deepest of the Kern Lakes?", "Ro"),
        ("What is the shallowest Kern Lake?", "Ula"),
        ("Which is the least deep of the Kern Lakes?", "Ula"),
        ("Which of the Kern Lakes is the deepest?", "Ro"),
        ("What is the smallest of the Kern Lakes?", "Vo"),
        ("What is the largest of the Kern Lakes?", None),  # two are
        ("What is the coldest of the Kern Lakes?", None),
        ("What is the second deepest of the Kern Lakes?", None),
        ("What is the oldest of the Kern Lakes?", None),
        ("What is the deepest of the Elm Lakes?", None),  # two are missing
        ("What is the deepest of the Ash Lakes?", None),
        ("How deep are the Kern Lakes?", None),
    ],
)
def test_a_whole_list_tells_which_member_is_the_most(question: str, lake: str | None) -> None:
    found = most_of_whole(read_asked(question, SOURCES.subject_of), SOURCES)
    assert (found and found[0]) == lake
    assert found is None or found[1].text.startswith(f"Lake: {lake} |")


def test_one_thing_is_asked_for_that_is_the_most() -> None:
    def asks(question: str) -> bool:
        return asks_for_the_most(read_asked(question, SOURCES.subject_of))

    assert asks("Which of the Kern Lakes is the coldest?")
    assert not asks("What are the deepest of the Kern Lakes?")
    assert not asks("Which of the Kern Lakes are deep?")
