"""A Ray cluster's processes as workers: the only file that imports Ray.

A seat is an actor, which Ray places on any node with a free processor, or GPU. Shards and results
travel through Ray's object store: nodes need fanfold, and no file of the machine that asks.
"""

from __future__ import annotations

import logging
import os
import pickle
import sys
import threading
import warnings
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from typing import Any, Generic

import ray
from ray import exceptions

from corpus.cluster.port import LostError, Make, R, S
from corpus.errors import BackendError, FanfoldError, InputError
from corpus.storage.manifest import TOOL_VERSION

MOMENT = 0.2
"""Seconds that a seat's worker is waited for at a time."""
OBJECTS = 256 << 20
"""Bytes of memory for objects of a cluster that is started here; Ray would take a third of all."""
MESSAGES = 10_000
"""Messages to what is shared that wait for their answers at once."""
VERSIONS = (TOOL_VERSION, "{}.{}".format(*sys.version_info))


class _Worker:
    """What runs in an actor."""

    def __init__(self, make: bytes) -> None:
        self._make = make
        self._making = threading.Lock()
        self._function: Callable[[Any], Any] | None = None

    def versions(self) -> tuple[str, ...]:
        """Tell what runs here: a result must not depend on the node it was made on."""
        return VERSIONS

    def work(self, shard: bytes) -> bytes:
        """Return what becomes of a shard, or the error that a person is to read."""
        try:
            with self._making:
                if self._function is None:
                    self._function = _unpacked(self._make)()
            return _packed(self._function(_unpacked(shard)))
        except FanfoldError as error:
            return _packed(error)


def _packed(message: object) -> bytes:
    # Ray passes bytes on as they are. Of anything else it looks at every part in Python, which
    # takes ten times as long as to pickle it, at either end.
    return pickle.dumps(message, protocol=5)


def _unpacked(message: bytes) -> Any:
    return pickle.loads(message)  # noqa: S301 - what this program sent


def _actor_of(kind: type, options: dict[str, Any]) -> Any:
    return ray.remote(**options)(kind)


class _Desk:
    """What runs in the actor that all workers share."""

    def __init__(self, make: bytes) -> None:
        self._answer = _unpacked(make)()

    async def answer(self, message: bytes) -> bytes:
        """Return the answer to a message, or the error that a person is to read."""
        try:
            return _packed(await self._answer(_unpacked(message)))
        except FanfoldError as error:
            return _packed(error)


class RayShared:
    """A `Shared` of Ray's."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    def __call__(self, message: object, /) -> Future[Any]:
        """Send a message to the actor."""
        answered: Future[Any] = Future()

        def settle(sent: Future[Any]) -> None:
            if not answered.set_running_or_notify_cancel():
                return
            try:
                answer = _unpacked(sent.result())
            except exceptions.RayError as error:
                answer = BackendError(f"what all workers share is gone ({type(error).__name__})")
            if isinstance(answer, BaseException):
                answered.set_exception(answer)
            else:
                answered.set_result(answer)

        self._actor.answer.remote(_packed(message)).future().add_done_callback(settle)
        return answered

    def close(self) -> None:
        """End the actor."""
        ray.kill(self._actor)


class RaySeat(Generic[S, R]):
    """A `Seat` whose worker is an actor."""

    def __init__(self, make: Make[S, R], options: dict[str, Any], lanes: int | None = None) -> None:
        # Without threads a second shard travels while the first is worked on.
        self.lanes = lanes or 2
        self._make = _packed(make)
        self._options = options
        self._lock = threading.Lock()
        self._actor: Any = None
        self._first: Any = None
        """Answer of an actor that is being started."""
        self._closed = False

    def ready(self) -> bool:
        """Have an actor started where there is none, and wait a moment for it."""
        with self._lock:
            if self._closed:
                return False
            if self._actor is None:
                self._actor = _actor_of(_Worker, self._options).remote(self._make)
                self._first = self._actor.versions.remote()
            if self._first is None:
                return True
            actor, first = self._actor, self._first
        try:
            versions = ray.get(first, timeout=MOMENT)
        except exceptions.GetTimeoutError:
            return False
        except exceptions.RayTaskError as error:
            raise _why_unusable(error) from None
        except exceptions.RayError as error:
            if "ModuleNotFoundError" in str(error):
                raise _why_unusable(error) from None
            self._drop(actor)
            return False
        if tuple(versions) != VERSIONS:
            raise InputError(
                f"a node of the cluster runs fanfold {versions[0]} under Python {versions[1]}, and"
                f" this machine {VERSIONS[0]} under {VERSIONS[1]}: install the same on all"
            )
        with self._lock:
            if self._actor is actor:
                self._first = None
        return True

    def __call__(self, shard: S) -> R:
        """Have the actor work on a shard."""
        return self.send(shard)()

    def send(self, shard: S) -> Callable[[], R]:
        """Send a shard to the actor."""
        with self._lock:
            actor = self._actor
        if actor is None:
            # The other lane has buried it since this one saw it ready.
            raise LostError("its worker had ended")
        sent = actor.work.remote(_packed(shard))
        return lambda: self._receive(actor, sent)

    def _receive(self, actor: Any, sent: Any) -> R:
        try:
            answer = _unpacked(ray.get(sent))
        except exceptions.RayTaskError as error:
            if isinstance(error.cause, exceptions.RayError):
                raise self._lost(actor, error.cause) from None
            raise error.cause from None
        except exceptions.RayError as error:
            raise self._lost(actor, error) from None
        if isinstance(answer, FanfoldError):
            raise answer
        result: R = answer
        return result

    def interrupt(self) -> None:
        """End the actor."""
        with self._lock:
            self._closed = True
            actor = self._actor
        self._drop(actor)

    def close(self) -> None:
        """End the actor."""
        self.interrupt()

    def _lost(self, actor: Any, error: Exception) -> LostError:
        self._drop(actor)
        return LostError(f"its worker ended ({type(error).__name__})")

    def _drop(self, actor: Any) -> None:
        with self._lock:
            if self._actor is actor:
                self._actor = self._first = None
        if actor is not None and ray.is_initialized():
            ray.kill(actor)


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
        return RayShared(_actor_of(_Desk, options).remote(_packed(make)))

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
        if os.environ.get("RAY_ADDRESS"):
            raise
        ray.init(include_dashboard=False, object_store_memory=OBJECTS, **quiet)


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


def _why_unusable(error: Exception) -> FanfoldError:
    text = str(error)
    line = next((one for one in reversed(text.splitlines()) if one.strip()), text).strip()
    return InputError(
        f"a worker of the cluster cannot start ({line}): install fanfold {VERSIONS[0]} on every node"
    )
