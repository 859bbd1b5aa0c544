"""Asks one question again and again in forked processes, kills some, resumes them; prints JSON lines.

    python -m tests.integration.agent_in_forks URL FOLDER MOMENTS SEED LATENCY

Run by `test_agent_killed.py` in a process of its own: everything is imported once, before the first
fork, so that a killed run costs milliseconds. A run is killed some random time after a random event
of its work, so that the moments fall inside the work however busy the machine is; several runs go
on side by side, each with a model of its own name.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import agent.graph.assembly
import agent.llm.openai
import agent.prompted
from agent import Agent, events
from agent.graph.record.runlog import RunLog
from agent.llm import open_model
from agent.llm.calls import CallCache
from corpus import Snapshot
from corpus.errors import InputError
from corpus.sample import sample_snapshot
from tests.reasoners import WordRetriever, chunk
from tests.settling import settle

QUESTION = "What are the colours of the twelve stones?"
STONES = [f"stone {name}" for name in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")] + [
    f"stone {name}" for name in ("eta", "theta", "iota", "kappa", "lambda", "omega")
]
IMPORTED = (agent.graph.assembly, agent.llm.openai, agent.prompted)


def plan() -> list[str]:
    return [f"What is the colour of {stone}?" for stone in STONES]


EVENTS = 29
"""Begun, PlanMade, Searching, 12 times started and ended, Composing, and the end."""
LANES = 5


def open_agent(url: str, folder: Path, model: str) -> Agent:
    chunks = [
        chunk(number, f"The colour of {stone} is shade number {number}.", f"Plate {number}")
        for number, stone in enumerate(STONES, start=1)
    ]
    return Agent(
        snapshot=Snapshot.open(sample_snapshot("en")),
        model=open_model(model, url, None, cache=folder / "calls.sqlite"),
        retriever=WordRetriever(chunks),
        checkpoints=folder / "runs.sqlite",
    )


def run(url: str, folder: Path, model: str, run_id: str | None, events_to: int) -> dict[str, Any]:
    """Ask, or resume `run_id`, and return what the answer says; one byte goes out for each event."""

    async def last() -> events.Answered:
        opened = open_agent(url, folder, model)
        stream = opened.events(QUESTION, run_id="r1") if run_id is None else opened.resume(run_id)
        async for event in stream:
            os.write(events_to, b".")
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


def replies_kept(folder: Path) -> int:
    """How many replies the file of calls holds."""
    file = folder / "calls.sqlite"
    return len(CallCache(file, read_only=True)) if file.is_file() else 0


def in_fork(
    url: str, folder: Path, model: str, run_id: str | None, kill_at: tuple[int, float] | None
) -> tuple[dict[str, Any] | None, float]:
    """Run in a child process; return what it found, and when it was over.

    Args:
        kill_at: events after which it is killed, and seconds after those.
    """
    out = folder / "said.json"
    folder.mkdir(parents=True, exist_ok=True)
    out.unlink(missing_ok=True)
    events_from, events_to = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(events_from)
        status = 1
        try:
            found = run(url, folder, model, run_id, events_to)
            out.write_text(json.dumps(found), encoding="utf-8")
            status = 0
        finally:
            os._exit(status)
    os.close(events_to)
    seen = 0
    while (kill_at is None or seen < kill_at[0]) and (told := os.read(events_from, 1)):
        seen += len(told)
    if kill_at is not None:
        time.sleep(kill_at[1])
        os.kill(child, signal.SIGKILL)
    over = time.time()
    os.waitpid(child, 0)
    os.close(events_from)
    whole = kill_at is None and out.is_file()
    return (json.loads(out.read_text(encoding="utf-8")) if whole else None), over


def killed_once(url: str, folder: Path, model: str, kill_at: tuple[int, float]) -> dict[str, Any]:
    """Ask, kill, resume; return what the answer says and when what happened."""
    _, killed_at = in_fork(url, folder, model, None, kill_at)
    settle(url)
    kept, resumed_at = replies_kept(folder), time.time()
    answer, _ = in_fork(url, folder, model, "r1" if was_noted(folder) else None, None)
    return {
        "model": model,
        "moment": kill_at,
        "killed_at": killed_at,
        "resumed_at": resumed_at,
        "kept": kept,
        "kept_in_the_end": replies_kept(folder),
        "answer": answer,
    }


def main() -> None:
    url, base, moments, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    latency = float(sys.argv[5])
    whole, _ = in_fork(url, base / "whole", "whole", None, None)
    say({"model": "whole", "answer": whole})
    chance = random.Random(seed)
    with ProcessPoolExecutor(LANES, mp_context=get_context("fork")) as lanes:
        under_way = [
            lanes.submit(
                killed_once,
                url,
                base / f"m{number}",
                f"m{number}",
                (chance.randrange(EVENTS), chance.uniform(0, latency)),
            )
            for number in range(moments)
        ]
        for one in under_way:
            say(one.result())


def say(values: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
