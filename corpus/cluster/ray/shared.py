"""A line to the actor that all workers share."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import ray
from ray import exceptions

from corpus.cluster.ray.actors import packed, unpacked
from corpus.errors import BackendError


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
                answer = unpacked(sent.result())
            except exceptions.RayError as error:
                answer = BackendError(f"what all workers share is gone ({type(error).__name__})")
            if isinstance(answer, BaseException):
                answered.set_exception(answer)
            else:
                answered.set_result(answer)

        self._actor.answer.remote(packed(message)).future().add_done_callback(settle)
        return answered

    def close(self) -> None:
        """End the actor."""
        ray.kill(self._actor)
