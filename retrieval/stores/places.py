"""What the stores have in common."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from retrieval.ranking.owner import Found


def public_place(kind: str, place: str) -> str:
    """Return KIND:PLACE as it may be shown: without user and password."""
    if "://" in place:
        parts = urlsplit(place)
        place = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    return f"{kind}:{place}"


def tabulated(lines: Sequence[Sequence[tuple[int, float]]], k: int) -> Found:
    """Write (row, score) lists as two arrays, best first and equal scores by row."""
    rows = np.full((len(lines), k), -1, np.int64)
    scores = np.zeros((len(lines), k), np.float32)
    for line, pairs in enumerate(lines):
        ordered = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:k]
        for column, (row, score) in enumerate(ordered):
            rows[line, column], scores[line, column] = row, score
    return rows, scores
