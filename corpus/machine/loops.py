"""Running a coroutine to its end from code that does not await: scripts, and cells of a notebook."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from corpus.faults import check_loop

Result = TypeVar("Result")


def run_to_end(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in an event loop of its own, and return what it returns.

    A notebook's cell stands inside a running loop, in which no other can run: there the work is
    done in a thread of its own, for which the cell waits.

    Raises:
        OSError: no descriptor is left for a loop.
    """
    try:
        check_loop()
    except OSError:
        work.close()
        raise
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(work)
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="loop") as own:
        return own.submit(copy_context().run, _run, work).result()


def _run(work: Coroutine[Any, Any, Result]) -> Result:
    results: list[Result] = []

    async def kept() -> None:
        # Not returned: `asyncio.run` looks at the handler of interrupts before it ends, and in
        # Python 3.11 that look writes out whatever its task returned, long answers too.
        results.append(await work)

    asyncio.run(kept())
    return results[0]
