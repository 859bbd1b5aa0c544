"""What a paper takes from a comparison: the finding, the main metrics, the differences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from agent.stand_in import NAME
from evals.metrics.ranges import range_remarks
from evals.metrics.statistics import Interval
from evals.metrics.summary import Summary
from evals.reports.comparison import ComparedPair, Comparison
from evals.reports.labels import is_imported
from evals.runs.folder import RunFolder, RunRecord
from evals.runs.samples import find_benchmark
from evals.types import Table

_ROUGE = re.compile(r"rouge(\w)_([fpr])")
_ROUGE_PARTS = {"f": "", "p": " precision", "r": " recall"}


def metric_name(metric: str) -> str:
    """Return a metric's name as papers write it: ROUGE-1 for rouge1_f."""
    rouge = _ROUGE.fullmatch(metric)
    if rouge:
        return f"ROUGE-{rouge[1]}{_ROUGE_PARTS[rouge[2]]}"
    return metric.replace("_", " ")


def estimate(interval: Interval | None) -> str:
    """Return "0.57 [0.45, 0.69]"; three decimals where two would hide the interval's width."""
    if interval is None:
        return "–"
    digits = 3 if 0 < interval.high - interval.low < 0.02 else 2
    mean, low, high = (
        _number(value, digits) for value in (interval.mean, interval.low, interval.high)
    )
    return f"{mean} [{low}, {high}]"


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    # A negative number so small that it is shown as nothing would read as "−0.00".
    text = text.lstrip("-") if not text.strip("-0.") else text
    return text.replace("-", "−")


def main_metrics(comparison: Comparison, benchmark: str) -> list[str]:
    """Return the metrics to show side by side, of those that some run has a value for."""
    wanted = find_benchmark(benchmark).main or (comparison.headline,)
    asked = [pair.metric for pair in comparison.pairs]
    there = {name for run in comparison.runs for name in run.summary.metrics}
    return [name for name in dict.fromkeys((*wanted, *asked)) if name in there]


def leading_table(comparison: Comparison, benchmark: str) -> Table:
    """Return a row for each run: the main metrics with their intervals, failures, what is unscored."""
    metrics = main_metrics(comparison, benchmark)
    shown = [(run.label, run.summary) for run in comparison.runs]
    # A wide table has no room for a column that says nothing.
    unscored = any(summary.unscored for _, summary in shown)
    rows = tuple(
        (
            label,
            *(estimate(summary.metrics.get(metric)) for metric in metrics),
            f"{summary.n:,}",
            f"{summary.abstained:,}",
            f"{summary.failed:,}",
            *([f"{summary.unscored:,}"] if unscored else []),
        )
        for label, summary in shown
    )
    notes = [
        "Means over questions with 95 % bootstrap intervals. A failed question counts 0; one that is "
        f"unscored in {metric_name(comparison.headline)} is left out and counted.",
        *(f"{remark}." for remark in remarks_on(metrics, [summary for _, summary in shown])),
    ]
    return Table(
        name="Main metrics",
        columns=(
            "run",
            *map(metric_name, metrics),
            "questions",
            "abstained",
            "failed",
            *(["unscored"] if unscored else []),
        ),
        rows=rows,
        note=" ".join(notes),
    )


def remarks_on(metrics: Sequence[str], summaries: Sequence[Summary]) -> list[str]:
    """Return why metrics of some runs that are shown side by side leave the range of a share."""
    return range_remarks(
        (metric, summary.metrics[metric])
        for summary in summaries
        for metric in metrics
        if metric in summary.metrics
    )


def pair_of(comparison: Comparison, a: str, b: str, metric: str) -> tuple[ComparedPair, int] | None:
    """Return the comparison of two runs, and 1 or −1 as it is a − b or b − a; None without one."""
    for pair in comparison.pairs:
        if pair.metric == metric and {pair.a, pair.b} == {a, b}:
            return pair, 1 if pair.a == a else -1
    return None


def matrix_table(comparison: Comparison, metric: str) -> Table:
    """Return the differences of all runs in one metric, row minus column; * where they hold."""
    labels = [run.label for run in comparison.runs]

    def cell(a: str, b: str) -> str:
        found = pair_of(comparison, a, b, metric) if a != b else None
        if found is None:
            return "" if a == b else "–"
        pair, sign = found
        mean = _number(sign * pair.difference.mean, 2)
        plus = "" if mean.startswith("−") or not mean.strip("0.") else "+"
        return f"{plus}{mean}{'*' if pair.significant else ''}"

    return Table(
        name=f"Differences in {metric_name(metric)}, row minus column",
        columns=("", *labels),
        rows=tuple((a, *(cell(a, b) for b in labels)) for a in labels),
        note="* holds at 5 % after Holm's correction over every test of this report; the tests, their "
        "intervals and what could have been found stand under “Differences”.",
    )


def finding(comparison: Comparison) -> str:
    """Return what the comparison shows in one sentence; runs are expected best first."""
    metric = comparison.headline
    runs = [run for run in comparison.runs if metric in run.summary.metrics]
    if not runs:
        return f"No run has a score in {metric_name(metric)}."
    best = runs[0]
    said = f"{best.label}: {metric_name(metric)} {estimate(best.summary.metrics[metric])}"
    below: list[str] = []
    open_: list[str] = []
    for run in runs[1:]:
        found = pair_of(comparison, best.label, run.label, metric)
        if found is not None:
            pair, sign = found
            holds = pair.significant and sign * pair.difference.mean > 0
            (below if holds else open_).append(run.label)
    parts = [f"higher than {_listed(below)}"] if below else []
    parts += [f"no difference shown to {_listed(open_)}"] if open_ else []
    return f"{said}; {', '.join(parts)}." if parts else f"{said}."


def _listed(labels: Sequence[str]) -> str:
    if len(labels) == 1:
        return labels[0]
    if any("," in label for label in labels):
        # "baseline, 8k tokens" is one run.
        return f"{'; '.join(labels[:-1])}; and {labels[-1]}"
    return f"{', '.join(labels[:-1])} and {labels[-1]}"


def facts(comparison: Comparison, runs: Sequence[RunFolder]) -> Iterator[tuple[str, str]]:
    """Yield what a reader must know of all runs: model, snapshot, setting, judge, questions."""
    records = [run.record for run in runs]
    own = [record for record in records if not is_imported(record.config)]
    imported = len(records) - len(own)
    if own:
        yield "model", _each(_model_of(record) for record in own)
    if imported:
        yield "imported", f"{imported} of {len(records)} runs"
    # Of imported answers, and where passages come with each question, there is no snapshot.
    searched = [record for record in records if record.config.snapshot]
    if searched:
        yield "snapshot", _each(str(record.snapshot.get("name", "")) for record in searched)
        yield "as of", _each(str(record.snapshot.get("date", "")) for record in searched)
        modes = (
            r.config.retriever.partition(" (")[0] for r in searched if r.config.setting == "open"
        )
        if shown := list(filter(None, modes)):
            yield "search", _each(shown)
        lacking = {
            record.articles for record in searched if record.articles[0] < record.articles[1]
        }
        if lacking:
            told = (f"{held:,} of the {needed:,} needed" for held, needed in sorted(lacking))
            yield "articles held", _each(told)
    if len({record.config.variant for record in own}) == 1:
        yield "strategy", own[0].config.variant
    if own:
        yield "setting", _each(record.config.setting for record in own)
    judges = [
        ", ".join(run.scoring.panel) or run.scoring.judge or run.scoring.coverage
        for run in comparison.runs
    ]
    yield "judge", _each(judge or "none" for judge in judges)
    yield "n", _each(f"{run.summary.n:,}" for run in comparison.runs)
    epochs = {record.config.epochs for record in records}
    if epochs != {1}:
        yield "epochs", _each(str(record.config.epochs) for record in records)


def _model_of(record: RunRecord) -> str:
    model = record.config.model
    return f"{model} (a script, no model: its figures mean nothing)" if model == NAME else model


def _each(values: Iterator[str] | Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(value for value in values if value)) or "unknown"


def marks_of(comparison: Comparison, metric: str) -> dict[str, str]:
    """Return for each run the letters of the runs that it is higher than after Holm's correction.

    Runs have letters in their order: a, b, c, …
    """
    labels = [run.label for run in comparison.runs]
    letters = {label: letter_of(number) for number, label in enumerate(labels)}
    marks = dict.fromkeys(labels, "")
    for a, b in permutations(labels, 2):
        found = pair_of(comparison, a, b, metric)
        if found and found[0].significant and found[1] * found[0].difference.mean > 0:
            marks[a] += letters[b]
    return marks


def letter_of(number: int) -> str:
    """Return the letter of a run by its place: a to z, then a2, b2 and so on."""
    turn, place = divmod(number, 26)
    return "abcdefghijklmnopqrstuvwxyz"[place] + (str(turn + 1) if turn else "")
