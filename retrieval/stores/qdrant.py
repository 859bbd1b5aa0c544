"""Qdrant: the only file that imports its client."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from qdrant_client import QdrantClient, models

from corpus.errors import InputError
from retrieval.ranking.owner import Found
from retrieval.stores.results import failure, tabulated
from retrieval.types import Float32Matrix

QUERIES = 64
"""Queries of one request."""


class QdrantStore:
    """A `retrieval.stores.Store`."""

    def __init__(self, place: str, api_key: str | None = None) -> None:
        """Connect to an address, or open a folder.

        Raises:
            InputError: another process has the folder open.
        """
        self.place = f"qdrant:{place}"
        self._key = api_key
        with self._explained(), warnings.catch_warnings():
            if "://" in place:
                # Whether the way to the server is private is known to who named it; see the docs.
                warnings.filterwarnings("ignore", "Api key is used with an insecure connection")
                self._client = QdrantClient(
                    url=place, api_key=api_key, timeout=60, check_compatibility=False
                )
            else:
                self._client = QdrantClient(path=str(Path(place).expanduser()))

    def collections(self) -> list[str]:
        """Return the names of all collections."""
        with self._explained():
            return [one.name for one in self._client.get_collections().collections]

    def create(self, name: str, dim: int) -> None:
        """Make a collection of vectors compared by inner product."""
        with self._explained():
            self._client.create_collection(
                name, vectors_config=models.VectorParams(size=dim, distance=models.Distance.DOT)
            )

    def count(self, name: str) -> int:
        """Return how many vectors a collection holds."""
        with self._explained():
            return int(self._client.count(name, exact=True).count)

    def put(self, name: str, first: int, vectors: Float32Matrix) -> None:
        """Write the vectors of the rows from `first` on."""
        points = models.Batch(
            ids=list(range(first, first + len(vectors))), vectors=vectors.tolist()
        )
        with self._explained():
            self._client.upsert(name, points, wait=True)

    def finish(self, name: str) -> None:
        """Qdrant builds its graph by itself."""

    def search(self, name: str, queries: Float32Matrix, k: int) -> Found:
        """Return the nearest rows and scores, both [queries, k]."""
        lines: list[list[tuple[int, float]]] = []
        for start in range(0, len(queries), QUERIES):
            requests = [
                models.QueryRequest(query=query.tolist(), limit=k)
                for query in queries[start : start + QUERIES]
            ]
            with self._explained():
                answers = self._client.query_batch_points(name, requests=requests)
            lines += [[(int(p.id), float(p.score)) for p in answer.points] for answer in answers]
        return tabulated(lines, k)

    def vectors(self, name: str, rows: Sequence[int]) -> Float32Matrix:
        """Return the vectors at these rows, in their order."""
        with self._explained():
            found = self._client.retrieve(name, list(rows), with_vectors=True, with_payload=False)
        by_row = {int(point.id): point.vector for point in found}
        return np.array([by_row[row] for row in rows], np.float32)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if "already accessed by another instance" in str(error):
                raise InputError(
                    f"{self.place} is open in another process: wait for it, or use a server"
                ) from None
            raise failure(self.place, error, self._key) from error
