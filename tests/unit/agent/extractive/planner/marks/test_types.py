"""Marked questions: parsing, nesting, layers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.marks.types import LABELS, Mark, Node, in_layers, nested, parse


def flat(nodes: list[Node]) -> list[Mark]:
    return [mark for node in nodes for mark in (node.mark, *flat(node.inside))]


def test_parse_gives_the_question_and_its_marks() -> None:
    text, marks = parse("[A Who designed [B the bridge over [S the fjords]]]?")
    assert text == "Who designed the bridge over the fjords?"
    assert [(mark.label, text[mark.start : mark.end]) for mark in marks] == [
        ("A", "Who designed the bridge over the fjords"),
        ("B", "the bridge over the fjords"),
        ("S", "the fjords"),
    ]


@pytest.mark.parametrize("wrong", ["[A open", "closed]", "[X odd]", "[A ]", "[A  ]"])
def test_parse_refuses_what_does_not_hold_to_the_form(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"span|bracket|label"):
        parse(wrong)


marks = st.lists(
    st.builds(
        lambda label, start, length, sure: Mark(
            label=label, start=start, end=start + length, sure=sure
        ),
        st.sampled_from(LABELS),
        st.integers(0, 30),
        st.integers(1, 12),
        st.floats(0, 1),
    ),
    max_size=12,
)


@given(marks)
def test_nested_marks_never_cross_and_stay_inside(found: list[Mark]) -> None:
    roots = nested(found)
    kept = flat(roots)
    assert set(kept) <= set(found)
    for one in kept:
        for other in kept:
            assert not (one.start < other.start < one.end < other.end)
    stack = list(roots)
    while stack:
        node = stack.pop()
        for child in node.inside:
            assert node.mark.start <= child.mark.start
            assert child.mark.end <= node.mark.end
        stack.extend(node.inside)


@given(marks)
def test_the_surest_mark_is_always_kept(found: list[Mark]) -> None:
    if found:
        best = max(found, key=lambda mark: mark.sure)
        assert any(
            (m.start, m.end, m.label) == (best.start, best.end, best.label)
            for m in flat(nested(found))
        )


def test_descriptions_go_to_the_layer_of_their_depth() -> None:
    _, found = parse("[B the capital of [B the country of [B the singer of Volare]]]")
    layers = in_layers(found)
    assert [len(layers[name]) for name in ("bridge", "bridge inside", "bridge innermost")] == [
        1,
        1,
        1,
    ]
