"""What every test runs under: no network but loopback, hypothesis without a deadline, long files first."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# Several processes share the cores: threads of torch that wait for one another in a loop would
# take the time that their neighbours need to come to an end.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A shell that starts the tests in the background has Ctrl-C ignored: by every process they start, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Two shared cores: a deadline measures the neighbours, not the code.
settings.register_profile(
    "fanfold", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("fanfold")

LONG = (
    "test_smollm2", "test_run_killed", "test_agent_killed", "test_cluster", "test_serve_page",
    "test_three_benchmarks", "test_pages", "test_report_in_browser", "test_corpus_dumps",
    "test_walk", "test_site", "test_interrupted", "test_serve_workers", "test_bad_inputs",
    "test_terminal", "test_embedders", "test_finetune", "test_named_planner", "test_core_install",
    "test_serve_schema", "test_synthesis_killed", "test_formula", "test_agent_bad_input",
)  # fmt: skip
"""Files of 15 seconds and more, the longest first: what is begun last must not outlast the rest."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of long files first: one process has a file, and none is to wait for another's."""
    ranks = {name: rank for rank, name in enumerate(LONG)}
    items.sort(key=lambda item: ranks.get(item.path.stem, len(LONG)))
