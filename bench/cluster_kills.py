"""Workers and nodes of a Ray cluster killed at random moments: the same bytes, nothing paid twice.

    python bench/cluster_kills.py [--kills 20] [--what build run] [--questions 60] [--seed 0]
                                  [--megabytes 40] [--every 2]

A build of a snapshot and a run of questions go on over two nodes while, at random moments, the
process of a worker is killed, or every fourth time a whole node, which is then started anew. What
comes of it is compared with what one machine makes alone. Of a run, the calls that a server saw are
counted: a call may be made again only where its worker was killed under it.
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

    def __init__(self, cluster: Any, kills: int, seed: int, every: float) -> None:
        self._cluster, self._random, self._every = cluster, random.Random(seed), every
        self.left = kills
        self.done: Counter[str] = Counter()

    def disturb(self, make: Callable[[int], None]) -> int:
        """Do the work in a thread, until all kills were done; return how often it was done."""
        rounds: list[int] = []

        def work() -> None:
            while self.left:
                make(len(rounds))
                rounds.append(1)

        node = self._add()
        with ThreadPoolExecutor(1) as thread:
            working = thread.submit(work)
            # Ray starts nodes from the main thread alone.
            while (
                self.left and not wait([working], self._random.uniform(0.2, 2) * self._every).done
            ):
                if sum(self.done.values()) % 4 == 3:
                    self._cluster.remove_node(node, allow_graceful=False)
                    node = self._add()
                    self.done["nodes"] += 1
                    self.left -= 1
                elif found := self._workers():
                    with suppress(psutil.NoSuchProcess):
                        self._random.choice(found).kill()
                        self.done["workers"] += 1
                        self.left -= 1
            working.result()
        self._cluster.remove_node(node)
        return len(rounds)

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
    parser.add_argument("--what", nargs="+", choices=["build", "run"], default=["build", "run"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, nodes(1, processors=1) as cluster:
        work = Path(name)
        dump, _ = write_export(
            work, real_pages(arguments.data / "dumps"), int(arguments.megabytes * 1e6)
        )

        def build(out: Path, there: RayCluster | None) -> str:
            shutil.rmtree(out, ignore_errors=True)
            build_snapshot([dump], out, date="2022-01-01", name="wiki", cluster=there, workers=2)
            return digest(out)

        there = RayCluster.join("ray", 2)
        if "build" in arguments.what:
            alone = build(work / "alone", None)
            killer = Killer(cluster, arguments.kills, arguments.seed, arguments.every)
            same: list[bool] = []
            began = time.perf_counter()
            rounds = killer.disturb(lambda _: same.append(build(work / "out", there) == alone))
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
            killer = Killer(cluster, arguments.kills, arguments.seed + 1, 2 * arguments.every)
            outcomes: list[tuple[bool, int]] = []

            def go(number: int) -> None:
                out = work / f"run-{number}"
                calls = ask(out, snapshot, arguments.questions, there, latency=0.3, at_once=LANES)
                outcomes.append((records(out) == expected, sum((calls - paid).values())))

            began = time.perf_counter()
            rounds = killer.disturb(go)
            again = sum(more for _, more in outcomes)
            killed = sum(killer.done.values())
            print(
                f"run: {dict(killer.done)} killed in {rounds} runs of {arguments.questions} questions,"
                f" {time.perf_counter() - began:.0f} s: {sum(one for one, _ in outcomes)} of {rounds}"
                f" with the same records; {again} calls made again of"
                f" {rounds * sum(paid.values()):,}, at most {again / max(1, killed):.1f} a kill"
                f" ({LANES} questions were under way on each worker)"
            )


if __name__ == "__main__":
    main()
