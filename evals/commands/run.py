"""`evals run`: from options to one configuration, its runs and their first scores."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import BackendError, InputError
from corpus.options import Cluster, Workers, chosen_of, names_of, numbers_of, one_of
from corpus.terminal import say, waiting
from evals.commands.score import score_folder
from evals.datafiles import SAMPLE_DATA
from evals.options import (
    CLASSIFY,
    MODEL,
    MODES,
    QUESTIONS,
    SEED,
    SYSTEM,
    TOOLS,
    BenchmarkArgument,
    Classify,
    CoverageBatch,
    Data,
    Edition,
    Ids,
    JudgeOption,
    JudgeUrl,
    Label,
    Limit,
    Prices,
    PromptFolder,
    Rpm,
    Seed,
    Shots,
    Split,
    Stream,
    Temperature,
    Timeout,
    Tpm,
    endpoint_of,
    jury_of,
    store_key,
    store_of,
)
from evals.reports.printout import print_summary, print_table

if TYPE_CHECKING:
    from evals.runs.folder import RunFolder
    from evals.types import Jury

STRATEGIES = (
    "baseline", "query-definition", "query-subquestion", "retrieval", "e2e", "agentic",
)  # fmt: skip
"""As `agent.settings` names them, which takes too long to import for a line of help."""


def run_command(
    benchmark: BenchmarkArgument,
    out: Annotated[Path, typer.Option(metavar="RUN", help="folder of the run")],
    data: Data = SAMPLE_DATA,
    split: Split = "",
    edition: Edition = "",
    snapshot: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="the embedded sample by default", rich_help_panel=SYSTEM),
    ] = None,
    setting: Annotated[
        str,
        typer.Option(
            help="closed, open or evidence; several by commas; or the benchmark's own",
            rich_help_panel=SYSTEM,
        ),
    ] = "",
    strategy: Annotated[
        str,
        typer.Option(
            help=f"all, or some by commas of {', '.join(STRATEGIES)}", rich_help_panel=SYSTEM
        ),
    ] = "agentic",
    model: Annotated[
        str, typer.Option(help="the extractive engine by default", rich_help_panel=MODEL)
    ] = "",
    base_url: Annotated[
        str, typer.Option(help="endpoint of the model", rich_help_panel=MODEL)
    ] = "",
    judge: JudgeOption = None,
    judge_base_url: JudgeUrl = "",
    coverage_batch: CoverageBatch = None,
    limit: Limit = None,
    ids: Ids = "",
    epochs: Annotated[
        int, typer.Option(min=1, help="times every sample is asked", rich_help_panel=QUESTIONS)
    ] = 1,
    concurrency: Annotated[int, typer.Option(min=1, help="samples at once, on each worker")] = 4,
    cluster: Cluster = "",
    workers: Workers = 0,
    k: Annotated[
        int, typer.Option("-k", min=1, help="chunks an answer may use", rich_help_panel=SYSTEM)
    ] = 10,
    max_calls: Annotated[
        int | None, typer.Option(min=1, help="calls a question", rich_help_panel=SYSTEM)
    ] = None,
    max_tokens: Annotated[
        str,
        typer.Option(
            metavar="N[,N…]", help="tokens a question; several give a curve", rich_help_panel=SYSTEM
        ),
    ] = "",
    context_limit: Annotated[
        int | None, typer.Option(help="tokens of a prompt and reply", rich_help_panel=SYSTEM)
    ] = None,
    prompting: Annotated[
        str,
        typer.Option(
            help="several by commas; fanoutqa: vanilla, paper; compound: agent, vanilla, cot, few-shot; cofca: agent, cot; ccmor: agent, direct-zh-zero and so on",
            rich_help_panel=SYSTEM,
        ),
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="subquestion: plan=frozen|own; compound: form=compound|single|both|positions; cofca: sub_questions=without|with",
            rich_help_panel=SYSTEM,
        ),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            help="bm25, dense, hybrid, several by commas, or all; else by the indexes there are",
            rich_help_panel=SYSTEM,
        ),
    ] = "",
    embedder: Annotated[
        str, typer.Option(metavar="NAME", help="of the dense index", rich_help_panel=SYSTEM)
    ] = "",
    store: Annotated[
        str,
        typer.Option(
            "--retriever",
            metavar="KIND:PLACE",
            help="the snapshot's vectors in a store, see `python -m retrieval export`",
            show_default=False,
            rich_help_panel=SYSTEM,
        ),
    ] = "",
    tools: Annotated[
        str, typer.Option(help="auto, native or text tool calls", rich_help_panel=SYSTEM)
    ] = "auto",
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
    label: Label = "",
) -> None:
    """Run a benchmark; the same command again asks only what is missing or failed."""
    with waiting(lambda: "evals: libraries are loaded"):
        from corpus.cluster import opened
        from evals.runs.config import read_options
        from evals.runs.matrix import run_matrix
        from evals.runs.models import EXTRACTIVE
        from evals.runs.preflight import check_endpoint
        from evals.runs.samples import choose_edition, choose_split, find_benchmark
        from evals.runs.sources import Sources
        from evals.types import RunConfig

    if workers and not cluster:
        raise InputError(
            f"--workers {workers} are actors of a cluster: name it with --cluster ray, or leave them"
            " out; samples at once on this machine are --concurrency"
        )
    chosen = find_benchmark(benchmark)
    split = choose_split(chosen, data, split)
    endpoint = endpoint_of(
        model, base_url, rpm=rpm, tpm=tpm, timeout=timeout, stream=stream, prices=prices
    )
    config = RunConfig(
        benchmark=chosen.name,
        style=chosen.style,
        split=split,
        edition=choose_edition(chosen, data, split, edition),
        setting=chosen.setting,
        strategy="agentic",
        model=endpoint.model if endpoint is not None else EXTRACTIVE,
        k=k,
        epochs=epochs,
        max_calls=max_calls,
        context_limit=context_limit,
        prompting=chosen.promptings[0],
        seed=seed,
        temperature=temperature,
        tools=one_of(tools, "--tools", TOOLS),
        classify=one_of(classify, "--classify", CLASSIFY),
        shots=shots,
        embedder=embedder,
        options=read_options(chosen, option or []),
    )
    jury = jury_of(
        judge or [],
        judge_base_url or base_url,
        batch=coverage_batch,
        shots=shots,
        prompts=prompts,
    )
    if jury.models:
        check_endpoint(jury.models[0], jury.base_url or None)
    with opened(cluster, workers) as nodes:
        runs = run_matrix(
            config,
            Sources(
                benchmark=chosen,
                data=data,
                snapshot=snapshot,
                endpoint=endpoint,
                prompts=prompts,
                store=store_of(store),
                store_key=store_key(),
            ),
            out,
            ways={
                "strategy": chosen_of(strategy, "--strategy", STRATEGIES),
                "setting": names_of(setting),
                "prompting": names_of(prompting),
                "max_tokens": numbers_of(max_tokens, "--max-tokens"),
                "mode": chosen_of(mode, "--mode", tuple(filter(None, MODES))),
            },
            limit=limit,
            ids=names_of(ids),
            concurrency=concurrency,
            label=label,
            cluster=nodes,
        )
        _score(runs, jury, out, again=not judge)


def _score(runs: Iterable[RunFolder], jury: Jury, out: Path, *, again: bool) -> None:
    """Score runs and print them: one by itself, several in a table; refuse what failed wholly."""
    from evals.runs.matrix import all_failed
    from evals.runs.several import score_command

    lost = []
    scored = []
    for folder in runs:
        reason = all_failed(folder)
        if reason is not None:
            lost.append((folder, reason))
            continue
        scored.append((folder, score_folder(folder, jury, again=again)))
    if scored and scored[0][0].path == out:
        print_summary(*scored[0])
    elif scored:
        print_table(scored, out)
    told = [
        f"{folder.path}: every question failed, the first because: {reason}; the same command asks "
        f"them again, `{score_command(folder)}` counts each 0"
        for folder, reason in lost
    ]
    for line in told[1:]:
        say(f"evals: {line}")
    if told:
        raise BackendError(told[0])
