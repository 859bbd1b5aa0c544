"""Descriptions, lists and bare names among the marks, and how sure of them a plan must be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.extractive.planner.marks.certainty import doubtful, without_doubtful
from agent.extractive.planner.marks.descriptions import described
from agent.extractive.planner.marks.tagger import embedded_tagger
from agent.extractive.planner.marks.types import Operator, parse


def read(marked: str, operator: Operator = "give") -> list[tuple[str, str]]:
    """(label, words) of the marks of things, in order."""
    text, marks = parse(marked)
    found = sorted(described(text, marks, operator), key=lambda mark: (mark.start, -mark.end))
    return [(mark.label, text[mark.start : mark.end]) for mark in found]


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        # "That of" another thing is the same description of it.
        (
            "Which is [K+ higher], [B the dome of Ulm] or [A that] of Worms",
            [("K+", "higher"), ("B", "the dome of Ulm"), ("B", "that of Worms")],
        ),
        # What describes nothing is a name.
        ("[A who built [B the Long Pier] in Herne]", [("A", "who built the Long Pier in Herne")]),
        ("[B the Long Pier] [A age]", [("M", "the Long Pier"), ("A", "age")]),
        (
            "[S the looms of Ghent] [C lift their heddles at once]",
            [("S", "the looms of Ghent"), ("C", "lift their heddles at once")],
        ),
        # A condition may begin with an adverb or a comparative.
        (
            "[S the tarns of Skye] [C deeper than 9 m]",
            [("S", "the tarns of Skye"), ("C", "deeper than 9 m")],
        ),
        (
            "[S the smiths of Ghent] [C later sat in council]",
            [("S", "the smiths of Ghent"), ("C", "later sat in council")],
        ),
        # The extreme thing of each is found out before something is asked of it.
        (
            "[S the ports of Kent], and [A who built the oldest pier in [RS each]]",
            [
                ("S", "the ports of Kent"),
                ("A", "who built the oldest pier in each"),
                ("B", "the oldest pier in each"),
                ("RS", "each"),
            ],
        ),
        # A relative clause keeps its verb, and all of its words where the verb went before it.
        (
            "[A how old is [B the village in which Holm Abbey] stands]",
            [
                ("A", "how old is the village in which Holm Abbey stands"),
                ("B", "the village in which Holm Abbey stands"),
            ],
        ),
        (
            "[A Where were [B the weavers born whose looms] ran in Leeds]",
            [
                ("A", "Where were the weavers born whose looms ran in Leeds"),
                ("B", "the weavers born whose looms ran in Leeds"),
            ],
        ),
        (
            "[A Who supplied [B the text that Ida] set to music in Nerva]",
            [
                ("A", "Who supplied the text that Ida set to music in Nerva"),
                ("B", "the text that Ida set to music in Nerva"),
            ],
        ),
        # What is asked has its noun, between it and its thing.
        (
            "[A the name] of the wife of [M Ann Lee]",
            [("A", "the name of the wife"), ("M", "Ann Lee")],
        ),
        # A list of names falls into its names; "each of" names no description.
        (
            "[A the age] of [S the bakers of Bath and Wells]",
            [
                ("A", "the age"),
                ("B", "the bakers of Bath and Wells"),
                ("M", "Bath"),
                ("M", "Wells"),
            ],
        ),
        (
            "[A the age] of [S each of Bath and Wells]",
            [("A", "the age"), ("S", "each of Bath and Wells")],
        ),
        # Nouns before a predicate are of the set.
        (
            "Which [S Booker] [C Prize judge known for verse] [K- died first]",
            [("S", "Booker Prize judge"), ("C", "known for verse"), ("K-", "died first")],
        ),
        # What is asked of each of a group is an attribute.
        (
            "[S keepers of the three Fife lighthouses]",
            [("A", "keepers"), ("S", "the three Fife lighthouses")],
        ),
    ],
)
def test_things_are_what_their_words_say(marked: str, wanted: list[tuple[str, str]]) -> None:
    assert read(marked) == wanted


def test_the_second_side_of_a_comparison_is_described_as_the_first() -> None:
    found = read("Which is [K+ older], the oldest bridge of [M Bern] or [A that] of [M Basel]?")
    assert found == [("K+", "older"), ("B", "the oldest bridge of Bern"), ("B", "that of Basel")]


def test_events_are_asked_of_what_they_happened_to() -> None:
    marked = "Years between [B the death of Ann's eldest son] and [B the birth of Bo Dahl]?"
    assert read(marked, "difference") == [
        ("A", "the death"),
        ("B", "Ann's eldest son"),
        ("A", "the birth"),
        ("M", "Bo Dahl"),
    ]


def test_doubt_about_a_name_inside_a_clause_ends_no_plan() -> None:
    _, marks = parse("[A when did [M Ann] sail]")
    unsure = [replace(mark, sure=0.2) if mark.label == "M" else mark for mark in marks]
    assert doubtful(unsure)
    assert not doubtful(without_doubtful(unsure))
    _, marks = parse("[A the age] of [M Ann]")
    assert doubtful(without_doubtful([replace(mark, sure=0.2) for mark in marks]))


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ("Who commanded Apollo 11, and when was it launched?", "RM"),
        ("What did Angela Merkel study, and where was she born?", "RM"),
        ("Who painted the Night Watch, and where was he born?", "RA"),
    ],
)
def test_a_pronoun_points_at_what_it_agrees_with(question: str, pointer: str) -> None:
    found = [mark for mark in embedded_tagger().tag(question).marks if mark.label[0] == "R"]
    assert [mark.label for mark in found] == [pointer]
    assert not doubtful(found)
