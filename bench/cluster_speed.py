"""What Ray costs and how work scales: builds by one and two workers, runs against a slow server.

    python bench/cluster_speed.py [--megabytes 60] [--questions 200] [--what build run]

The build: as in build_speed.py, a multistream dump of real pages repeated, extracted by processes of
this machine and by Ray actors. Ray's own time (starting, joining, ending) is told apart. The run:
questions in the closed setting, one call each, of a server that takes half a second and so many
at once; its capacity is what it would answer in the time that the run took.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]
LATENCY = 0.5
PLACES = 2
"""Calls that the server takes at once for each worker there is: its capacity grows with them."""
AT_ONCE = 5
"""Samples on each worker: more than places, so that none is empty while a sample ends."""


def measure_builds(data: Path, megabytes: float, work: Path) -> None:
    """Print how long builds take."""
    from build_speed import real_pages, write_export

    from corpus.builder.snapshot import build_snapshot
    from corpus.cluster.ray import RayCluster

    dump, size = write_export(work, real_pages(data / "dumps"), int(megabytes * 1e6))
    out = work / "out"
    spent: dict[tuple[str, int], float] = {}
    for kind in ("processes", "ray"):
        for workers in (1, 2):
            shutil.rmtree(out, ignore_errors=True)
            there = RayCluster.join("ray", workers) if kind == "ray" else None
            began = time.perf_counter()
            build_snapshot(
                [dump], out, date="2022-01-01", name="wiki", cluster=there, workers=workers
            )
            spent[kind, workers] = seconds = time.perf_counter() - began
            print(
                f"build, {kind:9} {workers}: {seconds:6.1f} s, {size / 1e6 / seconds:5.2f} MB/s",
                flush=True,
            )
    for kind in ("processes", "ray"):
        print(
            f"build, {kind:9} two workers are {spent[kind, 1] / spent[kind, 2]:.2f} times as fast as one"
        )
    for workers in (1, 2):
        more = spent["ray", workers] - spent["processes", workers]
        print(f"build, {workers}: Ray takes {more:.1f} s more than processes of this machine")


def measure_runs(questions: int, work: Path) -> None:
    """Print how much of a server's capacity runs use."""
    import json

    from agent.llm.limits import Limits
    from corpus.cluster.ray import RayCluster
    from evals.benchmarks import BENCHMARKS
    from evals.runs.matrix import run_matrix
    from evals.runs.models import Endpoint
    from evals.runs.sources import Sources
    from evals.types import RunConfig
    from tests.fake_server import serving
    from tests.fakes import FaithfulMind

    fanoutqa = BENCHMARKS["fanoutqa"]
    for workers in (1, 2, 4):
        count = questions * workers
        items = [
            {"id": f"q{n}", "question": f"Who was number {n}?", "decomposition": [], "answer": "x",
             "categories": ["x"]}
            for n in range(count)
        ]  # fmt: skip
        data = work / f"{workers}.json"
        data.write_text(json.dumps(items), encoding="utf-8")
        config = RunConfig(
            benchmark="fanoutqa", style=fanoutqa.style, split="dev", edition="sample",
            setting="closed", strategy="baseline", model="m", k=3,
        )  # fmt: skip
        with serving(FaithfulMind(), latency=LATENCY) as server:
            arrivals: list[float] = []
            mind = server.mind
            server.mind = lambda asked, arrivals=arrivals, mind=mind: (
                arrivals.append(time.perf_counter()) or mind(asked)
            )
            limits = Limits(concurrency=PLACES * workers)
            endpoint = Endpoint(model="m", base_url=server.url, limits=limits)
            began = time.perf_counter()
            list(
                run_matrix(
                    config, Sources(benchmark=fanoutqa, data=data, endpoint=endpoint), work / f"run-{workers}",
                    concurrency=AT_ONCE, cluster=RayCluster.join("ray", workers),
                )
            )  # fmt: skip
            whole = time.perf_counter() - began
            busy = max(arrivals) - min(arrivals)
        ideal = LATENCY * count / (PLACES * workers)
        print(
            f"run, {workers} workers: {count} calls in {busy:5.1f} s of asking ({whole:5.1f} s with starting),"
            f" {100 * ideal / (busy + LATENCY):3.0f} % of the {PLACES * workers} places' capacity",
            flush=True,
        )


def main() -> None:
    """Measure and print."""
    from tests.ray_nodes import nodes

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--megabytes", type=float, default=60)
    parser.add_argument("--questions", type=int, default=60, help="for each worker")
    parser.add_argument("--what", nargs="+", choices=["build", "run"], default=["build", "run"])
    arguments = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as name, nodes(2, processors=2):
        print(
            f"Ray: {time.perf_counter() - began:.1f} s until two nodes had started; {os.cpu_count()} cores"
        )
        if "build" in arguments.what:
            measure_builds(arguments.data, arguments.megabytes, Path(name))
        if "run" in arguments.what:
            measure_runs(arguments.questions, Path(name))


if __name__ == "__main__":
    main()
