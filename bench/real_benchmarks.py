"""Run the published files of three benchmarks whole, kill the run again and again, and go on.

    python bench/real_files.py DATA [NAME…] [--limit N]

DATA holds `compound-qa/`, `chinese/chinese_simpleqa.jsonl` and `multihop/`. For every NAME (all by
default) the questions are put to a scripted model on loopback by the command line, once unbroken and
once with `kill -9` at five moments drawn from the run's own progress; then both are scored by a
scripted judge, exported and scored again. Prints what each came to; ends with 1 where a killed run
differs from the unbroken one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from evals.metrics.winrate import LEVELS  # noqa: E402
from tests.fake_server import FakeServer  # noqa: E402
from tests.fakes import Asked  # noqa: E402

CASES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "compound": ("compound", "compound-qa", ("--prompting", "vanilla")),
    "compound-both": ("compound", "compound-qa", ("--prompting", "cot", "--option", "form=both")),
    "compound-positions": (
        "compound",
        "compound-qa",
        ("--prompting", "few-shot", "--option", "form=positions"),
    ),
    "ccmor": (
        "ccmor",
        "chinese/chinese_simpleqa.jsonl",
        ("--prompting", "direct-zh-zero", "--setting", "closed"),
    ),
    "musique": (
        "cofca",
        "multihop/musique-100.json",
        ("--edition", "musique", "--prompting", "cot", "--option", "sub_questions=with"),
    ),
    "morehopqa": (
        "cofca",
        "multihop/morehopqa-150.json",
        ("--edition", "morehopqa", "--prompting", "cot"),
    ),
    "hotpotqa": (
        "cofca",
        "multihop/hotpotqa-distractor-100.jsonl",
        ("--edition", "hotpotqa", "--prompting", "cot"),
    ),
}
KILLS = 5


def mind(asked: Asked) -> str:
    """Say something that depends on the request alone, in the form that the prompt asks for."""
    digest = hashlib.sha256(asked.text.encode()).digest()
    if "Verdict: A=B" in asked.text:
        return f"Reasons.\nVerdict: {LEVELS[digest[0] % 5]}"
    if "Verdict: 1" in asked.text:
        return f"Verdict: {digest[0] % 2}"
    if "判定：正确" in asked.text:
        return ("判定：正确", "判断：错误")[digest[0] % 2]
    words = asked.text.split()
    some = " ".join(words[digest[1] % len(words) :][:30])
    if "<答案>" in asked.text:
        return f"<答案>{some[:12]}</答案>"
    return f"{some}\nAnswer 1: {some[:20]}\nAnswer 2: {some[20:30]}\nFinal answer: {some[:20]}"


def command(case: tuple[str, str, tuple[str, ...]], data: Path, url: str, out: Path) -> list[str]:
    """Return the command line that runs a case."""
    benchmark, place, options = case
    return [
        *(sys.executable, "-m", "evals", "run", benchmark, "--data", str(data / place)),
        *("--out", str(out), "--model", "scripted", "--base-url", url, "--concurrency", "8"),
        *options,
    ]


def run(arguments: list[str], url: str) -> str:
    """Run a command to its end and return its standard output.

    Raises:
        SystemExit: it failed; its standard error is shown.
    """
    done = subprocess.run(
        arguments, cwd=ROOT, capture_output=True, text=True, env=environment(url), check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}\nended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def environment(url: str) -> dict[str, str]:
    """Return this process's environment with a key for the loopback server."""
    return {**os.environ, "OPENAI_API_KEY": "none", "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def killed(arguments: list[str], url: str, out: Path, total: int, rng: random.Random) -> list[int]:
    """Run a command, kill it at five moments of its progress, and let the last one end.

    Returns:
        The number of questions that were done when each kill fell.
    """
    moments = sorted(rng.sample(range(1, total), min(KILLS, total - 1)))
    fallen: list[int] = []
    for moment in moments:
        process = subprocess.Popen(
            arguments,
            cwd=ROOT,
            env=environment(url),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while process.poll() is None and lines(out / "predictions.jsonl") < moment:
            time.sleep(0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            fallen.append(lines(out / "predictions.jsonl"))
    run(arguments, url)
    return fallen


def lines(path: Path) -> int:
    """Return how many whole lines a file has."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def outcome(out: Path, name: str) -> dict[str, Any]:
    """Return what a file of a run says of every question, without times and costs."""
    found = {}
    for line in (out / name).read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        key = f"{record['sample_id']} {record['epoch']}"
        if name == "predictions.jsonl":
            record = {"error": record["error"], "response": (record["response"] or {}).get("text")}
        found[key] = record
    return found


def score(out: Path, url: str) -> None:
    """Score a run with a panel of three scripted judges."""
    judges = [word for n in range(3) for word in ("--judge", f"judge-{n}")]
    if json.loads((out / "config.json").read_text())["config"]["benchmark"] != "ccmor":
        judges = judges[:2]
    run(
        [sys.executable, "-m", "evals", "score", str(out), *judges, "--judge-base-url", url],
        url,
    )


def main() -> None:
    """Run the chosen cases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", default=list(CASES))
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    failed = False
    for name in options.names:
        with FakeServer(mind) as server, tempfile.TemporaryDirectory() as folder:
            limit = ["--limit", str(options.limit)] if options.limit else []
            whole, broken = Path(folder) / "whole", Path(folder) / "broken"
            began = time.perf_counter()
            run([*command(CASES[name], options.data, server.url, whole), *limit], server.url)
            took = time.perf_counter() - began
            calls = len(server.requests)
            total = lines(whole / "predictions.jsonl")
            arguments = [*command(CASES[name], options.data, server.url, broken), *limit]
            fallen = killed(arguments, server.url, broken, total, rng)
            repeated = len(server.requests) - 2 * calls
            for out in (whole, broken):
                score(out, server.url)
                written = run([sys.executable, "-m", "evals", "export", str(out)], server.url)
            same = all(
                outcome(whole, file) == outcome(broken, file)
                for file in ("predictions.jsonl", "scores.jsonl")
            )
            found = outcome(whole, "predictions.jsonl")
            errors = sum(one["error"] is not None for one in found.values())
            faults = len(server.faults)
            exported = len(written.splitlines())
            failed |= not same or bool(errors or faults) or exported != total
            print(
                f"{name}: {total} questions, {calls} calls in {took:.0f} s, {errors} failed, "
                f"{faults} requests refused; killed at {fallen}, {repeated} calls repeated, "
                f"{'the same' if same else 'OTHER'} answers and scores; {exported} exported",
                flush=True,
            )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
