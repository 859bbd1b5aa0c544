"""Fifty questions against a server that fails three calls in ten, in every way that servers do."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter

import pytest

from agent import Agent
from agent.citations import strip_marks
from agent.graph.parts import Wiring
from agent.llm import open_model
from agent.llm.limits import Limits
from agent.llm.retries import RetryPolicy
from agent.settings import Settings
from agent.types import Answer, SubAnswer
from corpus.errors import BackendError
from corpus.sample import sample_snapshot
from corpus.store import Snapshot
from retrieval.index import ensure_built, open_retriever
from tests.fake_server import FakeServer, serving
from tests.fakes import Asked, FaithfulMind
from tests.faults import failing_at_random

POLICY = RetryPolicy(retries=6, first_wait=0.005, longest_wait=0.05)
ASKED = ("What is {}?", "Where is {}?", "Which people does {} bring to mind?")


class ThreeSteps(FaithfulMind):
    """Plans three steps that name the question's subject, so that no two requests are alike."""

    def __call__(self, asked: Asked) -> object:
        subjects = re.findall(r"told of (.*?)\?\n", asked.outside)
        if asked.form != "PlanReply" or not subjects:
            return super().__call__(asked)
        return FaithfulMind([text.format(subjects[-1]) for text in ASKED])(asked)


async def run(
    server: FakeServer, snapshot: Snapshot, *, questions: int, stream: bool, timeout: float = 2
) -> list[Answer | Exception]:
    model = open_model(
        "m",
        server.url,
        policy=POLICY,
        timeout=timeout,
        limits=Limits(concurrency=24),
        stream=stream,
    )
    wiring = Wiring(
        snapshot=snapshot, model=model, retriever=open_retriever(snapshot.folder, "bm25")
    )
    agent = Agent(settings=Settings(k=4), wiring=wiring)

    async def ask(title: str) -> Answer | Exception:
        try:
            return await agent.aask(f"What is told of {title}?")
        except BackendError as error:
            return error

    titles = sorted(snapshot.titles())[:questions]
    return await asyncio.gather(*(ask(title) for title in titles))


def kept(answer: SubAnswer) -> tuple[str, str, list[str]]:
    # Marks count through the whole answer, which fewer sub-answers may have reached.
    return (
        answer.status,
        strip_marks(answer.text),
        [citation.quote for citation in answer.citations],
    )


@pytest.mark.parametrize(("questions", "stream"), [(50, False), (10, True)])
async def test_every_question_ends_and_every_sub_question_is_accounted_for(
    questions: int, stream: bool
) -> None:
    with Snapshot.open(sample_snapshot("en")) as snapshot:
        ensure_built(snapshot.folder, "bm25")
        with serving(ThreeSteps()) as calm:
            # A busy machine makes even a calm server late: what is expected must not hang on that.
            expected = await run(calm, snapshot, questions=questions, stream=stream, timeout=60)
        with serving(ThreeSteps(), trouble=failing_at_random(7, 0.3)) as flaky:
            outcomes = await run(flaky, snapshot, questions=questions, stream=stream)

    complete = 0
    for outcome, calmly in zip(outcomes, expected, strict=True):
        assert isinstance(calmly, Answer)
        # Some of what this mind quotes proves nothing; no call fails where the server does not.
        errors = [answer.error for answer in calmly.sub_answers if answer.status == "failed"]
        assert all("quotes nothing" in str(error) for error in errors)
        if isinstance(outcome, Exception):
            assert "failed" in str(outcome)
            continue
        accounted = {answer.sub_question_id for answer in outcome.sub_answers}
        assert accounted >= {step.id for step in outcome.sub_questions if step.kind != "follow_up"}
        assert all(a.error for a in outcome.sub_answers if a.status == "failed")
        if [step.text for step in outcome.sub_questions] != [
            step.text for step in calmly.sub_questions
        ]:
            # The plan itself failed, beyond its retries: the question was asked whole.
            assert len(outcome.sub_questions) == 1
            continue
        pairs = list(zip(outcome.sub_answers, calmly.sub_answers, strict=True))
        for a, b in pairs:
            if a.status != "failed":
                assert kept(a) == kept(b), (a.error, b.error)
        if all(a.status != "failed" for a, _ in pairs) and outcome.text == calmly.text:
            complete += 1
    assert complete >= 0.8 * questions
    sent = Counter(json.dumps(request, sort_keys=True) for request in flaky.requests)
    assert max(sent.values()) <= POLICY.retries + 1
