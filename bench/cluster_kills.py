"""Workers and nodes of a Ray cluster killed at random moments: the same bytes, nothing paid twice.

    python bench/cluster_kills.py [--kills 20] [--what build run] [--questions 60] [--seed 0]
                                  [--megabytes 40] [--every 2] [--limit 200]

A build of a snapshot and a run of questions go on over two nodes while, at random moments, the
process of a worker is killed, or every fourth time a whole node, which is then started anew. What
comes of it is compared with what one machine makes alone. Of a run, the calls that a server saw are
counted: a call may be made again only where its worker was killed under it. After --limit seconds
nothing is killed any more, and what is under way comes to its end; another --seed goes on from there.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]
LANES = 2
"""Samples under way on a worker."""


class Killer:
    """Kills a worker or a node, again and again, until the work that it disturbs is over."""

    def __init__(self, cluster: Any, kills: int, seed: int, every: float, limit: float) -> None:
        self._cluster, self._random, self._every = cluster, random.Random(seed), every
        self._end = time.monotonic() + limit
        self._left = kills
        self.done: Counter[str] = Counter()

    @property
    def over(self) -> bool:
        """Whether nothing is killed any more."""
        return self._left <= 0 or time.monotonic() > self._end

    def disturb(self, make: Callable[[int], None]) -> int:
        """Do the work in a thread, until all kills were done; return how often it was done."""
        rounds: list[int] = []

        def work() -> None:
            while not self.over:
                make(len(rounds))
                rounds.append(1)

        node = self._add()
        with ThreadPoolExecutor(1) as thread:
            working = thread.submit(work)
            # Ray starts nodes from the main thread alone.
            while (
                not self.over
                and not wait([working], self._random.uniform(0.2, 2) * self._every).done
            ):
                if sum(self.done.values()) % 4 == 3:
                    self._cluster.remove_node(node, allow_graceful=False)
                    self._count("nodes")
                    node = self._add()
                elif found := self._workers():
                    with suppress(psutil.NoSuchProcess):
                        self._random.choice(found).kill()
                        self._count("workers")
            working.result()
        self._cluster.remove_node(node)
        return len(rounds)

    def _count(self, what: str) -> None:
        self.done[what] += 1
        self._left -= 1

    def _add(self) -> Any:
        return self._cluster.add_node(num_cpus=1, object_store_memory=100 << 20)

    def _workers(self) -> list[psutil.Process]:
        return [
            process
            for process in psutil.Process().children(recursive=True)
            if _name(process).startswith("ray::Worker")
        ]


def _name(process: psutil.Process) -> str:
    """Return what a process calls itself; "" where it has ended."""
    try:
        return next(iter(process.cmdline()), "")
    except psutil.Error:
        return ""


def tell(what: str, number: int, killer: Killer, outcome: str) -> None:
    """Print what came of one build or run; the kills are those until now."""
    print(f"{what} {number}: {outcome}; {dict(killer.done)} killed until now", flush=True)


def main() -> None:
    """Measure and print."""
    from build_speed import real_pages, write_export
    from cluster_bytes import ask, digest, records

    from corpus.builder.snapshot import build_snapshot
    from corpus.cluster.ray import RayCluster
    from retrieval.build import ensure_built
    from tests.ray_nodes import nodes

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--megabytes", type=float, default=40)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between kills, about")
    parser.add_argument("--limit", type=float, default=200.0, help="seconds of killing")
    parser.add_argument("--what", nargs="+", choices=["build", "run"], default=["build", "run"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, nodes(1, processors=1) as cluster:
        work = Path(name)
        size = int(arguments.megabytes * 1e6) if "build" in arguments.what else 0
        dump, _ = write_export(work, real_pages(arguments.data / "dumps"), size)

        def build(out: Path, there: RayCluster | None) -> str:
            shutil.rmtree(out, ignore_errors=True)
            build_snapshot([dump], out, date="2022-01-01", name="wiki", cluster=there, workers=2)
            return digest(out)

        there = RayCluster.join("ray", 2)
        if "build" in arguments.what:
            alone = build(work / "alone", None)
            killer = Killer(
                cluster, arguments.kills, arguments.seed, arguments.every, arguments.limit
            )
            same: list[bool] = []
            began = time.perf_counter()

            def again(number: int) -> None:
                same.append(build(work / "out", there) == alone)
                tell("build", number, killer, "the same bytes" if same[-1] else "OTHER BYTES")

            rounds = killer.disturb(again)
            print(
                f"build: {dict(killer.done)} killed in {rounds} builds,"
                f" {time.perf_counter() - began:.0f} s: {sum(same)} of {rounds} with the same bytes",
                flush=True,
            )
        if "run" in arguments.what:
            snapshot = work / "small"
            small = arguments.data / "dumps" / "enwiki-2025-02-zulko.xml.bz2"
            build_snapshot([small], snapshot, date="2025-06-01", name="wiki", workers=0)
            ensure_built(snapshot, "bm25")
            paid = ask(work / "run-alone", snapshot, arguments.questions, None)
            expected = records(work / "run-alone")
            killer = Killer(
                cluster, arguments.kills, arguments.seed + 1, arguments.every, arguments.limit
            )
            outcomes: list[tuple[bool, int]] = []

            def go(number: int) -> None:
                out = work / f"run-{number}"
                calls = ask(out, snapshot, arguments.questions, there, latency=0.3, at_once=LANES)
                outcomes.append((records(out) == expected, sum((calls - paid).values())))
                same, more = outcomes[-1]
                how = "the same records" if same else "OTHER RECORDS"
                tell("run", number, killer, f"{how}, {more} calls made again")

            began = time.perf_counter()
            rounds = killer.disturb(go)
            repeated = sum(more for _, more in outcomes)
            killed = sum(killer.done.values())
            print(
                f"run: {dict(killer.done)} killed in {rounds} runs of {arguments.questions} questions,"
                f" {time.perf_counter() - began:.0f} s: {sum(one for one, _ in outcomes)} of {rounds}"
                f" with the same records; {repeated} calls made again of"
                f" {rounds * sum(paid.values()):,}, {repeated / max(1, killed):.1f} a kill"
                f" ({LANES} questions were under way on each worker)"
            )


if __name__ == "__main__":
    main()
