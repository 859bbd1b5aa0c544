"""Every strategy in every setting with both reasoners, over the sample with its real indexes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent import Agent
from agent.graph.parts import Wiring
from agent.settings import SETTING_NAMES, STRATEGY_NAMES, Settings, StrategyName
from agent.terminal.answer import answer_to_json
from agent.types import Answer, Setting
from corpus import Snapshot
from corpus.sample import sample_snapshot
from retrieval.index import ensure_built
from tests.fakes import FaithfulMind, ScriptedModel

QUESTION = "What is the largest moon of Saturn, and who discovered it?"
EVIDENCE = ("Saturn", "Titan (moon)", "Christiaan Huygens")
MIND = FaithfulMind(
    plan=[
        "What is the largest moon of Saturn?",
        ("Who discovered {1}?", ["1"]),
        "What is a moon of a planet?",
        "Which space probes went to Saturn?",
    ],
    kinds={"What is a moon": "background", "probes": "follow-up"},
    answers={"largest moon of Saturn": "Titan", "discovered": "Huygens"},
)


@pytest.fixture(scope="module")
def snapshot() -> Iterator[Snapshot]:
    folder = sample_snapshot("en")
    ensure_built(folder)
    with Snapshot.open(folder) as opened:
        yield opened


@pytest.mark.parametrize("strategy", STRATEGY_NAMES)
@pytest.mark.parametrize("setting", SETTING_NAMES)
@pytest.mark.parametrize("engine", ["extractive", "prompted"])
def test_it_answers_and_gives_a_full_account(
    snapshot: Snapshot, strategy: StrategyName, setting: Setting, engine: str
) -> None:
    settings = Settings(
        strategy=strategy,
        setting=setting,
        evidence=EVIDENCE if setting == "evidence" else (),
        k=6,
    )
    model = ScriptedModel(MIND) if engine == "prompted" else None
    agent = Agent(settings=settings, wiring=Wiring(snapshot=snapshot, model=model))
    answer = agent.ask(QUESTION)
    account(answer, strategy)
    if setting == "closed":
        assert answer.citations == ()
        assert answer.hits == ()
        assert answer.abstained == (engine == "extractive")
    else:
        assert not answer.abstained
        assert not answer.unsupported
        told = answer.text + " ".join(one.text for one in answer.sub_answers)
        assert "Titan" in told
        cited = {citation.revision.title for citation in answer.citations}
        if setting == "evidence":
            assert cited <= set(EVIDENCE)
            assert {hit.chunk.revision.title for hit in answer.hits} <= set(EVIDENCE)
        # A model's context is filled from the articles it is given, however many chunks that is.
        filled = setting == "evidence" and engine == "prompted"
        if strategy not in ("e2e", "agentic") and not filled:
            assert len(answer.hits) <= settings.k
        for citation in answer.citations:
            article = snapshot.find(citation.revision.title)
            assert article is not None
            assert article.text[citation.start : citation.end] == citation.quote
            assert citation.revision.timestamp <= snapshot.manifest.cutoff
    value = answer_to_json(answer, agent)
    assert (value["strategy"], value["setting"]) == (strategy, setting)


def account(answer: Answer, strategy: StrategyName) -> None:
    """Every sub-question that the strategy asks has come to something; no mark is left open."""
    asked = {"e2e": {"core"}, "agentic": {"core", "background"}}.get(strategy, set())
    found = {one.sub_question_id: one for one in answer.sub_answers}
    for step in answer.sub_questions:
        if step.kind in asked:
            status, error = found[step.id].status, found[step.id].error
            assert status in ("answered", "unsure", "not_found", "failed")
            assert error if status in ("unsure", "failed") else status == "not_found" or not error
    numbers = {citation.number for citation in answer.citations}
    assert numbers == set(range(1, len(numbers) + 1))
    if strategy in ("baseline", "query-definition"):
        assert answer.sub_questions == ()
