"""A snapshot's vectors in Qdrant and Milvus: exported, killed once and gone on with, and searched.

    python bench/cluster_stores.py [--rows 100000] [--dim 384] [--queries 200] [--work FOLDER]
                                   [--store qdrant|milvus] [--at KIND:ADDRESS]

The vectors are drawn around centres, as those of texts lie; recall is against exact search over the
vectors that were exported. Without --at, which names a server that holds nothing yet, the stores are
the embedded ones, which are for trials: Qdrant's commits every vector by itself, so a disk's flushes
set its pace (--work on a file system in memory).
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))


def make_vectors(rows: int, dim: int, seed: int) -> np.ndarray:
    """Return unit vectors around a hundredth as many centres, float16 [rows, dim]."""
    rng = np.random.default_rng(7)
    centres = rng.standard_normal((max(1, rows // 100), dim)).astype(np.float32)
    rng = np.random.default_rng(seed)
    found = centres[rng.integers(0, len(centres), rows)]
    found += 0.7 * rng.standard_normal((rows, dim)).astype(np.float32)
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16)


def export(spec: str, rows: int, dim: int, name: str) -> None:
    """Write all vectors into the store; what a child process does."""
    from retrieval.stores import export_vectors, open_store

    store = open_store(spec, os.environ.get("FANFOLD_STORE_KEY"))
    try:
        export_vectors(make_vectors(rows, dim, 1), store, name)
    finally:
        store.close()


def main() -> None:
    """Measure and print."""
    from corpus.errors import InputError
    from retrieval.stores import collection_name, export_vectors, open_index, open_store

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--dim", type=int, default=384)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--work", type=Path, default=None)
    parser.add_argument("--store", action="append", choices=["qdrant", "milvus"])
    parser.add_argument("--at", help="a server; its key in FANFOLD_STORE_KEY")
    parser.add_argument("--kill-after", type=float, default=20.0, help="seconds")
    arguments = parser.parse_args()
    rows, dim = arguments.rows, arguments.dim
    vectors = make_vectors(rows, dim, 1)
    queries = make_vectors(arguments.queries, dim, 2).astype(np.float32)
    exact = np.argsort(-(queries @ vectors.T.astype(np.float32)), axis=1, kind="stable")[:, :10]
    name = collection_name("0" * 64, "bench")
    key = os.environ.get("FANFOLD_STORE_KEY")
    for kind in [arguments.at] if arguments.at else arguments.store or ("qdrant", "milvus"):
        with tempfile.TemporaryDirectory(dir=arguments.work) as folder:
            spec = arguments.at or f"{kind}:{folder}/store.db"
            began = time.perf_counter()
            child = multiprocessing.get_context("spawn").Process(
                target=export, args=(spec, rows, dim, name)
            )
            child.start()
            child.join(arguments.kill_after)
            killed = child.is_alive()
            child.kill()
            child.join()
            store = open_store(spec, key)
            there = store.count(name) if name in store.collections() else 0
            written = export_vectors(vectors, store, name)
            spent = time.perf_counter() - began
            store.close()
            index = open_index(spec, "0" * 64, "bench", rows, key)
            began = time.perf_counter()
            found, _ = index.search(queries, 10)
            each = 1000 * (time.perf_counter() - began) / len(queries)
            index.close()
            refused = "NOT refused"
            try:
                open_index(spec, "1" * 64, "bench", rows, key).close()
            except InputError:
                refused = "refused"
            recall = np.mean(
                [len({*a} & {*b}) / 10 for a, b in zip(found.tolist(), exact.tolist(), strict=True)]
            )
            print(
                f"{kind}: {rows:,} vectors of {dim}, {'killed' if killed else 'NOT killed'} with {there:,} there,"
                f" {written:,} written after, {rows / spent:,.0f} a second, recall@10 {recall:.4f},"
                f" {each:.1f} ms a query; asked for another snapshot's: {refused}",
                flush=True,
            )


if __name__ == "__main__":
    main()
