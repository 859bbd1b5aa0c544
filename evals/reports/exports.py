"""A comparison for other programs: LaTeX for a paper, tidy CSV for a data frame, JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from evals.metrics.statistics import Interval, bootstrap_mean
from evals.metrics.summary import metric_names, question_scores
from evals.reports.comparison import Comparison
from evals.reports.findings import (
    estimate,
    facts,
    letter_of,
    main_metrics,
    marks_of,
    metric_name,
    remarks_on,
)
from evals.reports.labels import is_imported
from evals.reports.provenance import commands_of, compare_command, versions
from evals.runs.exchange.imported import IMPORTED, known_setting
from evals.runs.folder import RunFolder
from evals.runs.samples import kept_samples
from evals.types import Json

COLUMNS = (
    "run", "benchmark", "edition", "split", "setting", "strategy", "model", "snapshot_date",
    "judge", "group", "value", "metric", "n", "mean", "low", "high",
)  # fmt: skip
"""Of the tidy table: one row for each run, group of questions and metric."""
ALL = "all"
"""Group and value of the rows over all questions."""
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "−": "$-$", "–": "--", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "·": r"$\cdot$", "“": "``", "”": "''", "≥": r"$\geq$", "×": r"$\times$",
    "[": "{[}", "]": "{]}",
}  # fmt: skip


def tidy_rows(comparison: Comparison, runs: Sequence[RunFolder]) -> Iterator[dict[str, Json]]:
    """Yield one record for each run, group and metric, of the fields `COLUMNS`.

    Rows over all questions have the group and the value "all". What does not apply is None: an
    imported system has no strategy, and no setting that nobody named, a run that searched none no snapshot.
    """
    for compared, run in zip(comparison.runs, runs, strict=True):
        config, imported = run.record.config, is_imported(run.record.config)
        scoring = compared.scoring
        common: dict[str, Json] = {
            "run": compared.label,
            "benchmark": config.benchmark,
            "edition": config.edition,
            "split": config.split,
            "setting": known_setting(config),
            "strategy": None if imported else config.variant,
            "model": config.model.removeprefix(IMPORTED),
            "snapshot_date": run.record.snapshot.get("date") if config.snapshot else None,
            "judge": ", ".join(scoring.panel) or scoring.judge or scoring.coverage or None,
        }
        for metric, interval in compared.summary.metrics.items():
            yield _row(common, ALL, ALL, metric, interval)
        yield from _group_rows(common, run)


def _group_rows(common: dict[str, Json], run: RunFolder) -> Iterator[dict[str, Json]]:
    samples, scores = kept_samples(run), list(run.scores().values())
    ids: dict[tuple[str, str], list[str]] = {}
    for sample in samples:
        for group, value in sample.groups.items():
            ids.setdefault((group, value), []).append(sample.id)
    by_metric = {name: question_scores(scores, name) for name in metric_names(scores)}
    for (group, value), those in ids.items():
        for metric, found in by_metric.items():
            values = [found[i] for i in those if i in found]
            if values:
                yield _row(common, group, value, metric, bootstrap_mean(values))


def _row(
    common: dict[str, Json], group: str, value: str, metric: str, interval: Interval
) -> dict[str, Json]:
    return {**common, "group": group, "value": value, "metric": metric,
            "n": interval.n, "mean": interval.mean, "low": interval.low, "high": interval.high}  # fmt: skip


def difference_rows(comparison: Comparison) -> list[dict[str, Json]]:
    """Return every paired difference, a minus b, with its interval, test and corrected p-value."""
    return [
        {
            "a": pair.a,
            "b": pair.b,
            "metric": pair.metric,
            **asdict(pair.difference),
            "p_holm": pair.p_holm,
            "significant": pair.significant,
            "left_out": pair.left_out,
        }
        for pair in comparison.pairs
    ]


def to_tidy_csv(comparison: Comparison, runs: Sequence[RunFolder]) -> Iterator[str]:
    """Yield the lines of one table that loads into one data frame; no value is empty."""
    yield _csv_line(COLUMNS)
    for row in tidy_rows(comparison, runs):
        yield _csv_line(["" if row[name] is None else row[name] for name in COLUMNS])


def _csv_line(cells: Sequence[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue().removesuffix("\n")


def to_json(comparison: Comparison, runs: Sequence[RunFolder]) -> str:
    """Return everything compared as one JSON object: runs, tidy rows, differences, how to repeat."""
    found = {
        "headline": comparison.headline,
        "differ_in": list(comparison.mixed),
        "questions_differ": comparison.questions or None,
        "caveats": list(comparison.caveats),
        "runs": [
            {
                "run": compared.label,
                "folder": compared.folder,
                "id": run.record.id,
                "config": asdict(run.record.config),
                "snapshot": dict(run.record.snapshot),
                "n": compared.summary.n,
                "abstained": compared.summary.abstained,
                "failed": compared.summary.failed,
                "unscored": {k: dict(v) for k, v in compared.summary.unscored_reasons.items()},
            }
            for compared, run in zip(comparison.runs, runs, strict=True)
        ],
        "rows": list(tidy_rows(comparison, runs)),
        "differences": difference_rows(comparison),
        "commands": [*commands_of(runs), _compare_command(comparison)],
        "versions": versions(),
    }
    return json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1)


def _compare_command(comparison: Comparison) -> str:
    folders = [run.folder for run in comparison.runs]
    return compare_command(folders, comparison.metrics, comparison.allow)


def latex(text: str) -> str:
    """Return a text so that LaTeX sets it as it is."""
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def to_latex(comparison: Comparison, runs: Sequence[RunFolder]) -> Iterator[str]:
    """Yield a table of the main metrics for `booktabs`, with intervals and marks of significance.

    A cell's raised letters name the runs that it is higher than, at 5 % after Holm's correction
    over every test of the comparison; the best mean of a column is bold.
    """
    config = runs[0].record.config
    metrics = main_metrics(comparison, config.benchmark)
    yield f"% Made by {versions()}, with:"
    for command in commands_of(runs):
        yield f"%   {command}"
    yield f"%   {_compare_command(comparison)} --format latex"
    yield r"% Needs \usepackage{booktabs}."
    for name, value in facts(comparison, runs):
        yield f"% {name}: {' '.join(value.split())}"
    for line in comparison.mixed:
        yield f"% The runs differ in {' '.join(line.split())}"
    for line in comparison.caveats:
        yield f"% Caveat: {' '.join(line.split())}"
    if comparison.questions:
        yield f"% {comparison.questions[0].upper()}{' '.join(comparison.questions[1:].split())}"
    yield r"\begin{table}"
    yield r"\centering"
    yield r"\small"
    yield r"\begin{tabular}{l" + "c" * len(metrics) + "rrr}"
    yield r"\toprule"
    heads = ["System", *map(metric_name, metrics), "n", "abstained", "failed"]
    yield " & ".join(map(latex, heads)) + r" \\"
    yield r"\midrule"
    tested = {pair.metric for pair in comparison.pairs}
    marks = {metric: marks_of(comparison, metric) for metric in metrics if metric in tested}
    several = len(comparison.runs) > 1
    lettered = any(letters for column in marks.values() for letters in column.values())
    best = {
        metric: max(
            run.summary.metrics[metric].mean
            for run in comparison.runs
            if metric in run.summary.metrics
        )
        for metric in metrics
    }
    for number, run in enumerate(comparison.runs):
        name = latex(run.label)
        cells = [f"({letter_of(number)}) {name}" if lettered else name]
        for metric in metrics:
            interval = run.summary.metrics.get(metric)
            cells.append(
                _latex_cell(
                    interval,
                    raised=marks.get(metric, {}).get(run.label, ""),
                    bold=interval is not None and interval.mean == best[metric] and several,
                )
            )
        cells += [f"{n}" for n in (run.summary.n, run.summary.abstained, run.summary.failed)]
        yield " & ".join(cells) + r" \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\caption{" + _caption(comparison, runs, sorted(marks), raised=lettered) + "}"
    yield r"\label{tab:" + "".join(c for c in config.benchmark if c.isalnum()) + "}"
    yield r"\end{table}"


def _latex_cell(interval: Interval | None, *, raised: str, bold: bool) -> str:
    mean, _, bounds = estimate(interval).partition(" ")
    shown = rf"\textbf{{{latex(mean)}}}" if bold else latex(mean)
    above = rf"\textsuperscript{{{raised}}}" if raised else ""
    return shown + above + (rf" {{\footnotesize {latex(bounds)}}}" if bounds else "")


def _caption(
    comparison: Comparison, runs: Sequence[RunFolder], tested: Sequence[str], *, raised: bool
) -> str:
    config = runs[0].record.config
    said = [f"{config.benchmark}, {config.split} ({config.edition})"]
    dates = {str(run.record.snapshot.get("date")) for run in runs if run.record.config.snapshot}
    imported = sum(is_imported(run.record.config) for run in runs)
    if dates:
        searched = "on Wikipedia" if not imported else "fanfold's runs on Wikipedia"
        said.append(f"{searched} as of {', '.join(sorted(dates))}")
    if imported:
        said.append(f"{imported} of {len(runs)} rows imported answers, of no known snapshot")
    known = dict(facts(comparison, runs))
    who = [
        f"{name}: {known[name]}" for name in ("model", "judge", "articles held") if name in known
    ]
    text = latex(", ".join(said)) + latex(
        f". {'; '.join(who)}. Means over questions with 95 % bootstrap intervals; a "
        "failed question counts 0."
    )
    for line in comparison.caveats:
        text += " " + latex(f"Caveat: {line}.")
    shown = main_metrics(comparison, config.benchmark)
    for remark in remarks_on(shown, [run.summary for run in comparison.runs]):
        text += " " + latex(f"{remark[0].upper()}{remark[1:]}.")
    if comparison.questions:
        text += " " + latex("Runs are over different questions, counted in the column n.")
    if tested:
        names = " and ".join(map(metric_name, tested))
        said_of = (
            "Raised letters: higher than those runs" if raised else "No run is shown to be higher"
        )
        text += " " + latex(f"{said_of} in {names}, at 5 % after Holm's correction.")
    return text
