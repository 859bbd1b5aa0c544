"""What a less likely plan found is asserted where it is likely to be what was asked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import log

import pytest

from agent.extractive.composer.guesses import WEIGHTS, features_of_guess, is_believed
from agent.extractive.planner.decomposition import Decomposition
from agent.types import SubAnswer, SubQuestion
from tests.unit.agent.extractive.composer.test_abstention import found
from tests.unit.agent.extractive.planning import planned

NOTHING = SubAnswer(sub_question_id="9", status="not_found")


def steps_of(reading: Decomposition) -> list[SubQuestion]:
    return [SubQuestion(id=one.id, text=one.text, kind="core") for one in reading.steps]


def features(
    question: str, lines: tuple[str, ...], *answers: SubAnswer, before: int = 1, margin: float = 0.0
) -> dict[str, float]:
    reading = replace(planned(question, "give", *lines), score=-2.0)
    steps = steps_of(reading)
    return features_of_guess(reading, steps, answers, before=before, margin_of=lambda _: margin)


def test_the_noun_that_is_asked_for_may_be_lost() -> None:
    found_out = found("1", "1999")
    illness = features("What illness did Ro die of?", ("ask: Of what did Ro die?",), found_out)
    kept = features("Of what illness did Ro die?", ("ask: What illness did Ro die of?",), found_out)
    assert (illness["noun_lost"], kept["noun_lost"]) == (1.0, 0.0)
    wife = features("What was his wife called?", ("ask: What was he called?",), found_out)
    sister = features("Who is Ro's sister?", ("ask: Who is Ro's sister?",), found_out)
    assert (wife["noun_lost"], sister["noun_lost"]) == (1.0, 0.0)


def test_what_became_of_the_plans_own_steps_counts() -> None:
    lines = ("find: What is the deepest lake of Lombardy?", "ask: How deep is {1}?")
    question = "How deep is the deepest lake of Lombardy?"
    none = replace(NOTHING, sub_question_id="1")
    half = features(question, lines, none, found("2", "425 metres"), NOTHING)
    assert (half["answered"], half["asked"]) == (0.5, pytest.approx(log(2)))
    spared = features(question, lines, replace(none, status="not_asked"), found("2", "425 metres"))
    assert (spared["answered"], spared["asked"]) == (1.0, 0.0)
    assert features(question, lines)["answered"] == 0.0


def test_a_single_step_may_be_told_by_a_box_alone() -> None:
    def told(quote: str) -> SubAnswer:
        cited = replace(found("1", "425 m").citations[0], quote=quote)
        return replace(found("1", "425 m"), citations=(cited,))

    lines = ("ask: How deep is Lake Como?",)
    question = "How deep is Lake Como?"
    for quote in ("Max depth: 425 m", "Lake: Como | Depth: 425 m"):
        assert features(question, lines, told(quote))["boxed"] == 1.0
        assert features(question, lines, told(quote), before=0)["boxed"] == 0.0
    assert features(question, lines, told("It is 425 m deep."))["boxed"] == 0.0
    two = ("find: What is the deepest lake?", "ask: How deep is {1}?")
    assert features(question, two, found("2", "1"), told("Max depth: 425 m"))["boxed"] == 0.0


def test_what_a_single_step_found_is_read_once_more_for_the_question_itself() -> None:
    asked, lines = "How deep is Como, and who swam in it?", ("ask: How deep is Lake Como?",)
    one = features(asked, lines, found("1", "425 m"), margin=7.0)
    assert (one["alone"], one["margin"]) == (1.0, 7.0)
    unsure = replace(found("1", "425 m"), status="unsure")
    several = replace(found("1", "Ann"), items=("Ann", "Bo"))
    for answer in (unsure, several):
        assert features(asked, lines, answer, margin=7.0)["margin"] == 0.0
    two = ("find: What is the deepest lake?", "ask: How deep is {1}?")
    answers = found("1", "Como"), found("2", "425 m")
    assert features(asked, two, *answers, margin=7.0)["margin"] == 0.0


def test_the_features_are_those_that_were_weighed() -> None:
    made = features("How deep is it?", ("ask: How deep is Lake Como?",), found("1", "425 metres"))
    assert set(made) == set(WEIGHTS)


def test_a_later_plan_is_believed_where_it_is_likely_and_all_its_steps_were_answered() -> None:
    question = "How deep is the deepest lake of Lombardy?"
    lines = ("find: What is the deepest lake of Lombardy?", "ask: How deep is {1}?")
    answers = [found("1", "Lake Como"), found("2", "425 metres")]
    reading = replace(planned(question, "give", *lines), score=-1.0)
    steps = steps_of(reading)
    read = partial(is_believed, margin_of=lambda _: 0.0)
    assert read(reading, steps, answers, before=1)
    for status in ("not_found", "failed"):
        lacking = [replace(answers[0], status=status), answers[1]]
        assert not read(reading, steps, lacking, before=1)
        assert read(reading, steps, lacking, before=0)
    unlikely = replace(reading, score=-8.0, question="What fish and how deep is the lake?")
    for before in (1, 0):
        assert not read(unlikely, steps, answers, before=before)
    whole = replace(unlikely, by_sentence=True)
    assert read(whole, steps, answers, before=1)
