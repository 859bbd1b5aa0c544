"""Extents of marks: what the tagger cuts short is completed, what it left out is seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.marks.extents import completed
from agent.extractive.planner.marks.question import left_out, words_of
from agent.extractive.planner.marks.types import LABELS, Mark, parse, used


def read(marked: str, *, several: bool = False) -> list[tuple[str, str]]:
    """(label, words) of the completed marks of a marked question."""
    text, marks = parse(marked)
    found = used(completed(text, marks, several=several))
    return sorted((mark.label, text[mark.start : mark.end]) for mark in found)


@pytest.mark.parametrize(
    ("marked", "label", "words"),
    [
        ("[A How many lambs have [M Ann]], [M Bob] and [M Cy] raised?", "A",
         "How many lambs have Ann, Bob and Cy raised"),
        ("[A Where do [B the makers of] [M Brie] live]?", "B", "the makers of Brie"),
        ("[A Where is [B the cook of [S each ship] that sank] buried]?", "S", "each ship that sank"),
        ("[A who flew] [M Soyuz] 11", "M", "Soyuz 11"),
        ("[A highest] peak of [S each canton]", "A", "highest peak"),
        ("Which [S coastal towns] lie on [M the Elbe]?", "C", "lie on the Elbe"),
        ("Which [S coastal towns] never had a port?", "C-", "never had a port"),
        ("Which is [K+ the widest] [S bay] of [M Crete]?", "S", "bay of Crete"),
        ("Which [S towns] [A use [M the Swiss franc]]?", "C", "use the Swiss franc"),
        ("[A When did [S each winner of the 1990 Prize] in Physics marry]?", "S",
         "each winner of the 1990 Prize in Physics"),
        ("Is [M Vella] [C wider than [B the planet] Otho]?", "M", "the planet Otho"),
        ("[A Who wrote The Taming of the [M Shrew]]?", "M", "The Taming of the Shrew"),
    ],
)  # fmt: skip
def test_what_was_cut_short_is_completed(marked: str, label: str, words: str) -> None:
    assert (label, words) in read(marked)


def test_a_word_that_points_back_takes_its_noun_along() -> None:
    text, marks = parse("[A Who led [M Rome]] and [A when was [RA that] man born]?")
    found = completed(text, marks, several=False)
    assert [text[m.start : m.end] for m in found if m.label == "RA"] == ["that man"]
    text, marks = parse("[A Where does [M the Po] rise] and [A when did [RM that] flood]?")
    found = completed(text, marks, several=False)
    assert [text[m.start : m.end] for m in found if m.label == "RM"] == ["that"]


def test_stranded_prepositions_and_politeness_stay_where_they_are() -> None:
    assert ("B", "the plant rubber comes from") in read(
        "[A who brought [B the plant rubber comes from] to kew]"
    )
    assert not any(label == "C" for label, _ in read("List [S the bridges of Porto] for me."))


def test_names_and_numbers_outside_every_mark_are_left_out() -> None:
    text, marks = parse("Please, [A who lit the flame in [M Oslo]] in 1952 and in Turin?")
    assert left_out(text, marks) == ["1952", "Turin"]


@given(
    st.text(alphabet="abC ,.and'1?", min_size=1, max_size=40),
    st.lists(
        st.tuples(st.sampled_from(LABELS), st.integers(0, 39), st.integers(1, 12)), max_size=6
    ),
    st.booleans(),
)
def test_completed_marks_stand_on_words_of_the_question(
    text: str, spans: list[tuple[str, int, int]], several: bool
) -> None:
    words = words_of(text)
    marks = [
        Mark(label=label, start=words[at % len(words)].start, end=words[min(
            at % len(words) + size - 1, len(words) - 1)].end)
        for label, at, size in spans
        if words
    ]  # fmt: skip
    for mark in completed(text, marks, several=several):
        assert 0 <= mark.start < mark.end <= len(text)
        assert mark.label in LABELS


@given(
    st.text(alphabet="abC ,.and'1?", max_size=40),
    st.lists(
        st.tuples(st.sampled_from(LABELS), st.integers(0, 39), st.integers(0, 12)), max_size=6
    ),
    st.booleans(),
)
def test_marks_that_hold_no_word_are_left_out(
    text: str, spans: list[tuple[str, int, int]], several: bool
) -> None:
    marks = [Mark(label=label, start=at, end=at + size) for label, at, size in spans]
    for mark in completed(text, marks, several=several):
        assert text[mark.start : mark.end].strip()
