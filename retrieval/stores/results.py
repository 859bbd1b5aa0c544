"""What the stores have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from corpus.address import without_secrets
from corpus.errors import BackendError
from retrieval.ranking.owner import Found


def failure(place: str, error: Exception, key: str | None) -> BackendError:
    """Return what a client raised as one line, without the key that a server may repeat."""
    line = (str(error).splitlines() or [""])[0]
    return BackendError(without_secrets(f"{place}: {type(error).__name__}: {line}", place, key))


def tabulated(lines: Sequence[Sequence[tuple[int, float]]], k: int) -> Found:
    """Write (row, score) lists as two arrays, best first and equal scores by row."""
    rows = np.full((len(lines), k), -1, np.int64)
    scores = np.zeros((len(lines), k), np.float32)
    for line, pairs in enumerate(lines):
        ordered = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:k]
        for column, (row, score) in enumerate(ordered):
            rows[line, column], scores[line, column] = row, score
    return rows, scores
