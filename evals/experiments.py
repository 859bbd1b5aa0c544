"""Experiments from Python: ask any system a benchmark's questions, score, compare, take frames.

Everything goes through the same folders as the command line: what one began, the other goes on with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.errors import InputError
from corpus.machine.loops import run_to_end
from corpus.storage.manifest import TOOL_VERSION
from corpus.terminal import say
from evals.datafiles import SAMPLE_DATA
from evals.ports import Benchmark, Judges
from evals.reports.comparison import Comparison, compare_runs
from evals.runs.config import read_options
from evals.runs.exchange.imported import IMPORTED, read_setting
from evals.runs.folder import RunFolder, RunRecord, run_id, selection_of
from evals.runs.matrix import all_failed
from evals.runs.predict import predict
from evals.runs.progress import told
from evals.runs.samples import (
    choose_edition,
    choose_split,
    find_benchmark,
    keep_samples,
    kept_samples,
    load_samples,
    score_run,
)
from evals.runs.sources import data_digest
from evals.runs.system.given import SystemAsker, asked_of, name_of, source_of
from evals.types import Json, RunConfig

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from evals.metrics.summary import Summary


def run(
    benchmark: str | Benchmark,
    system: Any,
    out: Path | str,
    *,
    name: str = "",
    data: Path | str = SAMPLE_DATA,
    split: str = "",
    edition: str = "",
    limit: int | None = None,
    ids: Sequence[str] = (),
    concurrency: int = 4,
    setting: str = "",
) -> RunFolder:
    """Ask a system a benchmark's questions; the same call again asks only what is missing.

    Args:
        benchmark: or its name.
        system: an `Agent`, a query engine of LlamaIndex, or a callable; see `evals.runs.system.given.System`.
        out: the run's folder.
        name: the system's, in every table; by default its own.
        data: the benchmark's data; the sample by default.
        split: of the data; the benchmark's first by default, of a made set "all".
        edition: of the data; what it shows by default.
        limit: the first so many samples.
        ids: these samples.
        concurrency: samples at once.
        setting: closed, open or evidence, as the system answers; a submission must know it.

    Raises:
        InputError: an unknown setting, what cannot be asked, faulty data, or a folder that holds another run.
    """
    answered_in, said = read_setting(setting)
    asked_by = asked_of(system)
    chosen = find_benchmark(benchmark) if isinstance(benchmark, str) else benchmark
    data = Path(data)
    split = choose_split(chosen, data, split)
    edition = choose_edition(chosen, data, split, edition)
    samples = load_samples(chosen, data, split, edition, limit=limit, ids=ids)
    source = source_of(system)
    config = RunConfig(
        benchmark=chosen.name,
        edition=edition,
        split=split,
        data_sha256=data_digest(data),
        setting=answered_in,
        strategy="baseline",
        model=IMPORTED + (name or name_of(system)),
        style=chosen.style,
        k=0,
        snapshot=source.get("fingerprint", ""),
        prompting=chosen.promptings[0],
        options=read_options(chosen, []) | said,
    )
    record = RunRecord(
        id=run_id(config),
        config=config,
        data=str(data),
        snapshot=source,
        sample_ids=tuple(sample.id for sample in samples),
        tool_version=TOOL_VERSION,
        selection=selection_of(limit, ids),
        concurrency=concurrency,
    )
    folder = RunFolder.begin(Path(out), record)
    folder.lock()
    try:
        keep_samples(folder, samples)
        asker = SystemAsker(config, asked_by)
        with told(name or name_of(system)) as report:
            asked = predict(chosen, samples, asker, folder, concurrency=concurrency, report=report)
            run_to_end(asked)
    finally:
        folder.close()
    reason = all_failed(folder)
    if reason is not None:
        say(
            f"evals: warning: {folder.path}: every question failed and counts 0, the first because: "
            f"{reason}; the same call asks them again"
        )
    return folder


def load(folder: Path | str) -> RunFolder:
    """Open a run of the command line or of `run`.

    Raises:
        InputError: where the folder is missing or no run.
    """
    return RunFolder.open(Path(folder))


@dataclass(frozen=True, slots=True)
class Scored:
    """A scored run."""

    run: RunFolder
    summary: Summary

    def records(self) -> list[dict[str, Json]]:
        """Return one record for each question and epoch: its groups, answer or error, and scores."""
        samples = {sample.id: sample for sample in kept_samples(self.run)}
        scores = self.run.scores()
        found: list[dict[str, Json]] = []
        for prediction in self.run.predictions():
            sample = samples[prediction.sample_id]
            score = scores.get((prediction.sample_id, prediction.epoch))
            found.append(
                {
                    "id": sample.id,
                    "epoch": prediction.epoch,
                    "question": sample.question,
                    **sample.groups,
                    "answer": prediction.response.text if prediction.response else None,
                    "error": prediction.error,
                    "seconds": prediction.seconds,
                    **(score.values if score else {}),
                }
            )
        return found

    def frame(self) -> DataFrame:
        """Return `records` as a data frame of pandas."""
        return _frame(self.records())


def score(run: RunFolder | Path | str, judges: Judges | None = None) -> Scored:
    """Score a run and write the scores into its folder.

    Args:
        run: the run, or its folder.
        judges: who scores what rules do not; by default nobody, or what works without a model.
    """
    from evals.reports.printout import keep_summary

    folder = run if isinstance(run, RunFolder) else load(run)
    summary = score_run(folder, judges or Judges())
    keep_summary(folder, summary)
    return Scored(folder, summary)


@dataclass(frozen=True, slots=True)
class Compared:
    """Runs compared question by question, best first."""

    runs: tuple[RunFolder, ...]
    comparison: Comparison

    def records(self) -> list[dict[str, Json]]:
        """Return the tidy table: one record for each run, group of questions and metric."""
        from evals.reports.exports import tidy_rows

        return list(tidy_rows(self.comparison, self.runs))

    def differences(self) -> list[dict[str, Json]]:
        """Return the paired differences with their intervals and corrected p-values."""
        from evals.reports.exports import difference_rows

        return difference_rows(self.comparison)

    def frame(self) -> DataFrame:
        """Return `records` as a data frame of pandas."""
        return _frame(self.records())

    def figures(self) -> dict[str, Figure]:
        """Return the figures of the report, by their titles."""
        from evals.reports.webpage import make_report

        report = make_report(self.comparison, self.runs)
        return {title: drawing.figure for title, drawing in report.plots}

    def latex(self) -> str:
        """Return the table of main metrics for `booktabs`."""
        from evals.reports.exports import to_latex

        return "\n".join(to_latex(self.comparison, self.runs))

    def report(self, path: Path | str) -> None:
        """Write the report, one HTML file."""
        from evals.reports.webpage import make_report, write_html

        write_html(make_report(self.comparison, self.runs), Path(path))


def compare(
    *runs: RunFolder | Scored | Path | str,
    metrics: Sequence[str] = (),
    allow: Sequence[str] = (),
) -> Compared:
    """Compare scored runs.

    Args:
        runs: two or more; folders stand for what they hold.
        metrics: compared beside the benchmark's headline.
        allow: fields that may differ.

    Raises:
        InputError: a run is not scored, or two are not comparable.
    """
    from evals.reports.command import best_first
    from evals.runs.several import open_runs, scored_runs

    found: list[RunFolder] = []
    for one in runs:
        if isinstance(one, Scored):
            found.append(one.run)
        else:
            found += [one] if isinstance(one, RunFolder) else scored_runs(open_runs([Path(one)]))
    if not found:
        raise InputError("nothing to compare: name scored runs")
    headline = find_benchmark(found[0].record.config.benchmark).headline
    ordered = best_first(found, headline)
    comparison = compare_runs(ordered, headline, metrics=metrics, allow=allow)
    return Compared(tuple(ordered), comparison)


def _frame(records: list[dict[str, Json]]) -> DataFrame:
    try:
        from pandas import DataFrame
    except ImportError:
        raise InputError(
            "frames need pandas: `pip install pandas`, or take `.records()` instead"
        ) from None
    return DataFrame(records)
