"""Several rankings made into one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import itemgetter
from typing import Literal, TypeVar

import numpy as np

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)

Fusion = Literal["score", "rrf"]
FUSIONS: tuple[Fusion, ...] = ("score", "rrf")

_score = itemgetter(1)
# Reversed, a sort still leaves equal scores in their order.

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
    return sorted(scores.items(), key=_score, reverse=True)


def standard_score_fusion(
    rankings: Sequence[Sequence[tuple[Key, float]]],
    weights: Sequence[float] | None = None,
    *,
    depth: int,
) -> list[tuple[Key, float]]:
    """Fuse rankings: score(x) = Σ weight · (s(x) - mean) / deviation, over all of them.

    Mean and standard deviation are those of each ranking's first `depth` scores, so that rankings
    of any scale count alike, and an item far above the rest counts for more than its rank says
    (Z-score fusion, Renda and Straccia 2003). A ranking gives an item that it does not list the
    lowest of its standard scores.

    Args:
        rankings: (item, score) pairs, best first, each item at most once a ranking. One shorter
            than `depth` is taken to score 0 for all it does not list, as BM25+ does.
        weights: one a ranking; all 1 where not given.
        depth: how many items of a ranking count.

    Returns:
        (item, score) pairs, best first; equal scores in the order in which they are first met.
    """
    totals: dict[Key, float] = {}
    for ranking in rankings:
        totals.update(dict.fromkeys([item for item, _ in ranking[:depth]], 0.0))
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        if not ranking or weight == 0:
            continue
        values = np.zeros(max(depth, 1))
        values[: len(ranking)] = [score for _, score in ranking[:depth]]
        spread = float(values.std())
        standard = (values - values.mean()) / spread if spread > 0 else np.zeros_like(values)
        floor = float(standard.min())
        known = dict(zip([item for item, _ in ranking], standard.tolist(), strict=False))
        totals = {item: total + weight * known.get(item, floor) for item, total in totals.items()}
    return sorted(totals.items(), key=_score, reverse=True)


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
