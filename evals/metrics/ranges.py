"""What a metric can be: a number outside 0 and 1 is never printed without saying why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evals.metrics.statistics import Interval

REASONS: Mapping[str, str] = {
    "loose": "loose goes below 0, and its mean below that of strict, where a nested list of a gold "
    "answer misses more strings than the list around it counts: FanOutQA's public scorer counts so, "
    "of an abstention too, which is an empty answer; one that is missing or failed counts 0",
    "rating": "rating is core + 0.5 · background − follow-up: from −1 to 1.5",
    "words": "words is a number of words",
    "sub_words": "sub_words is a number of words",
}
"""Metric → why it leaves the range of a share."""


def range_remarks(metrics: Iterable[tuple[str, Interval]]) -> list[str]:
    """Return a sentence for each metric of which a mean or a bound lies outside 0 and 1.

    Args:
        metrics: names and intervals, of any number of runs.
    """
    outside = {
        name: None
        for name, interval in metrics
        if interval.low < 0 or interval.high > 1 or not 0 <= interval.mean <= 1
    }
    return [REASONS.get(_bare(name), f"{name} is no share of 1") for name in outside]


def outside_remarks(means: Mapping[str, Iterable[object]]) -> list[str]:
    """Return a sentence for each metric of which a mean lies outside 0 and 1.

    Args:
        means: of each metric, by group; what is no number is passed over.
    """
    return [
        REASONS.get(_bare(name), f"{name} is no share of 1")
        for name, values in means.items()
        if any(isinstance(value, int | float) and not 0 <= value <= 1 for value in values)
    ]


def _bare(name: str) -> str:
    """Return the metric of which `name` is that of one prompt or one place."""
    return name if name in REASONS else name.rsplit(":", 1)[-1]
