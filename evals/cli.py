"""`python -m evals`: run benchmarks, score, compare, replay, exchange answers."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import BackendError, InputError
from corpus.terminal import run_app, say
from evals.groups import add_groups
from evals.options import (
    CLASSIFY,
    MODES,
    SAMPLE_DATA,
    SEED,
    TOOLS,
    AsJson,
    Classify,
    CoverageBatch,
    JudgeOption,
    JudgeSeed,
    JudgeTemperature,
    JudgeUrl,
    Prices,
    PromptFolder,
    Rpm,
    RunArgument,
    Seed,
    Shots,
    Stream,
    Temperature,
    Timeout,
    Tpm,
    endpoint_of,
    judges_of,
    jury_of,
    numbers_of,
    one_of,
    pairwise_judge_of,
)
from evals.reports.printout import print_summary

if TYPE_CHECKING:
    from evals.metrics.summary import Summary
    from evals.runs.folder import RunFolder
    from evals.types import Jury

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Measure how well answers cover what matters: run, score, compare, replay.",
)
_resume = ""


@app.command()
def run(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK")],
    out: Annotated[Path, typer.Option(metavar="RUN", help="folder of the run")],
    data: Annotated[Path, typer.Option(metavar="PATH", help="the data; the sample by default")] = (
        SAMPLE_DATA
    ),
    split: Annotated[str, typer.Option(help="split; the benchmark's first by default")] = "",
    edition: Annotated[str, typer.Option(help="edition; the first, or sample")] = "",
    snapshot: Annotated[
        Path | None, typer.Option(metavar="DIR", help="the embedded sample by default")
    ] = None,
    setting: Annotated[
        str,
        typer.Option(help="closed, open or evidence; several by commas; or the benchmark's own"),
    ] = "",
    strategy: Annotated[str, typer.Option(help="one, or several separated by commas")] = "agentic",
    model: Annotated[str, typer.Option(help="the extractive engine by default")] = "",
    base_url: Annotated[str, typer.Option(help="endpoint of the model")] = "",
    judge: JudgeOption = None,
    judge_base_url: JudgeUrl = "",
    coverage_batch: CoverageBatch = None,
    limit: Annotated[int | None, typer.Option(min=1, help="first N samples")] = None,
    ids: Annotated[str, typer.Option(help="these samples, separated by commas")] = "",
    epochs: Annotated[int, typer.Option(min=1, help="times every sample is asked")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="samples at once")] = 4,
    k: Annotated[int, typer.Option("-k", min=1, help="chunks an answer may use")] = 10,
    max_calls: Annotated[int | None, typer.Option(min=1, help="calls a question")] = None,
    max_tokens: Annotated[
        str, typer.Option(metavar="N[,N…]", help="tokens a question; several give a curve")
    ] = "",
    context_limit: Annotated[int | None, typer.Option(help="tokens of a prompt and reply")] = None,
    prompting: Annotated[str, typer.Option(help="the benchmark's; several by commas")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="the benchmark's")
    ] = None,
    mode: Annotated[
        str, typer.Option(help="bm25, dense or hybrid; by the indexes there are if not named")
    ] = "",
    embedder: Annotated[str, typer.Option(metavar="NAME", help="of the dense index")] = "",
    tools: Annotated[str, typer.Option(help="auto, native or text tool calls")] = "auto",
    classify: Classify = "batch",
    shots: Shots = None,
    prompts: PromptFolder = None,
    temperature: Temperature = 0.0,
    seed: Seed = SEED,
    rpm: Rpm = None,
    tpm: Tpm = None,
    timeout: Timeout = 120.0,
    stream: Stream = False,
    prices: Prices = None,
) -> None:
    """Run a benchmark; the same command again asks only what is missing or failed."""
    global _resume
    from evals.runs.config import Plan, read_options
    from evals.runs.matrix import Choice, all_failed, run_matrix
    from evals.runs.samples import choose_edition, find_benchmark

    _resume = "python -m evals " + shlex.join(sys.argv[1:])
    chosen = find_benchmark(benchmark)
    split = split or chosen.splits[0]
    if data == SAMPLE_DATA and "sample" in chosen.editions:
        edition = edition or "sample"
    plan = Plan(
        benchmark=chosen,
        data=data,
        split=split,
        edition=choose_edition(chosen, data, split, edition),
        snapshot=snapshot,
        setting=chosen.setting,
        strategy="agentic",
        model=endpoint_of(
            model, base_url, rpm=rpm, tpm=tpm, timeout=timeout, stream=stream, prices=prices
        ),
        k=k,
        epochs=epochs,
        max_calls=max_calls,
        context_limit=context_limit,
        seed=seed,
        temperature=temperature,
        tools=one_of(tools, "--tools", TOOLS),
        classify=one_of(classify, "--classify", CLASSIFY),
        shots=shots,
        mode=one_of(mode, "--mode", MODES),
        embedder=embedder,
        prompts=prompts,
        options=read_options(chosen, option or []),
    )
    choice = Choice(
        plan=plan,
        settings=tuple((setting or chosen.setting).split(",")),
        strategies=tuple(strategy.split(",")),
        promptings=tuple(filter(None, prompting.split(","))),
        max_tokens=numbers_of(max_tokens, "--max-tokens") or (None,),
        limit=limit,
        ids=tuple(filter(None, ids.split(","))),
        concurrency=concurrency,
    )
    jury = jury_of(
        judge or [],
        judge_base_url or base_url,
        batch=coverage_batch,
        shots=shots,
        prompts=prompts,
    )
    lost = []
    for folder in run_matrix(choice, out):
        reason = all_failed(folder)
        if reason is not None:
            lost.append(f"{folder.path}: every question failed, the first because: {reason}")
            continue
        print_summary(folder, _score(folder, jury, again=not judge))
    if lost:
        more = f" (and {len(lost) - 1} more runs)" if len(lost) > 1 else ""
        raise BackendError(f"{lost[0]}{more}; the same command asks them again")


@app.command("import")
def import_answers(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK")],
    data: Annotated[Path, typer.Option(metavar="PATH", help="the benchmark's data")],
    answers: Annotated[Path, typer.Option(metavar="FILE", help="JSON Lines: id, answer, chunks?")],
    out: Annotated[Path, typer.Option(metavar="RUN", help="folder of the run")],
    split: Annotated[str, typer.Option(help="split; the benchmark's first by default")] = "",
    edition: Annotated[str, typer.Option(help="edition; the benchmark's first by default")] = "",
    name: Annotated[str, typer.Option(help="the system's name; the file's by default")] = "",
    answered_only: Annotated[
        bool, typer.Option("--answered-only", help="leave out what it did not answer; else 0")
    ] = False,
    system: Annotated[str, typer.Option(help="of a file with several systems, this one's")] = "",
) -> None:
    """Make a run of another system's answers, to score and compare it like any other."""
    from evals.runs.matrix import import_run
    from evals.runs.samples import choose_edition, find_benchmark

    chosen = find_benchmark(benchmark)
    split = split or chosen.splits[0]
    folder = import_run(
        chosen,
        data,
        split,
        choose_edition(chosen, data, split, edition),
        answers,
        name or system or answers.stem,
        out,
        answered_only=answered_only,
        system=system,
    )
    answered = sum(error is None for error in folder.outcomes().values())
    say(f"evals: {out}: {answered} of {len(folder.record.sample_ids)} samples answered")


@app.command()
def score(
    run_folder: RunArgument,
    judge: JudgeOption = None,
    judge_base_url: JudgeUrl = "",
    coverage_batch: CoverageBatch = None,
    shots: Shots = None,
    prompts: PromptFolder = None,
    temperature: JudgeTemperature = 0.0,
    seed: JudgeSeed = SEED,
    as_json: AsJson = False,
) -> None:
    """Score a run from what its folder holds.

    Without --judge, the judges of the last scoring count again, from their recorded calls;
    `--judge none` scores without any.
    """
    from evals.runs.folder import RunFolder

    folder = RunFolder.open(run_folder)
    jury = jury_of(
        judge or [],
        judge_base_url,
        batch=coverage_batch,
        shots=shots,
        prompts=prompts,
        temperature=temperature,
        seed=seed,
    )
    summary = _score(folder, jury, again=not judge)
    if as_json:
        from evals.runs.samples import summary_json

        typer.echo(json.dumps(summary_json(folder, summary), ensure_ascii=False))
    else:
        print_summary(folder, summary)


@app.command()
def export(
    run_folders: Annotated[list[Path], typer.Argument(metavar="RUN...", help="runs' folders")],
    format: Annotated[str, typer.Option("--format", help="fanoutqa, jsonl or csv")] = "jsonl",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="folder of a submission")] = None,
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
) -> None:
    """Write a run for others: a leaderboard submission, JSON Lines or CSV."""
    from evals.runs.exchange import export_csv, export_jsonl, export_submission
    from evals.runs.folder import RunFolder

    runs = [RunFolder.open(path) for path in run_folders]
    if format == "fanoutqa":
        about = {
            "name": name, "authors": authors, "url": url, "citation": citation, "details": details,
            "type": type, "context": context, "function_calling": function_calling,
        }  # fmt: skip
        path = export_submission(runs, out or run_folders[0] / "submission", about)
        say(f"evals: submission written: {path}")
        return
    writers = {"jsonl": export_jsonl, "csv": export_csv}
    if format not in writers:
        raise InputError(f"unknown format {format!r}: choose fanoutqa, jsonl or csv")
    if len(runs) > 1:
        raise InputError(f"the format {format} takes one run, not {len(runs)}")
    for line in writers[format](runs[0]):
        typer.echo(line)


@app.command()
def compare(
    run_folders: Annotated[list[Path], typer.Argument(metavar="RUN...", help="scored runs")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="the report; standard output for md and csv")
    ] = None,
    format: Annotated[str, typer.Option("--format", help="html, md or csv")] = "html",
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="compare in this metric, too")
    ] = None,
    allow: Annotated[
        list[str] | None, typer.Option("--allow", metavar="FIELD", help="this may differ")
    ] = None,
    judge: Annotated[
        str,
        typer.Option(
            metavar="MODEL", help="judges the answers pairwise, in both orders; or `embedding`"
        ),
    ] = "",
    judge_base_url: JudgeUrl = "",
    prompts: PromptFolder = None,
    temperature: JudgeTemperature = 0.0,
    seed: JudgeSeed = SEED,
) -> None:
    """Compare scored runs question by question; write the report."""
    from evals.reports.command import report_runs

    jury = jury_of(
        [judge] if judge else [],
        judge_base_url,
        prompts=prompts,
        temperature=temperature,
        seed=seed,
    )
    report_runs(
        run_folders,
        out,
        format,
        metrics=metric or [],
        allow=allow or [],
        judge_of=lambda folder: pairwise_judge_of(folder.path, jury),
    )


@app.command()
def report(
    run_folder: RunArgument,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="RUN/report.html by default")
    ] = None,
    format: Annotated[str, typer.Option("--format", help="html, md or csv")] = "html",
) -> None:
    """Write the report of one scored run."""
    from evals.reports.command import report_runs

    report_runs([run_folder], out, format)


@app.command()
def replay(run_folder: RunArgument, as_json: AsJson = False) -> None:
    """Answer a run's questions again from its recorded calls, with the network off."""
    from evals.runs.folder import RunFolder
    from evals.runs.matrix import replay_run

    same, other = replay_run(RunFolder.open(run_folder))
    if as_json:
        typer.echo(json.dumps({"same": same, "different": other}))
    say(f"evals: {run_folder}: {same} answers the same, {len(other)} different")
    if other:
        raise BackendError(
            f"{run_folder}: the answer to {other[0]!r} differs from the recorded one"
        )


def _score(folder: RunFolder, jury: Jury, *, again: bool) -> Summary:
    """Score a run by the judges named or, where none is, `again` by those of the last scoring."""
    from evals.runs.config import CALLS
    from evals.runs.samples import score_run

    wanted, there = folder.wanted(), folder.outcomes()
    if len(there) < len(wanted):
        say(
            f"evals: {folder.path}: {len(wanted) - len(there)} of {len(wanted)} predictions are "
            "not made yet: the scores are of the rest; run the same `evals run` again to go on"
        )
    scoring = folder.scoring()
    kept = scoring.jury if scoring is not None and again else None
    if kept is not None and (folder.path / CALLS).exists():
        say(
            f"evals: {folder.path}: judged by {', '.join(kept.models)} as before, from the recorded "
            "calls; name --judge to judge what is new, or --judge none"
        )
        return score_run(folder, judges_of(folder.path, kept, replay=True), kept)
    return score_run(folder, judges_of(folder.path, jury), jury)


add_groups(app)


def main() -> None:
    """Run the command line."""
    run_app(app, name="evals", resume_hint=lambda: _resume)
