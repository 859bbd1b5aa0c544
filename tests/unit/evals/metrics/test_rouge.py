from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from evals.metrics.rouge import (
    longest_common_subsequence,
    mixed_tokens,
    rouge,
    rouge_l_recall,
)

tokens = st.lists(st.sampled_from("abcde"), max_size=14)


def _table_lcs(a: list[str], b: list[str]) -> int:
    row = [0] * (len(b) + 1)
    for left in a:
        previous = 0
        for index, right in enumerate(b, start=1):
            kept = row[index]
            row[index] = previous + 1 if left == right else max(row[index], row[index - 1])
            previous = kept
    return row[-1]


@given(tokens, tokens)
def test_bit_parallel_lcs_equals_the_table(a: list[str], b: list[str]) -> None:
    assert longest_common_subsequence(a, b) == _table_lcs(a, b)


def test_chinese_is_split_into_characters_and_words() -> None:
    assert mixed_tokens("长江全长6300公里,Yangtze River!") == [
        *"长江全长", "6300", *"公里", "yangtze", "river",
    ]  # fmt: skip


def test_recall_by_hand() -> None:
    assert rouge_l_recall(mixed_tokens("青藏高原"), mixed_tokens("它发源于青海的高原")) == 0.75
    with pytest.raises(ValueError, match="no tokens"):
        rouge_l_recall([], ["a"])


class _SpaceTokenizer:
    def tokenize(self, text: str) -> list[str]:
        return text.split()


@given(
    st.text(alphabet="长江黄河上海ab ", min_size=1, max_size=20),
    st.text(alphabet="长江黄河上海ab ", max_size=20),
)
def test_recall_equals_rouge_score_given_the_same_tokens(reference: str, candidate: str) -> None:
    wanted, found = mixed_tokens(reference), mixed_tokens(candidate)
    if not wanted:
        return
    scorer = RougeScorer(["rougeL"], tokenizer=_SpaceTokenizer())
    score = scorer.score(" ".join(wanted), " ".join(found))["rougeL"]
    assert rouge_l_recall(wanted, found) == pytest.approx(score.recall)


def test_rouge_names_and_bounds() -> None:
    values = rouge("the long rivers", "a long river")
    assert set(values) == {f"rouge{n}_{part}" for n in ("1", "2", "L") for part in "prf"}
    assert values["rouge1_r"] == pytest.approx(2 / 3)


@given(
    st.text(alphabet="Running rivers, LONG 12.5 é\n", max_size=60),
    st.text(alphabet="Running rivers, LONG 12.5 é\n", max_size=60),
)
def test_values_are_those_of_rouge_score(reference: str, candidate: str) -> None:
    expected = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True)
    scores = expected.score(reference, candidate)
    values = rouge(reference, candidate)
    for name, score in scores.items():
        found = (values[f"{name}_p"], values[f"{name}_r"], values[f"{name}_f"])
        assert found == (score.precision, score.recall, score.fmeasure)
