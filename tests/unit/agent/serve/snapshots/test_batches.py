from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent.serve.snapshots.batches import MOST_QUERIES, BatchedRetriever
from corpus.errors import BackendError, InputError
from retrieval.types import Hit
from tests.reasoners import WordRetriever, chunk

CHUNKS = [chunk(number, f"word{number} and word{number + 1}") for number in range(30)]


class Held(WordRetriever):
    """Searches once it may; refuses one query."""

    may = threading.Event()
    begun = threading.Event()

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        self.begun.set()
        assert self.may.wait(10)
        if "bad" in queries:
            raise InputError("a bad query")
        return WordRetriever.search(self, queries, k)


@pytest.fixture
def held() -> Held:
    inner = Held(CHUNKS)
    inner.may, inner.begun = threading.Event(), threading.Event()
    return inner


def test_what_waits_together_is_searched_together_and_found_as_alone(held: Held) -> None:
    sizes: list[int] = []
    retriever = BatchedRetriever(held, on_batch=sizes.append)
    first = retriever.submit(["word3"], 5)
    assert held.begun.wait(10)
    others = [retriever.submit([f"word{n}", "word3"], 5) for n in range(10)]
    deeper = retriever.submit(["word7"], 1)
    held.may.set()
    alone = WordRetriever(CHUNKS)
    assert first.result(10) == alone.search(["word3"], 5)
    for n, other in enumerate(others):
        assert other.result(10) == alone.search([f"word{n}", "word3"], 5)
    assert deeper.result(10) == alone.search(["word7"], 1)
    # The second batch has ten queries and the one that all share, once; the third another k.
    assert sizes == [1, 10, 1]
    retriever.close()


def test_one_bad_query_fails_its_own_search_alone(held: Held) -> None:
    retriever = BatchedRetriever(held)
    first = retriever.submit(["word1"], 3)
    assert held.begun.wait(10)
    good, bad = retriever.submit(["word2"], 3), retriever.submit(["bad"], 3)
    held.may.set()
    assert first.result(10)
    assert good.result(10) == WordRetriever(CHUNKS).search(["word2"], 3)
    with pytest.raises(InputError, match="bad query"):
        bad.result(10)
    retriever.close()


def test_cancelled_searches_are_not_made_and_batches_are_bounded(held: Held) -> None:
    sizes: list[int] = []
    retriever = BatchedRetriever(held, on_batch=sizes.append)
    first = retriever.submit(["word1"], 3)
    assert held.begun.wait(10)
    waiting = [retriever.submit([f"query {n}"], 3) for n in range(MOST_QUERIES + 10)]
    for one in waiting[:5]:
        assert one.cancel()
    held.may.set()
    first.result(10)
    for one in waiting[5:]:
        assert one.result(10) == [[]]
    assert sizes == [1, MOST_QUERIES - 5, 10]
    retriever.close()


def test_many_threads_at_once() -> None:
    alone = WordRetriever(CHUNKS)
    retriever = BatchedRetriever(WordRetriever(CHUNKS), threads=2)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: retriever.search([f"word{n % 30}"], 1 + n % 3), range(300)))
    assert found == [alone.search([f"word{n % 30}"], 1 + n % 3) for n in range(300)]
    retriever.close()
    with pytest.raises(BackendError, match="closed"):
        retriever.submit(["word1"], 1)
