"""Marks that were cut where one thing goes on, or run together where two begin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.marks.seams import joined
from agent.extractive.planner.marks.types import LABELS, Mark, parse


def read(marked: str) -> list[tuple[str, str]]:
    text, marks = parse(marked)
    return sorted((mark.label, text[mark.start : mark.end]) for mark in joined(text, marks))


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        (
            "Which [S hosts of the Regatta from] [C 1988 to 2024] [C have a castle]?",
            [("C", "have a castle"), ("S", "hosts of the Regatta from 1988 to 2024")],
        ),
        (
            "[S mascots of the Regatta] [C in 1988], 1992 and 1996",
            [("S", "mascots of the Regatta in 1988, 1992 and 1996")],
        ),
        (
            "[S looms Ida Kern] [C made in Ghent] and [A weight] of [RS each]",
            [("A", "weight"), ("RS", "each"), ("S", "looms Ida Kern made in Ghent")],
        ),
        (
            "[M Fram 2] deck [A plate width]",
            [("A", "deck plate width"), ("M", "Fram 2")],
        ),
        (
            "Peru [A capital] and [A anthem]",
            [("A", "anthem"), ("A", "capital"), ("M", "Peru")],
        ),
        (
            "[B top of [B the land Bern] is in]",
            [("B", "the land Bern is in"), ("B", "top of the land Bern is in")],
        ),
        (
            "[S looms] [C made in Ghent]",
            [("C", "made in Ghent"), ("S", "looms")],
        ),
        (
            "[S towns the Aar] [C runs through]",
            [("S", "towns the Aar runs through")],
        ),
        (
            "[A Where was [S each poet born who won the Prize] in 2010]?",
            [
                ("A", "Where was each poet born who won the Prize in 2010"),
                ("S", "each poet born who won the Prize in 2010"),
            ],
        ),
        (
            "[A When were [S the three poets] born [C who won the Prize]]?",
            [
                ("A", "When were the three poets born"),
                ("C", "who won the Prize"),
                ("S", "the three poets"),
            ],
        ),
        (
            "[A Who sang in [M [M Aria One], [M Aria Two]] and [M Aria Three]]?",
            [
                ("A", "Who sang in Aria One, Aria Two and Aria Three"),
                ("M", "Aria One"), ("M", "Aria Three"), ("M", "Aria Two"),
            ],
        ),
        (
            "Which [S hosts of the Regatta] [C built a castle in 1988]?",
            [("C", "built a castle in 1988"), ("S", "hosts of the Regatta")],
        ),
        (
            "[S fjords deeper] [C than 250 m], [A how long]",
            [("A", "how long"), ("C", "deeper than 250 m"), ("S", "fjords")],
        ),
        ("[S gardens of the elder] [C with more than ten roses]",
         [("C", "with more than ten roses"), ("S", "gardens of the elder")]),
        ("[A the crew] of [S the ships] in 1988", [("A", "the crew"), ("S", "the ships")]),
    ],
)  # fmt: skip
def test_seams_are_mended(marked: str, wanted: list[tuple[str, str]]) -> None:
    assert read(marked) == wanted


@given(
    st.text(alphabet="who in 1988 to from", max_size=40),
    st.lists(
        st.tuples(st.sampled_from(LABELS), st.integers(0, 40), st.integers(0, 40)), max_size=4
    ),
)
def test_any_marks_stay_inside_the_question(
    question: str, spans: list[tuple[str, int, int]]
) -> None:
    marks = [
        Mark(label=label, start=min(a, b), end=max(a, b), sure=1.0)
        for label, a, b in spans
        if min(a, b) < max(a, b) <= len(question)
    ]
    for mark in joined(question, marks):
        assert 0 <= mark.start <= mark.end <= len(question)
