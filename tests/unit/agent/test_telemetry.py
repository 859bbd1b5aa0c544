from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent import Agent
from agent.llm.port import Completion
from agent.types import Usage
from corpus import Snapshot
from tests.fakes import FaithfulMind, ScriptedModel
from tests.reasoners import ScriptedReasoner, WordRetriever, chunk, core

trace = pytest.importorskip("opentelemetry.trace")
pytest.importorskip("opentelemetry.sdk")


@pytest.fixture
def spans() -> Iterator[object]:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    before = trace._TRACER_PROVIDER
    trace._TRACER_PROVIDER = provider
    yield exporter
    trace._TRACER_PROVIDER = before


SECRET = "Which rings has the planet of secrets?"


def test_a_question_is_a_span_with_its_steps_and_calls_inside(
    sample: Snapshot, spans: object
) -> None:
    mind = FaithfulMind(plan=["Who saw the rings of Saturn?"])
    agent = Agent(
        snapshot=sample,
        model=ScriptedModel(mind, name="m1"),
        retriever=WordRetriever([chunk(1, "The rings of Saturn were seen by Galileo.")]),
    )
    agent.ask(SECRET)
    finished = spans.get_finished_spans()  # type: ignore[attr-defined]
    by_name = {span.name: span for span in finished}
    root = by_name["invoke_agent fanfold"]
    assert root.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert root.attributes["gen_ai.request.model"] == "m1"
    for name in ("plan", "replan", "search", "answer", "compose", "check"):
        assert by_name[f"fanfold.{name}"].context.trace_id == root.context.trace_id
    call = by_name["chat m1"]
    assert call.attributes["gen_ai.operation.name"] == "chat"
    assert call.attributes["gen_ai.usage.input_tokens"] > 0
    assert by_name["fanfold.answer"].attributes["fanfold.sub_question.id"] == "1"
    assert by_name["fanfold.answer"].attributes["fanfold.status"] == "answered"
    told = " ".join(f"{span.name} {dict(span.attributes)}" for span in finished)
    assert "secrets" not in told
    assert "Galileo" not in told


def test_without_the_package_nothing_happens(
    sample: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agent import telemetry

    monkeypatch.setattr(telemetry, "_installed", lambda: False)
    with telemetry.chat_span("m", temperature=0.0, max_tokens=1) as span:
        span.note({"a": 1})
    reasoner = ScriptedReasoner(steps=[core("1", "Who saw rings?")])
    agent = Agent(
        snapshot=sample,
        reasoner=reasoner,
        retriever=WordRetriever([chunk(1, "Galileo saw rings.")]),
    )
    assert agent.ask("Who saw rings?").text == "Galileo saw rings. [1]"


def test_a_failing_call_ends_its_span(sample: Snapshot, spans: object) -> None:
    usage = Usage(calls=1)
    model = ScriptedModel(lambda _: Completion(text="no plan", usage=usage), name="m2")
    agent = Agent(snapshot=sample, model=model, retriever=WordRetriever([]))
    assert agent.ask("Who saw rings?").abstained
    names = [span.name for span in spans.get_finished_spans()]  # type: ignore[attr-defined]
    assert "chat m2" in names
