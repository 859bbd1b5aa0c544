"""Blocking work beside an event loop, on threads that outlive it.

A loop's own threads (`asyncio.to_thread`) are begun and ended with the loop. A question asked by
`Agent.ask` has a loop of its own, and to begin four threads and wait for their end takes as long as
much of its work: 1.4 ms of processor, several on the clock where the machine has other work.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")
MOST_THREADS = min(32, (os.cpu_count() or 1) + 4)
"""Of the process, begun as they are needed: as many as asyncio has for a loop."""


async def in_thread(
    work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
) -> Result:
    """Run blocking work in a thread and return its result, as `asyncio.to_thread` does.

    Work that goes on after its wait was cancelled is not waited for where the loop ends.
    """
    if getattr(_HERE, "busy", False):
        # This loop runs in one of the threads, for work that waits for it: to wait for another of
        # them would come to an end only while there are some left.
        return await asyncio.to_thread(work, *args, **kwargs)
    piece = partial(copy_context().run, _marked, partial(work, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_pool(), piece)


_HERE = threading.local()
_made: ThreadPoolExecutor | None = None
_making = threading.Lock()


def _marked(work: Callable[[], Result]) -> Result:
    _HERE.busy = True
    try:
        return work()
    finally:
        _HERE.busy = False


def _pool() -> ThreadPoolExecutor:
    global _made
    with _making:
        if _made is None:
            _made = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="beside")
        return _made


def _renew() -> None:
    global _made, _making
    # Threads do not follow into a forked process, and a lock may have been held there.
    _made, _making = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
