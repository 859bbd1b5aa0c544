"""CCMOR's tables: stepwise against overall by hops, by domain, and how far the judges agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import cast

from evals.benchmarks.tables.groups import over_epochs
from evals.metrics.statistics import cohen_kappa
from evals.metrics.summary import question_scores
from evals.types import Prediction, Sample, Score, Table

COLUMNS = {
    "SQA ROUGE-L": "sqa_rougeL",
    "SQA exact": "sqa_em",
    "SQA judge": "sqa_judge",
    "OA ROUGE-L": "rougeL",
    "OA exact": "em",
    "OA judge": "judge",
}
Cell = str | float | None


def tables(
    samples: Sequence[Sample], predictions: Sequence[Prediction], scores: Sequence[Score]
) -> list[Table]:
    """Return the paper's tables of one run."""
    return [
        both_ways_table("SQA against OA", "hops", samples, scores),
        both_ways_table("By domain", "domain", samples, scores),
        coverage_table(samples),
        judges_table(scores),
        over_epochs("hops", samples, scores, tuple(COLUMNS.values())),
    ]


def both_ways_table(
    name: str, group: str, samples: Sequence[Sample], scores: Sequence[Score]
) -> Table:
    """Return stepwise and overall scores by a group of the samples, and over all (Table 4)."""
    by_metric = {metric: question_scores(scores, metric) for metric in COLUMNS.values()}
    scored = {metric for score in scores for metric in score.values}
    chained = {sample.id for sample in samples if sample.steps}
    shown = [column for column, metric in COLUMNS.items() if metric in scored]

    def row(label: str, ids: Sequence[str]) -> tuple[Cell, ...]:
        cells: list[Cell] = [label, len(ids)]
        for column in shown:
            metric = COLUMNS[column]
            # A failed question of one hop counts as a failed answer, never as a failed chain.
            those = [i for i in ids if i in chained] if metric.startswith("sqa") else ids
            values = [by_metric[metric][i] for i in those if i in by_metric[metric]]
            cells.append(fmean(values) if values else None)
        return tuple(cells)

    labels = sorted(dict.fromkeys(sample.groups[group] for sample in samples))
    rows = [
        row(label, [sample.id for sample in samples if sample.groups[group] == label])
        for label in labels
    ]
    ending = [row("all", [sample.id for sample in samples])]
    if group == "hops" and len(rows) > 1:
        ending.insert(0, ("average OA", len(samples), *average_overall(rows, shown)))
    return Table(
        name=name,
        columns=(group, "questions", *shown),
        rows=(*rows, *ending),
        note="SQA: each sub-question, the previous gold answers in it; OA: the whole question. "
        "ROUGE-L recall over Chinese characters and words of other scripts (Table 4). Average OA is "
        "the mean of the rows, each hop count counting alike; all is the mean over the questions.",
        plot=tuple(shown),
    )


def average_overall(rows: Sequence[Sequence[Cell]], shown: Sequence[str]) -> list[Cell]:
    """Return the paper's "Avg.": for each OA column the mean of its rows; SQA columns have none.

    Args:
        rows: one for each hop count: its name, its number of questions, its cells.
        shown: the columns of the cells.
    """
    found: list[Cell] = []
    for place, column in enumerate(shown, start=2):
        cells = [cell for row in rows if isinstance(cell := row[place], float)]
        whole = column.startswith("OA") and len(cells) == len(rows)
        found.append(fmean(cells) if whole else None)
    return found


def coverage_table(samples: Sequence[Sample]) -> Table:
    """Return how many domains the steps of a question touch, by its number of hops (Table 3)."""
    counts: dict[str, list[int]] = {}
    for sample in samples:
        domains = sample.groups["domains"].split("、")
        counts.setdefault(sample.groups["hops"], []).append(len(domains))
    return Table(
        name="Domains a question",
        columns=("hops", "domains", "most", "questions"),
        rows=tuple(
            (hops, fmean(found), max(found), len(found)) for hops, found in sorted(counts.items())
        ),
        note="Different domains among the steps of a question; 1 where the data names the domain of "
        "the question alone.",
    )


def judges_table(scores: Sequence[Score]) -> Table:
    """Return the agreement of every two judges over all answers both gave a verdict on (Table 6)."""
    given: dict[str, dict[tuple[str, int, str], str]] = {}
    for score in scores:
        labels = cast("Mapping[str, Mapping[str, str | None]]", score.detail.get("labels", {}))
        for judge, parts in labels.items():
            for part, label in parts.items():
                if label is not None:
                    given.setdefault(judge, {})[score.sample_id, score.epoch, part] = label
    rows: list[tuple[Cell, ...]] = []
    for a, b in combinations(given, 2):
        both = [key for key in given[a] if key in given[b]]
        if both:
            first, second = [given[a][key] for key in both], [given[b][key] for key in both]
            same = sum(x == y for x, y in zip(first, second, strict=True)) / len(both)
            rows.append((a, b, cohen_kappa(first, second), same, len(both)))
    return Table(
        name="Agreement of judges",
        columns=("judge", "and judge", "Cohen's kappa", "same verdict", "n"),
        rows=tuple(rows),
        note="Over whole questions and sub-questions. No kappa: both gave one and the same verdict "
        "throughout, so chance agreement is total.",
    )
