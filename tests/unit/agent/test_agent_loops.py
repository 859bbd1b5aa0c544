"""Asking from inside a running event loop, as a notebook's cell does."""

from __future__ import annotations

import asyncio

import pytest

from agent import Agent
from corpus import Snapshot
from corpus.machine.loops import run_to_end
from tests.reasoners import ScriptedReasoner, WordRetriever, chunk, core


async def test_a_cell_of_a_notebook_asks_without_awaiting(sample: Snapshot) -> None:
    asyncio.get_running_loop()
    agent = Agent(
        snapshot=sample,
        reasoner=ScriptedReasoner(steps=[core("1", "Who saw rings?")]),
        retriever=WordRetriever([chunk(1, "Galileo saw rings.")]),
    )
    assert agent.ask("Who saw rings?").text == "Galileo saw rings. [1]"


async def test_what_fails_there_is_raised_here() -> None:
    async def fails() -> None:
        raise ValueError("in the thread")

    with pytest.raises(ValueError, match="in the thread"):
        run_to_end(fails())
