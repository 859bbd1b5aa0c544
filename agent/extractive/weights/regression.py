"""What a logistic regression makes of features: how every certainty of this engine is told."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp


def probability(
    found: Mapping[str, float], weights: Mapping[str, float], intercept: float
) -> float:
    """Return the probability that features speak for, by the names of their weights.

    Args:
        found: the features.
        weights: of each, as a script in bench/ fitted them.
        intercept: the logarithm of the odds where all features are 0.
    """
    return 1 / (1 + exp(-intercept - sum(weights[name] * found[name] for name in weights)))
