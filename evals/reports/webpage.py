"""The report: one HTML file that needs no network, for one run or several compared.

The tables and plots stand in the page. The pages of the questions are deflated, each in a script
element of its own, and unpacked when opened: a thousand of them cost the reader nothing until then.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from evals.benchmarks.tables.subquestion import pooled_coverages
from evals.judges.pairwise import WinRates
from evals.metrics.coverage import KINDS, Cases, CoverageMetrics, coverage_metrics
from evals.metrics.ranges import outside_remarks
from evals.metrics.summary import question_scores
from evals.records import write_beside
from evals.reports.comparison import Comparison
from evals.reports.findings import facts, finding, leading_table, matrix_table
from evals.reports.labels import is_imported
from evals.reports.merged import merged_tables
from evals.reports.plots import (
    CostPoint,
    Drawing,
    cases_plot,
    cost_plot,
    difference_plot,
    headline_plot,
    kinds_plot,
    matrix_plot,
)
from evals.reports.questions import gold_of, page_of
from evals.reports.table_plots import table_plots
from evals.reports.tables import (
    Spent,
    configuration_table,
    differences_table,
    metrics_table,
    scoring_table,
    show,
    spent_table,
    unscored_table,
    wins_table,
)
from evals.runs.folder import RunFolder, run_id
from evals.runs.predict import sum_usage
from evals.runs.samples import find_benchmark, kept_samples
from evals.types import FAILED, Json, Prediction, Sample, Score, Table

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What one pass over a run's records leaves in memory."""

    spent: Spent
    tables: tuple[Table, ...]
    """The benchmark's own."""
    coverage: CoverageMetrics | None
    rows: Mapping[str, dict[str, Json]]
    """Sample id → its cells in the table of questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything of a report but the questions' pages, which are read when they are written."""

    title: str
    finding: str
    facts: tuple[tuple[str, str], ...]
    """What a reader must know of all runs: name and value."""
    comparison: Comparison
    runs: tuple[RunFolder, ...]
    samples: tuple[Sample, ...]
    leading: tuple[Table, ...]
    """Shown open, the main metrics first."""
    tables: tuple[Table, ...]
    """Shown folded."""
    plots: tuple[tuple[str, Drawing], ...]
    """Title and figure."""
    index: tuple[Json, ...]
    """The table of questions."""
    note: str
    """Above it, and beside such a score: why a score leaves the range of a share; "" where none does."""


def make_report(
    comparison: Comparison, runs: Sequence[RunFolder], wins: WinRates | None = None
) -> Report:
    """Gather the tables, plots and the list of questions of runs that were compared."""
    benchmark = find_benchmark(runs[0].record.config.benchmark)
    samples = {sample.id: sample for run in runs for sample in kept_samples(run)}
    read = [_read(run, comparison.headline) for run in runs]
    labels = [run.label for run in comparison.runs]
    config = runs[0].record.config
    leading = [leading_table(comparison, config.benchmark)]
    if len(runs) > 2:
        tested = dict.fromkeys(pair.metric for pair in comparison.pairs)
        leading += [matrix_table(comparison, metric) for metric in tested]
    tables = (
        *((differences_table(comparison),) if comparison.pairs else ()),
        *((wins_table(wins),) if wins else ()),
        spent_table(comparison, [one.spent for one in read]),
        *merged_tables({label: one.tables for label, one in zip(labels, read, strict=True)}),
        metrics_table(comparison),
        unscored_table(comparison),
        scoring_table(comparison, runs),
        configuration_table(comparison, runs),
    )
    index: list[Json] = [
        {
            "id": sample.id,
            "q": sample.question,
            "g": dict(sample.groups),
            "r": [one.rows.get(sample.id) for one in read],
        }
        for sample in samples.values()
    ]
    values = [cell["v"] for one in read for cell in one.rows.values()]
    return Report(
        title=f"{benchmark.name} {config.split} ({config.edition})",
        finding=finding(comparison),
        facts=tuple(facts(comparison, runs)),
        comparison=comparison,
        runs=tuple(runs),
        samples=tuple(samples.values()),
        leading=tuple(leading),
        tables=tuple(table for table in tables if table.rows),
        plots=tuple(_plots(comparison, runs, read, wins)),
        index=tuple(index),
        note="".join(
            f"{remark[0].upper()}{remark[1:]}."
            for remark in outside_remarks({benchmark.headline: values})
        ),
    )


def _read(run: RunFolder, headline: str) -> _Read:
    benchmark = find_benchmark(run.record.config.benchmark)
    predictions = list(run.predictions())
    scores = run.scores()
    usage = sum_usage(prediction.usage for prediction in predictions)
    covered = any("coverage" in score.detail for score in scores.values())
    means = question_scores(scores.values(), headline)
    rows: dict[str, dict[str, Json]] = {}
    by_question: dict[str, list[Prediction]] = {}
    for prediction in predictions:
        by_question.setdefault(prediction.sample_id, []).append(prediction)
    for sample_id, asked in by_question.items():
        used = sum_usage(prediction.usage for prediction in asked)
        rows[sample_id] = {
            "v": means.get(sample_id),
            "s": _state(asked, [scores.get((p.sample_id, p.epoch)) for p in asked], headline),
            "t": used.tokens_in + used.tokens_out,
            "c": used.cost_usd,
            "d": round(sum(prediction.seconds for prediction in asked), 2),
            "e": [*sorted(prediction.epoch for prediction in asked)],
        }
    return _Read(
        spent=Spent(
            questions=len(by_question),
            calls=usage.calls,
            tokens=usage.tokens_in + usage.tokens_out,
            cost_usd=usage.cost_usd,
            seconds=_median_seconds(predictions),
            at_once=run.record.concurrency,
        ),
        tables=tuple(
            table
            for table in benchmark.tables(kept_samples(run), predictions, list(scores.values()))
            if table.rows
        ),
        coverage=coverage_metrics(pooled_coverages(list(scores.values()))) if covered else None,
        rows=rows,
    )


def _median_seconds(predictions: Sequence[Prediction]) -> float | None:
    """Return the median without the first question; None where nothing was timed."""
    seconds = [prediction.seconds for prediction in predictions]
    later = seconds[1:] or seconds
    return median(later) if any(seconds) else None


def _state(asked: Sequence[Prediction], scores: Sequence[Score | None], headline: str) -> str:
    if any(prediction.error is not None for prediction in asked):
        return FAILED
    if any(score is None or headline not in score.values for score in scores):
        return "unscored"
    if any(p.response is not None and p.response.abstained for p in asked):
        return "abstained"
    return "scored"


def _plots(
    comparison: Comparison,
    runs: Sequence[RunFolder],
    read: Sequence[_Read],
    wins: WinRates | None,
) -> Iterator[tuple[str, Drawing]]:
    labels = [run.label for run in comparison.runs]
    if any(comparison.headline in run.summary.metrics for run in comparison.runs):
        yield "Headline", headline_plot(comparison)
    differences = difference_plot(comparison)
    if differences is not None:
        yield "Differences to the first", differences
    by_run = {label: one.coverage for label, one in zip(labels, read, strict=True) if one.coverage}
    if by_run:
        shares = {
            label: {str(kind): found.answered[kind] for kind in KINDS}
            for label, found in by_run.items()
        }
        yield "Coverage by kind", kinds_plot(shares)
        cases: dict[str, Cases] = {
            label: core for label, found in by_run.items() if (core := found.cases["core"])
        }
        if cases:
            yield "Four cases", cases_plot(cases)
    yield from table_plots({label: one.tables for label, one in zip(labels, read, strict=True)})
    if wins:
        yield "Win rates", matrix_plot(wins.labels, wins.matrix())
    points, unit = _costs(comparison, read, runs)
    if len(points) > 1:
        yield "Score and cost", cost_plot(points, comparison.headline, unit)


def _costs(
    comparison: Comparison, read: Sequence[_Read], runs: Sequence[RunFolder]
) -> tuple[list[CostPoint], str]:
    """Return each run's cost a question, in dollars if all are known, else in tokens.

    No points where the runs that called a model spent neither; imported runs tell no cost.
    """
    told = [
        (run, one.spent, folder)
        for run, one, folder in zip(comparison.runs, read, runs, strict=True)
        if not is_imported(folder.record.config) and comparison.headline in run.summary.metrics
    ]
    if all(used.cost_usd for _, used, _ in told):
        unit, costs = "US dollars", [used.cost_usd or 0.0 for _, used, _ in told]
    else:
        unit, costs = "tokens", [float(used.tokens) for _, used, _ in told]
    if not any(costs):
        return [], unit
    points = [
        CostPoint(
            label=run.label,
            # Runs that differ in their budget alone are one curve.
            curve=run_id(replace(folder.record.config, max_tokens=None)),
            cost=cost / max(1, used.questions),
            score=run.summary.metrics[comparison.headline].mean,
        )
        for (run, used, folder), cost in zip(told, costs, strict=True)
    ]
    return points, unit


def write_html(report: Report, path: Path) -> None:
    """Write the report, whole or not at all; the questions' pages pass through one at a time."""
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["show"] = show
    position = {sample.id: number for number, sample in enumerate(report.samples)}
    pieces = environment.get_template("report.html.j2").generate(
        report=report,
        css=(TEMPLATES / "report.css").read_text(encoding="utf-8"),
        js=(TEMPLATES / "report.js").read_text(encoding="utf-8"),
        data=_script_json(
            {
                "headline": report.comparison.headline,
                "note": report.note,
                "runs": [run.label for run in report.comparison.runs],
                "questions": list(report.index),
            }
        ),
        blobs=_blobs(report, position),
    )

    def write(beside: Path) -> None:
        with beside.open("w", encoding="utf-8") as file:
            file.writelines(pieces)

    write_beside(path, write)


def _blobs(report: Report, position: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield (element id, deflated JSON in base64): one for each question, one for each answer."""
    first: dict[str, Score] = {}
    by_id = {sample.id: sample for sample in report.samples}
    for number, run in enumerate(report.runs):
        scores = run.scores()
        for prediction in run.predictions():
            sample = by_id[prediction.sample_id]
            score = scores.get((prediction.sample_id, prediction.epoch))
            if score is not None and "reference" in score.detail:
                first.setdefault(sample.id, score)
            element = f"p{number}-{position[sample.id]}-{prediction.epoch}"
            yield element, _packed(page_of(sample, prediction, score))
    for sample in report.samples:
        yield f"q{position[sample.id]}", _packed(gold_of(sample, first.get(sample.id)))


def _packed(page: Json) -> str:
    text = json.dumps(page, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode("ascii")


def _script_json(data: Json) -> str:
    """Return JSON that no script element ends in: "<" never stands in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
