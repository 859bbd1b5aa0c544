"""The commands around sub-question coverage: decompose, agreement, weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import BackendError, InputError
from corpus.options import AsJson
from corpus.progress import progress_bar
from corpus.terminal import say
from evals.humans.engines import Sampling, coverage_judge_of, decomposer_of, reasoner_of
from evals.options import (
    SEED,
    Classify,
    CoverageBatch,
    JudgeSeed,
    JudgeTemperature,
    JudgeUrl,
    PromptFolder,
    Seed,
    Shots,
    Temperature,
    jury_of,
    pairwise_judge_of,
)

if TYPE_CHECKING:
    from evals.humans.agreement import Agreement

JudgeName = Annotated[
    str,
    typer.Option("--judge", metavar="MODEL", help="judging model; rules and embeddings if none"),
]
Calls = Annotated[
    Path | None,
    typer.Option("--calls", metavar="DIR", help="folder that keeps the model's calls"),
]


def decompose_command(
    questions: Annotated[
        Path, typer.Argument(metavar="QUESTIONS", help="JSON Lines with question, id; or .txt")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="the frozen decompositions")],
    count: Annotated[int, typer.Option(min=2, help="about so many sub-questions")] = 20,
    classify: Classify = "batch",
    limit: Annotated[int | None, typer.Option(min=1, help="first N questions")] = None,
    snapshot: Annotated[
        Path | None, typer.Option(metavar="DIR", help="the embedded sample by default")
    ] = None,
    model: Annotated[str, typer.Option(help="the extractive engine by default")] = "",
    base_url: Annotated[str, typer.Option(help="endpoint of the model")] = "",
    shots: Shots = None,
    prompts: PromptFolder = None,
    temperature: Temperature = 0.0,
    seed: Seed = SEED,
) -> None:
    """Freeze sub-questions with kinds to a file that can be edited and serves every system."""
    import asyncio

    from evals.humans.decomposition import freeze, read_given, read_questions

    asked = read_questions(questions)[:limit]
    sampling = Sampling(
        classify=classify, shots=shots, prompts=prompts, temperature=temperature, seed=seed
    )
    decomposer = decomposer_of(model, base_url, out, count, snapshot, sampling)
    with progress_bar("questions") as progress:
        task = progress.add_task(decomposer.name, total=len(asked))
        frozen = asyncio.run(
            freeze(
                decomposer,
                asked,
                out,
                given=read_given(questions),
                report=lambda done: progress.update(task, completed=done),
            )
        )
    say(
        f"evals: {out}: {frozen.made} questions taken apart by {decomposer.name}, "
        f"{frozen.kept} kept as they were, {len(frozen.failed)} failed"
    )
    if frozen.failed:
        question, reason = frozen.failed[0]
        raise BackendError(
            f"{len(frozen.failed)} questions have no sub-questions, the first {question[:60]!r}: "
            f"{reason}; the same command tries them again"
        )


def agreement_command(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="kinds, coverage or preferences")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="human labels, JSON Lines")],
    judge: JudgeName = "",
    judge_base_url: JudgeUrl = "",
    coverage_batch: CoverageBatch = None,
    classify: Classify = "batch",
    shots: Shots = None,
    prompts: PromptFolder = None,
    temperature: JudgeTemperature = 0.0,
    seed: JudgeSeed = SEED,
    calls: Calls = None,
    as_json: AsJson = False,
) -> None:
    """Say how well kinds, coverage or preferences agree with people: accuracy, Cohen's kappa."""
    import asyncio

    from evals.humans.agreement import agree_on_coverage, agree_on_kinds, agree_on_preferences
    from evals.humans.labels import read_coverage_labels, read_kind_labels, read_preferences
    from evals.judges.preference_offline import LongerAnswer

    kept = calls or file.parent / "calls"
    jury = jury_of(
        [judge] if judge else [],
        judge_base_url,
        batch=coverage_batch,
        shots=shots,
        prompts=prompts,
        temperature=temperature,
        seed=seed,
    )
    if what == "kinds":
        kinds = read_kind_labels(file)
        sampling = Sampling(
            classify=classify, shots=shots, prompts=prompts, temperature=temperature, seed=seed
        )
        found = asyncio.run(
            agree_on_kinds(reasoner_of(judge, judge_base_url, kept, sampling), kinds)
        )
    elif what == "coverage":
        texts = read_coverage_labels(file)
        found = asyncio.run(
            agree_on_coverage(coverage_judge_of(jury, kept), texts, whole_lists=not judge)
        )
    elif what == "preferences":
        pairs = read_preferences(file)
        # Without a model nothing was found that tells more than the answers' length does.
        preferring = pairwise_judge_of(kept, jury) or LongerAnswer()
        found = asyncio.run(agree_on_preferences(preferring, pairs))
    else:
        raise InputError(f"unknown kind of labels {what!r}: choose kinds, coverage or preferences")
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False))
    else:
        _print_agreement(what, found)


def weights_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="human preferences, JSON Lines")],
    decompositions: Annotated[
        Path, typer.Option(metavar="FILE", help="frozen sub-questions of the same questions")
    ],
    validation: Annotated[
        float, typer.Option(min=0.1, max=0.9, help="share of questions to choose weights on")
    ] = 0.5,
    judge: JudgeName = "",
    judge_base_url: JudgeUrl = "",
    coverage_batch: CoverageBatch = None,
    shots: Shots = None,
    prompts: PromptFolder = None,
    temperature: JudgeTemperature = 0.0,
    seed: JudgeSeed = SEED,
    calls: Calls = None,
    as_json: AsJson = False,
) -> None:
    """Search the weights of the answer rating on human preferences, and test them."""
    import asyncio

    from evals.benchmarks.subquestion import load
    from evals.humans.labels import read_preferences
    from evals.humans.weights import weigh
    from evals.judges.preference_offline import LongerAnswer

    preferences = read_preferences(file)
    samples = load(decompositions, "all", "frozen")
    jury = jury_of(
        [judge] if judge else [],
        judge_base_url,
        batch=coverage_batch,
        shots=shots,
        prompts=prompts,
        temperature=temperature,
        seed=seed,
    )
    kept = calls or file.parent / "calls"
    chosen = coverage_judge_of(jury, kept)
    preferring = pairwise_judge_of(kept, jury) or LongerAnswer()
    found = asyncio.run(
        weigh(chosen, preferences, samples, validation=validation, preferring=preferring)
    )
    if not found.tested_on or not found.chosen_on:
        raise InputError(
            f"{decompositions}: holds sub-questions of too few of the questions in {file}: "
            f"make them by `python -m evals decompose {file} --out {decompositions}`"
        )
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False))
        return
    weights = found.found
    typer.echo(
        f"weights, coverage by {found.engine}: core {weights.core:g}, "
        f"background {weights.background:g}, follow-up {weights.follow_up:g}; chosen on "
        f"{found.chosen_on} pairs ({_share(found.validation)}), tested on {found.tested_on}"
    )
    for name, accuracy in found.accuracy.items():
        typer.echo(f"  {name:<12} pairwise accuracy {_share(accuracy)}")
    if found.unscored:
        typer.echo(f"  unscored {found.unscored} ×: no sub-question of an answer has a verdict")


def _print_agreement(what: str, found: Agreement) -> None:
    kappa = "undefined" if found.kappa is None else f"{found.kappa:.3f}"
    within = ["" if one is None else f" [{one[0]:.3f}, {one[1]:.3f}]" for one in found.intervals()]
    typer.echo(
        f"{what}, {found.engine}: n = {len(found.truth)} of {len({*found.questions})} questions, "
        f"accuracy {_share(found.accuracy)}{within[0]}, kappa {kappa}{within[1]}"
    )
    for label, values in found.per_class().items():
        typer.echo(
            f"  {label:<12} n = {values['n']:<4g} said {values['said']:<4g} "
            f"precision {_share(values['precision'])}, recall {_share(values['recall'])}"
        )
    if found.ties:
        typer.echo(f"  {found.ties} ties called, each half right")
    for reason, count in found.reasons.items():
        typer.echo(f"  unscored {count} ×: {reason}")
    if found.left_out:
        typer.echo(f"  left out {found.left_out}, on which people are evenly split")


def _share(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
