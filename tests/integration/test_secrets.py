"""A key, wherever a question leaves traces: in no file, log, answer or error."""

from __future__ import annotations

import io
import logging
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict
from pathlib import Path

import pytest

from agent import Agent
from agent.graph.parts import Wiring
from agent.llm.retries import RetryPolicy
from agent.settings import Settings
from corpus.errors import BackendError
from corpus.sample import sample_snapshot
from corpus.store import Snapshot
from retrieval.index import ensure_built, open_retriever
from tests.fake_server import Misbehaviour, Trouble, refusal, serving
from tests.fakes import FaithfulMind

KEY = "sk-very-secret-0123456789"
QUESTION = "Who discovered the largest moon of Neptune?"


def telling(how: Misbehaviour, times: int) -> Trouble:
    return lambda number, _: how if number < times else None


@pytest.mark.parametrize(
    ("how", "times"),
    [
        (Misbehaviour(status=500, body=f"no such user {KEY}"), 2),
        (Misbehaviour(status=503, body=f"no such user {KEY}"), 999),
        (refusal(401, f"Incorrect API key provided: {KEY}"), 999),
        (refusal(400, f"cannot read the header Bearer {KEY}"), 999),
    ],
)
async def test_a_key_leaves_no_trace(
    how: Misbehaviour,
    times: int,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(
        "agent.llm.openai.RetryPolicy", lambda: RetryPolicy(retries=2, first_wait=0.01)
    )
    printed, said = io.StringIO(), ""
    with Snapshot.open(sample_snapshot("en")) as snapshot:
        ensure_built(snapshot.folder, "bm25")
        with serving(FaithfulMind(), trouble=telling(how, times), key=KEY) as server:
            wiring = Wiring(
                snapshot=snapshot,
                retriever=open_retriever(snapshot.folder, "bm25"),
                api_key=KEY,
                calls=tmp_path / "calls.sqlite",
            )
            settings = Settings(model="m", base_url=server.url)
            agent = Agent(
                settings=settings, wiring=wiring, checkpoints=tmp_path / "checkpoints.sqlite"
            )
            with redirect_stdout(printed), redirect_stderr(printed):
                try:
                    answer = await agent.aask(QUESTION)
                    said = repr(answer) + str(asdict(answer))
                    assert times == 2
                except BackendError as error:
                    said = repr(error) + str(error)
                    assert times == 999
    assert server.requests
    assert said
    for text in (said, printed.getvalue(), caplog.text, repr(agent), repr(agent.settings)):
        assert KEY not in text
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 2
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path
