"""Runs' numbers on standard output: one run in full, several as one table."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from corpus.errors import InputError
from corpus.terminal import say

if TYPE_CHECKING:
    from evals.metrics.summary import Summary
    from evals.runs.folder import RunFolder

METRICS = "metrics.txt"
"""In a run's folder: every metric, as printed for one run."""
WIDTH = 120
"""Columns, where standard output is no terminal."""


def summary_lines(folder: RunFolder, summary: Summary) -> Iterator[str]:
    """Yield a scored run: every metric with its interval, what is unscored and why, who judged."""
    from evals.metrics.ranges import range_remarks
    from evals.reports.labels import describe

    config = folder.record.config
    yield (
        f"{config.benchmark} {config.split} ({config.edition}), "
        f"{describe(folder.record)}: {summary.n} questions, "
        f"{summary.abstained} abstained, {summary.failed} failed"
    )
    width = max(map(len, (*summary.metrics, *summary.unscored_reasons)), default=0)
    for name, interval in summary.metrics.items():
        yield (
            f"  {name:<{width}} {interval.mean:6.3f}  [{interval.low:.3f}, {interval.high:.3f}]"
            f"  n = {interval.n}"
        )
    for metric, reasons in summary.unscored_reasons.items():
        for reason, count in reasons.items():
            yield f"  {metric:<{width}} unscored {count} ×: {reason}"
    scoring = folder.scoring()
    engines = {
        name: value if isinstance(value, str) else ", ".join(value)
        for name, value in (asdict(scoring) if scoring else {}).items()
        if value and name in ("judge", "panel", "coverage", "extractor", "lemmatiser")
    }
    yield "  by " + "; ".join(f"{name}: {value}" for name, value in engines.items())
    for caveat in folder.record.caveats:
        yield f"  {caveat}"
    for remark in range_remarks(summary.metrics.items()):
        yield f"  {remark}"


def print_summary(folder: RunFolder, summary: Summary) -> None:
    """Print a scored run in full, and keep the same lines in its folder."""
    for line in keep_summary(folder, summary):
        typer.echo(line)


def print_table(runs: Sequence[tuple[RunFolder, Summary]], out: Path) -> None:
    """Print several scored runs of one benchmark as one table, best first, and what to do next.

    What a table has no room for is kept in each run's folder.

    Args:
        runs: with their summaries.
        out: the folder that they lie in.
    """
    from evals.reports.comparison import caveats_of
    from evals.reports.findings import estimate, metric_name, remarks_on
    from evals.reports.labels import labels_of
    from evals.runs.samples import find_benchmark

    benchmark = find_benchmark(runs[0][0].record.config.benchmark)
    for folder, summary in runs:
        keep_summary(folder, summary)
    there = {name for _, summary in runs for name in summary.metrics}
    metrics = [name for name in benchmark.main or (benchmark.headline,) if name in there]

    def place(row: tuple[str, Summary]) -> float:
        interval = row[1].metrics.get(benchmark.headline)
        return interval.mean if interval else -inf

    labels = labels_of([folder for folder, _ in runs])
    rows = sorted(
        zip(labels, (summary for _, summary in runs), strict=True), key=place, reverse=True
    )
    first = max(len("run"), *(len(label) for label, _ in rows))
    columns = [
        [metric_name(name), *(estimate(summary.metrics.get(name)) for _, summary in rows)]
        for name in metrics
    ]
    columns.append(["abstained", *(f"{summary.abstained} of {summary.n}" for _, summary in rows)])
    columns.append(["failed", *(f"{summary.failed} of {summary.n}" for _, summary in rows)])
    width = shutil.get_terminal_size((WIDTH, 24)).columns
    while len(columns) > 3 and first + sum(2 + max(map(len, c)) for c in columns) > width:
        columns.pop(-3)
    for number, label in enumerate(["run", *(label for label, _ in rows)]):
        cells = (f"{column[number]:>{max(map(len, column))}}" for column in columns)
        typer.echo("  ".join((f"{label:<{first}}", *cells)))
    for caveat in caveats_of(labels, [folder for folder, _ in runs]):
        typer.echo(caveat)
    for remark in remarks_on(metrics, [summary for _, summary in runs]):
        typer.echo(remark)
    say(f"evals: every metric: {METRICS} in each folder of {out}")
    _tell_comparison([folder for folder, _ in runs], out)


def _tell_comparison(runs: Sequence[RunFolder], out: Path) -> None:
    """Say which command compares runs in the folder `out`, where they can be compared."""
    from evals.reports.comparison import check_comparable
    from evals.runs.several import command, folders_in

    if len(runs) == 1:
        path = runs[0].path
        say(f"evals: its report: {command('report', path)} writes {path / 'report.html'}")
        return
    try:
        check_comparable(runs)
    except InputError as error:
        say(f"evals: these runs are not compared as they stand: {error}")
        return
    # The folder stands for all that it holds, which may be more than these.
    all_of_it = {path.resolve() for path in folders_in(out)} == {r.path.resolve() for r in runs}
    named = [out] if all_of_it else [run.path for run in runs]
    say(f"evals: compare them: {command('compare', *named, '--out', out / 'report.html')}")


def keep_summary(folder: RunFolder, summary: Summary) -> list[str]:
    """Write a scored run's every metric into its folder, and return the lines."""
    from evals.records import write_beside

    lines = list(summary_lines(folder, summary))

    def write(beside: Path) -> None:
        beside.write_text("\n".join(lines) + "\n", encoding="utf-8")

    write_beside(folder.path / METRICS, write)
    return lines
