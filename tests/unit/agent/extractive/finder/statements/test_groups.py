"""What is said of one of a group, by what a box gives."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.finder.statements.groups import of_a_group
from agent.extractive.sources import Sources
from corpus.articles import MemoryArticles
from tests.unit.agent.extractive.finder.test_values import hits_of

PAGES = {
    "Kern League": """The Kern League is a league of four private universities in the north.

Members
University: Elm University | Town: Elm
University: Brod University | Town: Brod
University: Ham University | Town: Ham
University: Ostby University | Town: Ostby""",
    "Ida Moor": "Name: Ida Moor\nBirth place: Vik\nAlma mater: Vik Institute, Elm University\nKnown for: Tessel, Moor cycle\n\nIda Moor is a chemist.",
    "Jo Lund": "Name: Jo Lund\nAlma mater: Vik Institute\nWorkplaces: Elm University, Ham University\nKnown for: Lund cycle\n\nJo Lund is a chemist.",
    "Tessel": "Tessel is a family of programming languages.",
    "Elm University": "Elm University is a university.",
    "Ham University": "Ham University is a university.",
    "Vik Institute": "The Vik Institute is a university.",
}
SOURCES = Sources(MemoryArticles(PAGES.items(), name="few", date="2026-11-01"), readable=True)
FACTS = facts_of(hits_of(PAGES))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Did Ida Moor study at a Kern League university?", True),
        ("Did Ida Moor take a degree at one of the Kern League universities?", True),
        ("Does Ida Moor have a Kern League degree?", True),
        ("Does Jo Lund have a Kern League degree?", False),
        ("Did Ida Moor graduate from a university of the Kern League?", True),
        ("Did Jo Lund study at a Kern League university?", False),
        # Workplaces tell where someone taught.
        ("Did Ida Moor teach at a Kern League university?", None),
        ("Was Jo Lund born in a Kern League town?", None),
        ("Did Ida Moor not study at a Kern League university?", None),
        ("Did Ida Moor study at a Kern League university in 1950?", None),
        # Its own article says what a value is.
        ("Is Ida Moor known for a programming language?", True),
        ("Is Jo Lund known for a programming language?", None),
        ("Was Ida Moor born in a programming language?", None),
        # Nothing lists the schools of another group.
        ("Did Ida Moor study at a Mere League university?", None),
    ],
)
def test_a_box_tells_of_one_of_a_group(question: str, told: bool | None) -> None:
    found = of_a_group(read_asked(question, SOURCES.subject_of), FACTS, SOURCES)
    assert (found and found[0]) is told
