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
    """Joint performance of one item on its question and all sub-questions, without a logarithm."""

    f1: float
    """2PR / (P + R) of the joint precision and recall; 0 where both are 0."""
    em: float
    """1 where everything was right, else 0."""


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
    return JointScore(f1=_harmonic(precision, recall), em=float(math.prod(exact)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningChain:
    """The paper's Joint F1 RC and Joint EM RC of a data set; larger is worse (Table 7)."""

    f1: float
    """−ln(2PR / (P + R)); infinite where P or R is 0."""
    em: float
    """−ln(2 Π EM / Σ EM) as printed; infinite where a factor is 0."""


def reasoning_chain(
    precisions: Sequence[float], recalls: Sequence[float], exact: Sequence[float]
) -> ReasoningChain:
    """Return both logged scores of a data set.

    The formula is taken once, on means over the items of one hop count: it has no value for an
    item with one wrong part, and for all others the EM score is the same constant. Taken so, it
    gives Table 7 from the shares of Table 8.

    Args:
        precisions: mean token precision of the question and of each sub-question, N + 1 in all.
        recalls: mean token recall in the same order.
        exact: mean exact match in the same order.

    Raises:
        ValueError: where the three differ in length or are empty.
    """
    if not precisions or not len(precisions) == len(recalls) == len(exact):
        raise ValueError("a reasoning chain needs the same number of means of each kind")
    f1 = _harmonic(math.prod(precisions), math.prod(recalls))
    product = math.prod(exact)
    em = 2 * product / math.fsum(exact) if product else 0.0
    return ReasoningChain(f1=_minus_log(f1), em=_minus_log(em))


def _harmonic(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _minus_log(value: float) -> float:
    return -math.log(value) if value else math.inf
