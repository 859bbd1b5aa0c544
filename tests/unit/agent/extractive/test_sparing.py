"""What failed a condition is asked nothing more; values that measure different things are not compared."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from agent.extractive.composer.computation import parts_of
from agent.extractive.composer.measures import comparable
from agent.graph.schedule import advance
from agent.types import SubAnswer, SubQuestion

PLAN = (
    SubQuestion(id="1", text="What are the lakes?", kind="core"),
    SubQuestion(id="2", text="Is {1} deep?", kind="core", depends_on=("1",)),
    SubQuestion(id="3", text="Who found {1}?", kind="core", depends_on=("1", "2")),
)


def answered(id_: str, *items: str) -> SubAnswer:
    return SubAnswer(sub_question_id=id_, status="answered", text=", ".join(items), items=items)


def not_deep(step: SubQuestion, about: Mapping[str, SubAnswer]) -> str:
    said = [answer.items[0] for answer in about.values() if answer.items]
    return "it is not deep" if step.id == "3" and said == ["No"] else ""


def test_a_member_that_fails_is_not_asked_and_says_why() -> None:
    answers = {"1": answered("1", "Como", "Garda")}
    first = advance(PLAN, {}, answers, room=9, spared=not_deep)
    assert [step.text for step in first.ready] == ["Is Como deep?", "Is Garda deep?"]
    answers |= {"2.1": answered("2.1", "Yes"), "2.2": answered("2.2", "No")}
    second = advance(first.steps, first.branches, answers, room=9, spared=not_deep)
    assert [step.text for step in second.ready] == ["Who found Como?"]
    assert [(a.status, a.error) for a in second.closed] == [("not_asked", "it is not deep")]
    assert {step.text for step in second.steps} >= {"Who found Garda?"}


def test_without_a_reasoner_that_spares_all_are_asked() -> None:
    answers = {"1": answered("1", "Como"), "2.1": answered("2.1", "No")}
    first = advance(PLAN, {}, {"1": answers["1"]}, room=9)
    second = advance(first.steps, first.branches, answers, room=9)
    assert [step.text for step in second.ready] == ["Who found Como?"]


@pytest.mark.parametrize(
    ("texts", "same"),
    [
        (["425 m", "1,400 feet"], True),
        (["425 m", "12 kg"], False),
        (["1602", "3 May 1710"], True),
        (["1602", "425 m"], False),
        (["12", "9,000,000,000"], False),
        (["425 m", "430"], True),
        (["2,850 km", "3,530"], False),
        (["", "425 m"], True),
    ],
)
def test_only_what_measures_the_same_is_compared(texts: list[str], same: bool) -> None:
    assert comparable(texts) is same


def test_what_a_value_lists() -> None:
    assert parts_of("German (official), French and Italian") == ["german", "french", "italian"]
