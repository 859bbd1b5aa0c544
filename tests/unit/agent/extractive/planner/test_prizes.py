"""Prizes that a question says short get their whole titles."""

from __future__ import annotations

import pytest

from agent.extractive.planner.prizes import with_prizes


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("who won the baking Holm in 2017", "who won the Holm Prize in Baking in 2017"),
        ("holm baki 2017 winners", "Holm Prize in Baking 2017 winners"),
        ("the Holm for baking", "the Holm Prize in Baking"),
        ("the Holm Prize in Baking", "the Holm Prize in Baking"),
        ("the Holm for singing", "the Holm for singing"),
        ("the Holm in 2017", "the Holm in 2017"),
    ],
)
def test_a_prize_said_short_gets_its_title(typed: str, wanted: str) -> None:
    assert with_prizes(typed, lambda name: ["Holm Prize in Baking", "Holm", "Baking"]) == wanted


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("who won the physics Orbel in 2017", "who won the Orbel Prize in Physics in 2017"),
        ("her Orbel in biology", "her Orbel Prize in Biology"),
        (
            "the Orbel in chemistry and the Orbel for physics",
            "the Orbel Prize in Chemistry and the Orbel Prize in Physics",
        ),
        ("the Orbel dinner", "the Orbel dinner"),
        ("the Orbel Prize in Physics", "the Orbel Prize in Physics"),
        ("the second Orbel", "the second Orbel"),
    ],
)
def test_a_prize_for_another_field_is_not_the_one_that_has_an_article(
    typed: str, wanted: str
) -> None:
    assert with_prizes(typed, lambda name: ["Orbel Prize in Chemistry"]) == wanted
