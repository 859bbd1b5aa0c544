"""Runs a benchmark in forked processes, kills them again and again, goes on; prints JSON lines.

    python -m tests.integration.evals_in_forks URL FOLDER SNAPSHOT ROUNDS KILLS SEED

Run by `test_run_killed.py` in a process of its own: everything is imported once, before the first
fork, so that a killed run costs milliseconds and the moments fall where the work is.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import agent.graph.assembly
import agent.llm.openai
import agent.prompted
from agent.settings import Settings
from evals.benchmarks import BENCHMARKS
from evals.metrics.lemma import default_lemmatiser
from evals.ports import Judges
from evals.runs.matrix import run_matrix
from evals.runs.models import Endpoint
from evals.runs.samples import score_run
from evals.runs.sources import Sources
from evals.types import RunConfig
from retrieval.bm25.compiled.native import load_kernels

IMPORTED = (agent.graph.assembly, agent.llm.openai, agent.prompted, Settings)
SAMPLE = Path(__file__).parents[2] / "evals/sample/fanoutqa-dev.json"
STRATEGIES = ("baseline", "agentic")
QUESTIONS = 40
SHORTEST = 0.3
"""Seconds a process has at the least: what it takes to start, on a busy machine, is not the run."""


def write_questions(path: Path) -> None:
    """Write the sample's gold steps, each different, as questions of their own."""
    found: dict[str, dict[str, Any]] = {}

    def collect(steps: list[dict[str, Any]]) -> None:
        for step in steps:
            if step["answer"]:
                item = {"id": f"s{len(found)}", "question": step["question"]}
                item |= {"decomposition": [], "answer": step["answer"], "categories": ["x"]}
                found.setdefault(step["question"], item)
            collect(step["decomposition"])

    for item in json.loads(SAMPLE.read_text(encoding="utf-8")):
        collect(item["decomposition"])
    path.write_text(json.dumps(list(found.values())[:QUESTIONS]), encoding="utf-8")


def run(url: str, snapshot: Path, data: Path, out: Path) -> None:
    """Do what `evals run` does: run both strategies and score each."""
    fanoutqa = BENCHMARKS["fanoutqa"]
    config = RunConfig(
        benchmark=fanoutqa.name,
        style=fanoutqa.style,
        split="dev",
        edition="sample",
        setting="open",
        strategy="baseline",
        model="m",
        k=3,
    )
    sources = Sources(
        benchmark=fanoutqa,
        data=data,
        snapshot=snapshot,
        endpoint=Endpoint(model="m", base_url=url),
    )
    for folder in run_matrix(config, sources, out, ways={"strategy": STRATEGIES}, concurrency=8):
        score_run(folder, Judges())


def in_fork(
    url: str, snapshot: Path, data: Path, out: Path, kill_after: float | None
) -> tuple[bool, float]:
    """Run in a child process; return whether it came to its end, and when it was over."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            run(url, snapshot, data, out)
            status = 0
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(status)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    over = time.time()
    _, status = os.waitpid(child, 0)
    return status == 0, over


def main() -> None:
    url, base, snapshot = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    rounds, kills, seed = map(int, sys.argv[4:7])
    data = base / "questions.json"
    write_questions(data)
    default_lemmatiser()
    # In a child: what an index starts in threads must not be there when the others fork.
    builder = os.fork()
    if builder == 0:
        load_kernels()
        os._exit(0)
    os.waitpid(builder, 0)
    chance = random.Random(seed)
    seconds = 0.0
    for number in range(rounds + 1):
        out = base / f"round{number}"
        begun = time.time()
        moments = []
        for _ in range(kills if number else 0):
            over, at = in_fork(
                url, snapshot, data, out, chance.uniform(SHORTEST, 2 * seconds / kills)
            )
            moments.append(at)
            if over:
                break
        ended, _ = in_fork(url, snapshot, data, out, None)
        if not number:
            seconds = time.time() - begun
        line = {"out": str(out), "begun": begun, "kills": moments, "ended": time.time()}
        sys.stdout.write(json.dumps({**line, "whole": ended}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
