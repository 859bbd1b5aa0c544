"""What the server counts, in Prometheus' form; a registry of its own, so that two can live in a process.

Where several processes serve, each counts in files of a folder that all of them read.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.process_collector import ProcessCollector

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)

LABELS = 256
"""Paths, methods and statuses that are counted by heart."""


class Metrics:
    """Counters, histograms and gauges of one server.

    Args:
        folder: where the processes of this server count; None where it is one.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.registry = CollectorRegistry()
        self._folder = folder
        if folder is None:
            ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "fanfold_requests",
            "Requests by path, method and status.",
            ("path", "method", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "fanfold_request_seconds",
            "Seconds from the request's first byte to the reply's last.",
            ("path",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.questions = Counter(
            "fanfold_questions",
            "Questions that ended: answered, kept (answered before), failed, or left by their client.",
            ("outcome",),
            registry=self.registry,
        )
        self.batch_queries = Histogram(
            "fanfold_batch_queries",
            "Queries searched together.",
            buckets=(1, 2, 4, 8, 16, 32, 64, 128),
            registry=self.registry,
        )
        self._running = Gauge(
            "fanfold_questions_running",
            "Questions that are worked on.",
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self._waiting = Gauge(
            "fanfold_questions_waiting",
            "Questions that wait.",
            registry=self.registry,
            multiprocess_mode="livesum",
        )

        # Finding a counter by its labels takes longer than counting.
        self._counter = lru_cache(LABELS)(self._requests.labels)
        self._times = lru_cache(LABELS)(self._seconds.labels)

    def count(self, path: str, method: str, status: int, seconds: float) -> None:
        """Note a request that ended."""
        self._counter(path, method, status).inc()
        self._times(path).observe(seconds)

    def set_questions(self, running: int, waiting: int) -> None:
        """Note how many questions are worked on and wait."""
        self._running.set(running)
        self._waiting.set(waiting)

    def exposition(self) -> bytes:
        """Return all of it as text."""
        if self._folder is None:
            return generate_latest(self.registry)
        everybody = CollectorRegistry()
        MultiProcessCollector(everybody, path=str(self._folder))  # type: ignore[no-untyped-call]
        return generate_latest(everybody)
