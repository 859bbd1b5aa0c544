"""Worker processes for a build, with back-pressure; a worker that dies costs one page."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corpus.builder.extraction import FAILED, TOO_SLOW, Extracted, extract_batch
from corpus.builder.worker import Task
from corpus.cluster.processes import Child, told
from corpus.errors import BackendError, FanfoldError
from corpus.sources.types import Batch, Source

Piece = tuple[int, Batch]
"""The number of a source, and a batch of it."""


class Worker:
    """A `corpus.cluster.Seat` with one worker process, started when it is first needed and again when it has died.

    Not for several threads at once: the build gives each worker a thread of its own.
    """

    lanes = 1

    def __init__(self, sources: Sequence[Source], base_url: str) -> None:
        self._sources = list(sources)
        self._child = Child("corpus.builder.worker", (self._sources, base_url))

    def ready(self) -> bool:
        """A process can always be started."""
        return True

    def __call__(self, piece: Piece) -> Extracted:
        """Extract a batch; pages that end the process are skipped with the reason.

        Raises:
            FanfoldError: what the source says about itself while it is parsed.
            BackendError: the process cannot be started, or dies outside of any page.
        """
        source, batch = piece
        failing: dict[int, str] = {}
        careful = False
        while True:
            task = Task(source=source, payload=batch.payload, failing=failing, careful=careful)
            place = -1
            try:
                connection = self._child.connect()
                connection.send(task)
                while isinstance(answer := connection.recv(), int):
                    place = answer
            except (EOFError, ConnectionError):
                if self._child.interrupted:
                    raise EOFError("interrupted") from None
                reason = self._bury()
                if careful and (place < 0 or place in failing):
                    raise BackendError(
                        f"a batch of {self._sources[source].name} again and again {reason}:"
                        " run the same command again, with fewer --workers if memory is short"
                    ) from None
                if careful:
                    failing[place] = reason
                careful = True
                continue
            if isinstance(answer, FanfoldError):
                raise answer
            assert isinstance(answer, Extracted)
            return answer

    def send(self, piece: Piece) -> Callable[[], Extracted]:
        """Extract a batch when it is waited for."""
        return lambda: self(piece)

    def interrupt(self) -> None:
        """End the process, from any thread; an extraction under way ends with an EOFError."""
        self._child.interrupt()

    def close(self) -> None:
        """End the process, at once where it is busy."""
        self._child.close()

    def _bury(self) -> str:
        """Return why the process ended."""
        code = self._child.bury()
        return TOO_SLOW if code == -signal.SIGPROF else f"{FAILED} ({told(code)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Makes what extracts on a node of a cluster: a worker process there, as a page may end it."""

    sources: Sequence[Source]
    base_url: str

    def __call__(self) -> Worker:
        """Return it."""
        return Worker(self.sources, self.base_url)


class InProcess:
    """The same, in this process: for small sources, where starting a process costs more."""

    def __init__(self, sources: Sequence[Source], base_url: str) -> None:
        self._sources = list(sources)
        self._base_url = base_url

    def extract(self, source: int, batch: Batch) -> Extracted:
        """Extract a batch."""
        return extract_batch(self._sources[source], batch.payload, self._base_url)

    def close(self) -> None:
        """Nothing is to be ended."""
