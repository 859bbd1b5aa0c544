"""Milvus: the only file that imports its client."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from pymilvus import DataType, MilvusClient

from retrieval.ranking.owner import Found
from retrieval.stores.results import failure, tabulated
from retrieval.types import Float32Matrix

ROW, VECTOR = "row", "vector"


class MilvusStore:
    """A `retrieval.stores.Store`."""

    def __init__(self, place: str, api_key: str | None = None) -> None:
        """Connect to an address, or open a file.

        Raises:
            BackendError: nothing answers there.
        """
        self.place = f"milvus:{place}"
        self._key = api_key
        uri = place if "://" in place else str(Path(place).expanduser())
        # The embedded database knows exact search alone; a server makes its own choice.
        self._structure = "AUTOINDEX" if "://" in place else "FLAT"
        self._loaded: set[str] = set()
        with self._explained():
            self._client = MilvusClient(uri, token=api_key or "")

    def collections(self) -> list[str]:
        """Return the names of all collections."""
        with self._explained():
            return [str(name) for name in self._client.list_collections()]

    def create(self, name: str, dim: int) -> None:
        """Make a collection of vectors compared by inner product."""
        with self._explained():
            schema = MilvusClient.create_schema(auto_id=False)
            schema.add_field(ROW, DataType.INT64, is_primary=True)
            schema.add_field(VECTOR, DataType.FLOAT_VECTOR, dim=dim)
            indexes = self._client.prepare_index_params()
            indexes.add_index(VECTOR, index_type=self._structure, metric_type="IP")
            self._client.create_collection(name, schema=schema, index_params=indexes)

    def count(self, name: str) -> int:
        """Return how many vectors a collection holds."""
        self._load(name)
        with self._explained():
            return int(self._client.query(name, output_fields=["count(*)"])[0]["count(*)"])

    def put(self, name: str, first: int, vectors: Float32Matrix) -> None:
        """Write the vectors of the rows from `first` on."""
        rows = [{ROW: row, VECTOR: vector} for row, vector in enumerate(vectors, start=first)]
        with self._explained():
            self._client.upsert(name, rows)

    def finish(self, name: str) -> None:
        """Have all of it on disk."""
        with self._explained():
            self._client.flush(name)

    def search(self, name: str, queries: Float32Matrix, k: int) -> Found:
        """Return the nearest rows and scores, both [queries, k]."""
        self._load(name)
        with self._explained():
            answers = self._client.search(name, data=list(queries), limit=k, output_fields=[ROW])
        return tabulated(
            [[(int(hit[ROW]), float(hit["distance"])) for hit in answer] for answer in answers], k
        )

    def vectors(self, name: str, rows: Sequence[int]) -> Float32Matrix:
        """Return the vectors at these rows, in their order."""
        self._load(name)
        with self._explained():
            found = self._client.get(name, ids=list(rows), output_fields=[ROW, VECTOR])
        by_row = {int(one[ROW]): one[VECTOR] for one in found}
        return np.array([by_row[row] for row in rows], np.float32)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _load(self, name: str) -> None:
        if name not in self._loaded:
            with self._explained():
                self._client.load_collection(name)
            self._loaded.add(name)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            raise failure(self.place, error, self._key) from error
