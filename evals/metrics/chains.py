"""Reasoning chains of multi-hop questions (CofCA, section 4.2, appendix C, tables 7 and 8).

An item with N sub-questions falls into one of 2^(N+1) categories: each sub-question and the
question right (c) or wrong (w) by exact match.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from evals.metrics.squad import TokenScore


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainOutcome:
    """Which parts of one item were right."""

    sub_questions: tuple[bool, ...]
    question: bool

    @property
    def category(self) -> str:
        """One letter for each sub-question, then one for the question: "ccw"."""
        return "".join("c" if right else "w" for right in (*self.sub_questions, self.question))


def chain_categories(outcomes: Sequence[ChainOutcome]) -> dict[str, float]:
    """Return the share of items, in per cent, of every category, in the order of the paper's table.

    The shares add to 100.

    Raises:
        ValueError: without items, or where their numbers of sub-questions differ.
    """
    hops = {len(outcome.sub_questions) for outcome in outcomes}
    if len(hops) != 1:
        raise ValueError("chain categories need at least one item, all with as many sub-questions")
    counts = Counter(outcome.category for outcome in outcomes)
    names = ("".join(letters) for letters in product("cw", repeat=hops.pop() + 1))
    return {name: 100.0 * counts[name] / len(outcomes) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainShares:
    """How answers were reached, in per cent of all items; the three add to 100."""

    right_chain: float
    """Question right, every sub-question right."""
    wrong_chain: float
    """Question right although some sub-question was wrong."""
    wrong_answer: float


def chain_shares(outcomes: Sequence[ChainOutcome]) -> ChainShares:
    """Return the shares of right and wrong chains.

    Raises:
        ValueError: without items.
    """
    if not outcomes:
        raise ValueError("chain shares need at least one item")
    right = sum(o.question and all(o.sub_questions) for o in outcomes)
    answered = sum(o.question for o in outcomes)
    scale = 100.0 / len(outcomes)
    return ChainShares(
        right_chain=right * scale,
        wrong_chain=(answered - right) * scale,
        wrong_answer=(len(outcomes) - answered) * scale,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JointScore:
    """Joint performance of one item on its question and all sub-questions."""

    f1: float
    """2PR / (P + R) of the joint precision and recall; 0 where both are 0."""
    f1_rc: float
    """The paper's Joint F1 RC, −ln of `f1`: larger is worse; infinite where `f1` is 0."""
    em: float
    """1 where everything was right, else 0."""
    em_rc: float
    """The paper's Joint EM RC as printed, −ln(2 Π EM / Σ EM); infinite where a factor is 0."""


def joint_score(parts: Sequence[TokenScore], exact: Sequence[bool]) -> JointScore:
    """Return the joint scores of one item.

    Args:
        parts: token scores of the question and its N sub-questions, N + 1 in all.
        exact: exact matches in the same order.

    Raises:
        ValueError: where the two differ in length or are empty.
    """
    if not parts or len(parts) != len(exact):
        raise ValueError("joint scores need a token score and an exact match for every part")
    precision = math.prod(part.precision for part in parts)
    recall = math.prod(part.recall for part in parts)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    em = math.prod(exact)
    # The printed formula divides by the sum over all parts, which is N + 1 where every EM is 1.
    printed = 2 * em / sum(exact) if em else 0.0
    return JointScore(
        f1=f1,
        f1_rc=-math.log(f1) if f1 else math.inf,
        em=float(em),
        em_rc=-math.log(printed) if printed else math.inf,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedMean:
    """A mean over the items whose logged score is finite, and how many were left out."""

    mean: float | None
    """None where every item was left out."""
    left_out: int


def logged_mean(values: Sequence[float]) -> LoggedMean:
    """Average logged joint scores over the items with P, R > 0: the formula has no value for the others."""
    finite = [value for value in values if math.isfinite(value)]
    return LoggedMean(
        mean=math.fsum(finite) / len(finite) if finite else None,
        left_out=len(values) - len(finite),
    )
