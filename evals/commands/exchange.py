"""`evals import` and `evals export`: answers of other systems, runs for others to read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import InputError
from corpus.terminal import say, waiting
from evals.datafiles import SAMPLE_DATA
from evals.options import BenchmarkArgument, Data, Edition, Split

if TYPE_CHECKING:
    from evals.runs.exchange.submission import Held


@waiting(lambda: "evals: the data and the answers are read")
def import_command(
    benchmark: BenchmarkArgument,
    answers: Annotated[Path, typer.Option(metavar="FILE", help="JSON Lines: id, answer, chunks?")],
    out: Annotated[Path, typer.Option(metavar="RUN", help="folder of the run")],
    data: Data = SAMPLE_DATA,
    split: Split = "",
    edition: Edition = "",
    answered_only: Annotated[
        bool, typer.Option("--answered-only", help="leave out what it did not answer; else 0")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="first N samples")] = None,
    system: Annotated[str, typer.Option(help="of a file with several systems, this one's")] = "",
    setting: Annotated[
        str, typer.Option(metavar="closed|open|evidence", help="that the system answered in")
    ] = "",
    label: Annotated[
        str,
        typer.Option(
            "--label", "--name", help="name of the system in tables and figures; else the file's"
        ),
    ] = "",
) -> None:
    """Make a run of another system's answers, to score and compare it like any other."""
    from evals.runs.exchange.imported import import_run, told
    from evals.runs.samples import choose_edition, choose_split, find_benchmark, load_samples

    chosen = find_benchmark(benchmark)
    split = choose_split(chosen, data, split)
    edition = choose_edition(chosen, data, split, edition)
    folder = import_run(
        chosen,
        data,
        split,
        edition,
        answers,
        label or system or answers.stem,
        out,
        answered_only=answered_only,
        system=system,
        limit=limit,
        setting=setting,
    )
    whole = len(load_samples(chosen, data, split, edition, limit=limit))
    say(f"evals: {out}: {told(folder, whole)}")


@waiting(lambda: "evals: the run is read and written")
def export_command(
    run_folders: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="runs' folders, or a folder of runs")
    ],
    format: Annotated[
        str, typer.Option("--format", help="fanoutqa, jsonl, csv, parquet or browsecomp-plus")
    ] = "jsonl",
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="folder or file of what is written; else standard output"
        ),
    ] = None,
    name: Annotated[str, typer.Option(help="the system's name in a submission")] = "",
    authors: Annotated[str, typer.Option(help="its authors")] = "",
    url: Annotated[str, typer.Option(help="where it is described")] = "",
    citation: Annotated[str, typer.Option(help="how it is cited")] = "",
    details: Annotated[str, typer.Option(help="what else there is to say of it")] = "",
    type: Annotated[str, typer.Option(help="FOUNDATION, FINETUNE, PROMPT or OTHER")] = "",
    context: Annotated[str, typer.Option(metavar="TOKENS", help="of the model")] = "",
    function_calling: Annotated[
        str, typer.Option(metavar="yes|no", help="whether the model is trained for it")
    ] = "",
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="write a submission whose answers say nothing")
    ] = False,
    license: Annotated[str, typer.Option(metavar="SPDX", help="of a data set's questions")] = "",
) -> None:
    """Write a run for others: a leaderboard's submission, a data set, JSON Lines or CSV."""
    from evals.records import write_lines
    from evals.runs.exchange.exported import export_csv, export_jsonl
    from evals.runs.exchange.submission import export_submission
    from evals.runs.several import open_runs, scored_runs

    runs = open_runs(run_folders)
    if len(runs) > len(run_folders) and any(run.scoring() is not None for run in runs):
        # Of a folder of runs, those that came to an end.
        runs = scored_runs(runs)
    if format == "fanoutqa":
        about = {
            "name": name, "authors": authors, "url": url, "citation": citation, "details": details,
            "type": type, "context": context, "function_calling": function_calling,
        }  # fmt: skip
        made = export_submission(
            runs, out or run_folders[0] / "submission", about, allow_empty=allow_empty
        )
        for one in made.held:
            _tell(one)
        say(f"evals: submission written: {made.metadata}")
        return
    writers = {"jsonl": export_jsonl, "csv": export_csv}
    if format not in (*writers, "parquet", "browsecomp-plus"):
        raise InputError(
            f"unknown format {format!r}: choose fanoutqa, {', '.join(writers)}, parquet or "
            "browsecomp-plus"
        )
    if len(runs) > 1:
        paths = ", ".join(str(run.path) for run in runs)
        raise InputError(f"the format {format} takes one run, not {len(runs)}: name one of {paths}")
    if format == "parquet":
        from evals.integrations.dataset import export_dataset

        folder = out or run_folders[0] / "data-set"
        card = export_dataset(runs[0], folder, name=name, license=license)
        say(f"evals: data set written: {card}")
        return
    if format == "browsecomp-plus":
        from evals.integrations.browsecomp_plus import export_browsecomp_plus

        folder = out or run_folders[0] / "browsecomp-plus"
        files = export_browsecomp_plus(runs[0], folder)
        say(f"evals: {len(files)} answers written: {folder}")
        return
    lines = writers[format](runs[0])
    if out is None:
        for line in lines:
            typer.echo(line)
        return
    write_lines(out, lines)
    say(f"evals: {runs[0].path} written: {out}")


def _tell(held: Held) -> None:
    """Say what a submission holds of one setting, and what it lacks."""
    whole = f"{held.answers:,} answers"
    if held.questions is not None:
        whole += f" to the split's {held.questions:,} questions"
    say(f"evals: {held.setting}: {whole}")
    if held.foreign:
        say(
            f"evals: warning: no leaderboard scores these {held.setting} answers: they are to "
            f"{held.foreign}, not to the published questions of the test split"
        )
    if held.lacks:
        say(f"evals: warning: the submission is not whole: {held.setting} has {held.lacks}")
