"""What Ray costs and how work scales: builds by one and two workers, runs against a slow server.

    python bench/cluster_speed.py [--megabytes 60] [--questions 60] [--what build run]
                                  [--by processes ray] [--workers 1 2 4]

The build: as in build_speed.py, a multistream dump of real pages repeated, extracted by processes of
this machine and by Ray actors. What starting the workers takes is told apart: the rate counts from
the first result on. Beside it, the processor time of this process, of the workers and of Ray's own
processes, from the first result to the last: the clock is disturbed by other programs, and on a
machine at rest bounded by the busiest process. The run:
questions in the closed setting, one call each, of a server that takes half a second and so many
at once; its capacity is what it would answer in the time that the run took.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]
EVERY = 0.5
"""Seconds between two looks at the processor time."""
Spent = dict[int, tuple[str, float]]
"""By the id of a process its kind, and the seconds of the processor that it took."""
LATENCY = 0.5
PLACES = 2
"""Calls that the server takes at once for each worker there is: its capacity grows with them."""
AT_ONCE = 5
"""Samples on each worker: more than places, so that none is empty while a sample ends."""


def measure_builds(data: Path, megabytes: float, work: Path, kinds: Sequence[str]) -> None:
    """Print how long builds take."""
    from build_speed import real_pages, write_export

    from corpus.builder.pipeline import Progress
    from corpus.builder.snapshot import build_snapshot
    from corpus.cluster.ray import RayCluster

    dump, size = write_export(work, real_pages(data / "dumps"), int(megabytes * 1e6))
    out = work / "out"
    whole: dict[tuple[str, int], float] = {}
    begun: dict[tuple[str, int], float] = {}
    busiest: dict[tuple[str, int], float] = {}
    for kind in kinds:
        for workers in (1, 2):
            shutil.rmtree(out, ignore_errors=True)
            there = RayCluster.join("ray", workers) if kind == "ray" else None
            moments: list[float] = []
            used: list[tuple[float, Spent]] = []

            def report(
                done: Progress,
                moments: list[float] = moments,
                used: list[tuple[float, Spent]] = used,
            ) -> None:
                now = time.perf_counter()
                if done.stage == "reading":
                    moments.append(now)
                    if not used or now - used[-1][0] > EVERY:
                        used.append((now, processor_seconds()))

            began = time.perf_counter()
            build_snapshot(
                [dump],
                out,
                date="2022-01-01",
                name="wiki",
                cluster=there,
                workers=workers,
                report=report,
            )
            ended = time.perf_counter()
            whole[kind, workers] = ended - began
            begun[kind, workers] = seconds = ended - moments[0]
            waits = [later - sooner for sooner, later in itertools.pairwise(moments)]
            spent = grown(used[0][1], used[-1][1])
            busiest[kind, workers] = max(spent.pop("busiest"), 0.01)
            print(
                f"build, {kind:9} {workers}: {moments[0] - began:5.1f} s until the first result,"
                f" {moments[-1] - moments[0]:5.1f} s until the last, {ended - moments[-1]:4.1f} s to"
                f" finish; {size / 1e6 / seconds:5.2f} MB/s from the first result on; longest wait"
                f" for a result {max(waits):.1f} s; processor "
                + ", ".join(f"{who} {amount:.1f} s" for who, amount in spent.items())
                + f", the busiest process {busiest[kind, workers]:.1f} s",
                flush=True,
            )
    for kind in kinds:
        ratios = [times[kind, 1] / times[kind, 2] for times in (begun, whole, busiest)]
        print(
            f"build, {kind:9} two workers are {ratios[0]:.2f} times as fast as one from the first"
            f" result on, {ratios[1]:.2f} times with starting them, {ratios[2]:.2f} by the busiest"
            " process"
        )


def processor_seconds() -> Spent:
    """Return the processor time so far of this process and those under it: kind and seconds by id."""
    found = {os.getpid(): ("here", time.process_time())}
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            command = " ".join(child.cmdline())
            # A worker is an actor, or the process that it or this one has started to extract.
            working = command.startswith("ray::Worker") or "corpus.builder.worker" in command
            spent = child.cpu_times()
            kind = "workers" if working else "Ray itself"
            found[child.pid] = (kind, spent.user + spent.system)
    return found


def grown(first: Spent, last: Spent) -> dict[str, float]:
    """Return the seconds between two looks, by kind, and of the process that took most."""
    total = dict.fromkeys(("here", "workers", "Ray itself", "busiest"), 0.0)
    for pid, (kind, seconds) in last.items():
        more = seconds - first[pid][1] if pid in first else seconds
        total[kind] += more
        total["busiest"] = max(total["busiest"], more)
    return total


def measure_runs(questions: int, work: Path, numbers: Sequence[int]) -> None:
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
    for workers in numbers:
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
    kinds = ["processes", "ray"]
    parser.add_argument("--by", nargs="+", choices=kinds, default=kinds, help="of builds")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4], help="of runs")
    arguments = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as name, nodes(2, processors=2):
        print(
            f"Ray: {time.perf_counter() - began:.1f} s until two nodes had started; {os.cpu_count()} cores"
        )
        if "build" in arguments.what:
            measure_builds(arguments.data, arguments.megabytes, Path(name), arguments.by)
        if "run" in arguments.what:
            measure_runs(arguments.questions, Path(name), arguments.workers)


if __name__ == "__main__":
    main()
