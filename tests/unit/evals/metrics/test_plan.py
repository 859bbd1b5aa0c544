from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.plan import evidence_recall, first_wrong_step, match_steps, plan_score


def test_matching_is_one_to_one_and_best_in_sum() -> None:
    similarity = np.array([[0.9, 0.8], [0.85, 0.1]], dtype=np.float32)
    assert match_steps(similarity) == {0: 1, 1: 0}


def test_pairs_below_the_threshold_stay_unmatched() -> None:
    similarity = np.array([[0.55, 0.2], [0.1, 0.7]], dtype=np.float32)
    assert match_steps(similarity) == {1: 1}
    assert match_steps(np.zeros((0, 3), dtype=np.float32)) == {}


def test_plan_by_hand() -> None:
    # Gold: 0 → 1 → 2. Own: 0 ← nothing, 1 depends on 0, 2 on nothing, and one step too many.
    similarity = np.eye(3, 4, dtype=np.float32)
    score = plan_score(similarity, [[], [0], [1]], [[], [0], [], []])
    assert score.recall == 1.0
    assert score.precision == 0.75
    # Pairs 0→1, 0→2 (through 1) and 1→2; only the first is kept.
    assert score.order == pytest.approx(1 / 3)


def test_undefined_is_none() -> None:
    score = plan_score(np.zeros((0, 2), dtype=np.float32), [], [[], []])
    assert (score.recall, score.precision, score.order) == (None, 0.0, None)
    assert evidence_recall([], ["Rhine"], 5) is None


def test_cycles_end() -> None:
    score = plan_score(np.eye(2, dtype=np.float32), [[1], [0]], [[1], [0]])
    assert score.order == 1.0


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 2**32 - 1))
def test_bounds(gold: int, own: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    similarity = generator.random((gold, own)).astype(np.float32)
    depends = [[j for j in range(i) if generator.random() < 0.4] for i in range(max(gold, own))]
    score = plan_score(similarity, depends[:gold], depends[:own])
    for value in (score.recall, score.precision, score.order):
        assert value is None or 0 <= value <= 1
    assert len(set(score.matches.values())) == len(score.matches) <= min(gold, own)


def test_first_wrong_step() -> None:
    assert first_wrong_step([1.0, 0.5, None]) == 1
    assert first_wrong_step([1.0, None]) == 1
    assert first_wrong_step([1.0, 1.0]) is None


def test_evidence_recall_looks_at_the_first_k() -> None:
    assert evidence_recall(["Rhine", "Basel"], ["Elbe", "Rhine", "Basel"], 2) == 0.5
