"""A seat whose worker is an actor, which Ray places on any node with a free processor, or GPU."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic

import ray
from ray import exceptions

from corpus.cluster.port import LostError, Make, R, S
from corpus.cluster.ray.actors import VERSIONS, Worker, packed, unpacked
from corpus.errors import FanfoldError, InputError

MOMENT = 0.2
"""Seconds that a seat's worker is waited for at a time."""


def actor_of(kind: type, options: dict[str, Any]) -> Any:
    """Return an actor's class, whose `remote` starts one."""
    return ray.remote(**options)(kind)


@dataclass(frozen=True, slots=True, eq=False)
class _Actor:
    """An actor that was started, and its answers to what it was asked first."""

    handle: Any
    greeting: Any
    loading: Any
    sent: list[Any] = field(default_factory=list)
    """The answers that are awaited of it, in the order in which they were asked for."""

    def has_loaded(self) -> bool:
        """Whether it had made its function, or failed to, before it ended."""
        try:
            ray.get(self.loading, timeout=0)
        except exceptions.RayTaskError:
            return True
        except exceptions.RayError:
            return False
        return True


class RaySeat(Generic[S, R]):
    """A `Seat` whose worker is an actor."""

    def __init__(self, make: Make[S, R], options: dict[str, Any], lanes: int | None = None) -> None:
        # Without threads a second shard travels while the first is worked on.
        self.lanes = lanes or 2
        self._in_turn = lanes is None
        self._make = packed(make)
        self._options = options
        self._lock = threading.Lock()
        self._actor: _Actor | None = None
        self._name = ""
        """The actor's process; "" until it has greeted."""
        self._closed = False

    def ready(self) -> bool:
        """Have an actor started where there is none, and wait a moment for it."""
        with self._lock:
            if self._closed:
                return False
            if self._actor is None:
                self._actor, self._name = self._started(), ""
            if self._name:
                return True
            actor = self._actor
        try:
            name, versions = ray.get(actor.greeting, timeout=MOMENT)
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
                self._name = name
        return True

    def __call__(self, shard: S) -> R:
        """Have the actor work on a shard."""
        return self.send(shard)()

    def send(self, shard: S) -> Callable[[], R]:
        """Send a shard to the actor."""
        message = packed(shard)
        with self._lock:
            actor, name = self._actor, self._name
            if actor is None or not name:
                # The other lane has buried it since this one saw it ready.
                raise LostError("its worker had ended", begun=False)
            sent = actor.handle.work.remote(message)
            actor.sent.append(sent)
        return lambda: self._receive(actor, name, sent)

    def _receive(self, actor: _Actor, name: str, sent: Any) -> R:
        try:
            answer = unpacked(ray.get(sent))
        except exceptions.RayTaskError as error:
            if isinstance(error.cause, exceptions.RayError):
                raise self._lost(actor, name, sent, error.cause) from None
            raise error.cause from None
        except exceptions.RayError as error:
            raise self._lost(actor, name, sent, error) from None
        with self._lock:
            actor.sent.remove(sent)
        if isinstance(answer, FanfoldError):
            raise answer
        result: R = answer
        return result

    def interrupt(self) -> None:
        """End the actor."""
        with self._lock:
            self._closed = True
            actor = self._actor
        if actor is not None:
            self._drop(actor)

    def close(self) -> None:
        """End the actor."""
        self.interrupt()

    def _started(self) -> _Actor:
        handle = actor_of(Worker, self._options).remote(self._make)
        return _Actor(handle, handle.greet.remote(), handle.load.remote())

    def _lost(self, actor: _Actor, name: str, sent: Any, error: Exception) -> LostError:
        self._drop(actor)
        # Of shards that are worked on in turn it died under the first; the others waited there.
        waited = self._in_turn and actor.sent[0] is not sent
        how = f"its worker ended ({type(error).__name__})"
        return LostError(how, worker=name, begun=actor.has_loaded() and not waited)

    def _drop(self, actor: _Actor) -> None:
        with self._lock:
            if self._actor is actor:
                self._actor = None
        if ray.is_initialized():
            ray.kill(actor.handle)


def _why_unusable(error: Exception) -> FanfoldError:
    text = str(error)
    line = next((one for one in reversed(text.splitlines()) if one.strip()), text).strip()
    return InputError(
        f"a worker of the cluster cannot start ({line}): install fanfold {VERSIONS[0]} on every node"
    )
