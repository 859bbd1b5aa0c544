from __future__ import annotations

import asyncio
import os
import threading
from contextvars import ContextVar

import pytest

from corpus.machine.loops import run_to_end
from corpus.machine.threads import MOST_THREADS, in_thread

SAID: ContextVar[str] = ContextVar("said", default="")


async def where() -> int:
    return await in_thread(threading.get_ident)


def test_threads_outlive_the_loops_that_use_them() -> None:
    found = {run_to_end(where()) for _ in range(5 * MOST_THREADS)}
    assert threading.get_ident() not in found
    # None of them ended with its loop, and no loop had one of its own.
    assert found <= {thread.ident for thread in threading.enumerate()}
    assert len(found) <= MOST_THREADS


def test_work_sees_the_context_of_its_caller_and_raises_in_it() -> None:
    async def asked() -> str:
        SAID.set("here")
        return await in_thread(lambda: SAID.get())

    def failing() -> None:
        raise ValueError("not so")

    assert run_to_end(asked()) == "here"
    with pytest.raises(ValueError, match="not so"):
        run_to_end(in_thread(failing))


def test_work_that_waits_for_other_work_never_waits_for_ever() -> None:
    def nested() -> int:
        return run_to_end(in_thread(threading.get_ident))

    async def many() -> list[int]:
        return await asyncio.gather(*(in_thread(nested) for _ in range(3 * MOST_THREADS)))

    assert len(run_to_end(asyncio.wait_for(many(), 30))) == 3 * MOST_THREADS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    run_to_end(where())
    child = os.fork()
    if child == 0:
        try:
            run_to_end(where())
        finally:
            os._exit(0)
    ended, status = os.waitpid(child, 0)
    assert (ended, status) == (child, 0)
