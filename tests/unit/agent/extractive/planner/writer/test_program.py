"""Plans as rows of words: what is written is read as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.writer.program import (
    KINDS,
    OPERATORS,
    SPECIALS,
    Line,
    joined,
    line_of,
    plan_in,
    row_of,
)
from tests.unit.agent.extractive.planning import written


def test_a_plan_is_written_word_by_word() -> None:
    lines = written("set: What are the lakes in Finland?", "> 1,000 km2: How large is {1}?")
    assert " ".join(row_of("count", lines)) == (
        "<count> <set> what are the lakes in Finland <>> 1,000 km2 <:> how large is {1} <end>"
    )


def test_names_stand_beside_each_other() -> None:
    row = row_of("give", written("names: the Rhine | Ely, Kent | {1}"))
    assert " ".join(row) == "<give> <names> the Rhine <|> Ely , Kent <|> {1} <end>"
    assert plan_in(row)[1] == written("names: the Rhine | Ely, Kent | {1}")


@pytest.mark.parametrize("operator", ["explain", "none"])
def test_what_asks_for_no_steps_has_none(operator: str) -> None:
    assert row_of(operator, written("ask: Why is the sky blue?")) == [f"<{operator}>", "<end>"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ask: Who wrote Emma?", Line("ask", "", "Who wrote Emma?")),
        (" most 3:  How deep is {1}? ", Line("most", "3", "How deep is {1}?")),
        ("least: How deep is {1}?", Line("least", "", "How deep is {1}?")),
        ("in {2}: Where was {1} born?", Line("in", "{2}", "Where was {1} born?")),
        (">= 5 km: How far is {1}?", Line(">=", "5 km", "How far is {1}?")),
        ("> {2}: How far is {1}?", Line(">", "{2}", "How far is {1}?")),
        ("between 1801 and 1900: When?", Line("between", "1801 and 1900", "When?")),
        ("> 9:30: How long is {1}?", Line(">", "9:30", "How long is {1}?")),
        (
            "between 9:30 and 10:15: When does {1} open?",
            Line("between", "9:30 and 10:15", "When does {1} open?"),
        ),
        ("< 2:05:42: How fast was {1}?", Line("<", "2:05:42", "How fast was {1}?")),
        ("> 9: At 9:30: who?", Line(">", "9", "At 9:30: who?")),
        ("names: Yale | {1}", Line("names", "", "Yale | {1}")),
    ],
)
def test_a_step_is_read(text: str, line: Line) -> None:
    assert line_of(text) == line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ask:",
        ": Who?",
        "Ask: Who?",
        "ask Who?",
        "guess: Who?",
        "set 3: What are the lakes?",
        "most two: How deep is {1}?",
        "in 2: Where was {1} born?",
        "> : How far is {1}?",
        "between 1801: When?",
        "between 9:30: When?",
    ],
)
def test_what_has_no_form_of_a_step_is_none(text: str) -> None:
    assert line_of(text) is None


WORDS = st.sampled_from(
    [
        "who",
        "Emma",
        "9:30",
        "2:05:42",
        "{1}",
        "{12}",
        "1,000",
        "km2",
        "Oslo's",
        "O'Neill",
        "Ely,",
        "(now Ely)",
        "a",
    ]
)
PHRASES = st.tuples(st.lists(WORDS, max_size=6), st.sampled_from(["wrote", "Rome"])).map(
    lambda parts: " ".join([*parts[0], parts[1]])
)
BOUNDS = {"in": st.just("{1}"), "most": st.just("") | st.just("3"), "least": st.just("")}


def lines_of(kind: str) -> st.SearchStrategy[Line]:
    """Steps of a kind as they are read from a row."""
    if kind == "names":
        names = st.lists(PHRASES, min_size=2, max_size=4)
        return st.builds(Line, st.just(kind), st.just(""), names.map(" | ".join))
    compared = kind[0] in "<>=" or kind == "between"
    bound = PHRASES if compared else BOUNDS.get(kind, st.just(""))
    said = PHRASES.map(lambda text: f"{text[:1].upper()}{text[1:]}?")
    return st.builds(Line, st.just(kind), bound, said)


PLANS = st.tuples(
    st.sampled_from([one for one in OPERATORS if one not in ("explain", "none")]),
    st.lists(st.sampled_from(KINDS).flatmap(lines_of), max_size=5).map(tuple),
)


@given(PLANS)
def test_a_plan_is_read_as_it_was_written(plan: tuple[str, tuple[Line, ...]]) -> None:
    assert plan_in(row_of(*plan)) == plan


@given(PLANS)
def test_a_row_is_written_as_it_was_read(plan: tuple[str, tuple[Line, ...]]) -> None:
    row = row_of(*plan)
    assert row_of(*plan_in(row)) == row


@given(st.lists(st.sampled_from(SPECIALS) | WORDS | st.text(max_size=8), max_size=30))
def test_any_row_of_words_is_read(row: list[str]) -> None:
    operator, lines = plan_in(row)
    assert operator in OPERATORS
    assert all(line.kind in KINDS and line.said for line in lines)


def test_a_list_without_names_is_no_line() -> None:
    assert plan_in(["<give>", "<names>", "", "<end>"]) == ("give", ())


def test_what_follows_the_end_is_not_read() -> None:
    assert plan_in(["<give>", "<ask>", "who", "<end>", "<ask>", "when"]) == (
        "give",
        written("ask: Who?"),
    )


def test_words_are_joined_as_text_has_them() -> None:
    assert joined(["after", "9", ":", "30"]) == "after 9:30"
    assert joined(["2", ":", "05", ":", "42"]) == "2:05:42"
    assert joined(["Flight", "9", ":", "2001", "to", "2005"]) == "Flight 9: 2001 to 2005"
    assert joined(["Oslo", "'s", "port", "(", "old", ")", ",", "5", "%"]) == "Oslo's port (old), 5%"
