"""How well an agent's own plan follows a gold decomposition.

FanOutQA publishes the gold steps of its dev questions and scores only final answers; these measures
say where a plan went wrong. Gold and own steps are matched one to one by similarity.

    recall    = matched / gold steps        precision = matched / own steps
    order     = kept / pairs, over the pairs of matched steps of which one gold step depends on the
                other (directly or through others): kept where the own steps depend the same way
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

THRESHOLD = 0.56
"""Likeness of two sub-questions from which they ask the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanScore:
    """A plan against the gold decomposition; None is undefined."""

    recall: float | None
    precision: float | None
    order: float | None
    matches: Mapping[int, int]
    """Gold step → own step, by position."""


def match_steps(similarity: NDArray[np.float32], threshold: float = THRESHOLD) -> dict[int, int]:
    """Match gold to own steps one to one so that the summed similarity is highest.

    Args:
        similarity: [gold steps, own steps].
        threshold: pairs below it stay unmatched.
    """
    from scipy.optimize import linear_sum_assignment

    if similarity.size == 0:
        return {}
    # Pairs below the threshold are worth nothing, so that they never push out a pair above it.
    worth = np.where(similarity >= threshold, similarity, 0.0)
    gold, own = linear_sum_assignment(worth, maximize=True)
    return {int(g): int(o) for g, o in zip(gold, own, strict=True) if worth[g, o] > 0}


def plan_score(
    similarity: NDArray[np.float32],
    gold_depends: Sequence[Sequence[int]],
    own_depends: Sequence[Sequence[int]],
    threshold: float = THRESHOLD,
) -> PlanScore:
    """Score a plan.

    Args:
        similarity: [gold steps, own steps], cosines of their texts.
        gold_depends: for each gold step the positions of the steps it depends on.
        own_depends: the same for the own steps.
        threshold: least similarity of a match.
    """
    matches = match_steps(similarity, threshold)
    gold_before, own_before = _closure(gold_depends), _closure(own_depends)
    pairs = [
        (matches[earlier], matches[later])
        for later in matches
        for earlier in gold_before[later]
        if earlier in matches
    ]
    kept = sum(earlier in own_before[later] for earlier, later in pairs)
    return PlanScore(
        recall=len(matches) / len(gold_depends) if gold_depends else None,
        precision=len(matches) / len(own_depends) if own_depends else None,
        order=kept / len(pairs) if pairs else None,
        matches=matches,
    )


def first_wrong_step(accuracies: Sequence[float | None]) -> int | None:
    """Return the position of the first step that is unmatched (None) or not wholly right."""
    for position, accuracy in enumerate(accuracies):
        if accuracy is None or accuracy < 1.0:
            return position
    return None


def evidence_recall(gold: Sequence[str], retrieved: Sequence[str], k: int) -> float | None:
    """Return the share of gold articles among the articles of the first k retrieved chunks.

    None where a step needs no article.
    """
    wanted = set(gold)
    return len(wanted & set(retrieved[:k])) / len(wanted) if wanted else None


def _closure(depends: Sequence[Sequence[int]]) -> list[set[int]]:
    """Return for each step every step it depends on, directly or through others."""
    before: list[set[int]] = []
    for position in range(len(depends)):
        reached: set[int] = set()
        waiting = list(depends[position])
        while waiting:
            step = waiting.pop()
            if step not in reached:
                reached.add(step)
                waiting.extend(depends[step])
        before.append(reached)
    return before
