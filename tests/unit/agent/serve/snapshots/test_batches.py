from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent.serve.snapshots.batches import MOST_QUERIES, BatchedRetriever, _Search
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


async def test_what_replies_of_a_loop_bring_in_is_in_the_next_batch() -> None:
    sizes: list[int] = []
    alone = WordRetriever(CHUNKS)
    retriever = BatchedRetriever(WordRetriever(CHUNKS), on_batch=sizes.append)

    async def client(number: int) -> None:
        for turn in range(20):
            query = f"word{(number + turn) % 30}"
            assert await retriever.find([query, f"unlike {number}"], 3) == alone.search(
                [query, f"unlike {number}"], 3
            )

    await asyncio.gather(*(client(number) for number in range(16)))
    # All sixteen, each with a query of its own: but for the first, which was searched alone.
    assert sorted(sizes)[2:-2]
    assert min(sorted(sizes)[2:-2]) > 16
    retriever.close()
    with pytest.raises(BackendError, match="closed"):
        await retriever.find(["word1"], 1)


async def test_a_loop_that_leaves_or_fails_holds_nobody_up(held: Held) -> None:
    retriever = BatchedRetriever(held)
    first = asyncio.create_task(retriever.find(["word1"], 3))
    await asyncio.to_thread(held.begun.wait, 10)
    left = asyncio.create_task(retriever.find(["word2"], 3))
    bad = asyncio.create_task(retriever.find(["bad"], 3))
    beside = retriever.submit(["word4"], 3)
    await asyncio.sleep(0)
    left.cancel()

    other = asyncio.new_event_loop()
    retriever._add(_Search(["word5"], 3, other.create_future()))
    other.close()
    held.may.set()
    assert await first == WordRetriever(CHUNKS).search(["word1"], 3)
    with pytest.raises(InputError, match="bad query"):
        await bad
    assert await asyncio.wrap_future(beside) == WordRetriever(CHUNKS).search(["word4"], 3)
    assert await retriever.find(["word6"], 3) == WordRetriever(CHUNKS).search(["word6"], 3)
    await asyncio.to_thread(retriever.close)
