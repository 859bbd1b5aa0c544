from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from retrieval.dense.faiss_index import DenseIndex, build_dense
from retrieval.ranking.owner import Found, OwnedIndex
from retrieval.types import Float32Matrix, Ids


def unit(rows: int, dim: int, seed: int = 0) -> Float32Matrix:
    values = np.random.default_rng(seed).standard_normal((rows, dim)).astype(np.float32)
    return np.asarray(values / np.linalg.norm(values, axis=1, keepdims=True), np.float32)


class Watched:
    """An index that counts its calls and refuses company."""

    size = 10
    most = 10

    def __init__(self) -> None:
        self.busy = threading.Lock()
        self.batches: list[int] = []

    def search(self, queries: Float32Matrix, k: int) -> Found:
        assert self.busy.acquire(blocking=False), "two callers at once"
        try:
            if np.isnan(queries).any():
                raise ValueError("not a number")
            time.sleep(0.02)
            self.batches.append(len(queries))
            rows = queries[:, :1].astype(np.int64) + np.arange(k)
            return rows, rows.astype(np.float32)
        finally:
            self.busy.release()

    def score(self, queries: Float32Matrix, rows: Sequence[int] | Ids) -> Float32Matrix:
        return np.zeros((len(queries), len(rows)), np.float32)


def test_concurrent_searches_become_batches() -> None:
    watched = Watched()
    owned = OwnedIndex(watched)
    with ThreadPoolExecutor(16) as pool:
        answers = list(
            pool.map(
                lambda number: owned.search(np.full((1, 3), number, np.float32), 1 + number % 4),
                range(40),
            )
        )
    owned.close()
    for number, (rows, scores) in enumerate(answers):
        assert rows.tolist() == [list(range(number, number + 1 + number % 4))]
        assert scores.shape == rows.shape
    assert sum(watched.batches) == 40
    assert len(watched.batches) < 40
    assert owned.size == 10
    assert owned.score(np.zeros((2, 3), np.float32), [1, 2]).shape == (2, 2)


def test_an_error_reaches_only_who_asked() -> None:
    owned = OwnedIndex(Watched())
    bad = np.full((1, 3), np.nan, np.float32)

    def ask(number: int) -> int | str:
        query = bad if number == 3 else np.full((1, 3), number, np.float32)
        try:
            return int(owned.search(query, 1)[0][0, 0])
        except ValueError as error:
            return str(error)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(8)))
    assert answers == [0, 1, 2, "not a number", 4, 5, 6, 7]
    owned.close()
    owned.close()
    with pytest.raises(RuntimeError, match="closed"):
        owned.search(bad, 1)


def test_behind_its_owner_an_index_gives_the_same(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    vectors = unit(500, 16).astype(np.float16)
    build_dense(vectors, folder, "SQfp16")
    index = DenseIndex.open(folder, vectors)
    owned = OwnedIndex(DenseIndex.open(folder, vectors))
    queries = unit(64, 16, seed=1)
    expected = index.search(queries, 5)
    with ThreadPoolExecutor(16) as pool:
        parts = list(pool.map(lambda i: owned.search(queries[i : i + 1], 5), range(64)))
    owned.close()
    assert np.array_equal(np.concatenate([rows for rows, _ in parts]), expected[0])
    np.testing.assert_allclose(np.concatenate([found for _, found in parts]), expected[1], 1e-5)
