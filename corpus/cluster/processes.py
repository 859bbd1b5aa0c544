"""This machine's processes as workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Generic

from corpus.cluster.port import LostError, Make, R, S
from corpus.errors import FanfoldError

_START = "import sys; sys.path[:] = sys.argv[3:]; import importlib; importlib.import_module(sys.argv[2]).main()"
"""The package may be importable here only because of where this process was started."""


class Child:
    """A process that serves a pipe, whose descriptor is its first argument.

    Not started through multiprocessing, which would run the caller's main module again.
    """

    def __init__(self, module: str, first: object) -> None:
        """Take the name of the module whose `main` the process runs, and its first message."""
        self._module = module
        self._first = first
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self.interrupted = False

    def connect(self) -> Connection:
        """Return the connection to the process, which is started where there is none."""
        if self._connection is None:
            ours, theirs = Pipe()
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, this package
                [sys.executable, "-c", _START, str(theirs.fileno()), self._module, *sys.path],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
            theirs.close()
            self._connection = ours
            ours.send(self._first)
        return self._connection

    def bury(self) -> int:
        """Return the exit code of a process that ended; the next connection is to a new one."""
        assert self._process is not None
        code = self._process.wait()
        self.close()
        return code

    def interrupt(self) -> None:
        """End the process, from any thread."""
        self.interrupted = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process, at once where it is busy."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def told(code: int) -> str:
    """Say how a process ended."""
    return signal.Signals(-code).name if code < 0 else f"exit status {code}"


class ProcessSeat(Generic[S, R]):
    """A `Seat` whose worker is a process of this machine."""

    lanes = 1

    def __init__(self, make: Make[S, R]) -> None:
        self._child = Child("corpus.cluster.worker", make)

    def ready(self) -> bool:
        """A process can always be started."""
        return True

    def __call__(self, shard: S) -> R:
        """Have the process work on a shard."""
        return self.send(shard)()

    def send(self, shard: S) -> Callable[[], R]:
        """Send a shard to the process."""
        try:
            self._child.connect().send(shard)
        except (EOFError, ConnectionError):
            raise self._lost() from None
        return self._receive

    def _lost(self) -> LostError:
        return LostError(f"its process ended ({told(self._child.bury())})")

    def _receive(self) -> R:
        try:
            answer: Any = self._child.connect().recv()
        except (EOFError, ConnectionError):
            raise self._lost() from None
        if isinstance(answer, FanfoldError):
            raise answer
        result: R = answer
        return result

    def interrupt(self) -> None:
        """End the process."""
        self._child.interrupt()

    def close(self) -> None:
        """End the process."""
        self._child.close()


class ThisMachine:
    """A `Cluster` of this machine's processes; none is started before it is needed."""

    def __init__(self, workers: int = 0) -> None:
        self.workers = workers or os.cpu_count() or 1

    def seats(
        self, make: Make[S, R], *, lanes: int | None = None, gpu: bool = False
    ) -> Sequence[ProcessSeat[S, R]]:
        """Return as many seats as there are workers, of one lane each; a GPU is one process's."""
        return [ProcessSeat(make) for _ in range(1 if gpu and _has_gpu() else self.workers)]

    def close(self) -> None:
        """Nothing outlives its seat."""


def _has_gpu() -> bool:
    from pathlib import Path

    return Path("/dev/nvidia0").exists()
