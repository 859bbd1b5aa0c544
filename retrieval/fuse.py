"""Several rankings made into one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)

RRF_CONSTANT = 60
"""Of Cormack, Clarke and Büttcher (2009), who found results insensitive to it."""


def reciprocal_rank_fusion(
    rankings: Sequence[Iterable[Key]],
    weights: Sequence[float] | None = None,
    constant: float = RRF_CONSTANT,
) -> list[tuple[Key, float]]:
    """Fuse rankings: score(x) = Σ weight / (constant + rank of x), over those that list x.

    Ranks count from 1 (Cormack, Clarke and Büttcher, 2009). Equal scores stand in the order in
    which the items are first met, the first ranking before the second.

    Args:
        rankings: items, best first, each at most once a ranking.
        weights: one a ranking; all 1 where not given.
        constant: how slowly a rank's worth falls.

    Returns:
        (item, score) pairs, best first.
    """
    scores: dict[Key, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        if weight == 0:
            continue
        for rank, item in enumerate(ranking, start=1):
            scores[item] = scores.get(item, 0.0) + weight / (constant + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


def cap(items: Iterable[Item], key: Callable[[Item], Hashable], most: int) -> list[Item]:
    """Keep the first `most` items of each key, in their order.

    So one long article cannot fill a result that ought to hold several.
    """
    kept: list[Item] = []
    seen: dict[Hashable, int] = {}
    for item in items:
        name = key(item)
        seen[name] = seen.get(name, 0) + 1
        if seen[name] <= most:
            kept.append(item)
    return kept
