"""How this process multiplies matrices: one thread a product, as many products as processors."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from corpus.faults import check_room

THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
PASS_ROOM = 256 << 20
"""Bytes of addresses that must be free for a forward pass: some 50 MB of activations, and what
OpenBLAS reserves for a thread that it has not met. Where it gets none, it ends the process."""


class _SingleThreadedBlas:
    """Lets numpy's matrix products use one thread each, as long as anyone is inside.

    One thread a batch does the element-wise work in parallel as well, and does not stall where
    other programs share the cores: OpenBLAS spins at a barrier in every product, which made this
    encoder ten times slower under load.

    OpenBLAS heeds the limit for all threads, but only where the process's first thread sets it
    (seen with 0.3.31). So whoever has texts encoded in threads of its own is inside meanwhile, in
    the first thread: an agent as long as it answers, a server as long as it serves.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._controller: Any = None
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._controller is None:
                from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

                self._controller = ThreadpoolController().select(user_api="blas")
            self._inside += 1
            if self._inside == 1:
                self._limit = self._controller.limit(limits=1)
            elif threading.current_thread() is threading.main_thread():
                # What another thread has set may count for nothing; what it found still counts.
                self._controller.limit(limits=1)

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._limit.restore_original_limits()


single_threaded_blas = _SingleThreadedBlas()


class _Passes:
    """Lets in as many forward passes as there are processors; the others wait.

    Questions asked at once would otherwise each take memory for passes that only slow each other.
    """

    def __init__(self) -> None:
        self._places = threading.BoundedSemaphore(THREADS)
        if hasattr(os, "register_at_fork"):
            # Whoever was inside is not there in the child.
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._places = threading.BoundedSemaphore(THREADS)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Wait for a place, and make sure of the memory.

        Raises:
            MemoryError: it is not to be had.
        """
        with self._places:
            check_room(PASS_ROOM)
            yield


passes = _Passes()
