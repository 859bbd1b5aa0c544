"""Embedding chunks of 1,024 characters: chunks a second beside plain sentence-transformers.

    python bench/embed_speed.py [--data ../shared/data] [--chunks 256] [--rounds 3]

The chunks are the longest of the real dump of 2021, title and section before each. Routes take
turns, and the best round of each counts, so that a busy machine slows all alike. Cosines are those
of fanfold's vectors with the peer's in float32. ONNX Runtime is the route for up to 256 texts, which
needs no torch, and for all where torch does not multiply in 16 bits; torch is the one for more where
it does, with the type that it multiplies in.
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
from retrieval.dense.bert import BertEncoder  # noqa: E402
from retrieval.dense.embedders import embedded_folder  # noqa: E402
from retrieval.dense.sentence import SentenceEncoder, precision  # noqa: E402
from retrieval.passage import passage  # noqa: E402

DUMP = "dumps/enwiki-2021-dbpedia.xml.bz2"
BOUND, COSINE = {"torch.float32": 1.15, "torch.bfloat16": 2.0}, 0.9999


def read_chunks(dump: Path, count: int) -> list[str]:
    """Return passages of full-sized chunks of a dump, spread evenly over it."""
    with tempfile.TemporaryDirectory(prefix="embed-") as scratch:
        build_snapshot([dump], Path(scratch) / "snapshot", date="2022-12-31")
        with Snapshot.open(Path(scratch) / "snapshot") as snapshot:
            full = [passage(chunk) for chunk in snapshot.chunks() if len(chunk.text) > 900]
    return full[:: max(1, len(full) // count)][:count]


def main() -> None:
    """Time the routes in turn and compare their vectors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--chunks", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    texts = read_chunks(arguments.data / DUMP, arguments.chunks)

    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    folder = embedded_folder()
    plain = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    torch_route = SentenceEncoder(str(folder), name="torch", device="cpu")
    short_route = BertEncoder.open(folder, name="short")
    routes: dict[str, Callable[[list[str]], Any]] = {
        "sentence-transformers fp32": lambda some: plain.encode(
            some, normalize_embeddings=True, show_progress_bar=False
        ),
        f"fanfold, {precision('cpu')}": torch_route.encode,
        "fanfold, ONNX Runtime fp32": short_route.encode,
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
    reference, base = made["sentence-transformers fp32"], best["sentence-transformers fp32"]
    print(f"{len(texts)} chunks of {sum(map(len, texts)) // len(texts)} characters")
    print(f"{'':28}{'chunks/s':>10}{'ratio':>8}{'mean cosine':>13}{'least':>10}")
    for name, seconds in best.items():
        cosines = (made[name] * reference).sum(1) / np.linalg.norm(reference, axis=1)
        print(
            f"{name:28}{len(texts) / seconds:10.1f}{base / seconds:8.2f}"
            f"{cosines.mean():13.6f}{cosines.min():10.6f}"
        )
    kind = str(precision("cpu"))
    print(
        f"bound: the faster of them {BOUND[kind]} times where torch has {kind}, at cosine {COSINE}"
    )


if __name__ == "__main__":
    main()
