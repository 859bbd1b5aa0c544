"""Processor time of a query: fanfold's BM25+ beside PISA, on the same postings and impacts.

    python bench/bm25_pisa.py FOLDER --peer PYTHON

FOLDER is one that `bm25_growth.py --work` left: queries.json and the index `plus`. PYTHON is that of
an environment with pyterrier-pisa, which wants packages of its own. PISA is given the postings of
every term that is asked for, with fanfold's impacts (weight of the term times impact of the pair)
rounded to 8 bits, and no other terms: its dictionary can only be faster for it. Each way of
searching answers all queries of a kind one after the other on one thread; the best of several
passes counts. PISA's ranking is that of rounded scores: how much of fanfold's top ten it holds stands
beside, and fanfold's own top ten is compared with the formula over whole postings, `plain`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

KINDS = ("text", "content")
PASSES = 3
K = 10
LEVELS = 255
ALGORITHMS = ("maxscore", "block_max_maxscore", "wand", "block_max_wand")


def best_of(run: Callable[[], Any], queries: int) -> float:
    """Return the milliseconds of processor time a query takes in the fastest pass."""
    best = np.inf
    for _ in range(PASSES):
        used = time.process_time()
        run()
        best = min(best, time.process_time() - used)
    return float(best / queries * 1e3)


def export(index: Any, queries: dict[str, list[str]], folder: Path) -> dict[str, list[Any]]:
    """Write the postings of the queries' terms as PISA reads them; return the queries in its terms."""
    analysed = {kind: [index.analyzer(query) for query in queries[kind]] for kind in KINDS}
    terms = sorted({term for some in analysed.values() for query in some for term in query})
    table, known = index._dictionary.locate([terms])
    collection = index._collection
    found = [term for term in terms if known[term].frequency]

    def postings(term: str) -> Iterator[tuple[Any, Any]]:
        entry = known[term]
        for number, segment in enumerate(collection.segments):
            part = slice(int(table.first[entry.row, number]), int(table.stop[entry.row, number]))
            documents = segment.documents[part].astype(np.uint32) + np.uint32(
                collection.base[number]
            )
            yield documents, entry.weight * collection.impacts(number, segment.pairs[part])

    # Gone through twice: all impacts of a large index at once would not fit in memory.
    scale = LEVELS / max(
        impacts.max() for term in found for _, impacts in postings(term) if len(impacts)
    )
    lengths = np.zeros(index.size, np.uint32)
    with (folder / "inv.docs").open("wb") as docs, (folder / "inv.freqs").open("wb") as freqs:
        docs.write(np.array([1, index.size], np.uint32).tobytes())
        for term in found:
            for file in (docs, freqs):
                file.write(np.array([known[term].frequency], np.uint32).tobytes())
            for documents, impacts in postings(term):
                levels = np.maximum(1, np.rint(impacts * scale)).astype(np.uint32)
                lengths[documents] += levels
                docs.write(documents.tobytes())
                freqs.write(levels.tobytes())
    sizes = np.concatenate([np.array([index.size], np.uint32), np.maximum(lengths, 1)])
    (folder / "inv.sizes").write_bytes(sizes.astype(np.uint32).tobytes())
    (folder / "fwd.terms").write_text("".join(f"{term}\n" for term in found))
    (folder / "fwd.documents").write_text("".join(f"{row}\n" for row in range(index.size)))
    return {
        kind: [
            {term: float(query.count(term)) for term in query if known[term].frequency}
            for query in analysed[kind]
        ]
        for kind in KINDS
    }


def search_pisa(folder: Path) -> dict[str, Any]:
    """Search what `export` wrote; runs in the environment that has PISA."""
    from pyterrier_pisa import PisaIndex, _pisathon

    for name, lexicon in (("documents", "doclex"), ("terms", "termlex")):
        _pisathon.build_binlex(str(folder / f"fwd.{name}"), str(folder / f"fwd.{lexicon}"))
    told = {
        "type": "sparse_index",
        "format": "pisa",
        "package_hint": "pyterrier-pisa",
        "stemmer": "none",
    }
    (folder / "pt_meta.json").write_text(json.dumps(told))
    index = PisaIndex(str(folder), stemmer="none", stops="none", threads=1)
    queries = json.loads((folder / "queries.json").read_text())
    figures: dict[str, Any] = {}
    for algorithm in ALGORITHMS:
        ranker = index.quantized(num_results=K, query_algorithm=algorithm, threads=1)
        for kind in KINDS:
            asked = list(enumerate(queries[kind]))
            shape = len(asked) * K
            numbers, ranks = np.empty(shape, np.int32), np.empty(shape, np.int32)
            names, scores = np.empty(shape, object), np.empty(shape, np.float32)

            def run(
                ranker: Any = ranker,
                algorithm: str = algorithm,
                asked: list[Any] = asked,
                room: tuple[Any, ...] = (numbers, names, ranks, scores),
            ) -> int:
                found: int = _pisathon.retrieve(
                    ranker._ctxt, algorithm, asked, k=K, threads=1, query_weighted=1,
                    pretokenised=True, result_qidxs=room[0], result_docnos=room[1],
                    result_ranks=room[2], result_scores=room[3],
                )  # fmt: skip
                return found

            figures[f"{algorithm} {kind}"] = best_of(run, len(asked))
            tops: list[list[int]] = [[] for _ in asked]
            for query, name in zip(numbers[: run()].tolist(), names.tolist(), strict=False):
                tops[query].append(int(name))
            figures[f"top {kind}"] = tops
    return figures


def main() -> None:
    """Measure both and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peer", help="python of an environment with pyterrier-pisa")
    parser.add_argument("--search", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--queries", type=int, default=300, help="of each kind")
    parser.add_argument("--checked", type=int, default=60, help="queries compared with the formula")
    arguments = parser.parse_args()
    if arguments.search:
        print(json.dumps(search_pisa(arguments.folder)))
        return
    from retrieval.bm25 import BM25PlusIndex

    index = BM25PlusIndex.open(arguments.folder / "plus", threads=1, compiled=True)
    plain = BM25PlusIndex.open(arguments.folder / "plus", threads=1, compiled=False)
    asked = json.loads((arguments.folder / "queries.json").read_text())
    queries = {kind: asked[kind][: arguments.queries] for kind in KINDS}
    rows: dict[str, dict[str, float]] = {"fanfold": {}}
    tops, equal = {}, {}
    for kind in KINDS:
        some = queries[kind]
        rows["fanfold"][kind] = best_of(
            lambda some=some: [index.search([query], K) for query in some],  # type: ignore[misc]
            len(some),
        )
        tops[kind] = [row.tolist() for row in index.search(some, K)[0]]
        checked = some[: arguments.checked]
        formula = plain.search(checked, K)[0].tolist()
        equal[kind] = sum(a == b for a, b in zip(tops[kind], formula, strict=False))
    held: dict[str, float] = {}
    if arguments.peer:
        work = Path(tempfile.mkdtemp(prefix="pisa-", dir=arguments.folder))
        try:
            (work / "queries.json").write_text(json.dumps(export(index, queries, work)))
            command = [arguments.peer, __file__, str(work), "--search"]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            figures = json.loads(done.stdout.splitlines()[-1])
        finally:
            shutil.rmtree(work)
        for algorithm in ALGORITHMS:
            rows[f"PISA, {algorithm}"] = {kind: figures[f"{algorithm} {kind}"] for kind in KINDS}
        for kind in KINDS:
            pairs = zip(tops[kind], figures[f"top {kind}"], strict=True)
            held[kind] = float(np.mean([len({*a} & {*b}) / K for a, b in pairs]))
    print(f"{index.size:,} chunks, {len(queries['text'])} queries of each kind, one thread")
    print(f"{'processor time, ms a query':28}" + "".join(f"{kind:>12}" for kind in KINDS))
    for name, row in rows.items():
        print(f"{name:28}" + "".join(f"{row[kind]:12.3f}" for kind in KINDS))
    for kind in KINDS:
        print(f"{kind}: top ten of the formula {equal[kind]} of {arguments.checked}")
        if held:
            print(f"{kind}: share of fanfold's top ten that PISA's holds: {held[kind]:.3f}")


if __name__ == "__main__":
    main()
