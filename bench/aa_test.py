"""Whether a comparison calls identical systems different, and finds a difference as often as it says.

    python bench/aa_test.py [--times 200] [--questions 100] [--seed 1]

Scores of two systems are drawn `times` times over, paired by questions of different difficulty. A/A:
both draw from the same distribution; called different (p < 0.05) should be 5 %, at most 7 % is
borne. Planted: one system is raised by the smallest difference that a comparison of this size claims
to find with 80 % power; found means p < 0.05. In 200 rounds the share has a standard error of
1.5 points at 5 % and 2.8 at 80 %.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

from evals.metrics.statistics import detectable_difference, paired_difference

Scores = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, float], tuple[Scores, Scores]]


def shares(generator: np.random.Generator, n: int, raised: float) -> tuple[Scores, Scores]:
    """Return loose accuracies: the share of a question's few gold strings that are found."""
    strings = generator.integers(2, 9, size=n)
    ease = generator.beta(2.0, 2.0, size=n) * 0.8
    a = generator.binomial(strings, np.clip(ease + raised, 0, 1)) / strings
    b = generator.binomial(strings, ease) / strings
    return a, b


def verdicts(generator: np.random.Generator, n: int, raised: float) -> tuple[Scores, Scores]:
    """Return a judge's right or wrong."""
    ease = generator.beta(2.0, 2.0, size=n) * 0.8
    a = generator.random(n) < np.clip(ease + raised, 0, 1)
    b = generator.random(n) < ease
    return a.astype(float), b.astype(float)


def rate(draw: Draw, times: int, n: int, seed: int, raised: float) -> float:
    """Return how often the two are called different."""
    generator = np.random.default_rng(seed)
    called = 0
    for number in range(times):
        a, b = draw(generator, n, raised)
        called += paired_difference(a.tolist(), b.tolist(), seed=seed + number).p_value < 0.05
    return called / times


def claimed(draw: Draw, n: int, seed: int) -> float:
    """Return the smallest difference that comparisons of this size claim to find, on average."""
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(50):
        a, b = draw(generator, n, 0.0)
        found.append(detectable_difference(a - b) or 0.0)
    return float(np.mean(found))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"{given.times} comparisons of {given.questions} questions, alpha 5 %")
    print(f"{'scores':12}{'A/A called different':>22}{'claimed at 80 %':>17}{'planted found':>15}")
    draws: dict[str, Draw] = {"shares": shares, "right/wrong": verdicts}
    for name, draw in draws.items():
        same = rate(draw, given.times, given.questions, given.seed, 0.0)
        difference = claimed(draw, given.questions, given.seed)
        power = rate(draw, given.times, given.questions, given.seed, difference)
        print(f"{name:12}{100 * same:20.1f} %{difference:17.3f}{100 * power:13.1f} %")


if __name__ == "__main__":
    main()
