"""The single measurements of `bm25_speed.py` and `bm25_growth.py`, each in a process of its own.

    python bench/bm25_steps.py STEP FOLDER     one of them, on what the steps before left there

A query's latency is the best of several passes, its mean taken over 300 queries. bm25s gets its own
tokenizer with the same stemmer; the words of the chunks are such that both make the same terms.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

QUERIES = 300
KINDS = ("text", "content")
BATCH = 20
PASSES = 7
PAIRED_PASSES = 60
"""Of one thread and two in turn: on a busy machine both processors are seldom free at once."""

Figures = dict[str, float]


def measure(step: str, work: Path, *more: str) -> Figures:
    """Run a step in a fresh process; return its figures, peak memory in MB and processor seconds."""
    command = [sys.executable, __file__, step, str(work), *more]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


def lines(path: Path) -> Iterator[str]:
    """Yield the chunks of a file, one a line."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n")


def mean_of_best(run: Callable[[Any], Any], arguments: list[Any], passes: int = PASSES) -> float:
    """Return the mean over calls of the milliseconds a call takes in its fastest pass."""
    best = np.full(len(arguments), np.inf)
    for _ in range(passes):
        for number, argument in enumerate(arguments):
            start = time.perf_counter()
            run(argument)
            best[number] = min(best[number], time.perf_counter() - start)
    return float(best.mean() * 1e3)


def asked(work: Path) -> dict[str, list[str]]:
    """Return the queries by kind."""
    queries: dict[str, list[str]] = json.loads((work / "queries.json").read_text())
    return queries


def batches(queries: list[str]) -> list[list[str]]:
    """Return the queries in batches."""
    return [queries[start : start + BATCH] for start in range(0, len(queries), BATCH)]


def disk(folder: Path) -> float:
    """Return the megabytes a folder takes."""
    return sum(path.stat().st_size for path in folder.rglob("*")) / 1e6


def generate(work: Path, chunks: str, dumps: str, order: str = "independent") -> Figures:
    """Write chunks and queries; in order "articles" as chunks of articles, one after the other."""
    import bm25_corpus

    articles = bm25_corpus.read_articles(Path(dumps))
    if order == "articles":
        statistics = bm25_corpus.measure_articles(articles)
        made = bm25_corpus.generate_articles(statistics, int(chunks))
    else:
        statistics = bm25_corpus.measure([chunk for article in articles for chunk in article])
        made = bm25_corpus.generate(statistics, int(chunks))
    with (work / "chunks.txt").open("w", encoding="utf-8") as file:
        for chunk in made:
            file.write(chunk + "\n")
    queries = {kind: bm25_corpus.queries(statistics, QUERIES, kind) for kind in KINDS}
    (work / "queries.json").write_text(json.dumps(queries))
    return {}


def build_fanfold(work: Path, name: str) -> Figures:
    """Build fanfold's index."""
    from retrieval.bm25 import BM25PlusIndex

    compat = "rank_bm25" if name == "compat" else None
    start = time.perf_counter()
    BM25PlusIndex.build(lines(work / "chunks.txt"), work / name, compat=compat)
    return {"build": time.perf_counter() - start, "disk": disk(work / name)}


def build_bm25s(work: Path) -> Figures:
    """Build bm25s's index."""
    import bm25s
    import Stemmer

    start = time.perf_counter()
    tokens = bm25s.tokenize(
        list(lines(work / "chunks.txt")),
        stopwords=None,
        stemmer=Stemmer.Stemmer("english"),
        show_progress=False,
    )
    index = bm25s.BM25(method="bm25+", k1=1.5, b=0.75, delta=1.0, backend="numba")
    index.index(tokens, show_progress=False)
    index.save(work / "bm25s")
    return {"build": time.perf_counter() - start, "disk": disk(work / "bm25s")}


def search_fanfold(work: Path, name: str) -> Figures:
    """Search fanfold's index by one thread."""
    queries = asked(work)
    start = time.perf_counter()
    from retrieval.bm25 import BM25PlusIndex

    index = BM25PlusIndex.open(work / name, threads=1)
    figures = {"open": time.perf_counter() - start, "open processor": time.process_time()}
    start = time.perf_counter()
    index.search(queries["text"][:1], 10)
    figures["first"] = time.perf_counter() - start
    figures["first processor"] = time.process_time() - figures["open processor"]
    for kind in KINDS:
        figures[kind] = mean_of_best(lambda query: index.search([query], 10), queries[kind])
        grouped = batches(queries[kind])
        figures[f"{kind} batch"] = mean_of_best(lambda b: index.search(b, 10), grouped) / BATCH
        found = index.search(queries[kind], 10)
        (work / f"{name}.{kind}.pickle").write_bytes(pickle.dumps(found))
    return figures


def share_fanfold(work: Path) -> Figures:
    """Search batches by one thread and by two in turn, and see where processor time goes."""
    from retrieval.bm25 import BM25PlusIndex

    ways = [BM25PlusIndex.open(work / "plus", threads=threads) for threads in (1, 2)]
    figures: Figures = {}
    for kind in KINDS:
        grouped = batches(asked(work)[kind])
        best = np.full((2, len(grouped)), np.inf)
        processor, main = np.zeros(2), np.zeros(2)
        for _ in range(PAIRED_PASSES):
            for number, batch in enumerate(grouped):
                for way, index in enumerate(ways):
                    used, own = time.process_time(), time.thread_time()
                    start = time.perf_counter()
                    index.search(batch, 10)
                    best[way, number] = min(best[way, number], time.perf_counter() - start)
                    processor[way] += time.process_time() - used
                    main[way] += time.thread_time() - own
        figures[f"{kind} faster"] = float(best[0].sum() / best[1].sum())
        figures[f"{kind} processor"] = float(processor[1] / processor[0])
        figures[f"{kind} second"] = float(1 - main[1] / processor[1])
    figures["load"] = os.getloadavg()[0]
    return figures


def search_bm25s(work: Path) -> Figures:
    """Search bm25s's index by one thread."""
    queries = asked(work)
    start = time.perf_counter()
    import bm25s
    import Stemmer

    index = bm25s.BM25.load(work / "bm25s", load_corpus=False)
    index.backend = "numba"
    figures = {"open": time.perf_counter() - start}
    stemmer = Stemmer.Stemmer("english")

    def tokenize(texts: list[str]) -> list[list[str]]:
        found: list[list[str]] = bm25s.tokenize(
            texts, stopwords=None, stemmer=stemmer, show_progress=False, return_ids=False
        )
        return found

    def retrieve(tokens: list[list[str]]) -> Any:
        return index.retrieve(tokens, k=10, show_progress=False, n_threads=1)

    start = time.perf_counter()
    retrieve(tokenize(queries["text"][:1]))
    figures["first"] = time.perf_counter() - start
    for kind in KINDS:
        figures[kind] = mean_of_best(lambda query: retrieve(tokenize([query])), queries[kind])
        split = [tokenize([query]) for query in queries[kind]]
        figures[f"{kind} without analysis"] = mean_of_best(retrieve, split)
        grouped = batches(queries[kind])
        figures[f"{kind} batch"] = mean_of_best(lambda b: retrieve(tokenize(b)), grouped) / BATCH
        found = retrieve(tokenize(queries[kind]))
        (work / f"bm25s.{kind}.pickle").write_bytes(
            pickle.dumps((np.array(found.documents), np.array(found.scores)))
        )
    return figures


def search_rank_bm25(work: Path) -> Figures:
    """Build and search with rank_bm25, a few queries only."""
    from rank_bm25 import BM25Plus

    from retrieval.terms.analyzers import analyzer

    analyse = analyzer("english")
    start = time.perf_counter()
    index = BM25Plus([analyse(text) for text in lines(work / "chunks.txt")])
    figures = {"build": time.perf_counter() - start}

    def run(query: str) -> Any:
        scores = index.get_scores(analyse(query))
        return np.argpartition(scores, -10)[-10:]

    for kind in KINDS:
        figures[kind] = mean_of_best(run, asked(work)[kind][:5], passes=1)
    return figures


STEPS: dict[str, Callable[..., Figures]] = {
    "generate": generate,
    "build plus": lambda work: build_fanfold(work, "plus"),
    "build compat": lambda work: build_fanfold(work, "compat"),
    "build bm25s": build_bm25s,
    "search plus": lambda work: search_fanfold(work, "plus"),
    "search compat": lambda work: search_fanfold(work, "compat"),
    "share plus": share_fanfold,
    "search bm25s": search_bm25s,
    "search rank_bm25": search_rank_bm25,
}


def main() -> None:
    """Run one step and print its figures."""
    step, work, *more = sys.argv[1:]
    figures = STEPS[step](Path(work), *more)
    used = resource.getrusage(resource.RUSAGE_SELF)
    figures["memory"] = used.ru_maxrss / 1e3
    figures["processor"] = used.ru_utime + used.ru_stime
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
