"""The BM25+ index: build it from a stream of texts, open it, search it."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import InputError
from retrieval.analyze import Analyzer
from retrieval.analyze import analyzer as analyzer_of

FORMAT = "fanfold-bm25plus"
Float32 = NDArray[np.float32]
Int64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class BM25PlusIndex:
    """BM25+ (Lv and Zhai, 2011) over numbered documents. Safe to search from several threads.

    score(q,d) = Σ over t in q ∩ d of
    qtf(t) · ln((N+1)/df(t)) · (δ + (k1+1)·tf/(k1·(1−b+b·|d|/avgdl)+tf))
    """

    folder: Path
    analyzer: Analyzer
    manifest: dict[str, Any]
    terms: dict[str, int]
    starts: Int64
    documents: NDArray[np.int32]
    frequencies: NDArray[np.int32]
    lengths: NDArray[np.int32]
    compat: str | None

    @property
    def size(self) -> int:
        """Number of documents."""
        return len(self.lengths)

    @staticmethod
    def build(
        texts: Iterable[str],
        folder: str | os.PathLike[str],
        *,
        analyzer: Analyzer | str = "english",
        k1: float = 1.5,
        b: float = 0.75,
        delta: float = 1.0,
        compat: str | None = None,
    ) -> BM25PlusIndex:
        """Index the texts in their order, write the index to `folder`, and open it.

        Document i is the i-th text. What stood at `folder` is replaced once the new index is
        complete.
        """
        analyse = analyzer_of(analyzer) if isinstance(analyzer, str) else analyzer
        terms: dict[str, int] = {}
        rows: list[int] = []
        columns: list[int] = []
        counts: list[int] = []
        lengths: list[int] = []
        for number, text in enumerate(texts):
            tokens = analyse(text)
            lengths.append(len(tokens))
            for term, count in Counter(tokens).items():
                rows.append(terms.setdefault(term, len(terms)))
                columns.append(number)
                counts.append(count)
        order = np.argsort(np.array(rows, np.int64), kind="stable")
        starts = np.zeros(len(terms) + 1, np.int64)
        starts[1:] = np.cumsum(np.bincount(np.array(rows, np.int64), minlength=len(terms)))
        target = Path(folder)
        beside = target.with_name(target.name + ".partial")
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        np.save(beside / "starts.npy", starts)
        np.save(beside / "documents.npy", np.array(columns, np.int32)[order])
        np.save(beside / "frequencies.npy", np.array(counts, np.int32)[order])
        np.save(beside / "lengths.npy", np.array(lengths, np.int32))
        (beside / "terms.txt").write_text("\n".join(terms), encoding="utf-8")
        manifest = {
            "format": FORMAT,
            "version": 0,
            "analyzer": analyse.identity,
            "parameters": {"k1": k1, "b": b, "delta": delta},
            "compat": compat,
        }
        (beside / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        shutil.rmtree(target, ignore_errors=True)
        beside.rename(target)
        return BM25PlusIndex.open(target, analyzer=analyse)

    @staticmethod
    def open(
        folder: str | os.PathLike[str], *, analyzer: Analyzer | str | None = None
    ) -> BM25PlusIndex:
        """Open an index; `analyzer`, where given, must be the one it was built with.

        Raises:
            InputError: no index, a foreign or damaged one, or another analyzer.
        """
        path = Path(folder)
        try:
            manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: no BM25+ index here: build it again") from error
        if manifest.get("format") != FORMAT:
            raise InputError(f"{path}: not a BM25+ index: build it again")
        if isinstance(analyzer, str):
            analyzer = analyzer_of(analyzer)
        analyse = analyzer or analyzer_of(manifest["analyzer"]["name"])
        if analyse.identity != manifest["analyzer"]:
            raise InputError(
                f"{path}: built with analyzer {manifest['analyzer']}, opened with "
                f"{analyse.identity}: build it again or open it with its own"
            )
        words = (path / "terms.txt").read_text(encoding="utf-8").split("\n")
        return BM25PlusIndex(
            folder=path,
            analyzer=analyse,
            manifest=manifest,
            terms={word: i for i, word in enumerate(words)},
            starts=np.load(path / "starts.npy"),
            documents=np.load(path / "documents.npy"),
            frequencies=np.load(path / "frequencies.npy"),
            lengths=np.load(path / "lengths.npy"),
            compat=manifest["compat"],
        )

    def search(
        self, queries: Sequence[str], k: int, rows: Sequence[int] | Int64 | None = None
    ) -> tuple[Int64, Float32]:
        """Return the ids and scores of the best documents, both [len(queries), k].

        Only documents that share a term with the query are listed; the rest of a row is id -1
        with score 0. Equal scores are in order of id. `rows` limits the search to these ids.
        """
        ids = np.full((len(queries), k), -1, np.int64)
        scores = np.zeros((len(queries), k), np.float32)
        for i, query in enumerate(queries):
            found, values = self._score_all(query)
            if rows is not None:
                found = np.intersect1d(found, np.asarray(rows, np.int64))
            best = found[np.lexsort((found, -values[found]))[:k]]
            ids[i, : len(best)] = best
            scores[i, : len(best)] = values[best]
        return ids, scores

    def scores(self, query: str, rows: Sequence[int] | Int64) -> Float32:
        """Return the scores of the given documents, float32 [len(rows)]."""
        return self._score_all(query)[1][np.asarray(rows, np.int64)].astype(np.float32)

    def _score_all(self, query: str) -> tuple[Int64, NDArray[np.float64]]:
        parameters = self.manifest["parameters"]
        k1, b, delta = parameters["k1"], parameters["b"], parameters["delta"]
        values = np.zeros(self.size)
        matched = np.zeros(self.size, bool)
        norm = k1 * (1 - b + b * self.lengths / max(float(self.lengths.mean()), 1e-9))
        for term, repeats in Counter(self.analyzer(query)).items():
            number = self.terms.get(term)
            if number is None:
                continue
            span = slice(self.starts[number], self.starts[number + 1])
            found, tf = self.documents[span], self.frequencies[span]
            weight = repeats * np.log((self.size + 1) / len(found))
            values[found] += weight * (delta + (k1 + 1) * tf / (norm[found] + tf))
            if self.compat == "rank_bm25":
                absent = np.ones(self.size, bool)
                absent[found] = False
                values[absent] += weight * delta
            matched[found] = True
        return np.flatnonzero(matched), values
