"""Shards from reading threads through seats to one consumer, in bounded memory.

    stream ─ cuts shards ─┐                     ┌─ seat ─┐
    stream ─ cuts shards ─┴─ line, bounded ─────┴─ seat ─┴─ line, bounded ── consumer

Both lines are short, so the slowest part sets the pace and memory does not grow with the input.
Results come in the order in which they are ready. A worker that dies costs its shard's time: the
shard goes back to the end of the line, three times, and is then named. One that dies before it has
begun with the shard did not die of it, and the shard goes back to the front.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic

from corpus.cluster.port import LostError, R, S, Seat
from corpus.errors import BackendError

AHEAD = 2
"""Shards that are read ahead for each seat, and results that wait."""
TRIES = 3
"""Times that a shard is given to another worker after the first died of it, or with it."""
STARTS = 5
"""Workers of each seat that may die before they begin, one after another, until that is told."""
PATIENCE = 120.0
"""Seconds without any worker after which waiting for one ends."""
_TICK = 0.1
"""Seconds after which a thread that waits for a worker looks whether all has stopped."""


class NoError(Exception):
    """Never raised: stands for no kind of error."""


def map_shards(
    streams: Sequence[Iterable[S]],
    seats: Sequence[Seat[S, R]],
    *,
    name: Callable[[S], str] = str,
    most: int | None = None,
    soft: type[Exception] = NoError,
    order: Callable[[Exception], int] = lambda _: 0,
    lost: Callable[[LostError], None] = lambda _: None,
) -> Iterator[tuple[S, R]]:
    """Yield each shard with what became of it, as they are ready; the seats are closed at the end.

    Args:
        streams: of shards, each read by one thread, as many at once as there are seats.
        seats: where they are worked on.
        name: of a shard, for a message.
        most: shards that wait, where they are large; and results.
        soft: an error after which no shard is begun, but those under way are awaited: of several
            such errors the first in `order` is raised.
        order: place of a soft error.
        lost: told, from any thread, of every worker that died under a shard.

    Raises:
        BackendError: workers die of a shard again and again, or none can be had.
        Exception: whatever a stream or a worker's function raised.
    """
    line = _Line(streams, seats, name, most, soft, order, lost)
    line.start()
    try:
        yield from line.results()
    finally:
        line.stop()


class _Line(Generic[S, R]):
    """The threads and what lies between them, all under one condition."""

    def __init__(
        self,
        streams: Sequence[Iterable[S]],
        seats: Sequence[Seat[S, R]],
        name: Callable[[S], str],
        most: int | None,
        soft: type[Exception],
        order: Callable[[Exception], int],
        lost: Callable[[LostError], None],
    ) -> None:
        self._seats = seats
        self._name = name
        self._soft = soft
        self._order = order
        self._tell_lost = lost
        self._changed = threading.Condition()
        self._unread = iter(streams)
        self._reading = min(len(streams), len(seats))
        self._room = most or AHEAD * sum(seat.lanes for seat in seats)
        self._waiting: deque[tuple[S, int]] = deque()
        """Shards, and how many workers died under each."""
        self._results: deque[tuple[S, R]] = deque()
        self._busy = 0
        """Shards that seats have."""
        self._unstarted: set[str] = set()
        """Workers that died before they began with a shard, since there was a result."""
        self._served = time.monotonic()
        """When a seat last had a worker."""
        self._soft_errors: list[Exception] = []
        self._error: BaseException | None = None
        self._stopped = False
        self._threads = [
            threading.Thread(target=self._read, daemon=True) for _ in range(self._reading)
        ]
        self._threads += [
            threading.Thread(target=self._work, args=(seat,), daemon=True)
            for seat in seats
            for _ in range(seat.lanes)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End every thread and worker."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        for seat in self._seats:
            seat.interrupt()
        for thread in self._threads:
            # One that is deep in a file has nothing to lose: it ends with this process.
            thread.join(timeout=1)
        for seat in self._seats:
            seat.close()

    def results(self) -> Iterator[tuple[S, R]]:
        """Yield results until all is done; raise what a thread failed with."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._results or self._error or self._over())
                if self._error is not None:
                    raise self._error
                if not self._results:
                    break
                result = self._results.popleft()
                self._changed.notify_all()
            yield result
        if self._soft_errors:
            raise min(self._soft_errors, key=self._order)

    def _over(self) -> bool:
        """Whether no shard will be begun and none is under way."""
        return self._stopped or (
            not self._busy and (self._ending() or not (self._reading or self._waiting))
        )

    def _ending(self) -> bool:
        """Whether no shard will be begun any more, though there may be some."""
        return self._stopped or bool(self._soft_errors) or self._error is not None

    def _read(self) -> None:
        try:
            while (stream := self._next_stream()) is not None:
                for shard in stream:
                    with self._changed:
                        self._changed.wait_for(
                            lambda: len(self._waiting) < self._room or self._ending()
                        )
                        if self._ending():
                            return
                        self._waiting.append((shard, 0))
                        self._changed.notify_all()
        except BaseException as error:
            self._fail(error)
        finally:
            with self._changed:
                self._reading -= 1
                self._changed.notify_all()

    def _next_stream(self) -> Iterable[S] | None:
        with self._changed:
            return None if self._ending() else next(self._unread, None)

    def _work(self, seat: Seat[S, R]) -> None:
        try:
            while (item := self._take(seat)) is not None:
                shard, losses = item
                try:
                    result = seat(shard)
                except LostError as lost:
                    self._give_back(shard, losses, lost)
                except self._soft as error:
                    with self._changed:
                        self._soft_errors.append(error)
                        self._busy -= 1
                        self._changed.notify_all()
                else:
                    with self._changed:
                        self._changed.wait_for(
                            lambda: len(self._results) < self._room or self._stopped
                        )
                        self._results.append((shard, result))
                        self._unstarted.clear()
                        self._busy -= 1
                        self._changed.notify_all()
        except BaseException as error:
            self._fail(error)

    def _take(self, seat: Seat[S, R]) -> tuple[S, int] | None:
        """Return a shard for a seat once both are there; None where no more will come."""
        while True:
            served = seat.ready()
            with self._changed:
                if served:
                    self._served = time.monotonic()
                    self._changed.wait_for(lambda: self._waiting or self._ending() or self._over())
                if self._ending() or self._over():
                    return None
                if served:
                    self._busy += 1
                    item = self._waiting.popleft()
                    self._changed.notify_all()
                    return item
                self._check_served()
                self._changed.wait(_TICK)

    def _check_served(self) -> None:
        if not self._busy and time.monotonic() - self._served > PATIENCE:
            raise BackendError(
                f"the cluster gave no worker for {PATIENCE:.0f} s: see that its nodes run and have"
                " a free processor, then run the same command again"
            )
        if self._busy:
            self._served = time.monotonic()

    def _give_back(self, shard: S, losses: int, lost: LostError) -> None:
        self._tell_lost(lost)
        with self._changed:
            if not lost.begun:
                self._waiting.appendleft((shard, losses))
                self._note_unstarted(lost)
            elif losses < TRIES:
                # Behind the others: what kills workers now may have passed by then.
                self._waiting.append((shard, losses + 1))
            elif not self._stopped:
                self._error = self._error or BackendError(
                    f"{self._name(shard)}: {losses + 1} workers died of it, the last: {lost}; run"
                    " the same command again, with fewer --workers if memory is short"
                )
            self._busy -= 1
            self._changed.notify_all()

    def _note_unstarted(self, lost: LostError) -> None:
        if lost.worker:
            self._unstarted.add(lost.worker)
        if len(self._unstarted) > STARTS * len(self._seats) and not self._stopped:
            self._error = self._error or BackendError(
                f"{len(self._unstarted)} workers died one after another, and none made anything, the"
                f" last: {lost}; run the same command again, with fewer --workers if memory is short"
            )

    def _fail(self, error: BaseException) -> None:
        with self._changed:
            self._error = self._error or error
            self._changed.notify_all()
