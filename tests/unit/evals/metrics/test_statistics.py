from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evals.metrics.statistics import (
    bootstrap_mean,
    cohen_kappa,
    detectable_difference,
    fleiss_kappa,
    holm,
    mcnemar_exact,
    paired_difference,
)

scores = st.lists(st.floats(0, 1), min_size=2, max_size=30)


@given(scores)
def test_interval_holds_the_mean_and_stays_in_range(values: list[float]) -> None:
    interval = bootstrap_mean(values, resamples=200)
    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9
    assert interval.mean == pytest.approx(np.mean(values))


def test_same_seed_same_interval() -> None:
    values = list(np.random.default_rng(1).random(50))
    assert bootstrap_mean(values) == bootstrap_mean(values)


def test_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        bootstrap_mean([1.0, math.nan])
    with pytest.raises(ValueError, match="no values"):
        bootstrap_mean([])


def test_interval_width_matches_the_normal_theory() -> None:
    values = np.random.default_rng(2).normal(0.5, 0.1, 400)
    interval = bootstrap_mean(list(values))
    expected = 1.96 * values.std(ddof=1) / math.sqrt(400)
    assert interval.high - interval.low == pytest.approx(2 * expected, rel=0.05)


def test_difference_of_a_system_with_itself() -> None:
    values = [0.0, 0.5, 1.0, 0.25]
    result = paired_difference(values, values)
    assert (result.mean, result.low, result.high) == (0, 0, 0)
    assert result.p_value == 1.0
    assert result.detectable is None


def test_binary_scores_use_mcnemar() -> None:
    a, b = [1.0] * 9 + [0.0], [0.0] * 9 + [1.0]
    result = paired_difference(a, b)
    assert result.test == "McNemar, exact"
    # 9 against 1 of 10 discordant pairs: 2 · (C(10,0) + C(10,1)) / 2^10.
    assert result.p_value == pytest.approx(22 / 1024)


def test_unpaired_is_refused() -> None:
    with pytest.raises(ValueError, match="differ in number"):
        paired_difference([1.0], [1.0, 0.0])


def test_planted_difference_is_found_and_detectable_is_stated() -> None:
    generator = np.random.default_rng(3)
    base = generator.random(200)
    result = paired_difference(list(base + 0.1 + generator.normal(0, 0.1, 200)), list(base))
    assert result.low > 0
    assert result.p_value < 0.001
    assert result.detectable == pytest.approx(2.8016 * 0.1 / math.sqrt(200), rel=0.15)


def test_mcnemar_without_disagreement() -> None:
    assert mcnemar_exact([True, False], [True, False]) == 1.0


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_test_of_the_pairs_that_disagree(only_a: int, only_b: int) -> None:
    a = [True] * only_a + [False] * only_b + [True] * 5
    b = [False] * only_a + [True] * only_b + [True] * 5
    found = mcnemar_exact(a, b)
    expected = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
    assert found == pytest.approx(expected)


def test_mcnemar_of_many_pairs_is_no_overflow() -> None:
    a = [True] * 1_500 + [False] * 1_400
    assert mcnemar_exact(a, [not one for one in a]) == pytest.approx(binomtest(1_500, 2_900).pvalue)


def test_holm_by_hand() -> None:
    # Sorted 0.01, 0.02, 0.04 times 3, 2, 1, made monotone.
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([]) == []


@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=8), st.floats(0.001, 0.999))
def test_holm_rejects_what_the_step_down_procedure_rejects(
    p_values: list[float], alpha: float
) -> None:
    # Holm's own words: the smallest p-value against α/m, the next against α/(m − 1), until one fails.
    rejected: set[int] = set()
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        bound = alpha / (len(p_values) - place)
        if math.isclose(p_values[index], bound) or p_values[index] > bound:
            break
        rejected.add(index)
    adjusted = holm(p_values)
    assume(not any(math.isclose(p, alpha) for p in adjusted))
    assert {index for index, p in enumerate(adjusted) if p < alpha} == rejected


@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=8))
def test_holm_never_lowers_a_p_value(p_values: list[float]) -> None:
    assert all(new >= old - 1e-12 for new, old in zip(holm(p_values), p_values, strict=True))


def test_kappa_by_hand() -> None:
    # Observed 0.7; expected 0.5 · 0.6 + 0.5 · 0.4 = 0.5; (0.7 − 0.5) / 0.5.
    a = ["y"] * 20 + ["y"] * 5 + ["n"] * 10 + ["n"] * 15
    b = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(a, b) == pytest.approx(0.4)
    assert cohen_kappa(["y"], ["y"]) is None
    with pytest.raises(ValueError, match="kappa"):
        cohen_kappa([], [])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1))
def test_kappa_equals_that_of_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    ours = cohen_kappa(first, second)
    if ours is None:
        # Both gave one same label throughout: it divides by nothing.
        assert len({*first, *second}) == 1
        return
    assert ours == pytest.approx(cohen_kappa_score(first, second))


def test_fleiss_kappa() -> None:
    assert fleiss_kappa([["a", "a", "a"], ["b", "b", "b"]]) == pytest.approx(1.0)
    # Ten items, fourteen raters, five labels: a table worked out step by step in textbooks.
    counts = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    ratings = [[label for label, times in enumerate(item) for _ in range(times)] for item in counts]
    assert fleiss_kappa(ratings) == pytest.approx(0.210, abs=0.0005)
    assert fleiss_kappa([["a", "a"]]) is None
    with pytest.raises(ValueError, match="raters"):
        fleiss_kappa([["a"], ["a", "b"]])


def test_detectable_needs_variation() -> None:
    assert detectable_difference([0.5]) is None
    assert detectable_difference([0.5, 0.5]) is None


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=12))
def test_few_questions_are_never_surer_than_their_signs(scores: list[float]) -> None:
    result = paired_difference(scores, [0.0] * len(scores))
    assert result.test == "paired bootstrap"
    assert result.p_value >= 2.0 ** (1 - len(scores))
    assert result.p_value <= 1.0
