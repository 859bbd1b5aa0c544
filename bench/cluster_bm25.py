"""BM25+ in parts on Ray actors against one index: the same ids and scores, and what the way costs.

    python bench/cluster_bm25.py [--chunks 160000] [--segments 8] [--actors 4] [--queries 1000]

Chunks have the word statistics of the dumps in DUMPS (see bm25_corpus.py). Several Ray nodes run on
this machine; on others the network comes on top.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]


def main() -> None:
    """Measure and print."""
    from bm25_corpus import DUMPS, generate, measure, queries, read_chunks

    import retrieval.bm25.build
    from corpus.cluster.ray import RayCluster
    from retrieval.bm25 import BM25PlusIndex
    from retrieval.bm25.distributed import DistributedIndex
    from tests.ray_nodes import nodes

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=160_000)
    parser.add_argument("--segments", type=int, default=8)
    parser.add_argument("--actors", type=int, default=4)
    parser.add_argument("--queries", type=int, default=1000)
    arguments = parser.parse_args()
    statistics = measure(read_chunks(DUMPS))
    asked = queries(statistics, arguments.queries, "text")
    retrieval.bm25.build.DOCUMENTS = -(-arguments.chunks // arguments.segments)
    with tempfile.TemporaryDirectory() as name, nodes(2, processors=arguments.actors):
        folder = Path(name) / "index"
        whole = BM25PlusIndex.build(generate(statistics, arguments.chunks), folder)
        whole = BM25PlusIndex.open(folder, compiled=True, threads=1)
        parts = DistributedIndex.open(folder, RayCluster.join("ray"), arguments.actors)
        print(f"{whole.size:,} chunks in {len(whole.manifest['segments'])} segments")
        ids, scores = whole.search(asked, 10)
        found, values = parts.search(asked, 10)
        same = int(((found == ids) & (values == scores)).all(axis=1).sum())
        print(f"top ten and scores equal to the last bit: {same:,} of {len(asked):,} queries")
        times: dict[str, list[float]] = {
            "one index": [],
            "in parts, words new": [],
            "in parts, words known": [],
        }
        fresh = DistributedIndex.open(folder, RayCluster.join("ray"), arguments.actors)
        fresh.search(["a"], 10)
        for query in asked:
            for label, index in zip(times, (whole, fresh, parts), strict=True):
                began = time.perf_counter()
                index.search([query], 10)
                times[label].append(1000 * (time.perf_counter() - began))
        for label, spent in times.items():
            p50, p95 = np.percentile(spent, [50, 95])
            print(f"{label:24} p50 {p50:6.2f} ms   p95 {p95:6.2f} ms")
        over = np.percentile(times["in parts, words new"], 50) - np.percentile(
            times["one index"], 50
        )
        print(f"p50 overhead, words new: {over:.2f} ms")


if __name__ == "__main__":
    main()
