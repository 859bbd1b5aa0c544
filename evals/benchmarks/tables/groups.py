"""Tables that several benchmarks draw: means by a group of the samples."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

from evals.metrics.ranges import outside_remarks
from evals.metrics.summary import question_scores
from evals.types import Sample, Score, Table


def mean_by_group(
    name: str,
    group: str,
    samples: Sequence[Sample],
    scores: Sequence[Score],
    metrics: Sequence[str],
    plot: Sequence[str] = (),
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
        rows.append((value, len(ids), *means))
    columns = [[row[2 + place] for row in rows] for place in range(len(shown))]
    return Table(
        name=name,
        columns=(group, "questions", *shown),
        rows=tuple(rows),
        plot=tuple(metric for metric in plot if metric in shown),
        note=" ".join(
            f"{remark}." for remark in outside_remarks(dict(zip(shown, columns, strict=True)))
        ),
    )


def over_epochs(
    group: str, samples: Sequence[Sample], scores: Sequence[Score], metrics: Sequence[str]
) -> Table:
    """Return mean and standard deviation of each epoch's mean, by a group of the samples.

    The deviation is that of the epochs' means (n − 1 below), as papers print "53.1 ± 1.5". A
    failed prediction counts 0, an unscored one is left out. Without a second epoch there are no rows.
    """
    epochs = sorted({score.epoch for score in scores})
    values = dict.fromkeys(sample.groups[group] for sample in samples if group in sample.groups)
    rows: list[tuple[str | float | None, ...]] = []
    for value in values if len(epochs) > 1 else ():
        ids = {sample.id for sample in samples if sample.groups.get(group) == value}
        for metric in metrics:
            means = []
            for epoch in epochs:
                those = [s for s in scores if s.epoch == epoch and s.sample_id in ids]
                found = list(question_scores(those, metric).values())
                if found and any(metric in s.values for s in those):
                    means.append(fmean(found))
            if len(means) > 1:
                rows.append((value, metric, fmean(means), stdev(means), len(means)))
    return Table(
        name="Over epochs",
        columns=(group, "metric", "mean", "deviation", "epochs"),
        rows=tuple(rows),
        note="Mean and standard deviation of the means of the epochs.",
    )


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
