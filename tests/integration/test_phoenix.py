"""Phoenix shows one question's spans as a tree that matches the answer's."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent import Agent, telemetry

pytest.importorskip("opentelemetry.sdk")
otlp = pytest.importorskip("opentelemetry.exporter.otlp.proto.http.trace_exporter")

PHOENIX = os.environ.get("FANFOLD_PHOENIX") or shutil.which("phoenix")
pytestmark = pytest.mark.skipif(
    not PHOENIX, reason="no command phoenix: pip install arize-phoenix in an environment of its own"
)
QUESTION = "Which of the eight planets have more than ten known moons?"


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Phoenix on loopback; its address."""
    with socket.socket() as free, socket.socket() as other:
        free.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        port, grpc = free.getsockname()[1], other.getsockname()[1]
    place = tmp_path_factory.mktemp("phoenix")
    environment = {
        **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(grpc),
        "PHOENIX_WORKING_DIR": str(place),
        "PHOENIX_TELEMETRY_ENABLED": "false",
    }
    assert PHOENIX
    with (place / "log").open("wb") as log:
        process = subprocess.Popen([PHOENIX, "serve"], env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _await(address, process, place / "log")
        yield address
    finally:
        process.terminate()
        process.wait(20)


def _await(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    ends = time.monotonic() + 120
    while time.monotonic() < ends:
        assert process.poll() is None, log.read_text("utf-8")[-2000:]
        try:
            if httpx.get(f"{address}/healthz", timeout=2).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.3)
    pytest.fail(log.read_text("utf-8")[-2000:])


def spans_of(address: str, count: int) -> list[dict[str, Any]]:
    """All spans of the default project, once Phoenix has stored that many."""
    ends = time.monotonic() + 30
    found: list[dict[str, Any]] = []
    while len(found) < count and time.monotonic() < ends:
        reply = httpx.get(f"{address}/v1/projects/default/spans", params={"limit": 1000})
        found = reply.json()["data"] if reply.status_code == 200 else []
        time.sleep(0.2)
    return found


def test_phoenix_shows_the_tree_of_an_answer(phoenix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    provider, kept = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    exporter = otlp.OTLPSpanExporter(endpoint=f"{phoenix}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    monkeypatch.setattr(telemetry, "_with_text", True)
    answer = Agent().ask(QUESTION)
    assert provider.force_flush(30_000)
    sent = kept.get_finished_spans()
    provider.shutdown()

    shown = spans_of(phoenix, len(sent))
    assert len(shown) == len(sent)
    by_id = {span["context"]["span_id"]: span for span in shown}
    [root] = [span for span in shown if span["parent_id"] is None]
    assert root["name"] == "invoke_agent fanfold"
    assert QUESTION in root["attributes"]["gen_ai.input.messages"]
    said = json.loads(root["attributes"]["gen_ai.output.messages"])
    assert said[0]["parts"][0]["content"] == answer.text

    kinds = Counter(span["span_kind"] for span in shown)
    assert kinds["AGENT"] == 1
    assert set(kinds) == {"AGENT", "CHAIN", "RETRIEVER", "TOOL"}, "shown as what they are"

    # Below the root stand the answer's steps, no more and no fewer, each of its sub-question.
    steps = [span for span in shown if span["parent_id"] == root["context"]["span_id"]]
    assert Counter(map(place, steps)) == Counter(
        (f"fanfold.{step.name}", step.sub_question_id) for step in answer.trace
    )
    status = {one.sub_question_id: one.status for one in answer.sub_answers}
    answered = [span for span in steps if span["name"] == "fanfold.answer"]
    assert len(answered) > 8, "which they are, and of each planet its moons"
    for span in answered:
        told = span["attributes"]
        assert told["fanfold.status"] == status[told["fanfold.sub_question.id"]]

    # Every search stands under the step that made it, with ids and scores of what was found.
    searches = [span for span in shown if span["span_kind"] == "RETRIEVER"]
    tools = [span for span in shown if span["span_kind"] == "TOOL"]
    assert len(searches) + len(tools) + len(steps) + 1 == len(shown)
    made = {by_id[span["parent_id"]]["name"] for span in searches}
    assert (
        {"fanfold.plan", "fanfold.search"}
        <= made
        <= {
            "fanfold.plan",
            *("fanfold.search", "fanfold.answer", *(span["name"] for span in tools)),
        }
    )
    found = set()
    for span in searches:
        documents = json.loads(span["attributes"]["gen_ai.retrieval.documents"])
        scores = [one["score"] for one in documents]
        assert scores == sorted(scores, reverse=True)
        assert span["attributes"]["gen_ai.retrieval.query.text"]
        found |= {one["id"] for one in documents}
    cited = {one.chunk_id for one in answer.citations}
    assert cited <= found | {hit.chunk.id for hit in answer.hits}
    assert cited & found


def place(span: dict[str, Any]) -> tuple[str, str | None]:
    """What a step was, and of which sub-question."""
    return span["name"], span["attributes"].get("fanfold.sub_question.id")
