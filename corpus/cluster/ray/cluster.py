"""A Ray cluster: joined, or started on this machine alone; its seats, and what its workers share."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import ray

from corpus.cluster.port import Make, R, S
from corpus.cluster.ray.actors import Desk, packed
from corpus.cluster.ray.seat import RaySeat, actor_of
from corpus.cluster.ray.shared import RayShared
from corpus.errors import BackendError, InputError

OBJECTS = 256 << 20
"""Bytes of memory for objects of a cluster that is started here; Ray would take a third of all."""
MESSAGES = 10_000
"""Messages to what is shared that wait for their answers at once."""


class RayCluster:
    """A `Cluster` of Ray's."""

    def __init__(self, workers: int, *, started: bool) -> None:
        """Take how many actors work at once, and whether to leave Ray at the end."""
        self.workers = workers
        self._started = started

    @classmethod
    def join(cls, spec: str, workers: int = 0) -> RayCluster:
        """Join a cluster, or start one of this machine alone; see `corpus.cluster.open_cluster`.

        Raises:
            BackendError: nothing answers there.
        """
        started = not ray.is_initialized()
        if started:
            try:
                _init(spec)
            except (ConnectionError, RuntimeError, ValueError, ImportError, TimeoutError) as error:
                # Ray's client says no more than that it waited, where it lacked the token.
                token = "" if spec == "ray" else ", or set RAY_AUTH_MODE=token where it has a token"
                raise BackendError(
                    f"--cluster {spec}: cannot join it ({str(error).splitlines()[0]}): start its"
                    f" head by `ray start --head`, or name another{token}"
                ) from None
        _hush()
        processors = _there_are("CPU")
        return cls(workers or max(1, processors), started=started)

    def seats(
        self, make: Make[S, R], *, lanes: int | None = None, gpu: bool = False
    ) -> Sequence[RaySeat[S, R]]:
        """Return as many seats as there are workers, or GPUs where there are any and one is wanted."""
        gpus = _there_are("GPU") if gpu else 0
        options: dict[str, Any] = {"num_cpus": 1, "scheduling_strategy": "SPREAD"}
        if gpus:
            options["num_gpus"] = 1
        if lanes is not None:
            # One more answers whether the actor is there.
            options["max_concurrency"] = lanes + 1
        count = min(gpus, self.workers) or self.workers
        return [RaySeat(make, options, lanes) for _ in range(count)]

    def share(self, make: Callable[[], Callable[[Any], Awaitable[Any]]]) -> RayShared:
        """Start an actor on the node of this process, which has its files."""
        if ray.util.client.ray.is_connected():  # type: ignore[no-untyped-call]
            raise InputError(
                "through Ray's client nothing of this machine can be shared: run this on a node of"
                " the cluster, with --cluster ray"
            )
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
        options = {"num_cpus": 0, "scheduling_strategy": here, "max_concurrency": MESSAGES}
        return RayShared(actor_of(Desk, options).remote(packed(make)))

    def host(self, makes: Sequence[Make[S, R]]) -> Sequence[RaySeat[S, R]]:
        """Return a seat for each, spread over the nodes; they wait more than they work."""
        options = {"num_cpus": 0, "scheduling_strategy": "SPREAD"}
        return [RaySeat(make, options) for make in makes]

    def close(self) -> None:
        """Leave the cluster; one that was started for this ends."""
        if self._started and ray.is_initialized():
            ray.shutdown()


def _init(spec: str) -> None:
    # Ray takes these by no other way. Nothing leaves the machine unless it was asked to; and
    # workers started here are no less urgent than the same work in processes (Ray would make
    # them give way to every other program, niceness 15).
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if spec != "ray":
        # The first is told in a line that ends the command, the second is of no use to who builds.
        for told in ("Ray Client connection timed out", "More than 10MB of messages"):
            warnings.filterwarnings("ignore", told)
        ray.init(address=spec, **quiet)
        return
    try:
        ray.init(address="auto", **quiet)
    except ConnectionError:
        # `ray start` guards its cluster by the token that an earlier one has left on this machine,
        # and `ray.init` does not show it by itself.
        if _take_token():
            with suppress(ConnectionError):
                ray.init(address="auto", **quiet)
                return
        if os.environ.get("RAY_ADDRESS"):
            raise
        ray.init(include_dashboard=False, object_store_memory=OBJECTS, **quiet)


def _take_token() -> bool:
    """Have Ray show this machine's token, where there is one and it was not told not to."""
    try:
        from ray._private.authentication import authentication_token_setup as setup
    except ImportError:
        return False
    setup.logger.setLevel(logging.ERROR)
    return bool(setup.maybe_enable_token_auth_if_token_available(warn_if_disabled=False))


def _there_are(what: str) -> int:
    """Return how many processors, or GPUs, all nodes have together."""
    found: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return int(found.get(what, 0))


def _hush() -> None:
    """Keep Ray's lines about workers that died off standard output, for which it has no switch.

    A seat tells what matters of them.
    """
    from ray._private import worker

    worker.print_to_stdstream = lambda *_, **__: None
