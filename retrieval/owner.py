"""One thread that alone calls an index, and gathers what many threads ask into batches."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Protocol

import numpy as np

from retrieval.types import Float32Matrix, Ids, Scores

GATHERED = 1024
"""Most queries of one batch."""

Found = tuple[Ids, Scores]


class VectorIndex(Protocol):
    """Nearest vectors: an index on a CPU, or one behind its owner."""

    @property
    def size(self) -> int:
        """Number of vectors."""
        ...

    def search(self, queries: Float32Matrix, k: int) -> Found:
        """Return rows (-1 where there are fewer than k) and scores, both [len(queries), k]."""
        ...

    def score(self, queries: Float32Matrix, rows: Sequence[int] | Ids) -> Float32Matrix:
        """Return the scores of the vectors at `rows`, [len(queries), len(rows)]."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    queries: Float32Matrix
    k: int
    answer: Future[Found] = field(default_factory=Future)


class OwnedIndex:
    """An index that only its owner thread searches; `search` may be called from any thread.

    While one batch runs the next gathers, so that concurrency becomes batch size. Searches of
    different k share a batch of the largest k: the first k of more are the same.
    """

    def __init__(self, index: VectorIndex, *, keep: object = None) -> None:
        """Start the owner; `keep` is held as long as the index (a GPU's resources)."""
        self._index = index
        self._keep = keep
        self._waiting: SimpleQueue[_Request | None] = SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="index owner", daemon=True)
        self._thread.start()

    @property
    def size(self) -> int:
        """Number of vectors."""
        return self._index.size

    def search(self, queries: Float32Matrix, k: int) -> Found:
        """Return rows and scores as the index does; an error of the index is raised here."""
        request = _Request(queries=queries, k=k)
        with self._closing:
            if self._closed:
                raise RuntimeError("the index was closed")
            self._waiting.put(request)
        return request.answer.result()

    def score(self, queries: Float32Matrix, rows: Sequence[int] | Ids) -> Float32Matrix:
        """Return the scores of the stored vectors at `rows`, which lie in main memory."""
        return self._index.score(queries, rows)

    def close(self) -> None:
        """Answer what waits, then end the thread."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._waiting.put(None)
        self._thread.join()

    def _serve(self) -> None:
        last = False
        while not last:
            first = self._waiting.get()
            if first is None:
                return
            batch = [first]
            gathered = len(first.queries)
            while gathered < GATHERED:
                try:
                    request = self._waiting.get_nowait()
                except Empty:
                    break
                if request is None:
                    last = True
                    break
                batch.append(request)
                gathered += len(request.queries)
            self._answer(batch)

    def _answer(self, batch: Sequence[_Request]) -> None:
        try:
            queries = np.concatenate([request.queries for request in batch])
            rows, scores = self._index.search(queries, max(request.k for request in batch))
        except Exception as error:
            if len(batch) > 1:
                # One bad request must not fail the others of its batch.
                for request in batch:
                    self._answer([request])
            else:
                batch[0].answer.set_exception(error)
            return
        start = 0
        for request in batch:
            end = start + len(request.queries)
            request.answer.set_result(
                (rows[start:end, : request.k], scores[start:end, : request.k])
            )
            start = end
