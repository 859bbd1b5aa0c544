"""Several processes at one address: uvicorn's supervisor over servers of ours.

One interpreter works on one thing at a time; with `--workers N` the snapshots are opened N times, and
the kernel spreads connections over N sockets of one port. Rates of tokens and metrics are those of
all workers. Places, queue, searches that wait and connections are dealt out evenly, so that all
workers together keep the limits that were set; one may refuse what another has room for. Each keeps
what it found by itself.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prometheus_client.multiprocess import mark_process_dead
from uvicorn import Config
from uvicorn.supervisors.multiprocess import Multiprocess, Process

from agent.serve.options import Options
from corpus.errors import BackendError, FanfoldError, InputError

if TYPE_CHECKING:
    import socket

Say = Callable[[str], None]
_CONTEXT = get_context("spawn")


@dataclass(frozen=True, slots=True)
class Shared:
    """What the workers have in common; it travels to each as it is started."""

    ready: Any
    """Queue of lines: what each worker serves, once it does."""
    rooms: Any
    """Numbers of the tokens' rates, see `agent.serve.access.tokens.Doorkeeper`."""
    metrics: Path
    """Folder in which the workers count."""


def dealt_out(options: Options) -> Options:
    """Return one worker's share of the limits.

    Raises:
        InputError: there are fewer places than workers.
    """
    workers = options.workers
    if options.places < workers:
        raise InputError(
            f"--places {options.places} are too few for --workers {workers}: give each one at least"
        )
    limits = options.wiring.limits
    if limits is not None:
        limits = replace(limits, concurrency=max(1, limits.concurrency // workers))
    return replace(
        options,
        places=options.places // workers,
        waiting=options.waiting // workers,
        searches=options.searches // workers,
        connections=options.connections // workers,
        kept_bytes=options.kept_bytes // workers,
        wiring=replace(options.wiring, limits=limits),
    )


def share_of_processors(workers: int) -> int:
    """Return how many processors each of so many workers may take, one at least."""
    return max(1, (os.cpu_count() or 1) // workers)


class Worker(Process):
    """One process that serves."""

    def __init__(self, config: Config, options: Options, shared: Shared, say: Say) -> None:
        super().__init__(config, [])
        self._options = options
        self._shared = shared
        self._say = say

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the service and serve it: runs in the process."""
        threading.Thread(target=_end_with_parent, daemon=True).start()
        from agent.serve.processes.memory import share_arenas
        from agent.serve.processes.server import bind, log_faults, place_of, run
        from agent.serve.service import Service

        log_faults()
        share_arenas()
        try:
            bound = bind(self._options, together=True)
            service = Service(
                self._options,
                say=self._say,
                metrics=self._shared.metrics,
                rooms=self._shared.rooms,
            )
        except FanfoldError as error:
            self._say(str(error))
            sys.exit(error.exit_code)
        told = f"{service.told}, at {place_of(self._options, bound)}"
        try:
            run(service, bound, on_start=lambda: self._shared.ready.put(told))
        finally:
            service.close()


class Workers(Multiprocess):
    """Starts workers, replaces those that die, and ends all of them in good order.

    The first is started alone: what is wrong is said once, and what has to be built is built once.
    """

    def __init__(self, options: Options, shared: Shared, say: Say) -> None:
        super().__init__(Config("", workers=options.workers, log_config=None), [])
        self._options = dealt_out(options)
        self._shared = shared
        self._say = say
        self._serving = 0
        self.exit_code = 0
        """Of a worker that could not start."""

    def init_processes(self) -> None:
        """Start the first."""
        self._start()

    def keep_subprocess_alive(self) -> None:
        """Start the others once the first serves; put another in the place of one that died."""
        while not self._shared.ready.empty():
            told = self._shared.ready.get()
            self._serving += 1
            if self._serving == self.processes_num:
                self._say(f"{told}, {self.processes_num} workers")
        for worker in [one for one in self.processes if not one.process.is_alive()]:
            worker.join()
            self.processes.remove(worker)
            mark_process_dead(worker.pid, str(self._shared.metrics))  # type: ignore[no-untyped-call]
            if self._serving < self.processes_num:
                self.exit_code = worker.exitcode or 1
                self.should_exit.set()
                return
            self._say(f"a worker died ({worker.exitcode}); another takes its place")
        while self._serving and len(self.processes) < self.processes_num:
            self._start()

    def handle_hup(self) -> None:
        """Nothing is read anew: a snapshot does not change."""

    def handle_ttin(self) -> None:
        """There are as many workers as were asked for."""

    def handle_ttou(self) -> None:
        """There are as many workers as were asked for."""

    def _start(self) -> None:
        worker = Worker(self.config, self._options, self._shared, self._say)
        worker.start()
        self.processes.append(worker)


def run_workers(options: Options, say: Say) -> None:
    """Serve with several processes until SIGTERM or Ctrl-C, then stop in good order.

    Args:
        options: of all of them together.
        say: told where they serve; a function that can be pickled.

    Raises:
        InputError: the address, or fewer places than workers.
        BackendError: a worker did not start; it has said why.
    """
    from agent.serve.processes.server import bind

    # Held without listening: nobody else gets the port while workers come and go.
    with bind(options, together=True) as held, tempfile.TemporaryDirectory() as folder:
        options = replace(options, port=held.getsockname()[1])
        # prometheus_client takes it from there alone, when a worker imports it.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        # FAISS and numpy would take every processor in every worker, and spin while they wait there.
        os.environ.setdefault("OMP_NUM_THREADS", str(share_of_processors(options.workers)))
        shared = Shared(
            ready=_CONTEXT.SimpleQueue(),
            rooms=_CONTEXT.Array("d", 2 * max(1, len(options.tokens))),
            metrics=Path(folder),
        )
        workers = Workers(options, shared, say)
        workers.run()
    if workers.exit_code:
        error = InputError if workers.exit_code == InputError.exit_code else BackendError
        raise error("a worker did not start: the line above says why")


def _end_with_parent() -> None:
    """Stop when the supervisor is gone: nobody else would."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)
