"""Snapshot, BM25+ index, vectors and a run by 1, 2 and 4 workers of a Ray cluster: same bytes as alone.

    python bench/cluster_bytes.py [--data ../shared/data] [--dump NAME ...] [--questions 100]
                                  [--workers 1 2 4] [--what snapshot bm25 vectors run]

Several Ray nodes run on this machine. Digests are SHA-256 over every file of a folder, in order of
its name. Vectors are the embedded model's. Of a run, what tells time is left out: seconds of records.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
SEGMENT = 500
"""Chunks of a segment here, so that a small dump has several."""


def digest(folder: Path) -> str:
    """Return the SHA-256 over every file of a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "lock":
            found.update(
                f"{path.relative_to(folder)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode()
            )
    return found.hexdigest()[:16]


def records(folder: Path) -> str:
    """Return the SHA-256 over a run's predictions, in their order, without times."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                k: timeless(v)
                for k, v in value.items()
                if k not in ("seconds", "at", "trace", "cached")
            }
        return [timeless(one) for one in value] if isinstance(value, list) else value

    lines = (folder / "predictions.jsonl").read_text("utf-8").splitlines()
    text = "\n".join(json.dumps(timeless(json.loads(line)), sort_keys=True) for line in lines)
    return f"{hashlib.sha256(text.encode()).hexdigest()[:16]} ({len(lines)} records)"


def ask(
    out: Path,
    snapshot: Path,
    questions: int,
    cluster: Any,
    *,
    latency: float = 0.0,
    at_once: int = 4,
) -> Counter[str]:
    """Ask generated questions about the snapshot's articles, by a server that answers from hits.

    Returns:
        Digest of every request that the server saw, and how often.
    """
    from corpus import Snapshot
    from evals.benchmarks import BENCHMARKS
    from evals.runs.matrix import run_matrix
    from evals.runs.models import Endpoint
    from evals.runs.sources import Sources
    from evals.types import RunConfig
    from tests.fake_server import serving
    from tests.fakes import FaithfulMind

    data = out.with_suffix(".json")
    with Snapshot.open(snapshot) as opened:
        titles = list(opened.titles())
    items = [
        {"id": f"q{n}", "question": f"What is said of {titles[n % len(titles)]}, in {n // len(titles) + 1} words?",
         "decomposition": [], "answer": "x", "categories": ["x"]}
        for n in range(questions)
    ]  # fmt: skip
    data.write_text(json.dumps(items), encoding="utf-8")
    fanoutqa = BENCHMARKS["fanoutqa"]
    config = RunConfig(
        benchmark="fanoutqa", style=fanoutqa.style, split="dev", edition="sample", setting="open",
        strategy="agentic", model="m", k=3, mode="bm25",
    )  # fmt: skip
    with serving(FaithfulMind(), latency=latency) as server:
        endpoint = Endpoint(model="m", base_url=server.url)
        sources = Sources(benchmark=fanoutqa, data=data, snapshot=snapshot, endpoint=endpoint)
        list(run_matrix(config, sources, out, concurrency=at_once, cluster=cluster))
        return Counter(
            hashlib.sha256(json.dumps(one, sort_keys=True, default=str).encode()).hexdigest()
            for one in server.requests
        )


def main() -> None:
    """Measure and print."""
    from corpus.builder.snapshot import build_snapshot
    from corpus.cluster.ray import RayCluster
    from retrieval.build import ensure_built
    from tests.ray_nodes import nodes

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--dump", nargs="+", default=["enwiki-2025-02-zulko.xml.bz2"])
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parts = ["snapshot", "bm25", "vectors", "run"]
    parser.add_argument("--what", nargs="+", choices=parts, default=parts)
    arguments = parser.parse_args()
    import retrieval.bm25.build

    retrieval.bm25.build.DOCUMENTS = SEGMENT
    dumps = [arguments.data / "dumps" / name for name in arguments.dump]
    seen: dict[str, set[str]] = {}

    def tell(what: str, workers: int, value: str, began: float) -> None:
        seen.setdefault(what, set()).add(value)
        who = f"{workers} workers" if workers else "alone"
        print(f"{what:9} {who:10} {value}  {time.perf_counter() - began:6.1f} s", flush=True)

    with tempfile.TemporaryDirectory() as name, nodes(2, processors=2):
        work = Path(name)
        for workers in (0, *arguments.workers):
            cluster = RayCluster.join("ray", workers) if workers else None
            out = work / str(workers)
            began = time.perf_counter()
            build_snapshot(dumps, out, date="2025-06-01", name="wiki", cluster=cluster, workers=0)
            if "snapshot" in arguments.what:
                tell("snapshot", workers, digest(out), began)
            bare = work / "bare"
            if not bare.exists():
                shutil.copytree(out, bare)
            for what, mode in (("bm25", "bm25"), ("vectors", "dense")):
                if what in arguments.what:
                    began = time.perf_counter()
                    ensure_built(out, mode, cluster=cluster)
                    tell(what, workers, digest(out / "indexes" / mode), began)
            if "run" in arguments.what:
                if not (bare / "indexes").exists():
                    ensure_built(bare, "bm25")
                began = time.perf_counter()
                calls = ask(work / f"run-{workers}", bare, arguments.questions, cluster)
                print(f"{'':9} {sum(calls.values()):,} calls, {len(calls):,} of them different")
                tell("run", workers, records(work / f"run-{workers}"), began)
    for what, values in seen.items():
        print(
            f"{what}: {'the same, whoever made it' if len(values) == 1 else f'{len(values)} DIFFERENT'}"
        )
    sys.exit(any(len(values) > 1 for values in seen.values()))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
