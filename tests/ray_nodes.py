"""A Ray cluster of several nodes on this machine, for tests and measuring scripts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

OBJECTS = 100 << 20
"""Bytes of each node's object store."""


@contextmanager
def nodes(count: int, processors: int = 1) -> Iterator[Any]:
    """Start a head and nodes beside it, each said to have so many processors, and join them."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # As `corpus.cluster.ray` starts them.
    os.environ.setdefault("RAY_worker_niceness", "0")
    # Python's own warnings are those of Ray's workers, not ours.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import logging

    import ray
    from ray.cluster_utils import Cluster

    some = {"num_cpus": processors, "object_store_memory": OBJECTS, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=some)
    try:
        del some["include_dashboard"]
        for _ in range(count - 1):
            cluster.add_node(**some)
        ray.init(
            address=cluster.address,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()
