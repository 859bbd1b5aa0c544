"""From a fresh clone to a first answer, and a later one: seconds, and what is installed.

    python bench/first_answer.py [--python python3] [--cached]

Clones this repository's last commit twice. The first set-up leaves every package in pip's
cache; the second, in an environment and caches of its own, is timed, then a one-step question in
the environment it leaves, the best of three. Bounds: 60 s, 500 MB, 2.5 s.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIRST = (
    "Which of the eight planets have more than ten known moons, and who discovered the largest "
    "moon of each?"
)
LATER = "Who discovered the largest moon of Saturn?"


def clone(place: Path) -> dict[str, str]:
    """Clone into a folder and return an environment whose caches are in it."""
    subprocess.run(["git", "clone", "--quiet", ROOT, place], check=True)
    caches = {name: str(place / ".home") for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME")}
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    pip = subprocess.run(["python3", "-m", "pip", "cache", "dir"], capture_output=True, text=True)
    return {**kept, **caches, "PIP_CACHE_DIR": pip.stdout.strip()}


def run(command: list[str], place: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Run a command to its end; return seconds of the clock and of the processor."""
    before, began = os.times(), time.perf_counter()
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
    took, after = time.perf_counter() - began, os.times()
    if done.returncode:
        raise SystemExit(done.stderr)
    used = after.children_user + after.children_system
    return took, used - before.children_user - before.children_system


def megabytes(folder: Path) -> float:
    """Return the size of a folder's files."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 1e6


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", default="python3", help="for `make PYTHON=…`")
    parser.add_argument("--cached", action="store_true", help="pip's cache is filled already")
    arguments = parser.parse_args()
    make = ["make", f"PYTHON={arguments.python}"]
    with tempfile.TemporaryDirectory(prefix="first-answer-") as scratch:
        if not arguments.cached:
            place = Path(scratch) / "before"
            run([*make, ".venv/.installed-core"], place, clone(place))
        place = Path(scratch) / "clone"
        environment = clone(place)
        install = run([*make, ".venv/.installed-core"], place, environment)
        size = megabytes(place / ".venv")
        answer = run([*make, "ask", f"Q={FIRST}"], place, environment)
        command = [str(place / ".venv/bin/python"), "run_agent.py", LATER]
        later = min(run(command, place, environment) for _ in range(3))
        for name, (took, used) in (
            ("set-up", install),
            ("first answer after it", answer),
            ("a later question", later),
        ):
            print(f"{name:24}{took:7.1f} s{used:7.1f} s of processor")
        print(f"{'together':24}{install[0] + answer[0]:7.1f} s (bound 60)")
        print(f"{'installed':24}{size:7.0f} MB (bound 500)")


if __name__ == "__main__":
    main()
