"""A seat without a worker of its own, for tests of what is done in shards."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpus.cluster import Make


@dataclass
class FakeSeat:
    """A seat that works in this process and dies when it is told to."""

    work: Callable[[Any], Any]
    lanes: int = 1
    absent: int = 0
    """Times that it is asked for a worker before it has one."""
    closed: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ready(self) -> bool:
        with self.lock:
            self.absent -= 1
            return self.absent < 0

    def __call__(self, shard: Any) -> Any:
        return self.work(shard)

    def send(self, shard: Any) -> Callable[[], Any]:
        return lambda: self(shard)

    def interrupt(self) -> None:
        self.closed = True

    def close(self) -> None:
        self.closed = True


class FakeCluster:
    """Works in threads of this process, each shard for a random while, and dies when told to."""

    def __init__(self, workers: int, seed: int, stop_after: int | None = None) -> None:
        self.workers = workers
        self.done: list[Any] = []
        """Shards that were worked on."""
        self._random = random.Random(seed)
        self._left = stop_after
        self._lock = threading.Lock()

    def seats(
        self, make: Make[Any, Any], *, lanes: int | None = None, gpu: bool = False
    ) -> Sequence[FakeSeat]:
        function = make()

        def work(shard: Any) -> Any:
            time.sleep(self._random.random() / 200)
            with self._lock:
                if self._left is not None:
                    self._left -= 1
                    if self._left < 0:
                        raise KeyboardInterrupt
                self.done.append(shard)
            return function(shard)

        return [FakeSeat(work) for _ in range(self.workers)]

    def host(self, makes: Sequence[Make[Any, Any]]) -> Sequence[FakeSeat]:
        return [FakeSeat(make()) for make in makes]

    def close(self) -> None:
        pass
