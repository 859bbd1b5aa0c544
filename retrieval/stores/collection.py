"""One collection of a vector database: the vectors of one snapshot by one model, by row.

A store is named by one string, KIND:PLACE: `qdrant:http://host:6333`, `milvus:http://host:19530`,
`opensearch:http://host:9200`, or of the first two, with a path instead of an address, the library's
own embedded database, which is for trials.

A collection is named by what it holds, the snapshot's fingerprint and the model, so that vectors of
another snapshot cannot be searched by mistake. Texts stay in the snapshot: the store holds row
numbers and vectors, nothing of an article.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import numpy as np

from corpus.address import checked_key, public_address
from corpus.errors import InputError
from retrieval.passage import PASSAGE
from retrieval.ranking.owner import Found
from retrieval.types import Float32Matrix, Ids

PREFIX = "fanfold_"


class Store(Protocol):
    """A vector database, opened. Rows are written in ascending order, each again as often as is wished.

    Every method raises BackendError where the database fails.
    """

    @property
    def place(self) -> str:
        """KIND:PLACE."""

    def collections(self) -> list[str]:
        """Return the names of all collections."""

    def create(self, name: str, dim: int) -> None:
        """Make a collection of vectors compared by inner product."""

    def count(self, name: str) -> int:
        """Return how many vectors a collection holds."""

    def put(self, name: str, first: int, vectors: Float32Matrix) -> None:
        """Write the vectors of the rows from `first` on, which an interruption does not undo."""

    def finish(self, name: str) -> None:
        """Make a collection, now whole, ready to be counted and searched."""

    def search(self, name: str, queries: Float32Matrix, k: int) -> Found:
        """Return the nearest rows (-1 where there are fewer than k) and scores, [queries, k]."""

    def vectors(self, name: str, rows: Sequence[int]) -> Float32Matrix:
        """Return the vectors at these rows, in their order."""

    def close(self) -> None:
        """Close the connection."""


def _open_qdrant(place: str, api_key: str | None) -> Store:
    from retrieval.stores.qdrant import QdrantStore

    return QdrantStore(place, api_key)


def _open_milvus(place: str, api_key: str | None) -> Store:
    from retrieval.stores.milvus import MilvusStore

    return MilvusStore(place, api_key)


def _open_opensearch(place: str, api_key: str | None) -> Store:
    from retrieval.stores.opensearch import OpenSearchStore

    return OpenSearchStore(place, api_key)


KINDS: dict[str, Callable[[str, str | None], Store]] = {
    "qdrant": _open_qdrant,
    "milvus": _open_milvus,
    "opensearch": _open_opensearch,
}


def open_store(spec: str, api_key: str | None = None) -> Store:
    """Open the store of KIND:PLACE.

    Args:
        spec: which one.
        api_key: what its server asks for; of Milvus and OpenSearch, USER:PASSWORD or a token.

    Raises:
        InputError: see `named_store`; or the key is none.
        BackendError: nothing answers there.
    """
    kind, _, place = named_store(spec).partition(":")
    return KINDS[kind](place, checked_key(api_key))


def named_store(spec: str) -> str:
    """Return KIND:PLACE as it can be kept beside what was asked there: a path is made absolute.

    Raises:
        InputError: no such kind, no place, or a user, a password or a query in the address.
    """
    kind, _, place = spec.partition(":")
    if kind not in KINDS or not place:
        raise InputError(
            f"{public_address(spec)!r} names no store: write qdrant:PLACE, milvus:PLACE or"
            " opensearch:ADDRESS, with an address (http://host:6333) or a path as place"
        )
    if "://" not in place:
        return f"{kind}:{Path(place).expanduser().absolute()}"
    parts = urlsplit(place)
    if parts.username or parts.password or parts.query:
        raise InputError(
            f"{public_address(spec)} was given with a user, a password or a query, which others see"
            " and runs would keep: give a key in FANFOLD_STORE_KEY (of Milvus and OpenSearch, USER:PASSWORD)"
        )
    return spec


def collection_name(fingerprint: str, model: str) -> str:
    """Return the name of the collection of a snapshot's vectors by a model."""
    made_by = hashlib.sha256(f"{model} {PASSAGE}".encode()).hexdigest()
    return f"{PREFIX}{fingerprint[:32]}_{made_by[:8]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreIndex:
    """A `VectorIndex` in a store."""

    store: Store
    name: str
    size: int

    def search(self, queries: Float32Matrix, k: int) -> Found:
        """Return rows (-1 where there are fewer than k) and scores, both [len(queries), k]."""
        return self.store.search(self.name, queries, min(k, self.size))

    def score(self, queries: Float32Matrix, rows: Sequence[int] | Ids) -> Float32Matrix:
        """Return the scores of the vectors at `rows`, [len(queries), len(rows)]."""
        found = self.store.vectors(self.name, [int(row) for row in rows])
        return np.asarray(queries @ found.T, np.float32)

    def close(self) -> None:
        """Close the store."""
        self.store.close()


def open_index(
    spec: str, fingerprint: str, model: str, rows: int, api_key: str | None = None
) -> StoreIndex:
    """Open the vectors of a snapshot in a store.

    Args:
        spec: of the store.
        fingerprint: of the snapshot.
        model: name of the embedder.
        rows: chunks of the snapshot.
        api_key: of the store.

    Raises:
        InputError: the store holds vectors of other snapshots or models alone, or not all of them.
        BackendError: nothing answers there.
    """
    store = open_store(spec, api_key)
    name = collection_name(fingerprint, model)
    there = store.collections()
    if name not in there:
        ours = sum(one.startswith(PREFIX) for one in there)
        store.close()
        others = (
            f"holds vectors of {ours} other snapshots or models" if ours else "holds no vectors"
        )
        raise InputError(
            f"{store.place} {others}, none of this snapshot by {model}: fill it with"
            f" `python -m retrieval export DIR --to {spec}`"
        )
    count = store.count(name)
    if count != rows:
        store.close()
        raise InputError(
            f"{store.place} holds {count:,} of {rows:,} vectors of this snapshot: run"
            f" `python -m retrieval export DIR --to {spec}` to its end"
        )
    return StoreIndex(store=store, name=name, size=rows)
