"""Searches of many requests, made together: a batch costs far less than its queries one by one."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from corpus.errors import BackendError
from retrieval.types import Hit, Retriever

Found = list[list[Hit]]
MOST_QUERIES = 128
"""Queries of one batch; a single search may have more. Two hundred clients of two workers are one batch of
each: where only half of them fitted in, the others waited twice as long."""
_PASSES = 3
"""Of an event loop, from a result to what it brings in: the reply is sent, sockets are looked at, what
was read is begun."""
_CROWD = 16
"""Searches of one batch from which the next waits for those who are late: a client that misses it waits
for two batches."""
_LATE = (0.002, 0.004, 0.008)
"""Seconds, one after the other, that they are given: a fiftieth of what a batch of a crowd takes."""
_LONGEST_TURN = 0.1
"""Seconds for which a loop that does something else holds up the next batch."""


@dataclass(slots=True)
class _Search:
    queries: Sequence[str]
    k: int
    reply: Future[Found] | asyncio.Future[Found]
    """Of a thread that waits, or of an event loop."""

    def begin(self) -> bool:
        """Say whether anybody still wants it."""
        if isinstance(self.reply, Future):
            return self.reply.set_running_or_notify_cancel()
        return not self.reply.done()

    def end(self, outcome: Found | BaseException) -> None:
        """Tell what was found; of a loop's search, within that loop."""
        if isinstance(self.reply, asyncio.Future) and self.reply.done():
            return
        if isinstance(outcome, BaseException):
            self.reply.set_exception(outcome)
        else:
            self.reply.set_result(outcome)


_Outcomes = list[tuple[_Search, "Found | BaseException"]]


class BatchedRetriever:
    """A `Retriever` that joins searches that wait at the same time into one.

    While one batch is searched the next gathers, and before it begins an event loop that was told
    what the last one found gets to send that and to read what has come: clients that ask as soon as
    they have their reply are in the same batch. Only a crowd waits for a clock, and for the few of it
    that are late: alone, a search is made at once. A batch holds searches of one `k` alone, so that each gets the hits it would get by
    itself.

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
        reply: Future[Found] = Future()
        self._add(_Search(queries, k, reply))
        return reply

    async def find(self, queries: Sequence[str], k: int) -> Found:
        """Return what the inner retriever finds, to a task of an event loop.

        A batch's results go to the loop together: handing over each by itself would cost more than
        finding it.

        Raises:
            BackendError: this was closed.
        """
        reply: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._add(_Search(queries, k, reply))
        return await reply

    def close(self) -> None:
        """End the threads, once they have searched what waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _add(self, search: _Search) -> None:
        with self._changed:
            if self._closed:
                raise BackendError("the retriever was closed")
            self._waiting.append(search)
            self._changed.notify()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    if self._closed:
                        return
                    self._changed.wait()
                batch = self._take()
            self._tell(self._answer([one for one in batch if one.begin()]))

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

    def _answer(self, batch: Sequence[_Search]) -> _Outcomes:
        if not batch:
            return []
        queries = list(dict.fromkeys(query for one in batch for query in one.queries))
        self._on_batch(len(queries))
        try:
            found = dict(zip(queries, self._inner.search(queries, batch[0].k), strict=True))
        except BaseException as error:
            if len(batch) == 1:
                return [(batch[0], error)]
            # One request's query must not fail its neighbours'.
            return [told for one in batch for told in self._answer([one])]
        return [(one, [found[query] for query in one.queries]) for one in batch]

    def _tell(self, outcomes: _Outcomes) -> None:
        """Give everybody what was found for them; a loop gets its turn before this returns."""
        of_loops: dict[asyncio.AbstractEventLoop, _Outcomes] = {}
        for search, outcome in outcomes:
            if isinstance(search.reply, asyncio.Future):
                of_loops.setdefault(search.reply.get_loop(), []).append((search, outcome))
            else:
                search.end(outcome)
        for loop, told in of_loops.items():
            turn = threading.Event()
            try:
                loop.call_soon_threadsafe(self._deliver, loop, told, turn)
            except RuntimeError:
                # The loop was closed: nobody waits there any more.
                continue
            turn.wait(_LONGEST_TURN)

    def _deliver(
        self, loop: asyncio.AbstractEventLoop, told: _Outcomes, turn: threading.Event
    ) -> None:
        for search, outcome in told:
            search.end(outcome)
        late = _LATE if len(told) >= _CROWD else ()
        self._gather(loop, turn, _PASSES, 0, late, min(len(told), MOST_QUERIES))

    def _gather(
        self,
        loop: asyncio.AbstractEventLoop,
        turn: threading.Event,
        passes: int,
        seen: int,
        late: Sequence[float],
        crowd: int,
    ) -> None:
        """Let the loop pass on for as long as that brings in searches that fit into a batch."""
        waiting = len(self._waiting)
        if passes:
            loop.call_soon(self._gather, loop, turn, passes - 1, seen, late, crowd)
        elif seen < waiting < MOST_QUERIES:
            loop.call_soon(self._gather, loop, turn, _PASSES - 1, waiting, late, crowd)
        elif late and waiting < crowd:
            loop.call_later(late[0], self._gather, loop, turn, 0, waiting, late[1:], crowd)
        else:
            turn.set()
