"""The judgment that M3 ranks passages by: what is asked, how it is read, and what it decides."""

from __future__ import annotations

import re

import pytest

from agent import Agent
from agent.errors import ModelError
from agent.prompted import PromptedReasoner
from agent.types import SubQuestion
from tests.fakes import Asked, FaithfulMind, ScriptedModel
from tests.unit.agent.prompted.test_reasoner import hit

TEXTS = [f"Passage {number} tells of moon number {number}." for number in range(1, 7)]
HITS = [hit(text, "Moons", number) for number, text in enumerate(TEXTS, start=1)]
QUESTIONS = ["Who found the first?", "Who found the second?", "Who found the third?"]


def saying(answers: dict[int, list[int]]) -> ScriptedModel:
    def mind(asked: Asked) -> object:
        return {
            "sources": [
                {"source": number, "answers": answers.get(number, [])}
                for number in [*asked.sources, 99]
            ]
        }

    return ScriptedModel(mind)


async def test_verdicts_are_read_and_what_was_not_asked_is_nothing() -> None:
    model = saying({1: [1, 3], 2: [0, 4, 2], 99: [1]})
    covered = await PromptedReasoner(model, None).covered("Who found them?", QUESTIONS, HITS)
    assert covered == [frozenset([0, 2]), frozenset([1]), *[frozenset()] * 4]
    (asked,) = model.asked
    assert all(question in asked.text for question in QUESTIONS)
    assert [text for _, text in asked.sources.values()] == TEXTS


async def test_what_does_not_fit_one_call_goes_into_another() -> None:
    model = saying({number: [1] for number in range(1, 7)})
    reasoner = PromptedReasoner(model, None, context_limit=640)
    covered = await reasoner.covered("Who found them?", QUESTIONS, HITS)
    assert covered == [frozenset([0])] * 6
    assert len(model.asked) > 1
    shown = [number for asked in model.asked for number in asked.sources]
    assert sorted(shown) == [1, 2, 3, 4, 5, 6]


PLAN = [
    SubQuestion(id="1", text="Which planet has the moon Titan?", kind="core"),
    SubQuestion(id="2", text="Who discovered the moon Triton?", kind="core"),
]


def test_m3_keeps_what_the_model_says_covers_the_core() -> None:
    judged: list[Asked] = []

    def mind(asked: Asked) -> object:
        if asked.form != "CoverReply":
            return FaithfulMind()(asked)
        judged.append(asked)
        last = max(asked.sources)
        return {"sources": [{"source": last, "answers": [1, 2]}]}

    model = ScriptedModel(mind)
    with Agent(model=model, strategy="retrieval", k=3) as agent:
        answer = agent.ask("Which moons are there, and who found them?", plan=PLAN)
    (asked,) = judged
    assert len(asked.sources) == 12
    (composed,) = [one for one in model.asked if one.form == "ComposedReply"]
    assert len(composed.sources) == 3
    assert composed.sources[1] == asked.sources[12]
    assert answer.citations


def test_without_a_verdict_the_passages_stand_as_they_were_ranked() -> None:
    def mind(asked: Asked) -> object:
        if asked.form == "CoverReply":
            raise ModelError("the model failed")
        return FaithfulMind()(asked)

    with Agent(model=ScriptedModel(mind), strategy="retrieval", k=3) as agent:
        answer = agent.ask("Which moons are there, and who found them?", plan=PLAN)
    assert answer.citations
    assert any(re.search("not judged .*: the model failed", note) for note in answer.notes)


@pytest.mark.parametrize("style", ["long", "short"])
def test_the_final_prompt_of_m3_holds_the_original_question_alone(style: str) -> None:
    model = ScriptedModel(FaithfulMind())
    with Agent(model=model, strategy="retrieval", style=style) as agent:  # type: ignore[arg-type]
        agent.ask("Which moons are there, and who found them?", plan=PLAN)
    for step in PLAN:
        holding = [asked.form for asked in model.asked if step.text in asked.text]
        assert holding == ["CoverReply"]
