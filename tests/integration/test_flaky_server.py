"""Fifty questions against a server that fails three calls in ten, in every way that servers do."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from agent.errors import ModelError
from agent.llm import open_model
from agent.llm.limits import Limits
from agent.llm.retries import RetryPolicy
from agent.prompted import PromptedReasoner
from agent.types import SubAnswer
from tests.fake_server import FakeServer, Misbehaviour, serving
from tests.fakes import Asked, FaithfulMind
from tests.unit.agent.test_prompted_reasoner import hit, toolbox

POLICY = RetryPolicy(retries=6, first_wait=0.005, longest_wait=0.05)
MOONS = ["Triton", "Titan", "Phobos", "Io", "Charon"]
HITS = [
    hit(f"{moon} is a moon. {moon} was discovered by observer {n}.", moon, n)
    for n, moon in enumerate(MOONS, start=1)
]


def reply_of(content: str) -> Misbehaviour:
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return Misbehaviour(body=json.dumps({"choices": [choice]}))


FAILURES = [
    Misbehaviour(status=429, headers={"retry-after": "0.02"}),
    Misbehaviour(status=429),
    Misbehaviour(status=500, body="<html>Internal Server Error</html>"),
    Misbehaviour(status=503, headers={"retry-after": "0"}),
    Misbehaviour(cut=True, body="x" * 300),
    Misbehaviour(stall=30),
    Misbehaviour(body='{"choices": [{"index": 0, "mess'),
    reply_of('{"sub_questions": [{"id": "1", "que'),
    reply_of('{"verdict": "yes", "sub_questions": 3}'),
    reply_of("I am sorry, here is what you asked for:"),
]


def failing_at_random(seed: int, share: float) -> Any:
    chance = random.Random(seed)

    def trouble(_: int, __: Mapping[str, Any]) -> Misbehaviour | None:
        return chance.choice(FAILURES) if chance.random() < share else None

    return trouble


class ByList(FaithfulMind):
    """Plans five steps that name the question's list, so that no two requests are alike."""

    def __call__(self, asked: Asked) -> object:
        if asked.form != "PlanReply":
            return super().__call__(asked)
        number = re.findall(r"of list (\d+)", asked.outside)[-1]
        return FaithfulMind([f"Who discovered {moon} of list {number}?" for moon in MOONS])(asked)


async def ask(reasoner: PromptedReasoner, question: str) -> tuple[str, list[SubAnswer]]:
    """Plan, answer side by side, compose; a step that fails is kept as failed."""
    plan = await reasoner.plan(question, HITS)

    async def one(step: Any) -> SubAnswer:
        try:
            return (await reasoner.answer(step, HITS)).sub_answer
        except ModelError as error:
            return SubAnswer(sub_question_id=step.id, status="failed", error=str(error))

    answers = list(await asyncio.gather(*(one(step) for step in plan)))
    composed = await reasoner.compose(
        question, sub_questions=plan, sub_answers=answers, hits=HITS, style="long",
        guidance="sub_answers",
    )  # fmt: skip
    return composed.text, answers


async def run(server: FakeServer, stream: bool) -> list[Any]:
    model = open_model(
        "m", server.url, policy=POLICY, timeout=0.3, limits=Limits(concurrency=16), stream=stream
    )
    reasoner = PromptedReasoner(model, toolbox(HITS))
    questions = [f"Who discovered the moons of list {number}?" for number in range(50)]
    return await asyncio.gather(
        *(ask(reasoner, question) for question in questions), return_exceptions=True
    )


@pytest.mark.parametrize("stream", [False, True])
async def test_every_question_ends_and_every_sub_question_is_accounted_for(stream: bool) -> None:
    mind = ByList(answers={moon: f"{moon} was discovered by observer" for moon in MOONS})
    with serving(mind) as calm:
        expected = await run(calm, stream)
    with serving(mind, trouble=failing_at_random(7, 0.3)) as flaky:
        outcomes = await run(flaky, stream)

    complete = 0
    for outcome, calmly in zip(outcomes, expected, strict=True):
        assert not isinstance(calmly, BaseException)
        if isinstance(outcome, BaseException):
            assert isinstance(outcome, ModelError)
            continue
        text, answers = outcome
        assert [answer.sub_question_id for answer in answers] == ["1", "2", "3", "4", "5"]
        failed = [answer for answer in answers if answer.status == "failed"]
        assert all(answer.error for answer in failed)
        if not failed:
            complete += 1
            assert text == calmly[0]
        assert [answer for answer in answers if answer not in failed] == [
            answer for answer in calmly[1] if answer.sub_question_id not in
            {answer.sub_question_id for answer in failed}
        ]  # fmt: skip
    assert complete >= 40
    sent = Counter(json.dumps(request, sort_keys=True) for request in flaky.requests)
    assert max(sent.values()) <= POLICY.retries + 1
    assert len(flaky.requests) < 2.2 * len(calm.requests)
