from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.judges.verdict import PREFERENCES, majority, read_verdict, wins_both_ways
from evals.ports import Verdict

GRADES = ("A", "B", "C", "D", "E", "F")
LEVELS = ("A>>B", "A>B", "A=B", "B>A", "B>>A")


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("Both name Vienna.\n\nGrade: C", "C"),
        ("**Grade:** **B**.", "B"),
        ("Grade: [[E]]", "E"),
        ("grade: d", "D"),
        ("The grade is F", "F"),
        ("First I thought\nGrade: A\nbut no:\nGrade: D", "D"),
        ("Reasoning.\n\n(B)", "B"),
        ("A good answer names both. B does not.", None),
        ("Grade: G", None),
        ("Grade: Excellent", None),
        ("", None),
    ],
)
def test_only_a_stated_grade_counts(reply: str, grade: str | None) -> None:
    assert read_verdict(reply, GRADES) == grade


@pytest.mark.parametrize("level", LEVELS)
def test_levels_are_told_apart(level: str) -> None:
    assert read_verdict(f"Because.\nVerdict: {level}", LEVELS) == level


@pytest.mark.parametrize(
    ("reply", "level"),
    [
        ("A is fuller.\n[A»B]", "A>>B"),
        ("A is fuller.\n[[A≫B]]", "A>>B"),
        ("1. Both are right.\n2. [A>B]", "A>B"),
        ("2) [[B>>A]]", "B>>A"),
        ("My final verdict is: [[A>B]]", "A>B"),
        ("My final verdict is tie: [[A=B]]", None),
        ("**My final verdict is:** [[A＝B]].", "A=B"),
        ("Therefore\n  [B＞A]", "B>A"),
        ("The verdict is A>B because it is longer", "A>B"),
        ("A>B would be wrong here", None),
        ("Verdict: A>>>B", None),
    ],
)
def test_forms_that_judges_write_levels_in(reply: str, level: str | None) -> None:
    assert read_verdict(reply, LEVELS) == level


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("判断：正确", "正确"),
        ("**判断**：错误", "错误"),
        ("两者是同一个人。\n判定为：正确。", "正确"),
        ("结论是错误", "错误"),
        ("1. 正确", "正确"),
        ("答案并不正确，因为年份不同", None),
        ("判断：不正确", None),
    ],
)
def test_forms_that_judges_write_in_chinese(reply: str, verdict: str | None) -> None:
    assert read_verdict(reply, ("正确", "错误")) == verdict


def test_a_number_that_is_offered_is_no_number_of_a_list() -> None:
    assert read_verdict("1. The same person.\n0", ("1", "0")) == "0"
    assert read_verdict("1. 0", ("1", "0")) is None


@given(st.text(max_size=60), st.sampled_from(GRADES))
def test_the_last_line_decides(reasoning: str, grade: str) -> None:
    assert read_verdict(f"{reasoning}\nGrade: {grade}", GRADES) == grade


def said(*choices: str | None) -> list[Verdict]:
    return [Verdict(choice=choice) for choice in choices]


def test_majority() -> None:
    assert majority(said("yes", "no", "yes")).choice == "yes"
    assert majority(said("yes", "yes", None)).choice == "yes"
    alone = majority(said("yes", None, None))
    assert alone.choice is None
    assert alone.unscored == "one judge of 3 gave a readable verdict: too few for a majority"
    assert majority(said("yes")).choice == "yes"
    assert majority(said("yes", "no", None)).unscored == "the judges are evenly split"
    assert majority(said("yes", "no", "maybe")).unscored == "the judges are evenly split"
    assert majority(said(None)).unscored == "no judge gave a readable verdict"


class Scripted:
    """A judge that likes the first position, the longer answer, or nothing."""

    name = "scripted"

    def __init__(self, *choices: str | None) -> None:
        self.choices = list(choices)

    async def choose(self, prompt: str, choices: object, fields: object) -> Verdict:
        raise AssertionError("only preferences are asked")

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        return Verdict(choice=self.choices.pop(0))


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        (("A", "B"), (1.0, 0)),
        (("A", "A"), (0.5, 0)),
        (("B", "A"), (0.0, 0)),
        (("TIE", "B"), (0.75, 1)),
        (("TIE", "TIE"), (0.5, 2)),
        (("A", None), (None, 0)),
    ],
)
async def test_positions_are_swapped(
    choices: tuple[str | None, str | None], expected: tuple[float | None, int]
) -> None:
    assert set(choices) <= {*PREFERENCES, None}
    assert await wins_both_ways(Scripted(*choices), "?", "x", "y") == expected


@pytest.mark.parametrize(
    ("reply", "level"),
    [
        ("[A»B]", "A>>B"),
        ("1. Both are short.\n2. [A>B]", "A>B"),
        ("My final verdict is: [[A>B]]", "A>B"),
        ("My final verdict is: [[B≫A]].", "B>>A"),
        ("**Verdict:** A = B", "A=B"),
        ("Verdict: B > A because it is whole", "B>A"),
        ("Verdict: \\boxed{A>>B}", "A>>B"),
        ("A>B in clarity, B>A in truth.", None),
    ],
)
def test_comparisons_are_read_as_models_write_them(reply: str, level: str | None) -> None:
    assert read_verdict(reply, LEVELS) == level


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("理由。\n判断：正确", "正确"),
        ("判定：错误。", "错误"),
        ("【正确】", "正确"),
        ("这个回答不是错误的", None),
    ],
)
def test_chinese_verdicts(reply: str, choice: str | None) -> None:
    assert read_verdict(reply, ("正确", "错误")) == choice


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("Verdict: Answer B", "B"),
        ("Verdict: A is better.", "A"),
        ("Verdict: Tie", "TIE"),
        ("Verdict: A good answer would name both.", None),
    ],
)
def test_preferences_in_words(reply: str, choice: str | None) -> None:
    assert read_verdict(reply, PREFERENCES) == choice
