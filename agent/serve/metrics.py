"""What the server counts, in Prometheus' form; a registry of its own, so that two can live in a process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

if TYPE_CHECKING:
    from agent.serve.gate import Gate

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)


class Metrics:
    """Counters, histograms and gauges of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "fanfold_requests",
            "Requests by path, method and status.",
            ("path", "method", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "fanfold_request_seconds",
            "Seconds from the request's first byte to the reply's last.",
            ("path",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.questions = Counter(
            "fanfold_questions",
            "Questions that ended: answered, failed, or left by their client.",
            ("outcome",),
            registry=self.registry,
        )
        self.batch_queries = Histogram(
            "fanfold_batch_queries",
            "Queries searched together.",
            buckets=(1, 2, 4, 8, 16, 32, 64),
            registry=self.registry,
        )
        self._running = Gauge(
            "fanfold_questions_running", "Questions that are worked on.", registry=self.registry
        )
        self._waiting = Gauge(
            "fanfold_questions_waiting", "Questions that wait.", registry=self.registry
        )

    def watch(self, gate: Gate) -> None:
        """Show how many questions a gate has in and before it."""
        self._running.set_function(lambda: gate.running)
        self._waiting.set_function(lambda: gate.waiting)

    def exposition(self) -> bytes:
        """Return all of it as text."""
        return generate_latest(self.registry)
