from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.winrate import (
    LEVELS,
    THREE,
    agreement,
    as_good,
    majority_of_people,
    three_way,
    win_share,
)

levels = st.sampled_from(LEVELS)
labels = st.lists(st.tuples(st.sampled_from(THREE), st.sampled_from(THREE)), min_size=1)


def test_as_good_counts_a_tie_as_a_win_in_either_position() -> None:
    assert [as_good(level, swapped=False) for level in LEVELS] == [True, True, True, False, False]
    assert [as_good(level, swapped=True) for level in LEVELS] == [False, False, True, True, True]


def test_win_share_by_hand() -> None:
    assert win_share("A>B", "B>>A") == 1.0
    # The judge likes whatever is shown first: one win of two.
    assert win_share("A>B", "A>B") == 0.5
    assert win_share("B>A", "A>>B") == 0.0
    assert win_share("A=B", "A=B") == 1.0


def test_a_hundred_questions_by_hand() -> None:
    # 40 clear wins, 10 won in one order only, 50 lost: (80 + 10) of 200 judgments.
    shares = [
        *[win_share("A>>B", "B>A")] * 40,
        *[win_share("A=B", "A>B")] * 10,
        *[win_share("B>A", "A>B")] * 50,
    ]
    assert sum(shares) / 100 == 0.45


@given(levels, levels)
def test_swapping_the_two_answers_swaps_the_label(first: str, second: str) -> None:
    opposite = {"A>B": "B>A", "B>A": "A>B", "A=B": "A=B"}
    assert three_way(second, first) == opposite[three_way(first, second)]


def test_three_way_is_a_tie_where_the_orders_disagree() -> None:
    assert three_way("A>>B", "B>A") == "A>B"
    assert three_way("B>A", "A>B") == "B>A"
    assert three_way("A>B", "A>B") == "A=B"
    assert three_way("A>B", "A=B") == "A=B"


def test_agreement_by_hand() -> None:
    people = ["A>B", "A>B", "A=B", "B>A"]
    judge = ["A>B", "A=B", "A=B", "B>A"]
    found = agreement(people, judge)
    assert found.accuracy == 0.75
    # TPR: 1/2, 1/1, 1/1; FPR: 0/2, 1/3, 0/3.
    assert found.true_positive_rate == pytest.approx((0.5 + 1 + 1) / 3)
    assert found.false_positive_rate == pytest.approx((0 + 1 / 3 + 0) / 3)


def test_one_label_throughout_raises_no_false_alarm() -> None:
    found = agreement(["A=B"] * 3, ["A=B"] * 3)
    assert (found.accuracy, found.true_positive_rate, found.false_positive_rate) == (1.0, 1.0, 0.0)
    with pytest.raises(ValueError, match="equally long"):
        agreement([], [])


@given(labels)
def test_agreement_equals_a_confusion_matrix_by_scikit_learn(
    pairs: list[tuple[str, str]],
) -> None:
    from sklearn.metrics import accuracy_score, confusion_matrix

    people, judge = [p for p, _ in pairs], [j for _, j in pairs]
    found = agreement(people, judge)
    assert found.accuracy == pytest.approx(accuracy_score(people, judge))
    matrix = confusion_matrix(people, judge, labels=THREE)
    rates = [matrix[n, n] / matrix[n].sum() for n in range(len(THREE)) if matrix[n].sum()]
    assert found.true_positive_rate == pytest.approx(sum(rates) / len(rates))


def test_majority_of_people_needs_two_votes_and_most() -> None:
    assert majority_of_people(["A>B", "A=B", "A>B"]) == "A>B"
    assert majority_of_people(["A>B", "A=B", "B>A"]) is None
    assert majority_of_people(["A>B", "A>B", "A=B", "A=B"]) is None
    assert majority_of_people([]) is None
