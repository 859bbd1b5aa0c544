"""Analyzers: terms a second beside bm25s's tokenizer, and what each choice does to recall.

    python bench/bm25_analyzers.py [--data ../shared/data]

Speed is measured on the chunks of the real English dumps. Recall is that of BM25+ alone: on the
questions of CMRC 2018 (Chinese, one right paragraph each) with pairs of characters and with jieba's
words; on MuSiQue's 100 questions (English, two to four paragraphs each) with and without stemming,
stop words and accents.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))


def print_speeds(chunks: Sequence[str]) -> None:
    """Print terms a second, best of three, after the memory of stems is warm."""
    import bm25s
    import Stemmer

    from retrieval.analyze import analyzer

    stemmer = Stemmer.Stemmer("english")
    ways: dict[str, Callable[[], int]] = {
        name: lambda name=name: sum(len(analyzer(name)(chunk)) for chunk in chunks)  # type: ignore[misc]
        for name in ("english", "english-stop", "german", "plain")
    }
    ways["bm25s.tokenize, stemmed"] = lambda: sum(
        map(
            len,
            bm25s.tokenize(list(chunks), stopwords=None, stemmer=stemmer, show_progress=False).ids,
        )
    )
    print(f"{len(chunks):,} chunks{'million terms/s':>35}")
    for name, run in ways.items():
        seconds = []
        for _ in range(3):
            start = time.perf_counter()
            terms = run()
            seconds.append(time.perf_counter() - start)
        print(f"{name:30}{terms / min(seconds) / 1e6:>19.2f}")


def recall(
    texts: Sequence[str], queries: Sequence[str], gold: Sequence[set[int]], name: Any, k: int
) -> float:
    """Return the mean share of the gold texts among the first k."""
    from retrieval.bm25 import BM25PlusIndex

    with tempfile.TemporaryDirectory(prefix="bm25-") as folder:
        index = BM25PlusIndex.build(texts, f"{folder}/index", analyzer=name)
        ids = index.search(queries, k)[0].tolist()
    shares = [len(right & set(row)) / len(right) for row, right in zip(ids, gold, strict=True)]
    return 100 * sum(shares) / len(shares)


def read_cmrc(data: Path) -> tuple[list[str], list[str], list[set[int]]]:
    """Return paragraphs, questions, and the right paragraph of each."""
    content = json.loads((data / "chinese" / "cmrc2018-dev.json").read_text())
    texts, queries, gold = [], [], []
    for article in content["data"]:
        for paragraph in article["paragraphs"]:
            for item in paragraph["qas"]:
                queries.append(item["question"])
                gold.append({len(texts)})
            texts.append(paragraph["context"])
    return texts, queries, gold


def read_musique(data: Path) -> tuple[list[str], list[str], list[set[int]]]:
    """Return passages, questions, and the supporting passages of each."""
    folder = data / "multihop"
    passages = json.loads((folder / "musique-100-corpus.json").read_text())
    texts = [f"{passage['title']}\n{passage['text']}" for passage in passages]
    number = {text: i for i, text in enumerate(texts)}
    queries, gold = [], []
    for item in json.loads((folder / "musique-100.json").read_text()):
        queries.append(item["question"])
        gold.append(
            {
                number[f"{paragraph['title']}\n{paragraph['paragraph_text']}"]
                for paragraph in item["paragraphs"]
                if paragraph["is_supporting"]
            }
        )
    return texts, queries, gold


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    data = parser.parse_args().data

    from bm25_corpus import read_chunks

    from retrieval.analyze import Analyzer, analyzer

    print_speeds(read_chunks(data / "dumps"))
    collections = {"CMRC 2018": read_cmrc(data), "MuSiQue": read_musique(data)}
    unfolded = Analyzer(name="english", stem=analyzer("english").stem, possessive=True)
    choices: list[tuple[str, str, Any]] = [
        ("CMRC 2018", "pairs of characters", "cjk"),
        ("CMRC 2018", "jieba's words", "cjk-jieba"),
        ("MuSiQue", "english", "english"),
        ("MuSiQue", "english-stop", "english-stop"),
        ("MuSiQue", "english, accents kept", unfolded),
        ("MuSiQue", "plain (no stems)", "plain"),
    ]
    print(f"\n{'':40}{'recall@2':>10}{'recall@5':>10}{'recall@10':>10}")
    for collection, label, name in choices:
        values = [recall(*collections[collection], name, k) for k in (2, 5, 10)]
        print(f"{collection + ', ' + label:40}" + "".join(f"{value:>10.1f}" for value in values))


if __name__ == "__main__":
    main()
