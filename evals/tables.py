"""Tables that several benchmarks draw: means by a group of the samples."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from evals.summary import question_scores
from evals.types import Sample, Score, Table


def mean_by_group(
    name: str,
    group: str,
    samples: Sequence[Sample],
    scores: Sequence[Score],
    metrics: Sequence[str],
) -> Table:
    """Return one row for each value of `group`, in order of appearance, with its means.

    Metrics that no sample has are left out; a group without a scored sample shows none.
    """
    by_metric = {metric: question_scores(scores, metric) for metric in metrics}
    shown = [metric for metric in metrics if any(metric in score.values for score in scores)]
    values = dict.fromkeys(sample.groups[group] for sample in samples if group in sample.groups)
    rows: list[tuple[str | float | None, ...]] = []
    for value in values:
        ids = [sample.id for sample in samples if sample.groups.get(group) == value]
        means = [
            _mean([by_metric[metric][i] for i in ids if i in by_metric[metric]]) for metric in shown
        ]
        rows.append((value, float(len(ids)), *means))
    return Table(name=name, columns=(group, "questions", *shown), rows=tuple(rows))


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
