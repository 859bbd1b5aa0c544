"""Hostile requests: no stack trace, no undocumented status, no wait over its limit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from agent.serve.access.tokens import make_token
from agent.serve.options import Options
from agent.settings import Settings
from tests.hostile_clients import strike
from tests.hostile_requests import TOKEN
from tests.serving import Running, serving


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    options = Options(
        tokens=(make_token(TOKEN),),
        settings=Settings(strategy="baseline"),
        patience=2.0,
        seconds=2.0,
    )
    with serving(options) as server:
        yield server


def test_hostile_requests_are_refused_in_good_order(running: Running) -> None:
    borne = asyncio.run(strike(running.port, 108, seed=7, limit=60, at_once=108))
    assert not borne.faults, "\n".join(borne.faults)
    running.settle()
    with running.client(headers={"authorization": f"Bearer {TOKEN}"}) as client:
        answer = client.post("/v1/ask", json={"question": "Who discovered Titan?"})
    assert "Huygens" in answer.json()["answer"]
