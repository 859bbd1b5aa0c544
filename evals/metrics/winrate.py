"""Win rate by five-level verdicts with swapped positions (Compound-QA, section 4, table 17).

A verdict says how the first answer shown compares with the second. The win rate is the share of
judgments in which the answer is as good as the reference or better; both orders belong to one
question, so that a judge's liking for a position cancels out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

LEVELS = ("A>>B", "A>B", "A=B", "B>A", "B>>A")
_SWAPPED = dict(zip(LEVELS, reversed(LEVELS), strict=True))
THREE = ("A>B", "A=B", "B>A")
"""What people are asked to choose among (section 5)."""


def as_good(verdict: str, *, swapped: bool) -> bool:
    """Return whether the answer is as good as the reference or better.

    Args:
        verdict: one of `LEVELS`.
        swapped: whether the answer was shown as B.
    """
    seen = _SWAPPED[verdict] if swapped else verdict
    return seen in LEVELS[:3]


def win_share(first: str, second: str) -> float:
    """Return the share of the two judgments of one question that the answer wins: 0, 0.5 or 1.

    Args:
        first: verdict with the answer shown as A.
        second: verdict with the answer shown as B.
    """
    return (as_good(first, swapped=False) + as_good(second, swapped=True)) / 2


def three_way(first: str, second: str) -> str:
    """Return what both orders come to as people would label it: a tie where they disagree."""
    sides = [first, _SWAPPED[second]]
    signs = {
        ("A>B" if side in LEVELS[:2] else "B>A" if side in LEVELS[3:] else "A=B") for side in sides
    }
    return signs.pop() if len(signs) == 1 else "A=B"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A judge's labels against people's, each label in turn against the rest (section 5)."""

    n: int
    accuracy: float
    true_positive_rate: float
    """Mean over the labels that people gave."""
    false_positive_rate: float
    """Mean over the labels that people did not always give."""


def agreement(people: Sequence[str], judge: Sequence[str]) -> Agreement:
    """Compare labels item by item.

    TPR of a label = items where both give it / items where people do;
    FPR = items where the judge alone gives it / items where people do not.

    Raises:
        ValueError: where the two differ in length or are empty.
    """
    if len(people) != len(judge) or not people:
        raise ValueError("agreement needs two equally long, non-empty lists of labels")
    pairs = Counter(zip(people, judge, strict=True))
    n = len(people)
    rates, alarms = [], []
    for label in sorted({*people, *judge}):
        given = sum(count for (p, _), count in pairs.items() if p == label)
        said = sum(count for (_, j), count in pairs.items() if j == label)
        both = pairs[label, label]
        if given:
            rates.append(both / given)
        if given < n:
            alarms.append((said - both) / (n - given))
    return Agreement(
        n=n,
        accuracy=sum(pairs[label, label] for label in set(people)) / n,
        true_positive_rate=sum(rates) / len(rates),
        false_positive_rate=sum(alarms) / len(alarms) if alarms else 0.0,
    )


def majority_of_people(labels: Sequence[str]) -> str | None:
    """Return the label that at least two people gave, and more than gave any other; else None."""
    counts = Counter(labels).most_common(2)
    if not counts or counts[0][1] < 2:
        return None
    return None if len(counts) > 1 and counts[1][1] == counts[0][1] else counts[0][0]
