"""Weights of the answer rating, by grid search on human preferences (Xie et al., section 4).

rating = w_core · c_core + w_background · c_background + w_follow-up · c_follow-up. Only the order of
two ratings counts, so w_core is 1 and the other two are searched from −1 to 1. The weights that
order most pairs as people did are chosen on one part of the questions and measured on the other.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Literal, cast

from evals.humans.agreement import agree_on_preferences
from evals.humans.labels import Preference
from evals.judges.verdict import PreferenceJudge
from evals.metrics.coverage import Coverage, RatingWeights, answer_rating, pairwise_accuracy
from evals.ports import CoverageJudge, Covered
from evals.types import GoldStep, Json, Sample

STEPS = tuple(step / 4 for step in range(-4, 5))
SEED = 31415
AT_ONCE = 8
CORE_ONLY = RatingWeights(core=1.0, background=0.0, follow_up=0.0)

Pair = tuple[Sequence[Coverage], Sequence[Coverage], Literal["a", "b"]]
"""Coverage of answer a, of answer b, and which people preferred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """Pairwise accuracy of weights."""

    found: RatingWeights
    chosen_on: int
    """Pairs the weights were chosen on."""
    tested_on: int
    accuracy: Mapping[str, float | None]
    """On the pairs they were tested on: "found", the "paper"'s, "core only", and a "pairwise judge"
    where one was named; a tie counts half in each."""
    validation: float | None
    """Of the weights found, on the pairs they were chosen on."""
    unscored: int
    """Pairs of which one answer has a sub-question without a verdict, and no other."""
    engine: str

    def as_json(self) -> dict[str, Json]:
        """Return what `evals weights --json` prints."""
        return {
            "weights": dict[str, Json](asdict(self.found)),
            "chosen_on": self.chosen_on,
            "tested_on": self.tested_on,
            "validation_accuracy": self.validation,
            "accuracy": dict[str, Json](self.accuracy),
            "unscored": self.unscored,
            "engine": self.engine,
        }


def accuracy_of(pairs: Sequence[Pair], weights: RatingWeights) -> float | None:
    """Return the pairwise accuracy of weights; None without pairs."""
    rated = [
        (cast(float, answer_rating(a, weights)), cast(float, answer_rating(b, weights)), preferred)
        for a, b, preferred in pairs
    ]
    return pairwise_accuracy(rated)


def search_weights(pairs: Sequence[Pair]) -> RatingWeights:
    """Return the weights of the grid that order most pairs as people did.

    Of equally good ones, those nearest to the paper's.
    """
    paper = RatingWeights()
    grid = [
        RatingWeights(core=1.0, background=background, follow_up=follow_up)
        for background, follow_up in product(STEPS, STEPS)
    ]

    def merit(weights: RatingWeights) -> tuple[float, float]:
        away = abs(weights.background - paper.background) + abs(weights.follow_up - paper.follow_up)
        return accuracy_of(pairs, weights) or 0.0, -away

    return max(grid, key=merit)


async def weigh(
    judge: CoverageJudge,
    preferences: Sequence[Preference],
    samples: Sequence[Sample],
    *,
    validation: float = 0.5,
    preferring: PreferenceJudge | None = None,
) -> Weighed:
    """Judge the coverage of both answers of every decided pair, then search and test.

    Args:
        judge: of coverage.
        preferences: people's; ties are left out, as are questions without sub-questions.
        samples: frozen decompositions with kinds.
        validation: share of the questions that the weights are chosen on.
        preferring: compares the answers themselves, for the last row of the paper's Table 3.
    """
    steps = {_folded(sample.question): sample.steps for sample in samples}
    decided = [p for p in preferences if p.preferred and _folded(p.question) in steps]
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(text: str, of: Sequence[GoldStep]) -> list[Coverage]:
        async with gate:
            judged = await judge.covers(text, [step.question for step in of])
        return _coverages(of, judged)

    judged = await asyncio.gather(
        *(one(text, steps[_folded(p.question)]) for p in decided for text in (p.a, p.b))
    )
    pairs: dict[str, list[Pair]] = {}
    kept: list[Preference] = []
    unscored = 0
    for preference, a, b in zip(decided, judged[::2], judged[1::2], strict=True):
        if not a or not b:
            unscored += 1
            continue
        preferred = cast('Literal["a", "b"]', preference.preferred)
        kept.append(preference)
        pairs.setdefault(_folded(preference.question), []).append((a, b, preferred))
    questions = sorted(pairs)
    random.Random(SEED).shuffle(questions)
    cut = round(validation * len(questions))
    chosen_on = [pair for question in questions[:cut] for pair in pairs[question]]
    tested_on = [pair for question in questions[cut:] for pair in pairs[question]]
    found = search_weights(chosen_on)
    tested = {*questions[cut:]}
    rivals = {"found": found, "paper": RatingWeights(), "core only": CORE_ONLY}
    accuracy = {name: accuracy_of(tested_on, weights) for name, weights in rivals.items()}
    if preferring is not None:
        compared = [preference for preference in kept if _folded(preference.question) in tested]
        agreement = await agree_on_preferences(preferring, compared)
        accuracy["pairwise judge"] = agreement.accuracy
    return Weighed(
        found=found,
        chosen_on=len(chosen_on),
        tested_on=len(tested_on),
        accuracy=accuracy,
        validation=accuracy_of(chosen_on, found),
        unscored=unscored,
        engine=judge.name,
    )


def _coverages(steps: Sequence[GoldStep], judged: Sequence[Covered]) -> list[Coverage]:
    return [
        Coverage(kind=step.kind, answered=covered.covered)
        for step, covered in zip(steps, judged, strict=True)
        if step.kind is not None and covered.covered is not None
    ]


def _folded(question: str) -> str:
    return " ".join(question.casefold().split())
