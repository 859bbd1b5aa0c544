from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.chains import (
    ChainOutcome,
    chain_categories,
    chain_shares,
    joint_score,
    reasoning_chain,
)
from evals.metrics.squad import TokenScore, exact_match, normalise, token_score

outcomes = st.lists(
    st.builds(
        ChainOutcome,
        sub_questions=st.tuples(st.booleans(), st.booleans(), st.booleans()),
        question=st.booleans(),
    ),
    min_size=1,
    max_size=40,
)


def test_normalise_drops_articles_punctuation_and_case() -> None:
    assert normalise("The  Eiffel-Tower, a  landmark!") == "eiffeltower landmark"


def test_exact_match_takes_any_alias() -> None:
    assert exact_match("The Hague", ["Den Haag", "hague"])
    assert not exact_match("Hague city", ["hague"])


def test_token_score_by_hand() -> None:
    # Tokens: predicted {river, rhine, in, basel}, reference {rhine, basel}; two in common.
    score = token_score("the river Rhine in Basel", ["Rhine, Basel"])
    assert score.precision == 0.5
    assert score.recall == 1.0
    assert score.f1 == pytest.approx(2 / 3)


def test_yes_and_no_match_themselves_only() -> None:
    assert token_score("no, never", ["no"]).f1 == 0.0
    assert token_score("No.", ["no"]).f1 == 1.0


def test_empty_sides() -> None:
    assert token_score("", ["the"]).f1 == 1.0
    assert token_score("", ["rhine"]).f1 == 0.0
    with pytest.raises(ValueError, match="reference"):
        token_score("rhine", [])


def _independent_f1(prediction: str, reference: str) -> float:
    """Written from the definition, with lists instead of counters."""
    predicted, wanted = normalise(prediction).split(), normalise(reference).split()
    if predicted == wanted:
        return 1.0
    if {"yes", "no", "noanswer"} & {" ".join(predicted), " ".join(wanted)}:
        return 0.0
    left, common = list(wanted), 0
    for token in predicted:
        if token in left:
            left.remove(token)
            common += 1
    return 2 * common / (len(predicted) + len(wanted)) if common else 0.0


words = st.lists(
    st.sampled_from(["the", "a", "rhine", "Rhine,", "basel", "no", "yes", "12", "river"]),
    max_size=7,
).map(" ".join)


@given(words, words)
def test_f1_equals_an_independent_implementation(prediction: str, reference: str) -> None:
    assert token_score(prediction, [reference]).f1 == pytest.approx(
        _independent_f1(prediction, reference)
    )


def test_categories_and_shares_by_hand() -> None:
    items = [
        ChainOutcome(sub_questions=(True, True), question=True),
        ChainOutcome(sub_questions=(True, False), question=True),
        ChainOutcome(sub_questions=(False, False), question=False),
        ChainOutcome(sub_questions=(True, True), question=False),
    ]
    shares = chain_categories(items)
    assert list(shares) == ["ccc", "ccw", "cwc", "cww", "wcc", "wcw", "wwc", "www"]
    assert shares["ccc"] == shares["ccw"] == shares["cwc"] == shares["www"] == 25.0
    summary = chain_shares(items)
    assert (summary.right_chain, summary.wrong_chain, summary.wrong_answer) == (25.0, 25.0, 50.0)


@given(outcomes)
def test_categories_add_to_100_and_agree_with_the_shares(items: list[ChainOutcome]) -> None:
    categories = chain_categories(items)
    summary = chain_shares(items)
    assert len(categories) == 16
    assert sum(categories.values()) == pytest.approx(100)
    assert categories["cccc"] == pytest.approx(summary.right_chain)
    assert summary.right_chain + summary.wrong_chain + summary.wrong_answer == pytest.approx(100)
    wrong = sum(share for name, share in categories.items() if name.endswith("c") and "w" in name)
    assert wrong == pytest.approx(summary.wrong_chain)


def test_mixed_hops_are_refused() -> None:
    two = ChainOutcome(sub_questions=(True, True), question=True)
    three = ChainOutcome(sub_questions=(True, True, True), question=True)
    with pytest.raises(ValueError, match="as many"):
        chain_categories([two, three])
    with pytest.raises(ValueError, match="at least one"):
        chain_shares([])


def test_joint_score_by_hand() -> None:
    part = TokenScore(precision=0.5, recall=1.0, f1=2 / 3)
    whole = TokenScore(precision=1.0, recall=1.0, f1=1.0)
    score = joint_score([whole, part, part], [True, False, False])
    # P = 0.25, R = 1: F1 = 2 · 0.25 / 1.25 = 0.4.
    assert score.f1 == pytest.approx(0.4)
    assert score.em == 0.0
    assert joint_score([whole] * 3, [True] * 3).em == 1.0
    nothing = TokenScore(precision=0.0, recall=0.0, f1=0.0)
    assert joint_score([nothing], [False]).f1 == 0.0
    with pytest.raises(ValueError, match="joint"):
        joint_score([], [])


def test_the_logged_formula_by_hand() -> None:
    # P = 0.25, R = 1: −ln 0.4; EM: 2 · 0.125 / 1.5 = 1/6.
    found = reasoning_chain([1.0, 0.5, 0.5], [1.0] * 3, [0.5] * 3)
    assert found.f1 == pytest.approx(0.9162907)
    assert found.em == pytest.approx(math.log(6))
    never = reasoning_chain([1.0, 0.0], [1.0, 0.0], [1.0, 0.0])
    assert math.isinf(never.f1)
    assert math.isinf(never.em)
    with pytest.raises(ValueError, match="same number"):
        reasoning_chain([1.0], [1.0, 1.0], [1.0])


@given(st.lists(st.integers(1, 100), min_size=2, max_size=6))
def test_em_rc_equals_the_formula_in_logarithms(per_cent: list[int]) -> None:
    exact = [value / 100 for value in per_cent]
    expected = math.log(sum(exact)) - math.log(2) - sum(map(math.log, exact))
    assert reasoning_chain(exact, exact, exact).em == pytest.approx(expected)
