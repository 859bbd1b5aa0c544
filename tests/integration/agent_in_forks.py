"""Asks one question again and again in forked processes, kills some, resumes them; prints JSON lines.

    python -m tests.integration.agent_in_forks URL FOLDER MOMENTS SEED

Run by `test_agent_killed.py` in a process of its own: everything is imported once, before the first
fork, so that a killed run costs milliseconds and the moments fall where the work is.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import agent.graph
import agent.llm.openai
import agent.prompted
from agent import Agent, events
from agent.llm import open_model
from agent.runs import RunLog
from corpus import Snapshot
from corpus.errors import InputError
from corpus.sample import sample_snapshot
from tests.reasoners import WordRetriever, chunk

QUESTION = "What are the colours of the twelve stones?"
STONES = [f"stone {name}" for name in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")] + [
    f"stone {name}" for name in ("eta", "theta", "iota", "kappa", "lambda", "omega")
]
IMPORTED = (agent.graph, agent.llm.openai, agent.prompted)


def plan() -> list[str]:
    return [f"What is the colour of {stone}?" for stone in STONES]


def open_agent(url: str, folder: Path) -> Agent:
    model = open_model("m", url, None, cache=folder / "calls.sqlite")
    chunks = [
        chunk(number, f"The colour of {stone} is shade number {number}.", f"Plate {number}")
        for number, stone in enumerate(STONES, start=1)
    ]
    return Agent(
        snapshot=Snapshot.open(sample_snapshot("en")),
        model=model,
        retriever=WordRetriever(chunks),
        checkpoints=folder / "runs.sqlite",
    )


def run(url: str, folder: Path, run_id: str | None) -> dict[str, Any]:
    """Ask, or resume `run_id`, and return what the answer says."""

    async def last() -> events.Answered:
        opened = open_agent(url, folder)
        stream = opened.events(QUESTION, run_id="r1") if run_id is None else opened.resume(run_id)
        async for event in stream:
            if isinstance(event, events.Answered):
                return event
        raise AssertionError("no answer")

    answer = asyncio.run(last()).answer
    return {
        "text": answer.text,
        "citations": [[one.number, one.chunk_id, one.quote] for one in answer.citations],
        "sub_answers": [[one.sub_question_id, one.status, one.text] for one in answer.sub_answers],
        "calls": answer.usage.calls,
    }


def was_noted(folder: Path) -> bool:
    """Whether the run had come so far that its id was told."""
    try:
        RunLog(folder / "runs.sqlite").find("r1")
    except InputError:
        return False
    return True


def in_fork(url: str, folder: Path, run_id: str | None, kill_after: float | None) -> Any:
    """Run in a child process; return what it found, or the time at which it was killed."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        status = 1
        try:
            with os.fdopen(write, "w") as out:
                json.dump(run(url, folder, run_id), out)
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    killed_at = None
    if kill_after is not None:
        time.sleep(kill_after)
        killed_at = time.time()
        os.kill(child, signal.SIGKILL)
    with os.fdopen(read) as said:
        text = said.read()
    os.waitpid(child, 0)
    try:
        return {"answer": json.loads(text), "killed_at": killed_at}
    except json.JSONDecodeError:
        return {"answer": None, "killed_at": killed_at}


def main() -> None:
    url, base, moments, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    begun = time.time()
    whole = in_fork(url, base / "whole", None, None)
    seconds = time.time() - begun
    say(moment=None, **whole, begun=begun, ended=time.time())
    chance = random.Random(seed)
    for number in range(moments):
        folder = base / f"killed{number}"
        begun = time.time()
        kill_after = chance.uniform(0.02, seconds)
        cut = in_fork(url, folder, None, kill_after)
        noted = was_noted(folder)
        resumed = in_fork(url, folder, "r1" if noted else None, None)
        say(
            moment=kill_after,
            killed_at=cut["killed_at"],
            answer=resumed["answer"],
            begun=begun,
            ended=time.time(),
        )


def say(**values: object) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
