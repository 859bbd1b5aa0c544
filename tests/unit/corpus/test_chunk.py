"""Chunks: exact spans, disjoint, complete, cut where the text pauses."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.chunk import spans


def pieces(text: str, limit: int) -> list[str]:
    return [text[start:end] for start, end in spans(text, limit)]


@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            ["word ", "longerword", ". ", "。", "\n", "\n\n", "\n\n## Head\n\n", ", ", "é", "e\u0301", "👩‍👧", "   ", "漢字"]
        ),
        max_size=80,
    ).map("".join),
    st.integers(1, 60),
)  # fmt: skip
def test_every_character_lies_in_exactly_one_chunk(text: str, limit: int) -> None:
    found = spans(text, limit)
    covered = {place for start, end in found for place in range(start, end)}
    assert sum(end - start for start, end in found) == len(covered)
    assert all(text[place].isspace() for place in range(len(text)) if place not in covered)
    assert found == sorted(found)
    for start, end in found:
        assert 0 < end - start <= limit
        assert not text[start].isspace()
        assert not text[end - 1].isspace()


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("One. Two three four.", 30, ["One. Two three four."]),
        ("aaaa bbbb.\n\n## Head\n\ncccc dddd", 20, ["aaaa bbbb.", "## Head\n\ncccc dddd"]),
        ("aaaa bbbb.\n\ncccc dddd eeee", 16, ["aaaa bbbb.", "cccc dddd eeee"]),
        ("a: 1 | b: 2\nc: 3 | d: 4\ne: 5 | f: 6", 24, ["a: 1 | b: 2\nc: 3 | d: 4", "e: 5 | f: 6"]),
        ("aaaa bbbb. cccc dddd, eeee", 18, ["aaaa bbbb.", "cccc dddd, eeee"]),
        ("aaaa bbbb, cccc dddd eeee", 18, ["aaaa bbbb,", "cccc dddd eeee"]),
        ("aaaa bbbb cccc dddd eeee", 18, ["aaaa bbbb cccc", "dddd eeee"]),
        ("aaaabbbbccccddddeeee", 8, ["aaaabbbb", "ccccdddd", "eeee"]),
        ("漢字漢字。漢字漢字、漢字漢字", 8, ["漢字漢字。", "漢字漢字、", "漢字漢字"]),
        ("aaaa bbbb cccc.\n## Head\ndddd", 24, ["aaaa bbbb cccc.", "## Head\ndddd"]),
        (
            "short\n" + "long " * 10,
            30,
            ["short\nlong long long long long", "long long long long long"],
        ),
        ("", 10, []),
        (" \n\n ", 10, []),
    ],
)
def test_cuts_fall_where_the_text_pauses(text: str, limit: int, expected: list[str]) -> None:
    assert pieces(text, limit) == expected


def test_no_letter_loses_its_marks() -> None:
    text = "e\u0301" * 30
    for piece in pieces(text, 7):
        assert unicodedata.combining(piece[0]) == 0
    assert all(len(piece) == 7 for piece in pieces("\u0301" * 21, 7))
    families = "👩\u200d👧" * 10
    assert all(piece.count("👩") == piece.count("👧") for piece in pieces(families, 8))


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one character"):
        spans("text", 0)
