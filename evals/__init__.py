"""From answers to numbers: benchmarks, judges, metrics, runs, reports."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evals.benchmarks import BENCHMARKS as BENCHMARKS
    from evals.experiments import Compared as Compared
    from evals.experiments import Scored as Scored
    from evals.experiments import compare as compare
    from evals.experiments import load as load
    from evals.experiments import run as run
    from evals.experiments import score as score
    from evals.metrics.summary import Summary as Summary
    from evals.ports import Benchmark as Benchmark
    from evals.ports import Judges as Judges
    from evals.reports.comparison import compare_runs as compare_runs
    from evals.runs.folder import RunFolder as RunFolder
    from evals.runs.samples import score_run as score_run
    from evals.types import Prediction as Prediction
    from evals.types import Response as Response
    from evals.types import Sample as Sample
    from evals.types import Score as Score

__all__ = [
    "BENCHMARKS",
    "Benchmark",
    "Compared",
    "Judges",
    "Prediction",
    "Response",
    "RunFolder",
    "Sample",
    "Score",
    "Scored",
    "Summary",
    "compare",
    "compare_runs",
    "load",
    "run",
    "score",
    "score_run",
]

# Loaded when first asked for: a command that needs one of them does not wait for all.
_HOMES = {
    "BENCHMARKS": "evals.benchmarks", "Benchmark": "evals.ports", "Compared": "evals.experiments",
    "Judges": "evals.ports", "Prediction": "evals.types", "Response": "evals.types",
    "RunFolder": "evals.runs.folder", "Sample": "evals.types", "Score": "evals.types",
    "Scored": "evals.experiments", "Summary": "evals.metrics.summary",
    "compare": "evals.experiments", "compare_runs": "evals.reports.comparison",
    "load": "evals.experiments", "run": "evals.experiments", "score": "evals.experiments",
    "score_run": "evals.runs.samples",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'evals' has no attribute {name!r}")
