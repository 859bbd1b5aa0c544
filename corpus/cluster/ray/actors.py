"""What runs in the actors of a Ray cluster, and how what is sent there is packed."""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from corpus.cluster.port import process_name
from corpus.errors import FanfoldError
from corpus.storage.manifest import TOOL_VERSION

VERSIONS = (TOOL_VERSION, "{}.{}".format(*sys.version_info))


def packed(message: object) -> bytes:
    """Return a message as bytes."""
    # Ray passes bytes on as they are. Of anything else it looks at every part in Python, which
    # takes ten times as long as to pickle it, at either end.
    return pickle.dumps(message, protocol=5)


def unpacked(message: bytes) -> Any:
    """Return the message that was packed."""
    return pickle.loads(message)  # noqa: S301 - what this program sent


class Worker:
    """Works on shards; the function that does is made when the first of them, or `load`, comes."""

    def __init__(self, make: bytes) -> None:
        self._make = make
        self._making = threading.Lock()
        self._function: Callable[[Any], Any] | None = None

    def greet(self) -> tuple[str, tuple[str, ...]]:
        """Tell the process's name and what runs here: a result must not depend on its node."""
        return process_name(), VERSIONS

    def load(self) -> None:
        """Make the function. An error that a person is to read is told by `work`."""
        with suppress(FanfoldError):
            self._loaded()

    def work(self, shard: bytes) -> bytes:
        """Return what becomes of a shard, or the error that a person is to read."""
        try:
            return packed(self._loaded()(unpacked(shard)))
        except FanfoldError as error:
            return packed(error)

    def _loaded(self) -> Callable[[Any], Any]:
        with self._making:
            if self._function is None:
                self._function = unpacked(self._make)()
        return self._function


class Desk:
    """Answers all workers, as a coroutine function does that is made once."""

    def __init__(self, make: bytes) -> None:
        self._answer = unpacked(make)()

    async def answer(self, message: bytes) -> bytes:
        """Return the answer to a message, or the error that a person is to read."""
        try:
            return packed(await self._answer(unpacked(message)))
        except FanfoldError as error:
            return packed(error)
