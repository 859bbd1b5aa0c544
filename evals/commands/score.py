"""`evals score` and `evals replay`: from a run's folder alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from corpus.errors import BackendError
from corpus.options import AsJson
from corpus.terminal import say, waiting
from evals.options import (
    SEED,
    CoverageBatch,
    JudgeOption,
    JudgeSeed,
    JudgeTemperature,
    JudgeUrl,
    PromptFolder,
    RunArgument,
    Shots,
    judges_of,
    jury_of,
    store_key,
)
from evals.reports.printout import print_summary

if TYPE_CHECKING:
    from evals.metrics.summary import Summary
    from evals.runs.folder import RunFolder
    from evals.types import Jury


@waiting(lambda: "evals: libraries are loaded")
def score_command(
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
    summary = score_folder(folder, jury, again=not judge)
    if as_json:
        from evals.runs.samples import summary_json

        typer.echo(json.dumps(summary_json(folder, summary), ensure_ascii=False))
    else:
        print_summary(folder, summary)


@waiting(lambda: "evals: answers are made again")
def replay_command(run_folder: RunArgument, as_json: AsJson = False) -> None:
    """Answer a run's questions again from its recorded calls, with the network off."""
    from evals.runs.folder import RunFolder
    from evals.runs.replay import replay_run

    same, other = replay_run(RunFolder.open(run_folder), store_key())
    if as_json:
        typer.echo(json.dumps({"same": same, "different": other}))
    say(f"evals: {run_folder}: {same} answers the same, {len(other)} different")
    if other:
        raise BackendError(
            f"{run_folder}: the answer to {other[0]!r} differs from the recorded one"
        )


def score_folder(folder: RunFolder, jury: Jury, *, again: bool) -> Summary:
    """Score a run by the judges named or, where none is, `again` by those of the last scoring."""
    with waiting(lambda: f"evals: {folder.path}: scoring {len(folder.wanted()):,} answers"):
        return _scored(folder, jury, again=again)


def _scored(folder: RunFolder, jury: Jury, *, again: bool) -> Summary:
    from evals.runs.models import CALLS
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
