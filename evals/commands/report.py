"""`evals compare` and `evals report`: the web page of scored runs, or their tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from corpus.terminal import waiting
from evals.options import (
    SEED,
    JudgeSeed,
    JudgeTemperature,
    JudgeUrl,
    PromptFolder,
    RunArgument,
    jury_of,
    pairwise_judge_of,
)

FormatOption = Annotated[
    str, typer.Option("--format", help="html, md, csv (one tidy table), json or latex")
]
Figures = Annotated[
    Path | None, typer.Option(metavar="DIR", help="write every figure here, too, as SVG and PDF")
]


def compare_command(
    run_folders: Annotated[list[Path], typer.Argument(metavar="RUN...", help="scored runs")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="of html; the others go to standard output")
    ] = None,
    format: FormatOption = "html",
    figures: Figures = None,
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
    with waiting(lambda: "evals: libraries are loaded"):
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
        figures=figures,
        judge_of=lambda folder: pairwise_judge_of(folder.path, jury),
    )


def report_command(
    run_folder: RunArgument,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="RUN/report.html by default")
    ] = None,
    format: FormatOption = "html",
    figures: Figures = None,
) -> None:
    """Write the report of one scored run."""
    with waiting(lambda: "evals: libraries are loaded"):
        from evals.reports.command import report_runs

    report_runs([run_folder], out, format, figures=figures)
