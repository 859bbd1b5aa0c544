from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.coverage import (
    KINDS,
    Cases,
    Coverage,
    RatingWeights,
    answer_rating,
    coverage_metrics,
    four_cases,
    metrics_of_cases,
    pairwise_accuracy,
)

coverages = st.lists(
    st.builds(
        Coverage,
        kind=st.sampled_from(KINDS),
        answered=st.booleans(),
        chunks=st.lists(st.booleans(), max_size=4).map(tuple),
        position=st.one_of(st.none(), st.floats(0, 1)),
    ),
    max_size=30,
)


def _cases(neither: int, retrieved_only: int, answered_only: int, both: int) -> Cases:
    return Cases(
        neither=neither, retrieved_only=retrieved_only, answered_only=answered_only, both=both
    )


# Xie et al. (2024), Table 1 (percentages), and what Table 2 makes of it.
TABLES = {
    "You.com": (
        (_cases(26, 32, 9, 33), _cases(32, 48, 3, 17), _cases(56, 30, 4, 10)),
        ((42, 20, 14), (65, 65, 40), 51, 45),
    ),
    "Perplexity": (
        (_cases(28, 18, 9, 45), _cases(39, 41, 3, 17), _cases(61, 22, 5, 12)),
        ((54, 20, 17), (63, 58, 34), 71, 61),
    ),
    "Bing": (
        (_cases(26, 25, 7, 42), _cases(39, 47, 1, 13), _cases(59, 32, 2, 7)),
        ((49, 14, 9), (67, 60, 39), 63, 51),
    ),
}


@pytest.mark.parametrize("engine", TABLES)
def test_table_1_gives_table_2(engine: str) -> None:
    cases, (answered, retrieved, third, fourth) = TABLES[engine]
    metrics = metrics_of_cases(dict(zip(KINDS, cases, strict=True)))

    def percent(value: float | None) -> int:
        assert value is not None
        return round(100 * value)

    assert tuple(percent(metrics.answered[kind]) for kind in KINDS) == answered
    assert tuple(percent(metrics.retrieved[kind]) for kind in KINDS) == retrieved
    assert percent(metrics.use_of_retrieved) == third
    assert percent(metrics.room_for_retrieval) == fourth


def test_fifth_and_sixth_by_hand() -> None:
    items = [
        Coverage(kind="core", answered=True, chunks=(True, True, False, False), position=0.1),
        Coverage(kind="core", answered=False, chunks=(True, False, False, False)),
        Coverage(kind="background", answered=True, position=0.3),
        Coverage(kind="follow_up", answered=True, position=0.8),
    ]
    metrics = coverage_metrics(items)
    assert metrics.chunk_share_gap == pytest.approx(0.25)
    assert metrics.position_gap == pytest.approx(0.6)


def test_undefined_is_none_and_not_zero() -> None:
    metrics = coverage_metrics([Coverage(kind="core", answered=True)])
    assert metrics.answered == {"core": 1.0, "background": None, "follow_up": None}
    assert metrics.use_of_retrieved is None
    assert metrics.room_for_retrieval is None
    assert metrics.chunk_share_gap is None
    assert metrics.position_gap is None
    assert answer_rating([]) is None
    assert pairwise_accuracy([]) is None


@given(coverages)
def test_bounds(items: list[Coverage]) -> None:
    metrics = coverage_metrics(items)
    shares = [*metrics.answered.values(), *metrics.retrieved.values()]
    shares += [metrics.use_of_retrieved, metrics.room_for_retrieval]
    assert all(0 <= share <= 1 for share in shares if share is not None)
    for kind in KINDS:
        cases = four_cases(items, kind)
        if cases is not None:
            assert cases.total == pytest.approx(1)
    for gap in (metrics.chunk_share_gap, metrics.position_gap):
        assert gap is None or -1 <= gap <= 1


@given(coverages, st.randoms())
def test_order_does_not_matter(items: list[Coverage], random: object) -> None:
    shuffled = sorted(items, key=lambda _: random.random())  # type: ignore[attr-defined]
    first, second = coverage_metrics(items), coverage_metrics(shuffled)
    assert first.answered == second.answered
    assert first.chunk_share_gap == pytest.approx(second.chunk_share_gap)
    assert first.position_gap == pytest.approx(second.position_gap)


@given(coverages)
def test_answering_one_more_core_question_never_lowers_the_rating(items: list[Coverage]) -> None:
    for index, item in enumerate(items):
        if item.kind == "core" and not item.answered:
            better = Coverage(kind="core", answered=True, chunks=item.chunks)
            raised = [*items[:index], better, *items[index + 1 :]]
            low, high = answer_rating(items), answer_rating(raised)
            assert low is not None
            assert high is not None
            assert high > low


def test_rating_by_hand() -> None:
    items = [
        Coverage(kind="core", answered=True),
        Coverage(kind="core", answered=False),
        Coverage(kind="background", answered=True),
        Coverage(kind="follow_up", answered=True),
    ]
    assert answer_rating(items) == pytest.approx(0.5 + 0.5 - 1.0)
    assert answer_rating(items, RatingWeights(background=0, follow_up=0)) == pytest.approx(0.5)


def test_pairwise_accuracy_counts_equal_ratings_half() -> None:
    assert pairwise_accuracy([(1, 0, "a"), (0, 1, "a"), (1, 1, "b")]) == pytest.approx(0.5)
