"""Editions of an event called by place and year get their titles, where one article tells."""

from __future__ import annotations

import pytest

from agent.extractive.planner.editions import with_editions

LEADS = {
    "1992 Elm Fair": "The 1992 Elm Fair was held in Brod.",
    "2008 Elm Fair": "The 2008 Elm Fair was held in Ham, Ostland.",
    "2008 election": "The election of 2008 was held in Vik.",
    "2012 Elm Fair": "The 2012 Elm Fair was held in Ula.",
    "2012 flood": "The flood of 2012 began in Ula.",
}


def near(text: str) -> list[str]:
    return [title for title in LEADS if title.startswith(text.split()[0])]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("Who won at Brod 92?", "Who won at the 1992 Elm Fair?"),
        ("Who won at Brod '92 and Ham 08?", "Who won at the 1992 Elm Fair and the 2008 Elm Fair?"),
        ("Who won at the Brod 1992 Games?", "Who won at the 1992 Elm Fair?"),
        ("Who won the 1992 Brod Olympics?", "Who won the 1992 Elm Fair?"),
        ("Which games were in Brod in 1992?", "Which games were in the 1992 Elm Fair?"),
        # A year is that of a place, or of two articles, or of none.
        ("How many lived in Brod in 1992?", "How many lived in Brod in 1992?"),
        ("Who won at Ula 2012?", "Who won at Ula 2012?"),
        ("Who flew on Apollo 12?", "Who flew on Apollo 12?"),
        ("What happened in May 92?", "What happened in May 92?"),
    ],
)
def test_place_and_year_are_an_edition(asked: str, wanted: str) -> None:
    assert with_editions(asked, near, lambda title: LEADS.get(title, "")) == wanted
