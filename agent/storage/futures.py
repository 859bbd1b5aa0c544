"""A result that any thread may give and any event loop may wait for.

`asyncio.wrap_future` hands a waiter's cancellation on to what it waits for, and speaks to loops that
have ended; where one result serves many waiters, or must be given whoever still waits, it is none.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def awaited(future: Future[T]) -> T:
    """Return the result of a future; cancelling the wait leaves the future as it is."""
    if not future.done():
        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def wake(_: Future[T]) -> None:
            # The loop may have ended, and who waited with it.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, done)

        future.add_done_callback(wake)
        await done
    return future.result()


def _settle(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)
