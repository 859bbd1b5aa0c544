"""FAISS through fanfold: what it costs over the bare call, and the recall of the automatic choice.

    python bench/dense_search.py [--data ../shared/data] [--rows 500000] [--real 24000]
                                  [--keep DIR] [--snapshots DIR...] [--pq]

Recall@10 against exact search is measured twice, for 300 multi-hop questions as queries: on REAL
sentences of the multi-hop passages, embedded (or the chunks of SNAPSHOTS that have vectors), where the automatic choice is a scalar quantiser and
the structures for larger snapshots are forced, with the lists and probes they would have; and on
ROWS vectors, the most that are embedded in reasonable time being too few: each is a real one moved
towards another real one and off by noise. There batches of 20 are timed, the bare FAISS call and
fanfold's index, ranker (embeddings of queries known) and owner thread in turn, best of many rounds.
The GPU's path is the last of these with another index inside.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from retrieval.dense.embedders import FunctionEmbedder, shared_embedder  # noqa: E402
from retrieval.dense.faiss_index import DenseIndex, build_dense, choose_factory  # noqa: E402
from retrieval.dense.vectors import open_vectors  # noqa: E402
from retrieval.folders import DENSE, index_folder, read_index  # noqa: E402
from retrieval.ranking.owner import OwnedIndex  # noqa: E402
from retrieval.ranking.rankers import DenseRanker  # noqa: E402

K = 10
BATCH = 20
ROUNDS = 25
RECALL, OVERHEAD = 0.95, 5.0
Vectors = Any


def read_sentences(data: Path, count: int) -> list[str]:
    """Return sentences of multi-hop passages, each once."""

    def passages() -> Iterator[str]:
        for name in ("2wiki-passages.json", "musique-100-corpus.json"):
            for record in json.loads((data / name).read_text()):
                yield record["text"]

    parts = (part for text in passages() for part in re.split(r"(?<=[a-z]\.)\s+(?=[A-Z])", text))
    return list(dict.fromkeys(part[:300] for part in parts if len(part) > 30))[:count]


def read_vectors(folder: Path) -> Vectors:
    """Return the vectors of a snapshot's default dense index."""
    manifest = read_index(folder, DENSE)
    dim = manifest.parameters["embedder"]["dim"]
    stored = open_vectors(index_folder(folder, DENSE), rows=manifest.rows, dim=dim)
    return np.asarray(stored, np.float32)


def read_questions(data: Path) -> list[str]:
    """Return the questions of MuSiQue, HotpotQA and MoreHopQA."""
    records = json.loads((data / "musique-100.json").read_text())
    records += json.loads((data / "morehopqa-150.json").read_text())
    lines = (data / "hotpotqa-distractor-100.jsonl").read_text().splitlines()
    asked = [record["question"] for record in [*records, *map(json.loads, lines)]]
    return list(dict.fromkeys(asked))[:300]


def multiply(real: Vectors, rows: int) -> Vectors:
    """Return `rows` unit vectors made of real ones, float16, the real ones first."""
    rng = np.random.default_rng(7)
    made = np.empty((rows, real.shape[1]), np.float16)
    made[: len(real)] = real[:rows]
    for start in range(min(len(real), rows), rows, 50_000):
        size = min(50_000, rows - start)
        one, other = rng.integers(0, len(real), (2, size))
        share = rng.uniform(0.1, 0.5, (size, 1)).astype(np.float32)
        mixed = (1 - share) * real[one] + share * real[other]
        mixed += rng.normal(0, 0.015, mixed.shape).astype(np.float32)
        made[start : start + size] = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return made


def nearest(vectors: Vectors, queries: Vectors) -> Vectors:
    """Return the rows of the K nearest by exact search in float32."""
    import faiss

    flat = faiss.IndexFlatIP(vectors.shape[1])
    for start in range(0, len(vectors), 65_536):
        flat.add(vectors[start : start + 65_536].astype(np.float32))
    return flat.search(queries, K)[1]


def open_index(vectors: Vectors, factory: str, folder: Path) -> tuple[DenseIndex, float]:
    """Build an index as fanfold does and open it; return the seconds its build took as well."""
    folder.mkdir(parents=True)
    began = time.perf_counter()
    build_dense(vectors, folder, factory)
    return DenseIndex.open(folder, vectors), time.perf_counter() - began


def show_recall(vectors: Vectors, queries: Vectors, factories: list[str], folder: Path) -> Any:
    """Print recall and latency of each factory; return the first one's index."""
    exact = nearest(vectors, queries)
    first = None
    for number, factory in enumerate(factories):
        index, seconds = open_index(vectors, factory, folder / f"{len(vectors)}-{number}")
        first = first or index
        began = time.perf_counter()
        found = np.concatenate(
            [index.search(queries[at : at + BATCH], K)[0] for at in range(0, len(queries), BATCH)]
        )
        each = (time.perf_counter() - began) / len(queries) * 1e3
        hits = [len(set(a) & set(b)) / K for a, b in zip(found, exact, strict=True)]
        note = f"automatic, bound {RECALL}" if number == 0 else "forced"
        print(
            f"{len(vectors):>9,}  {factory:18} recall@10 {np.mean(hits):.4f}"
            f"  {each:6.2f} ms a query  built in {seconds:5.1f} s  {note}",
            flush=True,
        )
    return first


def show_overhead(index: DenseIndex, queries: Vectors, note: str) -> None:
    """Print the best times of a batch, bare and through fanfold."""
    batch = np.ascontiguousarray(queries[:BATCH])
    names = [str(number) for number in range(BATCH)]
    known = FunctionEmbedder(lambda texts: batch[: len(texts)], name="known", dim=batch.shape[1])
    owned = OwnedIndex(index)
    ways: dict[str, Callable[[], object]] = {
        "bare FAISS": lambda: index.structure.search(batch, K),
        "DenseIndex": lambda: index.search(batch, K),
        "DenseRanker": lambda: DenseRanker(index=index, embedder=known).rank(names, K),
        "owner thread": lambda: owned.search(batch, K),
    }
    best = dict.fromkeys(ways, np.inf)
    for _ in range(ROUNDS):
        for name, way in ways.items():
            began = time.perf_counter()
            way()
            best[name] = min(best[name], time.perf_counter() - began)
    owned.close()
    print(f"\nbatches of {BATCH} at {index.size:,} vectors{note}")
    for name, seconds in best.items():
        over = seconds - best["bare FAISS"]
        share = 100 * over / best["bare FAISS"]
        print(f"{name:14}{seconds * 1e3:9.2f} ms{share:+8.1f} %{over * 1e6:+9.0f} µs")


def main() -> None:
    """Measure recall on real and on made vectors, then the overhead."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--real", type=int, default=24_000)
    parser.add_argument("--snapshots", type=Path, nargs="+", default=[], metavar="DIR")
    parser.add_argument("--pq", action="store_true", help="product quantiser as well: it is slow")
    parser.add_argument("--keep", type=Path, help="folder that keeps the real vectors")
    arguments = parser.parse_args()
    data = arguments.data / "multihop"
    queries = shared_embedder().encode(read_questions(data))
    kept = None if arguments.keep is None else arguments.keep / f"real-{arguments.real}.npy"
    if arguments.snapshots:
        real = np.concatenate([read_vectors(folder) for folder in arguments.snapshots])
    elif kept is not None and kept.is_file():
        real = np.load(kept)
    else:
        real = shared_embedder().encode(read_sentences(data, arguments.real))
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            np.save(kept, real)
    with tempfile.TemporaryDirectory(prefix="dense-") as scratch:
        size, dim = real.shape
        lists = f"IVF{1 << int(np.ceil(np.log2(4 * np.sqrt(size))))}"
        forced = [f"{lists},SQfp16", *([f"{lists},PQ{dim // 4}"] if arguments.pq else [])]
        show_recall(
            real.astype(np.float16), queries, [choose_factory(size, dim), *forced], Path(scratch)
        )
        made = multiply(real, arguments.rows)
        index = show_recall(made, queries, [choose_factory(len(made), dim)], Path(scratch))
        show_overhead(index, queries, f", bound {OVERHEAD:.0f} %")
        small, _ = open_index(made[:2000], "Flat", Path(scratch) / "small")
        show_overhead(
            small, queries, ": what the wrappers cost, free of the noise of long searches"
        )


if __name__ == "__main__":
    main()
