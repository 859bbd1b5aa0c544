"""OpenSearch: the only file that imports its client."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from opensearchpy import OpenSearch
from opensearchpy.helpers import bulk

from corpus.errors import BackendError, InputError
from retrieval.ranking.owner import Found
from retrieval.stores.results import failure, tabulated
from retrieval.types import Float32Matrix

VECTOR = "vector"
LOOKED_AT = 256
"""Vectors of its graph that a search looks at (ef_search)."""
QUERIES = 64
"""Queries of one request."""
BATCH_BYTES = 16 << 20
"""Bytes of one request that writes; servers refuse more than 100 MB."""
TRIES = 8
"""Times that vectors which a server is too busy for (429) are sent again."""
WAIT = 2.0
"""Seconds before the first of these times; twice as long before each other, and 60 at most."""
RETRIED = (429, 502, 503, 504)
"""Answers after which a request is sent again at once, three times."""


class OpenSearchStore:
    """A `retrieval.stores.Store`: an index with a `knn_vector` field for each collection."""

    def __init__(self, place: str, api_key: str | None = None) -> None:
        """Take an address; nothing is asked there yet.

        Raises:
            InputError: a path, where there is no embedded database.
        """
        self.place = f"opensearch:{place}"
        self._key = api_key
        if "://" not in place:
            raise InputError(
                f"{self.place}: OpenSearch has no embedded database: give a server's address"
            )
        # It logs what it raises as well.
        logging.getLogger("opensearch").addHandler(logging.NullHandler())
        with self._explained():
            self._client = OpenSearch(
                [place],
                timeout=60,
                retry_on_status=RETRIED,
                retry_on_timeout=True,
                ssl_show_warn=False,
                **_authorization(api_key),
            )

    def collections(self) -> list[str]:
        """Return the names of all collections: of all indexes, those that this program names."""
        with self._explained():
            return sorted(self._client.indices.get_alias(index="fanfold_*"))

    def create(self, name: str, dim: int) -> None:
        """Make a collection of vectors compared by inner product."""
        method = {"name": "hnsw", "engine": "faiss", "space_type": "innerproduct"}
        field = {"type": "knn_vector", "dimension": dim, "method": method}
        settings = {"knn": True, "knn.algo_param.ef_search": LOOKED_AT}
        body = {
            "settings": {"index": settings},
            "mappings": {"dynamic": "strict", "properties": {VECTOR: field}},
        }
        with self._explained():
            self._client.indices.create(index=name, body=body)

    def count(self, name: str) -> int:
        """Return how many vectors a collection holds, of those that can be searched."""
        with self._explained():
            return int(self._client.count(index=name)["count"])

    def put(self, name: str, first: int, vectors: Float32Matrix) -> None:
        """Write the vectors of the rows from `first` on; they are counted after `finish`."""
        rows = (
            {"_id": str(row), VECTOR: vector}
            for row, vector in enumerate(vectors.tolist(), start=first)
        )
        with self._explained():
            _, refused = bulk(
                self._client,
                rows,
                index=name,
                chunk_size=len(vectors),
                max_chunk_bytes=BATCH_BYTES,
                max_retries=TRIES,
                initial_backoff=WAIT,
                max_backoff=60,
                raise_on_error=False,
            )
        if refused:
            _, told = next(iter(refused[0].items()))
            raise BackendError(f"{self.place}: {len(refused)} vectors refused: {_reason(told)}")

    def finish(self, name: str) -> None:
        """Have all of it searched."""
        with self._explained():
            self._client.indices.refresh(index=name)

    def search(self, name: str, queries: Float32Matrix, k: int) -> Found:
        """Return the nearest rows and scores, both [queries, k]."""
        lines: list[list[tuple[int, float]]] = []
        for start in range(0, len(queries), QUERIES):
            asked: list[dict[str, Any]] = []
            for query in queries[start : start + QUERIES].tolist():
                nearest = {"knn": {VECTOR: {"vector": query, "k": k}}}
                asked += [{}, {"size": k, "query": nearest, "_source": False}]
            with self._explained():
                answers = self._client.msearch(index=name, body=asked)["responses"]
                lines += [[_found(hit) for hit in _hits(answer)] for answer in answers]
        return tabulated(lines, k)

    def vectors(self, name: str, rows: Sequence[int]) -> Float32Matrix:
        """Return the vectors at these rows, in their order."""
        with self._explained():
            found = self._client.mget(index=name, body={"ids": [str(row) for row in rows]})
            return np.array([one["_source"][VECTOR] for one in found["docs"]], np.float32)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            raise failure(self.place, error, self._key) from error


def _authorization(key: str | None) -> dict[str, Any]:
    user, colon, password = (key or "").partition(":")
    if colon:
        return {"http_auth": (user, password)}
    return {"headers": {"authorization": f"Bearer {key}"}} if key else {}


def _hits(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if "error" in answer:
        raise BackendError(_reason(answer))
    found: list[Mapping[str, Any]] = answer["hits"]["hits"]
    return found


def _found(hit: Mapping[str, Any]) -> tuple[int, float]:
    """Return a hit's row and inner product, which OpenSearch tells as a positive score.

    Of a product p it is p + 1 where that is positive, and 1 / (1 - p) otherwise.
    """
    score = float(hit["_score"])
    return int(hit["_id"]), score - 1 if score >= 1 else 1 - 1 / score


def _reason(told: Mapping[str, Any]) -> str:
    error = told.get("error", told)
    reason = error.get("reason", error) if isinstance(error, Mapping) else error
    return str(reason)[:200]
