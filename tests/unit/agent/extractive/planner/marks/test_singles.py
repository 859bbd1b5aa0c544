"""Units, masses and names in the singular are no members to be gone through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.marks.singles import of_single_things
from agent.extractive.planner.marks.types import LABELS, Mark, parse


def read(marked: str) -> list[tuple[str, str]]:
    text, marks = parse(marked)
    return [(mark.label, text[mark.start : mark.end]) for mark in of_single_things(text, marks)]


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ("[M Oder] [A length], [A km]", [("M", "Oder"), ("A", "length")]),
        ("[M Lima] [A area], [A inhabitants]",
         [("M", "Lima"), ("A", "area"), ("A", "inhabitants")]),
        ("[A When could [S the women of Uri] vote]?", [("A", "When could the women of Uri vote")]),
        ("[A When were [S the women who sailed] born]?",
         [("A", "When were the women who sailed born"), ("S", "the women who sailed")]),
        ("[A When did [S each of the workers of Uri] vote]?",
         [("A", "When did each of the workers of Uri vote"), ("S", "each of the workers of Uri")]),
        ("[A where is [B the man who found [S the two moons of Ceres]]]",
         [("A", "where is the man who found the two moons of Ceres"),
          ("B", "the man who found the two moons of Ceres")]),
        ("[A where is [B the chapel of [S each school]]]",
         [("A", "where is the chapel of each school"), ("B", "the chapel of each school"),
          ("S", "each school")]),
        ("[S Iron Bridge power plant]: [A output]?", [("M", "Iron Bridge power plant"), ("A", "output")]),
        ("[S the Fram crew]: [A age]?", [("S", "the Fram crew"), ("A", "age")]),
        ("[A [K+ deepest] point] of [S Loch Ness]", [("A", "deepest point"), ("S", "Loch Ness")]),
        ("Is [M Ann] one [C of the Lees]?", [("M", "Ann"), ("C", "one of the Lees")]),
        ("Is [M Ann] one of [C the Lee sisters]?", [("M", "Ann"), ("C", "one of the Lee sisters")]),
    ],
)  # fmt: skip
def test_one_thing_is_not_several(marked: str, wanted: list[tuple[str, str]]) -> None:
    assert sorted(read(marked)) == sorted(wanted)


@given(
    st.text(alphabet="abC ,km'1?", min_size=1, max_size=30),
    st.lists(st.tuples(st.sampled_from(LABELS), st.integers(0, 29), st.integers(1, 9)), max_size=6),
)
def test_no_mark_is_made_up(text: str, spans: list[tuple[str, int, int]]) -> None:
    marks = [
        Mark(label=label, start=at, end=min(at + size, len(text)))
        for label, at, size in spans
        if text[at : at + size].strip()
    ]
    assert len(of_single_things(text, marks)) <= len(marks)
