"""An index in parts finds what one index finds, with the same scores to the last bit."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import retrieval.bm25.build
from corpus.cluster import LostError
from corpus.errors import BackendError, InputError
from retrieval.bm25 import BM25PlusIndex
from retrieval.bm25.distributed import DistributedIndex
from tests.seats import FakeCluster

WORDS = [f"w{n}" for n in range(40)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eleven segments of texts in which words are as unevenly spread as in language."""
    chance = random.Random(5)
    texts = [
        " ".join(chance.choices(WORDS, [1 / (n + 1) for n in range(40)], k=chance.randint(0, 40)))
        for _ in range(210)
    ]
    place = tmp_path_factory.mktemp("distributed") / "index"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrieval.bm25.build, "DOCUMENTS", 20)
        BM25PlusIndex.build(texts, place, analyzer="plain")
    return place


@given(
    st.lists(st.lists(st.sampled_from([*WORDS, "absent", "the"]), max_size=9), max_size=4),
    st.integers(1, 5),
    st.integers(1, 300),
    st.one_of(st.none(), st.lists(st.integers(0, 209), max_size=30)),
)
def test_parts_find_what_the_whole_finds(
    folder: Path, queries: list[list[str]], parts: int, k: int, rows: list[int] | None
) -> None:
    asked = [" ".join(words) for words in queries]
    whole = BM25PlusIndex.open(folder)
    index = DistributedIndex.open(folder, FakeCluster(1, 0), parts)
    ids, scores = whole.search(asked, k, rows)
    found, values = index.search(asked, k, rows)
    assert found.tolist() == ids.tolist()
    assert values.tolist() == scores.tolist()
    if rows is not None:
        assert index.within(rows).search(asked, k)[0].tolist() == ids.tolist()
    index.close()


def test_a_part_whose_worker_dies_is_asked_again_and_then_told(folder: Path) -> None:
    cluster = FakeCluster(1, 0)
    index = DistributedIndex.open(folder, cluster, 3)
    seat = index._parts._seats[1]
    work, deaths = seat.work, [2]

    def dying(shard: object) -> object:
        deaths[0] -= 1
        if deaths[0] >= 0:
            raise LostError("SIGKILL")
        return work(shard)

    seat.work = dying  # type: ignore[attr-defined]
    expected = BM25PlusIndex.open(folder).search(["w1 w7"], 5)
    np.testing.assert_array_equal(index.search(["w1 w7"], 5)[0], expected[0])
    deaths[0] = 9
    with pytest.raises(BackendError, match="a part of the BM25\\+ index is gone: SIGKILL"):
        index.search(["w1 w7"], 5)


def test_another_index_on_a_worker_is_refused(folder: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    BM25PlusIndex.build(["a b", "c"], index)
    distributed = DistributedIndex.open(index, FakeCluster(1, 0), 4)
    with pytest.raises(InputError, match="ids go from 0 to 1"):
        distributed.within([2])
    makes: list[object] = []

    class Later(FakeCluster):
        def host(self, parts):  # type: ignore[no-untyped-def]
            makes.extend(parts)
            return super().host(parts)

    DistributedIndex.open(index, Later(1, 0), 1)
    BM25PlusIndex.build(["a b", "d"], index)
    with pytest.raises(InputError, match="is another index than here"):
        makes[0]()  # type: ignore[operator]
