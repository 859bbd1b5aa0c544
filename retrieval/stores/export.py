"""A snapshot's vectors into a store: in batches, in row order, on from where it stopped."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from corpus.errors import BackendError
from retrieval.dense.vectors import Float16Matrix
from retrieval.stores.collection import Store

BATCH = 1000
"""Vectors written at a time: 1.5 MB of 384 numbers."""


def export_vectors(
    vectors: Float16Matrix,
    store: Store,
    name: str,
    *,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Write vectors into a collection, which is made where there is none.

    What a killed export wrote of a batch is written again: rows have their own places.

    Args:
        vectors: float16 [rows, dim].
        store: open.
        name: of the collection, see `collection_name`.
        on_progress: told how many rows are there, and how many there will be.

    Returns:
        The number of vectors written by this call.

    Raises:
        BackendError: the store fails, or holds more than there is.
    """
    rows, dim = len(vectors), int(vectors.shape[1])
    if name not in store.collections():
        store.create(name, dim)
    there = store.count(name)
    # A server may have taken some of the last batch and not the first of them.
    first = rows if there == rows else max(0, there // BATCH - 1) * BATCH
    for start in range(first, rows, BATCH):
        on_progress(start, rows)
        store.put(name, start, np.asarray(vectors[start : start + BATCH], np.float32))
    store.finish(name)
    on_progress(rows, rows)
    found = store.count(name)
    if found != rows:
        raise BackendError(
            f"{store.place} holds {found:,} vectors where {rows:,} were written: delete the"
            f" collection {name} there and run the same command again"
        )
    return rows - first
