"""The paper's strategies work with the one decomposition that their answers are scored against."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.settings import StrategyName
from evals.benchmarks.subquestion import SUBQUESTION, load
from evals.datafiles import SAMPLE_DATA
from evals.runs.folder import RunFolder
from evals.runs.matrix import run_matrix
from evals.runs.models import Endpoint
from evals.runs.sources import Sources
from evals.types import RunConfig, Sample
from tests.fake_server import FakeServer, serving
from tests.fakes import FaithfulMind

ANNOTATED = Path(__file__).parents[3] / "shared/data/subquestion/type-annotations.jsonl"
STRATEGIES: tuple[StrategyName, ...] = (
    "baseline",
    "query-definition",
    "query-subquestion",
    "retrieval",
    "e2e",
)
FILES = [
    pytest.param(SAMPLE_DATA / "subquestion.jsonl", id="sample"),
    pytest.param(
        ANNOTATED,
        id="annotated",
        marks=pytest.mark.skipif(not ANNOTATED.is_file(), reason="../shared/data is absent"),
    ),
]
PLANNING = ("PlanReply", "KindsReply", "OneKindReply")


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving(FaithfulMind()) as running:
        yield running


def run(
    data: Path, strategy: StrategyName, out: Path, url: str, limit: int, **options: str
) -> None:
    """Do what `evals run` does, but for the scoring."""
    endpoint = Endpoint(model="m", base_url=url) if url else None
    config = RunConfig(
        benchmark=SUBQUESTION.name,
        style=SUBQUESTION.style,
        split="all",
        edition="frozen",
        setting="open",
        strategy=strategy,
        model="m" if url else "extractive",
        k=10,
        mode="bm25",
        options={"plan": "frozen", **options},
    )
    sources = Sources(benchmark=SUBQUESTION, data=data, endpoint=endpoint)
    list(run_matrix(config, sources, out, limit=limit))


def core(samples: list[Sample]) -> list[str]:
    return [step.question for sample in samples for step in sample.steps if step.kind == "core"]


def forms(server: FakeServer) -> set[str]:
    asked = [request.get("response_format", {}) for request in server.requests]
    return {form["json_schema"]["name"] for form in asked if "json_schema" in form}


@pytest.mark.parametrize("data", FILES)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_core_sub_questions_are_those_of_the_data(
    server: FakeServer, tmp_path: Path, data: Path, strategy: StrategyName
) -> None:
    samples = load(data, "all", "frozen")[:5]
    out = tmp_path / "run"
    run(data, strategy, out, server.url, len(samples))
    prompts = "\n".join(
        str(message["content"]) for request in server.requests for message in request["messages"]
    )
    searched = "\n".join(
        query
        for prediction in RunFolder.open(out).predictions()
        if prediction.response is not None
        for step in prediction.response.answers[0].trace
        if step.name == "search"
        for query in step.detail["queries"]  # type: ignore[attr-defined]
    )
    given = core(samples)
    assert len(given) >= len(samples)
    in_prompts = [text for text in given if text in prompts]
    in_searches = [text for text in given if text in searched]
    assert in_prompts == (given if strategy in STRATEGIES[2:] else [])
    # M3 retrieves and reranks by them, and writes its answer to the original question.
    if strategy == "retrieval":
        composed = [asked for asked in server.requests if "ComposedReply" in str(asked)]
        assert composed
        assert not any(text in str(asked["messages"]) for asked in composed for text in given)
    assert in_searches == (given if strategy in STRATEGIES[2:] else [])
    assert not forms(server) & set(PLANNING)


def test_an_own_plan_is_a_variant_that_says_so(server: FakeServer, tmp_path: Path) -> None:
    run(SAMPLE_DATA, "e2e", tmp_path / "own", server.url, 2, plan="own")
    assert "PlanReply" in forms(server)
    assert RunFolder.open(tmp_path / "own").record.config.variant == "e2e (own plan)"


def test_offline_the_steps_of_m4_are_the_datas_own(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(SAMPLE_DATA, "e2e", out, "", 2)
    samples = load(SAMPLE_DATA, "all", "frozen")[:2]
    predictions = {p.sample_id: p for p in RunFolder.open(out).predictions()}
    for sample in samples:
        response = predictions[sample.id].response
        assert response is not None
        asked = {found.sub_question_id for found in response.answers[0].sub_answers}
        assert asked == {step.id for step in sample.steps if step.kind == "core"}
    assert RunFolder.open(out).record.config.variant == "e2e"
