"""BM25+ on Vaswani: scores against two references, nDCG@10 and MAP beside two packages.

    python bench/bm25_quality.py [--data ../shared/data/ir/vaswani]

The collection: 11,429 abstracts, 93 topics, 2,083 judgments. All systems get the same terms. The
scores of all documents for all topics are compared with the published formula computed directly in
float64, and in compat mode with rank_bm25's. bm25s's method "bm25+" and rank_bm25 add δ·idf for
terms that a document lacks, and so rank as if δ were 0.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

Scores = Callable[[str], Any]


def read_collection(data: Path) -> tuple[list[str], list[str], dict[str, str]]:
    """Return the documents' names and texts, and the topics."""
    content = (data / "corpus" / "doc-text.trec").read_text()
    documents = re.findall(r"<DOCNO>\s*(\S+)\s*</DOCNO>(.*?)</DOC>", content, re.S)
    topics = re.findall(
        r"<num>\s*(\S+?)\s*</num>\s*<title>(.*?)</title>",
        (data / "query-text.trec").read_text(),
        re.S,
    )
    return [name for name, _ in documents], [text for _, text in documents], dict(topics)


def published_formula(split: list[list[str]], k1: float, b: float, delta: float) -> Scores:
    """Return a function that scores all documents in float64, term by term."""
    lengths = np.array([len(terms) for terms in split], float)
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    frequencies: dict[str, dict[int, int]] = {}
    for number, terms in enumerate(split):
        for term in terms:
            row = frequencies.setdefault(term, {})
            row[number] = row.get(number, 0) + 1

    def score(query: str) -> Any:
        scores = np.zeros(len(split))
        for term in query.split():
            if term in frequencies:
                rows = np.array(list(frequencies[term]))
                tf = np.array(list(frequencies[term].values()), float)
                idf = np.log((len(split) + 1) / len(rows))
                scores[rows] += idf * (delta + (k1 + 1) * tf / (norm[rows] + tf))
        return scores

    return score


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data/ir/vaswani")
    data = parser.parse_args().data

    import bm25s
    from rank_bm25 import BM25Plus

    from retrieval import trec
    from retrieval.analyze import analyzer
    from retrieval.bm25 import BM25PlusIndex

    names, texts, topics = read_collection(data)
    analyse = analyzer("english")
    split = [analyse(text) for text in texts]
    queries = {topic: " ".join(analyse(text)) for topic, text in topics.items()}
    judgments = trec.read_judgments(data / "qrels")
    every = range(len(names))
    joined = [" ".join(terms) for terms in split]
    with tempfile.TemporaryDirectory(prefix="bm25-") as folder:
        plus = BM25PlusIndex.build(joined, f"{folder}/plus", analyzer="whitespace")
        compat = BM25PlusIndex.build(
            joined, f"{folder}/compat", analyzer="whitespace", compat="rank_bm25"
        )
        rank = BM25Plus(split)
        peer = bm25s.BM25(method="bm25+", k1=1.5, b=0.75, delta=1.0)
        peer.index(split, show_progress=False)
        systems: dict[str, Scores] = {
            "published formula, float64": published_formula(split, 1.5, 0.75, 1.0),
            "fanfold": lambda query: plus.scores(query, every),
            "rank_bm25": lambda query: rank.get_scores(query.split()),
            "fanfold, compat": lambda query: compat.scores(query, every),
            "bm25s, method bm25+": lambda query: peer.get_scores(query.split()),
        }
        scores = {
            name: {topic: score(query) for topic, query in queries.items()}
            for name, score in systems.items()
        }
        print(f"{len(names):,} documents, {len(queries)} topics")
        for ours, reference, bound in (
            ("fanfold", "published formula, float64", "1e-5"),
            ("fanfold, compat", "rank_bm25", "1e-6"),
        ):
            apart = max(np.abs(scores[ours][t] - scores[reference][t]).max() for t in queries)
            print(f"greatest difference of {ours} and {reference}: {apart:.1e} (bound {bound})")
        print(f"\n{'':30}{'nDCG@10':>10}{'MAP':>10}{'recall@100':>12}")
        for name, found in scores.items():
            run = {
                topic: [names[i] for i in np.argsort(-values, kind="stable")[:1000]]
                for topic, values in found.items()
            }
            means = trec.evaluate(run, judgments)
            print(
                f"{name:30}{means['ndcg@10']:>10.4f}{means['map']:>10.4f}"
                f"{means['recall@100']:>12.4f}"
            )
        searched = plus.search(list(queries.values()), 1000)[0]
        run = {
            t: [names[i] for i in row if i >= 0] for t, row in zip(queries, searched, strict=True)
        }
        means = trec.evaluate(run, judgments)
        print(
            f"{'fanfold, search':30}{means['ndcg@10']:>10.4f}{means['map']:>10.4f}"
            f"{means['recall@100']:>12.4f}"
        )


if __name__ == "__main__":
    main()
