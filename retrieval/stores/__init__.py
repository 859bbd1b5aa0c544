"""Vectors in a database that serves more than one machine holds: Qdrant, Milvus or OpenSearch."""

from __future__ import annotations

from retrieval.stores.collection import (
    Store,
    StoreIndex,
    collection_name,
    named_store,
    open_index,
    open_store,
)
from retrieval.stores.export import export_vectors

__all__ = [
    "Store",
    "StoreIndex",
    "collection_name",
    "export_vectors",
    "named_store",
    "open_index",
    "open_store",
]
