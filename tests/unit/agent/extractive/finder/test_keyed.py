"""Rows that a question chooses by a year or a name in them."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.finder.keyed import keyed_row
from corpus.types import Chunk, Revision
from retrieval.types import Hit

TITLES = ("Otter Prize", "Lake Games")


def known(name: str) -> str | None:
    return name if name in TITLES else None


def rows(title: str, *lines: str) -> list[Fact]:
    revision = Revision(page_id=1, rev_id=1, title=title, timestamp="2026-01-01T00:00:00Z", url="")
    chunk = Chunk(id="1:1:0", revision=revision, section="", text="\n".join(lines), start=0, end=1)
    return facts_of([Hit(chunk=chunk, score=1.0, rank=1, source="test")])


PRIZE = rows(
    "Otter Prize",
    "Year: 2010 | Laureates: Ann Lee, Bo Marsh | Reason: A map of the fens",
    "Year: 2011 | Laureates: Cy Orr | Reason: A bridge",
)
GAMES = rows(
    "Lake Games",
    "Year: 1992 | Host city: Arden | Mascot: Pim | Cauldron lighter: Dee Fox",
    "Year: 1996 | Host city: Brill | Mascot: Tob | Cauldron lighter: Eve Gill",
)


@pytest.mark.parametrize(
    ("question", "facts", "value"),
    [
        ("Who are the laureates of the Otter Prize in 2010?", PRIZE, "Ann Lee, Bo Marsh"),
        ("What was the mascot of the Lake Games in Brill?", GAMES, "Tob"),
        ("What was the mascot of the 1996 Lake Games?", GAMES, "Tob"),
        ("Who lit the cauldron at the 1992 Lake Games in Arden?", GAMES, "Dee Fox"),
        ("Who lit the cauldron at the 1993 Lake Games?", GAMES, None),
        ("Who was awarded the Badger Prize in 2010?", PRIZE, None),
        ("What was the mascot of the 1996 Lake Games in Arden?", GAMES, None),
        ("Who was awarded the Otter Prize?", PRIZE, None),
        ("Who were the laureates of the Otter Prize since 2010?", PRIZE, None),
        ("What were the mascots of the Lake Games from 1992 to 1996?", GAMES, None),
    ],
)
def test_a_row_is_chosen_by_all_that_the_question_names(
    question: str, facts: list[Fact], value: str | None
) -> None:
    found = keyed_row(read_asked(question, known), facts, lambda _: ())
    assert (found and found[0].cells[found[1]][1]) == value


def test_a_row_that_was_not_found_may_be_chosen_as_well() -> None:
    asked = read_asked("What was the mascot of the 1996 Lake Games?", known)
    second = rows(
        "Lake Games", "Year: 1996 | Host city: Colm | Mascot: Wob | Cauldron lighter: Al Roe"
    )
    assert keyed_row(asked, GAMES, lambda _: GAMES) is not None
    assert keyed_row(asked, GAMES, lambda _: [*GAMES, *second]) is None
