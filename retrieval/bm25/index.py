"""The BM25+ index: build it from a stream of texts, open it, search it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import InputError
from retrieval.bm25.build import build_folder, make_segments, sum_up
from retrieval.bm25.collection import Collection
from retrieval.bm25.dictionary import Dictionary, Scorer, Weighted
from retrieval.bm25.plain import keep_best, score_documents
from retrieval.bm25.scorer import choose_scorer, count_processors
from retrieval.bm25.segment import Segment
from retrieval.bm25.store import describe, open_files
from retrieval.terms.analyzers import Analyzer
from retrieval.terms.analyzers import analyzer as analyzer_of

if TYPE_CHECKING:
    from corpus.cluster import Cluster, Seat
    from retrieval.bm25.shards import Texts

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class BM25PlusIndex:
    """BM25+ (Lv and Zhai, 2011) over numbered documents. Safe to search from several threads.

    score(q,d) = Σ over t in q ∩ d of
    qtf(t) · ln((N+1)/df(t)) · (δ + (k1+1)·tf/(k1·(1−b+b·|d|/avgdl)+tf))

    With `compat="rank_bm25"`, the scores of the package of that name: δ·qtf·ln((N+1)/df) counts
    for the terms a document lacks as well, so that documents rank as if δ were 0.
    """

    folder: Path
    analyzer: Analyzer
    manifest: dict[str, Any]
    _collection: Collection
    _dictionary: Dictionary
    _scorer: Scorer
    _rows: Int64 | None = None
    """Ids a search chooses among, ascending; None for all."""

    @property
    def size(self) -> int:
        """Number of documents."""
        return self._collection.size

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
        cluster: Cluster | None = None,
    ) -> BM25PlusIndex:
        """Index the texts in their order, write the index to `folder`, and open it.

        The texts are read once and not kept; memory stays below about a gigabyte. An index that
        stood at `folder` is replaced when the new one is whole. If the build is killed, the next
        one with the same texts keeps the segments that were finished.

        Args:
            texts: the documents; the i-th gets id i.
            folder: where to write.
            analyzer: makes the terms; an object, a name or a language code.
            k1: how late repetitions of a term stop counting, at least 0.
            b: how much long documents are held back, from 0 to 1.
            delta: what one occurrence counts at least, at least 0.
            compat: "rank_bm25" for the scores of that package, None for the published formula.
            cluster: makes the segments, to the same bytes; the analyzer must be one with a name.

        Raises:
            InputError: a parameter is out of range, or the folder holds something else.
        """
        analyse = analyzer_of(analyzer) if isinstance(analyzer, str) else analyzer
        said = _check_parameters(k1, b, delta, compat)
        seats: Sequence[Seat[Texts, bytes]] = ()
        if cluster is not None:
            from retrieval.bm25.shards import Packing

            seats = cluster.seats(Packing(analyzer=analyse.name))
        build_folder(texts, Path(folder), analyse, said, seats)
        return BM25PlusIndex.open(folder, analyzer=analyse)

    @staticmethod
    def of(
        texts: Iterable[str],
        *,
        analyzer: Analyzer | str = "english",
        k1: float = 1.5,
        b: float = 0.75,
        delta: float = 1.0,
        compat: str | None = None,
    ) -> BM25PlusIndex:
        """Index a few texts in memory, such as the articles given with one question.

        The arguments are those of `build`.

        Raises:
            InputError: a parameter is out of range.
        """
        analyse = analyzer_of(analyzer) if isinstance(analyzer, str) else analyzer
        said = _check_parameters(k1, b, delta, compat)
        segments = list(make_segments(texts, analyse))
        manifest = sum_up(analyse, said, [describe(segment) for segment in segments])
        return _assemble(Path("(in memory)"), manifest, segments, analyse, None, None)

    @staticmethod
    def open(
        folder: str | os.PathLike[str],
        *,
        analyzer: Analyzer | str | None = None,
        check: bool | None = None,
        threads: int | None = None,
        compiled: bool | None = None,
    ) -> BM25PlusIndex:
        """Open an index.

        Args:
            folder: where it was built.
            analyzer: must be the one it was built with; None takes that.
            check: whether to read every byte and compare checksums; None does so for indexes
                below 256 MiB. The manifest and all lengths are checked in any case.
            threads: threads one search may use; None takes as many as there are processors.
            compiled: whether to search with compiled code; None decides by size. Where this
                machine has never compiled it, None has another process do so and searches
                without until it is ready, True waits. The results are the same.

        Raises:
            InputError: no index, a foreign or damaged one, or another analyzer.
        """
        path = Path(folder)
        manifest, segments = open_files(path, check)
        analyse = choose_analyzer(path, manifest["analyzer"], analyzer)
        return _assemble(path, manifest, segments, analyse, threads, compiled)

    def search(
        self, queries: Sequence[str], k: int, rows: Sequence[int] | Int64 | None = None
    ) -> tuple[Int64, Float64]:
        """Return the ids and scores of the best documents, both [len(queries), k].

        Only documents that share a term with the query are listed; the rest of a row is id -1
        with score 0. Equal scores are in order of id.

        Args:
            queries: questions or words; anything without a term gives an empty row.
            k: how many documents, at least 1.
            rows: ids to choose among, in any order; None for all, or for those of `within`.

        Raises:
            InputError: k is below 1, `queries` is one string, `rows` holds an id that is none, or
                a file is damaged.
        """
        if k < 1:
            raise InputError(f"cannot return {k} documents: ask for at least one")
        if isinstance(queries, str):
            raise InputError(
                "queries: a list is needed, not one string: each letter would be asked"
            )
        terms = [self.analyzer(query) for query in queries]
        table, weighted = self._dictionary.weigh(terms)
        if rows is None:
            rows = self._rows
        if rows is None:
            ids, scores = self._scorer.search(table, weighted, min(k, max(1, self.size)))
            ids, scores = _widen(ids, k, -1), _widen(scores, k, 0)
        else:
            chosen = np.unique(self._check_rows(rows))
            ids = np.full((len(queries), k), -1, np.int64)
            scores = np.zeros((len(queries), k))
            for query in range(len(queries)):
                values, matched = score_documents(
                    self._collection, table, list(weighted.terms(query)), chosen
                )
                keep_best([(chosen[matched], values[matched])], ids[query], scores[query])
        if self.manifest["compat"]:
            scores += np.where(ids >= 0, self._absent(weighted)[:, None], 0.0)
        return ids, scores

    def within(self, rows: Sequence[int] | Int64) -> BM25PlusIndex:
        """Return this index, searching these ids alone, with the scores of the whole.

        Raises:
            InputError: `rows` holds an id that is none.
        """
        return replace(self, _rows=np.unique(self._check_rows(rows)))

    def scores(self, query: str, rows: Sequence[int] | Int64) -> Float64:
        """Return the scores of given documents in the order given, float64 [len(rows)]."""
        chosen = self._check_rows(rows)
        table, weighted = self._dictionary.weigh([self.analyzer(query)])
        order, back = np.unique(chosen, return_inverse=True)
        values, _ = score_documents(self._collection, table, list(weighted.terms(0)), order)
        if self.manifest["compat"]:
            values += self._absent(weighted)
        found: Float64 = values[back]
        return found

    def _absent(self, weighted: Weighted) -> Float64:
        """Return what rank_bm25 gives every document for each query, whatever it contains."""
        delta = self.manifest["parameters"]["delta"]
        return np.array(
            [
                delta * sum(weight for _, weight in weighted.terms(query))
                for query in range(weighted.size)
            ]
        )

    def _check_rows(self, rows: Sequence[int] | Int64) -> Int64:
        chosen = np.asarray(rows, np.int64)
        if len(chosen) and not (chosen.min() >= 0 and chosen.max() < self.size):
            raise InputError(f"rows: ids go from 0 to {self.size - 1}")
        return chosen


def _check_parameters(k1: float, b: float, delta: float, compat: str | None) -> dict[str, Any]:
    if not (k1 >= 0 and 0 <= b <= 1 and delta >= 0):
        raise InputError(f"BM25+ needs k1 ≥ 0, 0 ≤ b ≤ 1, delta ≥ 0: got {k1}, {b}, {delta}")
    if compat not in (None, "rank_bm25"):
        raise InputError(f"unknown compat {compat!r}: choose rank_bm25 or leave it out")
    return {
        "parameters": {"k1": float(k1), "b": float(b), "delta": float(delta)},
        "compat": compat,
    }


def _assemble(
    folder: Path,
    manifest: dict[str, Any],
    segments: Sequence[Segment],
    analyse: Analyzer,
    threads: int | None,
    compiled: bool | None,
) -> BM25PlusIndex:
    parameters = manifest["parameters"]
    collection = Collection.of(
        folder,
        segments,
        k1=parameters["k1"],
        b=parameters["b"],
        delta=0.0 if manifest["compat"] else parameters["delta"],
    )
    scorer = choose_scorer(
        collection, manifest["postings"], threads or count_processors(), compiled
    )
    return BM25PlusIndex(
        folder=folder,
        analyzer=analyse,
        manifest=manifest,
        _collection=collection,
        _dictionary=Dictionary(collection, scorer),
        _scorer=scorer,
    )


def choose_analyzer(
    folder: Path, identity: dict[str, Any], wanted: Analyzer | str | None
) -> Analyzer:
    """Return the analyzer of an index; refuse one that makes other terms.

    Raises:
        InputError: says how to mend it.
    """
    chosen = wanted if isinstance(wanted, Analyzer) else analyzer_of(wanted or identity["name"])
    if chosen.identity["name"] != identity["name"]:
        raise InputError(
            f"{folder}: built with the analyzer {identity['name']!r}, not {chosen.name!r}: open it "
            "with its own or build it again"
        )
    if chosen.identity != identity:
        raise InputError(
            f"{folder}: the analyzer {chosen.name!r} now makes other terms than when this index "
            "was built (another release of fanfold or of PyStemmer): build it again"
        )
    return chosen


def _widen(array: NDArray[Any], k: int, fill: int) -> NDArray[Any]:
    missing = k - array.shape[1]
    return np.pad(array, ((0, 0), (0, missing)), constant_values=fill) if missing else array
