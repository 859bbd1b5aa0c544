"""How long a newcomer waits: --help, the first question on a fresh machine, the second.

    python bench/first_answer.py [--repeat 3] [--question "…"]

The first question builds the embedded sample's snapshot and index into an empty cache folder; the
second finds them there. Processor seconds stand beside the wall clock's, which other programs on
the machine lengthen. The bounds are those of the project: 0.6 s, 120 s, 12 s (aim 4 s).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
QUESTION = (
    "Which of the eight planets have more than ten known moons, "
    "and who discovered the largest moon of each?"
)


def run(arguments: list[str], environment: Mapping[str, str]) -> tuple[float, float, str]:
    """Return wall seconds, processor seconds and standard output of one run of the program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "run_agent.py", *arguments],
        cwd=ROOT,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=True,
    )
    wall = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used, done.stdout


def row(name: str, bound: float, wall: float, used: float, more: str = "") -> None:
    """Print one line of the table."""
    print(f"{name:28} {bound:7.1f}s {wall:8.2f}s {used:9.2f}s  {more}", flush=True)


def told(printed: str) -> str:
    """Return what an answer holds, in a few words."""
    value = json.loads(printed)
    steps = value["sub_questions"]
    answered = sum(step["status"] == "answered" for step in steps)
    return f"{answered} of {len(steps)} sub-questions answered, {len(value['citations'])} citations"


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--question", default=QUESTION)
    chosen = options.parse_args()
    print(f"{'':28} {'bound':>8} {'wall':>9} {'processor':>10}")
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("FANFOLD_")
        }
        environment |= {
            "XDG_CACHE_HOME": str(Path(folder) / "cache"),
            "XDG_STATE_HOME": str(Path(folder) / "state"),
        }
        helped = [run(["--help"], environment)[:2] for _ in range(chosen.repeat)]
        row("--help", 0.6, *(statistics.median(column) for column in zip(*helped, strict=True)))
        wall, used, printed = run([chosen.question, "--json"], environment)
        row("first question", 120.0, wall, used, told(printed))
        later = [run([chosen.question, "--json"], environment) for _ in range(chosen.repeat)]
        wall = statistics.median(one[0] for one in later)
        used = statistics.median(one[1] for one in later)
        row("second question", 12.0, wall, used, told(later[-1][2]))
        short = [
            run(["Who discovered Titan?", "--json"], environment) for _ in range(chosen.repeat)
        ]
        wall = statistics.median(one[0] for one in short)
        used = statistics.median(one[1] for one in short)
        row("second question, a short one", 12.0, wall, used, told(short[-1][2]))


if __name__ == "__main__":
    main()
