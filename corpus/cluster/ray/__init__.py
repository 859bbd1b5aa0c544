"""A Ray cluster's processes as workers: the only folder that imports Ray.

A seat is an actor, which Ray places on any node with a free processor, or GPU. Shards and results
travel through Ray's object store: nodes need fanfold, and no file of the machine that asks.
"""

from __future__ import annotations

from corpus.cluster.ray.cluster import RayCluster
from corpus.cluster.ray.seat import RaySeat
from corpus.cluster.ray.shared import RayShared

__all__ = ["RayCluster", "RaySeat", "RayShared"]
