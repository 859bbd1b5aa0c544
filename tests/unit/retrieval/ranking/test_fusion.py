from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from retrieval.ranking.fusion import cap, reciprocal_rank_fusion, standard_score_fusion

rankings = st.lists(st.lists(st.integers(0, 30), unique=True, max_size=12), min_size=1, max_size=4)
scored = st.lists(
    st.dictionaries(
        st.integers(0, 30), st.floats(-5, 50, allow_nan=False), min_size=1, max_size=10
    ).map(lambda scores: sorted(scores.items(), key=lambda pair: -pair[1])),
    min_size=1,
    max_size=3,
)


@given(rankings, st.data())
def test_rrf_is_the_published_sum(lists: list[list[int]], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.floats(0.1, 3), min_size=len(lists), max_size=len(lists)))
    fused = dict(reciprocal_rank_fusion(lists, weights))
    assert set(fused) == {item for ranking in lists for item in ranking}
    for item, score in fused.items():
        expected = math.fsum(
            weight / (60 + ranking.index(item) + 1)
            for ranking, weight in zip(lists, weights, strict=True)
            if item in ranking
        )
        assert score == pytest.approx(expected)
    assert list(fused.values()) == sorted(fused.values(), reverse=True)


def test_rrf_keeps_the_order_of_first_meeting_among_equals() -> None:
    assert [item for item, _ in reciprocal_rank_fusion([["a", "b"], ["b", "a"]])] == ["a", "b"]
    assert reciprocal_rank_fusion([["a"], ["b"]], [0, 1]) == [("b", pytest.approx(1 / 61))]
    assert reciprocal_rank_fusion([[], []]) == []


@given(scored)
def test_standard_scores_are_those_of_the_padded_lists(
    lists: list[list[tuple[int, float]]],
) -> None:
    depth = 8
    fused = dict(standard_score_fusion(lists, depth=depth))
    for item, score in fused.items():
        expected = 0.0
        for ranking in lists:
            values = [value for _, value in ranking[:depth]]
            values += [0.0] * (depth - len(values))
            mean, spread = statistics.fmean(values), statistics.pstdev(values)
            if spread < 1e-9:
                assume(spread == 0)
                continue
            own = dict(ranking[:depth]).get(item, min(values))
            expected += (own - mean) / spread
        assert score == pytest.approx(expected, rel=1e-6, abs=1e-6)


@given(scored, st.floats(0.5, 20))
def test_the_scale_of_a_ranking_does_not_matter(
    lists: list[list[tuple[int, float]]], factor: float
) -> None:
    # Squares of smaller scores are no longer told from 0.
    assume(all(score == 0 or abs(score) > 1e-100 for _, score in lists[0]))
    scaled = [[(item, score * factor) for item, score in lists[0]], *lists[1:]]
    before = dict(standard_score_fusion(lists, depth=10))
    after = dict(standard_score_fusion(scaled, depth=10))
    assert before.keys() == after.keys()
    for item, score in before.items():
        assert after[item] == pytest.approx(score, abs=1e-5)


def test_a_weight_of_zero_silences_a_ranking() -> None:
    fused = standard_score_fusion([[("a", 2.0), ("b", 1.0)], [("b", 9.0)]], [1, 0], depth=2)
    assert [item for item, _ in fused] == ["a", "b"]
    assert standard_score_fusion([[], []], depth=5) == []


def test_cap_counts_each_key() -> None:
    assert cap("abcABCaA", str.lower, 1) == list("abc")
    assert cap("abcABCaA", str.lower, 2) == list("abcABC")


@given(st.lists(st.integers(0, 5)), st.integers(1, 4))
def test_cap_keeps_order_and_bound(items: list[int], most: int) -> None:
    kept = cap(items, lambda item: item, most)
    assert all(kept.count(item) == min(most, items.count(item)) for item in set(items))
    remaining = iter(items)
    assert all(item in remaining for item in kept)
