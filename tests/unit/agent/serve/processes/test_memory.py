from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from agent.serve.processes.memory import ARENAS

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
