"""From scores to a run's numbers: means over questions with intervals, and what is missing.

A failed prediction scores 0 in every metric, since no answer came; an unscored one (no judge, an
unreadable verdict) is left out of that metric's mean and counted. Epochs of one question are
averaged before anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import fmean

from evals.metrics.statistics import Interval, bootstrap_mean
from evals.types import FAILED, Score

DESCRIPTIVE = frozenset({"words"})
"""What says how answers are, not how good they are: where there is no answer, there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The numbers of one scored run."""

    n: int
    """Questions asked."""
    scored: int
    """Questions with a value in the headline metric, failed ones included."""
    unscored: int
    failed: int
    """Questions of which at least one epoch failed."""
    abstained: int
    """Questions of which at least one epoch was answered with "not found"."""
    metrics: Mapping[str, Interval]
    unscored_reasons: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Metric → reason → how often."""


def question_scores(scores: Iterable[Score], metric: str) -> dict[str, float]:
    """Return one value for each question that has one: the mean over its scored epochs.

    A failed epoch counts 0, but for what merely describes an answer.
    """
    by_question: dict[str, list[float]] = {}
    for score in scores:
        if metric in score.values:
            by_question.setdefault(score.sample_id, []).append(score.values[metric])
        elif FAILED in score.unscored and metric not in DESCRIPTIVE:
            by_question.setdefault(score.sample_id, []).append(0.0)
    return {sample_id: fmean(values) for sample_id, values in by_question.items()}


def metric_names(scores: Iterable[Score]) -> list[str]:
    """Return every metric that some score has a value for, in order of appearance."""
    return list(dict.fromkeys(name for score in scores for name in score.values))


def summarise(scores: Iterable[Score], headline: str) -> Summary:
    """Sum up a run's scores."""
    scores = list(scores)
    questions = {score.sample_id for score in scores}
    failed = {score.sample_id for score in scores if FAILED in score.unscored}
    metrics = {}
    for name in metric_names(scores):
        values = question_scores(scores, name)
        metrics[name] = bootstrap_mean(list(values.values()))
    reasons: dict[str, dict[str, int]] = {}
    for score in scores:
        for metric, reason in score.unscored.items():
            counts = reasons.setdefault(metric, {})
            counts[reason] = counts.get(reason, 0) + 1
    with_headline = len(question_scores(scores, headline))
    return Summary(
        n=len(questions),
        scored=with_headline,
        unscored=len(questions) - with_headline,
        failed=len(failed),
        abstained=len({score.sample_id for score in scores if score.abstained}),
        metrics=metrics,
        unscored_reasons=reasons,
    )
