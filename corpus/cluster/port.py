"""What runs shards: seats, each with one worker, whoever runs the worker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from functools import cache
from typing import Any, Protocol, TypeVar
from uuid import uuid4

from corpus.errors import FanfoldError

S = TypeVar("S")
R = TypeVar("R")
S_contra = TypeVar("S_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)
Make = Callable[[], Callable[[S], R]]
"""Makes, once in each worker, the function that works there: what is expensive to load is loaded
then. Picklable, and importable wherever a worker runs."""


@cache
def process_name() -> str:
    """Return a name of this process that no other has, on any machine."""
    return uuid4().hex


class LostError(FanfoldError):
    """The worker of a seat ended under its shard; says how. Another may fare better."""

    def __init__(self, how: str, *, worker: str = "", begun: bool = True) -> None:
        """Take what is known of the worker.

        Args:
            how: it ended.
            worker: its `process_name`; "" where it is not known.
            begun: whether it may have worked on the shard, and died of it: it had loaded what it
                works with, and no other shard was before.
        """
        super().__init__(how)
        self.worker = worker
        self.begun = begun


class Seat(Protocol[S_contra, R_co]):
    """A place for one worker, which is started when it is first needed and again when it has died."""

    @property
    def lanes(self) -> int:
        """Threads that may call at once: with two, a shard travels while another is worked on."""

    def ready(self) -> bool:
        """Whether a worker can take a shard now; waits for it no longer than a moment.

        Raises:
            FanfoldError: there will never be one.
        """

    def send(self, shard: S_contra, /) -> Callable[[], R_co]:
        """Send a shard to a worker that is ready; what is returned waits for the result.

        One shard is under way from a thread at a time. Raises, then or at once, what a call does.
        """

    def __call__(self, shard: S_contra, /) -> R_co:
        """Return what the worker makes of a shard.

        Raises:
            LostError: the worker died.
            FanfoldError: what the worker's function raised.
        """

    def interrupt(self) -> None:
        """End the worker, from any thread; a call under way ends with an exception."""

    def close(self) -> None:
        """End the worker."""


class Shared(Protocol):
    """A line to what one place does for all workers; picklable."""

    def __call__(self, message: Any, /) -> Future[Any]:
        """Send a message; the answer comes to any thread that waits for it."""

    def close(self) -> None:
        """End the other side."""


class Cluster(Protocol):
    """Workers on one machine or many. Closed by whoever opened it."""

    @property
    def workers(self) -> int:
        """Most workers of one kind of work."""

    def seats(
        self, make: Make[S, R], *, lanes: int | None = None, gpu: bool = False
    ) -> Sequence[Seat[S, R]]:
        """Return seats for one kind of work, as many as there are workers.

        Args:
            make: see `Make`.
            lanes: shards that each worker has under way at once, in threads; None for one.
            gpu: one seat a GPU, where there are any.
        """

    def close(self) -> None:
        """Give the workers back."""


class SharingCluster(Cluster, Protocol):
    """A cluster whose workers can share one thing, and stay with what they hold."""

    def share(self, make: Callable[[], Callable[[Any], Awaitable[Any]]]) -> Shared:
        """Return a line to one coroutine function, made once, on the machine that asks.

        Raises:
            InputError: this machine is no part of the cluster.
        """

    def host(self, makes: Sequence[Make[S, R]]) -> Sequence[Seat[S, R]]:
        """Return one seat for each of these, which stays with what it has made; any thread may call."""
