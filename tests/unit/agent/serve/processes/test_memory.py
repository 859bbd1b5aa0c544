from __future__ import annotations

import ctypes
import gc
import subprocess
import sys

import pytest

from agent.serve.processes.memory import ARENAS, keep_what_is_there

ALLOCATING = """
import ctypes, sys, threading
from agent.serve.processes.memory import share_arenas
if sys.argv[1] == "shared":
    share_arenas()
together = threading.Barrier(8)
def allocate():
    together.wait()
    kept = [bytearray(5000) for _ in range(2000)]
    together.wait()
threads = [threading.Thread(target=allocate) for _ in range(8)]
for one in threads: one.start()
for one in threads: one.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""


def arenas(how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", ALLOCATING, how], capture_output=True, text=True, check=True
    )
    return done.stdout.count("<heap nr=")


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_info"), reason="another C library than GNU's"
)
def test_threads_share_a_few_arenas() -> None:
    assert arenas("shared") <= ARENAS < arenas("apart")


def test_what_is_there_is_passed_over_and_what_comes_later_is_collected() -> None:
    there: list[object] = []
    try:
        keep_what_is_there()
        assert not any(one is there for one in gc.get_objects())
        assert gc.get_freeze_count() > 1000
        cycle: list[object] = []
        cycle.append(cycle)
        del cycle
        assert gc.collect() >= 1
    finally:
        gc.unfreeze()
