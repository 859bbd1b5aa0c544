"""Work in shards: one port, and who runs it, this machine's processes or a Ray cluster's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from corpus.cluster.port import Cluster, LostError, Make, Seat, Shared, SharingCluster, process_name
from corpus.cluster.processes import ThisMachine
from corpus.cluster.shards import map_shards
from corpus.errors import InputError

__all__ = [
    "Cluster",
    "LostError",
    "Make",
    "Seat",
    "Shared",
    "SharingCluster",
    "ThisMachine",
    "join",
    "map_shards",
    "opened",
    "process_name",
]


@contextmanager
def opened(spec: str, workers: int = 0) -> Iterator[SharingCluster | None]:
    """Join a cluster as `join` does, and leave it at the end."""
    cluster = join(spec, workers)
    try:
        yield cluster
    finally:
        if cluster is not None:
            cluster.close()


def join(spec: str, workers: int = 0) -> SharingCluster | None:
    """Join the cluster that a command line names; whoever joins it closes it.

    Args:
        spec: "ray" for the Ray cluster that this machine is part of, or where there is none, one
            of this machine alone; "ray://HOST:PORT" for another, through Ray's client; "" for no
            cluster: None is returned.
        workers: most actors at once; 0 for one a processor of the cluster.

    Raises:
        InputError: it names none, or Ray is not installed.
        BackendError: nothing answers there.
    """
    if not spec:
        return None
    scheme, _, address = spec.partition("://")
    if scheme != "ray" or (not address and spec != "ray"):
        raise InputError(f"--cluster {spec}: write ray, or ray://HOST:PORT for another machine's")
    from corpus.cluster.ray import RayCluster

    return RayCluster.join(spec, workers)
