"""Embedding a dump's chunks: chunks a second beside plain sentence-transformers.

    python bench/embed_speed.py [--data ../shared/data] [--chunks 256] [--rounds 3] [--without-bf16]

The chunks are those of the real dump of 2021 as they come, short ones and long ones, title and
section before each, spread evenly over it. Routes take turns, and the best round of each counts, so
that a busy machine slows all alike. Cosines are those of fanfold's vectors with the peer's in float32.
The first of fanfold's rows is the route that a build takes here; `--without-bf16` has it choose as on
a processor without instructions for bfloat16.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from corpus import Snapshot  # noqa: E402
from corpus.builder.snapshot import build_snapshot  # noqa: E402
from retrieval.dense import sentence  # noqa: E402
from retrieval.dense.embedders import (  # noqa: E402
    SHORT,
    RoutedEmbedder,
    embedded_folder,
)
from retrieval.passage import passage  # noqa: E402

DUMP = "dumps/enwiki-2021-dbpedia.xml.bz2"
PEER = "sentence-transformers fp32"
BOUND, COSINE = {"torch.float32": 1.15, "torch.bfloat16": 2.0}, 0.9999
BOUND_INT8 = 1.9


def read_chunks(dump: Path, count: int) -> list[str]:
    """Return passages of the chunks of a dump, spread evenly over it."""
    with tempfile.TemporaryDirectory(prefix="embed-") as scratch:
        build_snapshot([dump], Path(scratch) / "snapshot", date="2022-12-31")
        with Snapshot.open(Path(scratch) / "snapshot") as snapshot:
            found = [passage(chunk) for chunk in snapshot.chunks()]
    return found[:: max(1, len(found) // count)][:count]


def main() -> None:
    """Time the routes in turn and compare their vectors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--chunks", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without-bf16", action="store_true")
    arguments = parser.parse_args()
    texts = read_chunks(arguments.data / DUMP, arguments.chunks)
    if arguments.without_bf16:
        sentence.multiplies_bf16 = lambda: False
    kind = str(sentence.precision("cpu"))

    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    folder = embedded_folder()
    plain = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    whole = RoutedEmbedder(folder, name="whole", device="cpu")
    small = RoutedEmbedder(folder, name="small", device="cpu", precision="int8")

    def build(some: list[str]) -> Any:
        # As many as a build hands over at once, so that the route is that of a build.
        return whole.encode(some + [""] * max(0, SHORT + 1 - len(some)))[: len(some)]

    routes: dict[str, Callable[[list[str]], Any]] = {
        PEER: lambda some: plain.encode(some, normalize_embeddings=True, show_progress_bar=False),
        f"fanfold, {kind}": build,
        "fanfold, --precision int8": small.encode,
    }
    best: dict[str, float] = {}
    made: dict[str, Any] = {}
    for route in routes.values():
        route(texts[:8])
    for _ in range(arguments.rounds):
        for name, route in routes.items():
            began = time.perf_counter()
            made[name] = np.asarray(route(texts), np.float32)
            best[name] = min(best.get(name, np.inf), time.perf_counter() - began)
    reference, base = made[PEER], best[PEER]
    lengths = np.percentile([len(text) for text in texts], [10, 50, 90]).astype(int)
    print(
        f"{len(texts)} chunks of {lengths[0]}, {lengths[1]}, {lengths[2]} characters (10, 50, 90 %)"
    )
    print(f"{'':28}{'chunks/s':>10}{'ratio':>8}{'mean cosine':>13}{'least':>10}")
    for name, seconds in best.items():
        cosines = (made[name] * reference).sum(1) / np.linalg.norm(reference, axis=1)
        print(
            f"{name:28}{len(texts) / seconds:10.1f}{base / seconds:8.2f}"
            f"{cosines.mean():13.6f}{cosines.min():10.6f}"
        )
    print(
        f"bounds: {BOUND[kind]} times where torch has {kind}, at cosine {COSINE}; int8 {BOUND_INT8} times"
    )


if __name__ == "__main__":
    main()
