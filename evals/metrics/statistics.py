"""Statistics of comparisons; the unit is always the question.

Everything that belongs to one question (both orders of a swapped judgment, its epochs) is averaged
before it comes here: resampling rows instead of questions makes intervals too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 10_000
Label = TypeVar("Label", str, int)
"""What a rater says of an item."""
SEED = 31415
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean with its percentile bootstrap interval."""

    mean: float
    low: float
    high: float
    n: int
    """Questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A paired difference, a minus b, over the same questions."""

    mean: float
    low: float
    high: float
    n: int
    p_value: float
    """Two-sided: McNemar's exact test for binary scores, else paired bootstrap, which is never
    surer than exchanging the scores of the questions that differ could be."""
    test: str
    detectable: float | None
    """Smallest true difference found with 80 % power at 5 % with this many questions; None where
    the differences do not vary."""
    seed: int


def bootstrap_mean(
    values: Sequence[float],
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval:
    """Return the mean of one score a question, and its percentile interval.

    Raises:
        ValueError: without values, or with one that is not finite: unscored is never averaged.
    """
    sample = _finite(values)
    means = _resampled_means(sample, resamples, seed)
    low, high = _percentiles(means, confidence)
    return Interval(mean=float(sample.mean()), low=low, high=high, n=len(sample))


def paired_difference(
    a: Sequence[float],
    b: Sequence[float],
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Difference:
    """Compare two systems on the same questions, in the same order.

    Raises:
        ValueError: where the two differ in length, are empty or hold a value that is not finite.
    """
    first, second = _finite(a), _finite(b)
    if len(first) != len(second):
        raise ValueError(f"paired scores differ in number: {len(first)} and {len(second)}")
    differences = first - second
    means = _resampled_means(differences, resamples, seed)
    low, high = _percentiles(means, confidence)
    binary = bool(np.isin(first, (0.0, 1.0)).all() and np.isin(second, (0.0, 1.0)).all())
    if binary:
        p_value, test = mcnemar_exact(first > 0, second > 0), "McNemar, exact"
    else:
        p_value, test = _bootstrap_p_value(differences, means), "paired bootstrap"
    return Difference(
        mean=float(differences.mean()),
        low=low,
        high=high,
        n=len(differences),
        p_value=p_value,
        test=test,
        detectable=detectable_difference(differences),
        seed=seed,
    )


def unpaired_difference(
    a: Sequence[float],
    b: Sequence[float],
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval:
    """Return mean(a) − mean(b) of two different sets of questions, each resampled by itself.

    `n` of the result counts the questions of both.

    Raises:
        ValueError: where one is empty or holds a value that is not finite.
    """
    first, second = _finite(a), _finite(b)
    means = _resampled_means(first, resamples, seed)
    means = means - _resampled_means(second, resamples, seed + 1)
    low, high = _percentiles(means, confidence)
    mean = float(first.mean() - second.mean())
    return Interval(mean=mean, low=low, high=high, n=len(first) + len(second))


def mcnemar_exact(
    a: Sequence[bool] | NDArray[np.bool_], b: Sequence[bool] | NDArray[np.bool_]
) -> float:
    """Return the exact two-sided p-value of McNemar's test on paired binary outcomes.

    Of n pairs that disagree the rarer way has k: min(1, 2 · Σ_{i≤k} C(n, i) / 2^n), and 1 where the
    two never disagree (McNemar, 1947).
    """
    first, second = np.asarray(a, dtype=bool), np.asarray(b, dtype=bool)
    only_a, only_b = int((first & ~second).sum()), int((~first & second).sum())
    pairs, fewer = only_a + only_b, min(only_a, only_b)
    tail = sum(math.comb(pairs, count) for count in range(fewer + 1))
    # Whole numbers up to the division: 2^n has no float from n = 1024 on.
    return float(min(Fraction(1), Fraction(2 * tail, 2**pairs)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted by Holm's step-down method, in the order given.

    The i-th smallest of m is multiplied by m − i + 1, is never below the one before it, and at most
    1 (Holm, 1979).
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def detectable_difference(
    differences: Sequence[float] | NDArray[np.float64], *, power: float = 0.8, alpha: float = 0.05
) -> float | None:
    """Return the smallest mean difference that a paired test on this many questions finds.

    (z_{1−α/2} + z_{power}) · s / √n, s the standard deviation of the differences; None where it is
    0 or there are fewer than two questions.
    """
    sample = np.asarray(differences, dtype=np.float64)
    if len(sample) < 2:
        return None
    deviation = float(sample.std(ddof=1))
    if deviation == 0.0:
        return None
    z = _NORMAL.inv_cdf(1 - alpha / 2) + _NORMAL.inv_cdf(power)
    return z * deviation / math.sqrt(len(sample))


def cohen_kappa(a: Sequence[str], b: Sequence[str]) -> float | None:
    """Return Cohen's kappa of two raters' labels; None where chance agreement is total.

    κ = (p_o − p_e) / (1 − p_e)

    Raises:
        ValueError: where the two differ in length or are empty.
    """
    if len(a) != len(b) or not a:
        raise ValueError("kappa needs two equally long, non-empty lists of labels")
    labels = sorted({*a, *b})
    position = {label: index for index, label in enumerate(labels)}
    table = np.zeros((len(labels), len(labels)))
    for first, second in zip(a, b, strict=True):
        table[position[first], position[second]] += 1
    table /= len(a)
    observed = float(np.trace(table))
    expected = float(table.sum(axis=0) @ table.sum(axis=1))
    return None if math.isclose(expected, 1.0) else (observed - expected) / (1 - expected)


def agreement_intervals(
    a: Sequence[str],
    b: Sequence[str],
    units: Sequence[str],
    *,
    half: str = "",
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    """Return percentile bootstrap intervals of two raters' accuracy and of their Cohen's kappa.

    Args:
        a: labels of the one, whose right ones count.
        b: labels of the other.
        units: of each item, what is resampled: the question.
        half: a label of `b` that is half right wherever it stands.
        confidence: of the intervals.
        resamples: of the units.
        seed: of the resampling.

    Returns:
        None for both where there are fewer than two units, and for kappa where chance agreement is
        total in more than one of twenty resamples; those few are left out.

    Raises:
        ValueError: where the three differ in length.
    """
    labels, places = sorted({*a, *b}), {unit: i for i, unit in enumerate(dict.fromkeys(units))}
    if not len(a) == len(b) == len(units):
        raise ValueError("intervals need as many labels of both, and units, as there are items")
    if len(places) < 2:
        return None, None
    position = {label: index for index, label in enumerate(labels)}
    counts = np.zeros((len(places), len(labels), len(labels)))
    for first, second, unit in zip(a, b, units, strict=True):
        counts[places[unit], position[first], position[second]] += 1
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(len(places), [1 / len(places)] * len(places), size=resamples)
    tables = (drawn @ counts.reshape(len(places), -1)).reshape(resamples, len(labels), -1)
    tables /= tables.sum(axis=(1, 2), keepdims=True)
    observed = np.trace(tables, axis1=1, axis2=2)
    expected = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    accuracy = observed + (
        0.5 * tables[:, :, position[half]].sum(axis=1) if half in position else 0
    )
    kappa = None
    known = ~np.isclose(expected, 1.0)
    if known.mean() > 0.95:
        values = (observed[known] - expected[known]) / (1 - expected[known])
        kappa = _percentiles(values, confidence)
    return _percentiles(accuracy, confidence), kappa


def fleiss_kappa(ratings: Sequence[Sequence[Label]]) -> float | None:
    """Return Fleiss' kappa; `ratings` holds, for each item, one label from each rater.

    κ = (P̄ − P̄_e) / (1 − P̄_e), P̄ the mean share of the pairs of raters that agree on an item, P̄_e
    the sum of the squared shares of the labels (Fleiss, 1971). None where every rater gave every item one same label: chance agreement is then total.

    Raises:
        ValueError: without items, or where items differ in their number of raters.
    """
    if not ratings or len({len(item) for item in ratings}) != 1 or len(ratings[0]) < 2:
        raise ValueError("Fleiss' kappa needs items with the same number of raters, two or more")
    labels = sorted({label for item in ratings for label in item})
    if len(labels) == 1:
        return None
    counts = np.array([[list(item).count(label) for label in labels] for item in ratings])
    raters = len(ratings[0])
    agreed = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    expected = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return (float(agreed.mean()) - expected) / (1 - expected)


def _finite(values: Sequence[float]) -> NDArray[np.float64]:
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0:
        raise ValueError("no values to average")
    if not np.isfinite(sample).all():
        raise ValueError("a value is not finite: leave unscored questions out and count them")
    return sample


def _resampled_means(sample: NDArray[np.float64], resamples: int, seed: int) -> NDArray[np.float64]:
    generator = np.random.default_rng(seed)
    means = np.empty(resamples)
    # Blocks keep memory bounded: 10,000 resamples of 10,000 questions would take 800 MB at once.
    block = max(1, 4_000_000 // len(sample))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        picks = generator.integers(0, len(sample), size=(size, len(sample)))
        means[start : start + size] = sample[picks].mean(axis=1)
    return means


def _percentiles(means: NDArray[np.float64], confidence: float) -> tuple[float, float]:
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(means, [tail, 100 - tail])
    return float(low), float(high)


def _bootstrap_p_value(differences: NDArray[np.float64], means: NDArray[np.float64]) -> float:
    """Two-sided p-value of "no difference", from the bootstrap shifted to a mean of 0.

    Resampling three questions looks as sure as resampling three hundred. So no p-value is below
    2^(1 - m), the least that exchanging the two systems' scores of the m questions that differ can
    give: with 3 of them 0.25, as in McNemar's test.
    """
    least = 2.0 ** (1 - int(np.count_nonzero(differences)))
    observed = abs(float(differences.mean()))
    shifted = np.abs(means - differences.mean())
    # Adding one to both keeps the estimate above 0, which no finite number of resamples can show.
    resampled = (int((shifted >= observed - 1e-12).sum()) + 1) / (len(means) + 1)
    return min(1.0, max(resampled, least))
