from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.plan import fill_placeholders, placeholders, tidy_plan
from agent.types import Kind, SubQuestion
from retrieval.types import Float32Matrix


def step(id_: str, text: str, *depends_on: str, kind: Kind = "core") -> SubQuestion:
    return SubQuestion(id=id_, text=text, kind=kind, depends_on=depends_on)


class Bag:
    """Embeds a text as the set of its words."""

    name = "bag"
    dim = 64

    def encode(self, texts: Sequence[str]) -> Float32Matrix:
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in set(text.lower().rstrip("?").split()) - {"the", "a", "please"}:
                vectors[row, sum(word.encode()) % self.dim] = 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_a_sound_plan_is_left_alone() -> None:
    plan = [step("1", "Which moons has Mars?"), step("2", "Who discovered {1}?", "1")]
    assert tidy_plan(plan) == (plan, [])


def test_placeholders_are_found_and_filled() -> None:
    assert placeholders("Did {1} beat {2.1} before {1}?") == ("1", "2.1")
    assert fill_placeholders("Did {1} beat {2}?", {"1": "Ada {2}"}) == "Did Ada {2} beat {2}?"


def test_empty_sub_questions_go() -> None:
    plan, reports = tidy_plan([step("1", " ?! "), step("2", " Who \n won?")])
    assert plan == [step("2", "Who won?")]
    assert reports == ["1 was empty: removed"]


def test_a_repeated_id_is_renamed() -> None:
    plan, reports = tidy_plan([step("1", "Who?"), step("1", "When?"), step("", "Where?")])
    assert [one.id for one in plan] == ["1", "2", "3"]
    assert len(reports) == 2


def test_names_that_differ_in_a_sign_are_no_repetition() -> None:
    plan = [step("1", "Who made C?"), step("2", "Who made C++?")]
    assert tidy_plan(plan) == (plan, [])


def test_a_repetition_goes_and_those_that_depend_on_it_follow() -> None:
    plan, reports = tidy_plan(
        [step("1", "Which moons has Mars?"), step("2", "which moons has mars"),
         step("3", "Who discovered {2}?", "2")]
    )  # fmt: skip
    assert plan == [step("1", "Which moons has Mars?"), step("3", "Who discovered {1}?", "1")]
    assert reports == ["2 repeats 1: removed"]


def test_the_same_meaning_is_a_repetition_but_another_name_or_year_is_not() -> None:
    plan, reports = tidy_plan(
        [
            step("1", "Who won the race in 2010?"),
            step("2", "Please who won a race in 2010?"),
            step("3", "Who won the race in 2012?"),
            step("4", "Who won the race in Paris?"),
        ],
        Bag(),
    )
    assert [one.id for one in plan] == ["1", "3", "4"]
    assert reports == ["2 repeats 1: removed"]


def test_references_to_itself_and_to_unknown_ids_go() -> None:
    plan, reports = tidy_plan([step("1", "Who won?", "1", "9")])
    assert plan == [step("1", "Who won?")]
    assert reports == [
        "1 depended on itself: reference removed",
        "1 depended on the unknown 9: reference removed",
    ]


def test_a_sub_question_that_cannot_be_worded_goes_with_those_that_need_it() -> None:
    plan, reports = tidy_plan(
        [
            step("1", "Who founded {9}?"),
            step("2", "Where was {1} born?", "1"),
            step("3", "Where is {3}?"),
            step("4", "Which town is large?", "1"),
        ]
    )
    assert plan == [step("4", "Which town is large?")]
    assert reports[0] == "1 needs the unknown 9: removed"
    assert "2 needs the unknown 1: removed" in reports


def test_a_cycle_is_cut_where_it_closes() -> None:
    plan, reports = tidy_plan(
        [step("1", "Who won?", "3"), step("2", "Where?", "1"), step("3", "When?", "2")]
    )
    assert [one.depends_on for one in plan] == [("3",), ("1",), ()]
    assert reports == ["3 depended on 2, which depends on it: reference removed"]


def test_a_placeholder_becomes_a_dependency() -> None:
    plan, _ = tidy_plan([step("1", "Which town?"), step("2", "Who rules {1}?")])
    assert plan[1].depends_on == ("1",)


def test_a_follow_up_that_others_need_becomes_background() -> None:
    plan, reports = tidy_plan(
        [step("1", "Which town?", kind="follow_up"), step("2", "Who rules {1}?", "1")]
    )
    assert plan[0].kind == "background"
    assert reports == ["1 was a follow-up that others depend on: made background"]


ids = st.sampled_from(["1", "2", "3", "4", "5", "x", ""])
plans = st.lists(
    st.builds(
        lambda id_, words, needs, kind: step(id_, words, *needs, kind=kind),
        ids,
        st.sampled_from(["Who won?", "Where is {1}?", "When {2} {3}?", " ", "Why {x}?", "who won"]),
        st.lists(ids, max_size=3),
        st.sampled_from(["core", "background", "follow_up"]),
    ),
    max_size=7,
)


@given(plans)
def test_any_plan_becomes_one_that_can_be_run(steps: list[SubQuestion]) -> None:
    plan, reports = tidy_plan(steps)
    known = {one.id for one in plan}
    assert len(known) == len(plan)
    done: set[str] = set()
    waiting = list(plan)
    while waiting:
        ready = [one for one in waiting if set(one.depends_on) <= done]
        assert ready, "the plan has a cycle or an unknown id"
        done |= {one.id for one in ready}
        waiting = [one for one in waiting if one.id not in done]
    for one in plan:
        assert set(placeholders(one.text)) <= set(one.depends_on) <= known
    assert tidy_plan(plan) == (plan, [])
    assert len(plan) + sum(report.endswith(": removed") for report in reports) == len(steps)


class Blurred(Bag):
    """Takes any two texts for paraphrases."""

    def encode(self, texts: Sequence[str]) -> Float32Matrix:
        return np.ones((len(texts), 1), dtype=np.float32)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("When was Saab founded?", "Who founded Saab?", 2),
        ("How many people live in Oslo?", "How large is Oslo?", 2),
        ("What is the largest moon of Mars?", "What is the smallest moon of Mars?", 2),
        ("In which year was Saab founded?", "When was Saab founded?", 1),
        ("Who founded Saab?", "By whom was Saab founded?", 1),
        ("Who founded Saab?", "In what year was Saab founded?", 2),
    ],
)
def test_questions_that_ask_differently_are_not_one(first: str, second: str, kept: int) -> None:
    tidied, _ = tidy_plan([step("1", first), step("2", second)], embedder=Blurred())
    assert len(tidied) == kept
