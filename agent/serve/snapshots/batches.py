"""Searches of many requests, made together: a batch costs far less than its queries one by one."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from corpus.errors import BackendError
from retrieval.types import Hit, Retriever

Found = list[list[Hit]]
MOST_QUERIES = 64
"""Queries of one batch; a single search may have more."""


@dataclass(slots=True)
class _Search:
    queries: Sequence[str]
    k: int
    done: Future[Found] = field(default_factory=Future)


class BatchedRetriever:
    """A `Retriever` that joins searches that wait at the same time into one.

    While one batch is searched the next gathers, so nothing waits for a clock: alone, a search is
    made at once. A batch holds searches of one `k` alone, so that each gets the hits it would get
    by itself.

    Args:
        inner: searches; closed with this.
        threads: batches at once.
        on_batch: told how many queries a batch has.
    """

    def __init__(
        self,
        inner: Retriever,
        *,
        threads: int = 1,
        on_batch: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._inner = inner
        self._on_batch = on_batch
        self._waiting: deque[_Search] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._serve, name=f"search-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def search(self, queries: Sequence[str], k: int) -> Found:
        """Return what the inner retriever finds; waits for it."""
        return self.submit(queries, k).result()

    def submit(self, queries: Sequence[str], k: int) -> Future[Found]:
        """Return a search's future; cancelling it before its batch begins saves the work.

        Raises:
            BackendError: this was closed.
        """
        search = _Search(queries, k)
        with self._changed:
            if self._closed:
                raise BackendError("the retriever was closed")
            self._waiting.append(search)
            self._changed.notify()
        return search.done

    def close(self) -> None:
        """End the threads, once they have searched what waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    if self._closed:
                        return
                    self._changed.wait()
                batch = self._take()
            self._answer([one for one in batch if one.done.set_running_or_notify_cancel()])

    def _take(self) -> list[_Search]:
        """Return the first search that waits and those of the same `k` that fit beside it."""
        first = self._waiting.popleft()
        batch, rest, room = [first], deque[_Search](), MOST_QUERIES - len(first.queries)
        while self._waiting and room > 0:
            one = self._waiting.popleft()
            if one.k == first.k and len(one.queries) <= room:
                batch.append(one)
                room -= len(one.queries)
            else:
                rest.append(one)
        rest.extend(self._waiting)
        self._waiting = rest
        return batch

    def _answer(self, batch: Sequence[_Search]) -> None:
        if not batch:
            return
        queries = list(dict.fromkeys(query for one in batch for query in one.queries))
        self._on_batch(len(queries))
        try:
            found = dict(zip(queries, self._inner.search(queries, batch[0].k), strict=True))
        except BaseException as error:
            if len(batch) > 1:
                # One request's query must not fail its neighbours'.
                for one in batch:
                    self._answer([one])
            else:
                batch[0].done.set_exception(error)
            return
        for one in batch:
            one.done.set_result([found[query] for query in one.queries])
