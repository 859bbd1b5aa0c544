"""What `compare` and `report` do: check, compare, judge pairwise, write."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from statistics import fmean

import typer

from agent.budget import counted
from corpus.errors import InputError
from corpus.machine.loops import run_to_end
from corpus.terminal import say, waiting
from evals.answer_text import scored
from evals.judges.pairwise import WinRates, win_rates
from evals.judges.preference_offline import RatedPreference
from evals.judges.verdict import PreferenceJudge
from evals.metrics.summary import question_scores
from evals.records import write_beside
from evals.reports.comparison import Comparison, compare_runs
from evals.reports.exports import to_json, to_latex, to_tidy_csv
from evals.reports.tables import to_markdown
from evals.reports.webpage import Report, make_report, write_html
from evals.runs.folder import RunFolder
from evals.runs.samples import find_benchmark, kept_samples
from evals.runs.several import open_runs, scored_runs

FORMATS = ("html", "md", "csv", "json", "latex")


def no_judge(_: RunFolder) -> PreferenceJudge | None:
    """Name no judge of pairs: ratings decide where the runs have them."""
    return None


def report_runs(
    paths: Sequence[Path],
    out: Path | None,
    format: str,
    *,
    metrics: Collection[str] = (),
    allow: Collection[str] = (),
    figures: Path | None = None,
    judge_of: Callable[[RunFolder], PreferenceJudge | None] = no_judge,
) -> None:
    """Compare the runs in `paths` and write the report.

    Args:
        paths: folders of runs, or of several; those that are not scored are named and left out.
        out: where it goes; by default report.html in the only run's folder, and for the other
            formats standard output.
        format: one of `FORMATS`.
        metrics: compared beside the headline metric.
        allow: fields that may differ between the runs.
        figures: folder that every figure goes to, as SVG and PDF.
        judge_of: the pairwise judge, which keeps its calls in the folder it is given; where it names
            none, coverage ratings decide, if the runs have them.

    Raises:
        InputError: an unknown format, no place to write to, or runs that cannot be compared.
    """
    if format not in FORMATS:
        raise InputError(f"unknown format {format!r}: choose {', '.join(FORMATS)}")
    standing = ["runs are read"]
    with waiting(lambda: f"evals: {standing[-1]}"):
        _report(paths, out, format, metrics, allow, figures, judge_of, standing)


def _report(
    paths: Sequence[Path],
    out: Path | None,
    format: str,
    metrics: Collection[str],
    allow: Collection[str],
    figures: Path | None,
    judge_of: Callable[[RunFolder], PreferenceJudge | None],
    standing: list[str],
) -> None:
    """Do what `report_runs` says; `standing` is told what is being done."""
    runs = scored_runs(open_runs(paths))
    if format == "html" and out is None:
        if len(runs) > 1:
            raise InputError("name the report's file with --out")
        out = runs[0].path / "report.html"
    if out is not None and not out.parent.is_dir():
        raise InputError(f"{out}: there is no folder {out.parent}: make it first")
    known = {name for run in runs for score in run.scores().values() for name in score.values}
    unknown = sorted(set(metrics) - known)
    if unknown:
        raise InputError(
            f"no metric {unknown[0]!r} in these runs: choose {', '.join(sorted(known))}"
        )
    headline = find_benchmark(runs[0].record.config.benchmark).headline
    runs = best_first(runs, headline)
    pairs = len(runs) * (len(runs) - 1) // 2
    standing.append(
        f"{counted(len(runs), 'run')} resampled"
        + (f", {counted(pairs, 'pair')} tested" if pairs else "")
    )
    comparison = compare_runs(runs, headline, metrics=metrics, allow=allow)
    for line in filter(None, (*comparison.caveats, comparison.questions)):
        say(f"evals: {line}")
    standing.append("answers are compared pairwise")
    wins = _win_rates(judge_of(runs[0]), comparison, runs) if len(runs) > 1 else None
    standing.append("tables and figures are drawn")
    if format in ("html", "md") or figures is not None:
        report = make_report(comparison, runs, wins)
    if figures is not None:
        save_figures(report, figures)
    standing.append("the report is written")
    if format == "html" and out is not None:
        write_html(report, out)
    else:
        if format == "csv":
            lines = to_tidy_csv(comparison, runs)
        elif format == "json":
            lines = iter([to_json(comparison, runs)])
        elif format == "latex":
            lines = to_latex(comparison, runs)
        else:
            remarks = [f"{name}: {value}" for name, value in report.facts]
            remarks += [f"the runs differ in {line}" for line in comparison.mixed]
            remarks += [f"caveat: {line}" for line in comparison.caveats]
            remarks += [comparison.questions] if comparison.questions else []
            lines = to_markdown((*report.leading, *report.tables), remarks)
        text = "\n".join(lines) + "\n"
        if out is None:
            typer.echo(text, nl=False)
            return
        write_beside(out, lambda beside: _write(beside, text))
    say(f"evals: {'report' if format in ('html', 'md') else 'comparison'} written: {out}")


def best_first(runs: Iterable[RunFolder], metric: str) -> list[RunFolder]:
    """Return scored runs by their mean in a metric, the highest first."""
    return sorted(runs, key=lambda run: _mean(run, metric), reverse=True)


def save_figures(report: Report, folder: Path) -> None:
    """Write every figure of a report into a folder, as SVG and as PDF."""
    folder.mkdir(parents=True, exist_ok=True)
    for title, drawing in report.plots:
        name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        for ending in ("svg", "pdf"):
            drawing.save(folder / f"{name}.{ending}")
    say(f"evals: {len(report.plots)} figures written: {folder}")


def _mean(run: RunFolder, metric: str) -> float:
    values = question_scores(run.scores().values(), metric).values()
    return fmean(values) if values else -inf


def _win_rates(
    judge: PreferenceJudge | None, comparison: Comparison, runs: Sequence[RunFolder]
) -> WinRates | None:
    questions = {sample.id: sample.question for run in runs for sample in kept_samples(run)}
    judge = judge or rated_preference(runs, questions)
    if judge is None:
        return None
    answers = {
        compared.label: {
            # One that abstained said nothing: like a failed one, it loses without being judged.
            p.sample_id: scored(p.response).text or None if p.response is not None else None
            for p in run.predictions()
            # The first epoch stands for the rest: a question is one unit, however often asked.
            if p.epoch == 0
        }
        for compared, run in zip(comparison.runs, runs, strict=True)
    }
    return run_to_end(win_rates(judge, questions, answers))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def rated_preference(
    runs: Iterable[RunFolder], questions: Mapping[str, str]
) -> RatedPreference | None:
    """Return the judge by the coverage ratings of scored runs; None where no run has any.

    Args:
        runs: scored.
        questions: their texts by sample id.
    """
    ratings: dict[tuple[str, str], float] = {}
    coverage = ""
    for run in runs:
        scores = run.scores()
        if not any("rating" in score.values for score in scores.values()):
            continue
        scoring = run.scoring()
        coverage = coverage or (scoring.coverage if scoring else "")
        for prediction in run.predictions():
            score = scores.get((prediction.sample_id, prediction.epoch))
            if prediction.response is None or score is None or "rating" not in score.values:
                continue
            key = (questions[prediction.sample_id], scored(prediction.response).text)
            ratings[key] = score.values["rating"]
    return RatedPreference(ratings, coverage) if ratings else None
