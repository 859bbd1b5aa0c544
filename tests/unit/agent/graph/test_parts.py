from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent import Agent, Budget
from agent.graph.parts import Wiring, open_context, open_parts
from agent.graph.state import State
from agent.graph.strategies.query_definition import _with_definition
from agent.llm.limits import Limits
from agent.llm.prices import Price, PriceTable
from agent.prompted.inquiry import EVIDENCE_TOKENS
from agent.settings import Settings
from corpus import Snapshot
from corpus.errors import InputError
from corpus.sample import sample_snapshot
from tests.fake_server import FakeServer, serving
from tests.fakes import FaithfulMind
from tests.reasoners import ScriptedReasoner, WordRetriever, chunk

QUESTION = "Who saw the rings of Saturn?"
SHELF = WordRetriever([chunk(1, "The rings of Saturn were seen by Galileo.")])
MIND = FaithfulMind(plan=[QUESTION], answers={"rings": "Galileo"})


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving(MIND) as running:
        yield running


def test_all_that_a_model_needs_can_be_given_in_the_constructor(
    sample: Snapshot, server: FakeServer, tmp_path: Path
) -> None:
    (tmp_path / "prices.json").write_text('{"m": {"in": 1000000, "out": 0}}')
    (tmp_path / "style_long.md").write_text("<!-- text -->\nWrite like a lighthouse keeper.")
    agent = Agent(
        snapshot=sample,
        model="m",
        base_url=server.url,
        retriever=SHELF,
        tools="text",
        classify="each",
        context_limit=8000,
        limits=Limits(concurrency=3, calls_per_minute=600),
        prices=tmp_path / "prices.json",
        prompts=tmp_path,
        stream=True,
        calls=tmp_path / "calls.sqlite",
        budget=Budget(cost_usd=1e6),
    )
    answer = agent.ask(QUESTION)
    assert answer.usage.cost_usd == answer.usage.tokens_in > 0
    assert all(request["stream"] for request in server.requests)
    assert all("tools" not in request for request in server.requests)
    sent = json.dumps(server.requests)
    assert "OneKindReply" in sent
    assert "lighthouse keeper" in sent


@pytest.mark.parametrize(
    ("budget", "model", "prices", "refused"),
    [
        (Budget(cost_usd=1.0), "a-model-of-mine", None, True),
        (Budget(cost_usd=1.0), "a-model-of-mine", {"a-model-of-mine": 1.0}, False),
        (Budget(cost_usd=1.0), "gpt-4.1-mini", None, False),
        (Budget(), "a-model-of-mine", None, False),
        (Budget(cost_usd=1.0), None, None, False),
    ],
)
def test_a_budget_in_dollars_needs_a_price(
    sample: Snapshot,
    budget: Budget,
    model: str | None,
    prices: dict[str, float] | None,
    refused: bool,
) -> None:
    table = None
    if prices is not None:
        each = {name: Price(tokens_in=cost, tokens_out=cost) for name, cost in prices.items()}
        table = PriceTable(each)
    settings = Settings(model=model, base_url="http://127.0.0.1:9/v1", budget=budget)
    wiring = Wiring(snapshot=sample, retriever=SHELF, prices=table, reasoner=ScriptedReasoner())
    if not refused:
        assert open_parts(settings, wiring).settings == settings
        return
    with pytest.raises(InputError, match="name its price with --prices FILE"):
        open_parts(settings, wiring)


def test_what_is_searched_for_is_in_the_snapshots_language(sample: Snapshot) -> None:
    wiring = Wiring(retriever=SHELF, reasoner=ScriptedReasoner())
    asked = State(question="长江有多长？")
    with Snapshot.open(sample_snapshot("zh")) as chinese:
        context = open_parts(Settings(), replace(wiring, snapshot=chinese)).context()
        assert "核心子问题" in _with_definition(asked, context)
    context = open_parts(Settings(), replace(wiring, snapshot=sample)).context()
    assert "core sub-questions" in _with_definition(asked, context)


def test_a_setting_that_retrieves_nothing_opens_no_index() -> None:
    context = open_context(Settings(setting="closed"))
    assert context.retriever.search(["rings"], 3) == [[]]
    assert context.articles is None
    assert context.embedder is None


def test_given_articles_fill_the_context_that_a_reader_has(
    sample: Snapshot, server: FakeServer
) -> None:
    def hits(context_limit: int | None) -> int:
        settings = Settings(
            strategy="baseline",
            setting="evidence",
            evidence=("Jupiter", "Saturn", "Titan (moon)"),
            k=2,
            model="m",
            base_url=server.url,
            context_limit=context_limit,
        )
        agent = Agent(settings=settings, wiring=Wiring(snapshot=sample))
        return len(agent.ask(QUESTION).hits)

    assert 2 < hits(1000) < hits(8000)
    # Where no limit is known it is the usual one, not k.
    assert hits(None) == hits(EVIDENCE_TOKENS)
