from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import Snapshot
from corpus.errors import InputError
from corpus.sample import sample_snapshot
from corpus.types import Chunk
from retrieval.ranking.chunks import ChunkCache


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return Snapshot.open(sample_snapshot("en"))


class Read:
    """A snapshot that notes which rows are read."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.rows: list[int] = []

    def chunks_at(self, rows: Sequence[int]) -> list[Chunk]:
        self.rows += rows
        return self._snapshot.chunks_at(rows)


@given(st.lists(st.sets(st.integers(0, 40), max_size=20), max_size=12), st.integers(0, 60))
def test_kept_chunks_are_those_of_the_snapshot(
    snapshot: Snapshot, asked: list[set[int]], most: int
) -> None:
    read = Read(snapshot)
    cache = ChunkCache(read, most)  # type: ignore[arg-type]
    for rows in asked:
        found = cache.at(rows)
        assert found == dict(zip(rows, snapshot.chunks_at(list(rows)), strict=True))
        assert len(cache._kept) <= most
    if most >= 41 and asked:
        assert len(read.rows) == len(set().union(*asked))


def test_what_was_asked_for_last_is_kept(snapshot: Snapshot) -> None:
    read = Read(snapshot)
    cache = ChunkCache(read, 3)  # type: ignore[arg-type]
    for rows in ({1, 2, 3}, {1}, {4}, {1, 3}, {2}):
        cache.at(rows)
    assert read.rows == [1, 2, 3, 4, 2]
    with pytest.raises(InputError, match="no row"):
        cache.at({1, snapshot.chunk_count})


def test_threads_share_what_is_kept(snapshot: Snapshot) -> None:
    cache = ChunkCache(snapshot, 10)
    with ThreadPoolExecutor(4) as pool:
        asked = [{n % 30, (n * 7) % 30} for n in range(200)]
        for rows, found in zip(asked, pool.map(cache.at, asked), strict=True):
            assert found == dict(zip(rows, snapshot.chunks_at(list(rows)), strict=True))
