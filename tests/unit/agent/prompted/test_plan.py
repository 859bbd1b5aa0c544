from __future__ import annotations

import logging
from typing import Any

import pytest

from agent.errors import ModelError, ReplyMalformed
from agent.plan import tidy_plan
from agent.prompted import PromptedReasoner
from tests.fakes import Asked, FaithfulMind, ScriptedModel
from tests.unit.agent.prompted.test_reasoner import HITS


def planner(mind: Any, **options: Any) -> tuple[PromptedReasoner, ScriptedModel]:
    model = ScriptedModel(mind)
    return PromptedReasoner(model, None, **options), model


async def test_a_plan_is_made_and_then_classified_as_in_the_paper() -> None:
    mind = FaithfulMind(
        plan=["What is a moon?", "Which moons has Mars?", "Will it rain?"],
        kinds={"is a moon": "background", "rain": "follow-up"},
    )
    reasoner, model = planner(mind)
    plan = await reasoner.plan("Which moons has Mars?", HITS)
    assert [step.kind for step in plan] == ["background", "core", "follow_up"]
    assert [one.form for one in model.asked] == ["PlanReply", "KindsReply"]
    assert "Neptune is the eighth planet" in model.asked[0].fenced[0]


async def test_kinds_can_be_asked_for_one_by_one() -> None:
    reasoner, model = planner(FaithfulMind(kinds={"b": "Background"}), classify="each")
    assert await reasoner.classify("q", ["a", "b", "c"]) == ["core", "background", "core"]
    assert [one.form for one in model.asked] == ["OneKindReply"] * 3
    assert await reasoner.classify("q", []) == []


async def test_a_forgotten_kind_is_asked_for_once_more() -> None:
    said = [
        {"kinds": [{"number": 1, "kind": "core"}]},
        {"kinds": [{"number": "2.", "kind": "Follow up"}, {"number": 1, "kind": "core"}]},
    ]
    reasoner, model = planner(lambda _: said.pop(0))
    assert await reasoner.classify("q", ["a", "b"]) == ["core", "follow_up"]
    assert "No kind is given for number 2." in model.asked[1].text


async def test_kinds_that_never_come_are_an_error_but_do_not_cost_the_plan(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def mind(asked: Asked) -> Any:
        if asked.form == "KindsReply":
            return {"kinds": []}
        return FaithfulMind(plan=["a?", "b?"])(asked)

    reasoner, _ = planner(mind)
    with pytest.raises(ReplyMalformed, match="asked twice: No kind is given for number 1, 2"):
        await reasoner.classify("q", ["a?", "b?"])
    with caplog.at_level(logging.WARNING):
        plan = await reasoner.plan("q", [])
    assert [step.kind for step in plan] == ["core", "core"]
    assert "count as core" in caplog.text


async def test_an_empty_plan_is_asked_for_once_more_and_then_fails() -> None:
    reasoner, model = planner(lambda _: {"sub_questions": [{"id": "1", "question": " ?"}]})
    with pytest.raises(ReplyMalformed, match="holds no sub-question"):
        await reasoner.plan("q", [])
    assert len(model.asked) == 2


async def test_a_model_that_is_down_fails_the_plan() -> None:
    def mind(_: Asked) -> Any:
        raise ModelError("down")

    reasoner, _ = planner(mind)
    with pytest.raises(ModelError, match="down"):
        await reasoner.plan("q", [])


@pytest.mark.parametrize(
    "written",
    ["{1}", "{#1}", "{Q1}", "{ q1 }", "{answer 1}", "{answer_1}", "{step 1}", "{1.answer}",
     "{sub-question 1}", "#1", "{Question 1 result}"],
)  # fmt: skip
async def test_placeholders_are_read_however_they_are_written(written: str) -> None:
    said = {
        "sub_questions": [
            {"id": 1, "question": "Which is the largest moon?", "depends_on": None},
            {"id": "2", "question": f"Who discovered {written}?", "depends_on": ["#1"]},
        ]
    }
    reasoner, _ = planner(lambda asked: said if asked.form == "PlanReply" else "no")
    with pytest.raises(ReplyMalformed):
        await reasoner.classify("q", ["a"])
    plan = await reasoner.plan("q", [])
    assert plan[1].text == "Who discovered {1}?"
    assert plan[1].depends_on == ("1",)
    assert tidy_plan(plan) == (plan, [])


async def test_other_ids_and_signs_are_left_alone() -> None:
    said = {
        "sub_questions": [
            {"id": "Q1", "question": "Which song was #1 in {2019}?"},
            {"id": "Q2", "question": "Who sang {Q1}?", "depends_on": "Q1"},
            {"id": "Q3", "question": "Where?", "depends_on": ["step Q2", "nothing"]},
        ]
    }
    reasoner, _ = planner(lambda asked: said if asked.form == "PlanReply" else "no")
    plan = await reasoner.plan("q", [])
    assert plan[0].text == "Which song was #1 in {2019}?"
    assert plan[1].depends_on == ("Q1",)
    assert plan[1].text == "Who sang {Q1}?"
