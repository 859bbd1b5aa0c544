"""Whole runs: a matrix of strategies and settings, other systems' answers, replays."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import cast

from agent.settings import StrategyName
from agent.types import Setting
from corpus.errors import InputError
from corpus.faults import check_loop
from corpus.files import sha256_of
from corpus.manifest import TOOL_VERSION
from corpus.terminal import progress_bar, say
from evals.runs.config import (
    CALLS,
    EXTRACTIVE,
    Endpoint,
    Plan,
    check_context,
    check_prompting,
    digest_of,
    make_config,
    make_record,
    open_asker,
    open_snapshot,
)
from evals.runs.exchange import read_answers
from evals.runs.folder import RunFolder, RunRecord, run_id
from evals.runs.predict import Progress, predict, predict_one
from evals.runs.prompt_files import check_prompt_folder
from evals.runs.samples import find_benchmark, keep_samples, kept_samples, load_samples
from evals.types import Benchmark, Prediction, RunConfig

IMPORTED = "imported: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the command line was given: one plan, and what of it is run in several ways."""

    plan: Plan
    """Its setting, strategy, prompting and budget of tokens are those of each run in turn."""
    settings: tuple[str, ...]
    strategies: tuple[str, ...]
    promptings: tuple[str, ...] = ()
    """None for the benchmark's default."""
    max_tokens: tuple[int | None, ...] = (None,)
    """Budgets of one question; several give the curve of score against budget."""
    limit: int | None = None
    ids: tuple[str, ...] = ()
    concurrency: int = 4


def run_matrix(choice: Choice, out: Path) -> Iterator[RunFolder]:
    """Run every strategy in every setting, prompting and budget; yield each folder as it ends.

    One combination runs in `out` itself; several run in folders of it named by what tells them
    apart: STRATEGY-SETTING, then the prompting and the budget of tokens where there are several.
    """
    given = choice.plan
    benchmark = given.benchmark
    promptings = choice.promptings or benchmark.promptings[:1]
    for prompting in promptings:
        check_prompting(benchmark, prompting, given.model)
    check_prompt_folder(given.prompts)
    samples = load_samples(
        benchmark, given.data, given.split, given.edition, limit=choice.limit, ids=choice.ids
    )
    snapshot = open_snapshot(given.snapshot, benchmark.language)
    chosen = list(product(choice.strategies, choice.settings, promptings, choice.max_tokens))
    for strategy, setting, prompting, max_tokens in chosen:
        plan = replace(
            given,
            setting=cast(Setting, setting),
            strategy=cast(StrategyName, strategy),
            prompting=prompting,
            max_tokens=max_tokens,
        )
        check_context(plan)
        named = [strategy, setting]
        named += [prompting] if len(promptings) > 1 else []
        named += [f"{max_tokens or 'unbounded'}"] if len(choice.max_tokens) > 1 else []
        path = out / "-".join(named) if len(chosen) > 1 else out
        config = make_config(plan, snapshot)
        folder = RunFolder.begin(path, make_record(plan, config, snapshot, samples))
        folder.lock()
        try:
            keep_samples(folder, samples)
            asker = open_asker(plan, config, snapshot, folder.path / CALLS)
            with progress_bar("samples") as progress:
                task = progress.add_task(f"{strategy}, {setting}", total=None)

                def report(state: Progress) -> None:
                    cost = state.usage.cost_usd
                    spent = ""
                    if cost:
                        asked = state.done - state.found
                        left = state.total - state.done
                        spent = f", ${cost:.2f}, about ${cost * left / asked:.2f} to go"
                    progress.update(
                        task,  # noqa: B023 - called within this round alone
                        total=state.total,
                        completed=state.done,
                        description=f"{state.failed} failed{spent}",
                    )

                check_loop()
                state = asyncio.run(
                    predict(
                        benchmark,
                        samples,
                        asker,
                        folder,
                        concurrency=choice.concurrency,
                        report=report,
                    )
                )
        finally:
            folder.close()
        say(f"evals: {path}: {state.done} of {state.total} samples, {state.failed} failed")
        yield folder


def all_failed(folder: RunFolder) -> str | None:
    """Return why the first question of a run failed where every one did, None otherwise."""
    outcomes = folder.outcomes()
    reasons = [outcomes.get(key) for key in folder.wanted()]
    if reasons and all(reason is not None for reason in reasons):
        return reasons[0]
    return None


def import_run(
    benchmark: Benchmark,
    data: Path,
    split: str,
    edition: str,
    answers: Path,
    name: str,
    out: Path,
    *,
    answered_only: bool = False,
    system: str = "",
) -> RunFolder:
    """Make a run of another system's answers.

    Args:
        benchmark: whose samples were answered.
        data: the benchmark's data.
        split: of the data.
        edition: of the data.
        answers: the file of answers; see `evals.runs.exchange.read_answers`.
        name: the system's.
        out: the run's folder.
        answered_only: leave samples without an answer out of the run; otherwise they are failed
            and count 0.
        system: of a file with the answers of several, this one's.

    Raises:
        InputError: faulty data or answers, or the folder holds another run.
    """
    samples = load_samples(benchmark, data, split, edition)
    predictions = {found.sample_id: found for found in read_answers(answers, samples, system)}
    if answered_only:
        samples = [sample for sample in samples if sample.id in predictions]
    config = RunConfig(
        benchmark=benchmark.name,
        edition=edition,
        split=split,
        data_sha256=digest_of(data),
        snapshot="",
        setting="closed",
        strategy="baseline",
        model=IMPORTED + name,
        style=benchmark.style,
        k=0,
        options={"answers_sha256": sha256_of(answers), "answered_only": answered_only},
    )
    record = RunRecord(
        id=run_id(config),
        config=config,
        data=str(data),
        snapshot={},
        sample_ids=tuple(sample.id for sample in samples),
        tool_version=TOOL_VERSION,
    )
    folder = RunFolder.begin(out, record)
    folder.lock()
    try:
        keep_samples(folder, samples)
        known = folder.outcomes()
        for sample in samples:
            if (sample.id, 0) not in known:
                unanswered = Prediction(sample_id=sample.id, error="the system gave no answer")
                folder.predictions_file.append(predictions.get(sample.id, unanswered))
    finally:
        folder.close()
    return folder


def replay_run(folder: RunFolder) -> tuple[int, list[str]]:
    """Answer every sample again from the recorded calls.

    Returns:
        The number of answers that are the same, and the ids of the samples whose answers are not.

    Raises:
        InputError: an imported run, or its snapshot is gone.
    """
    record = folder.record
    config = record.config
    if config.model.startswith(IMPORTED):
        raise InputError(
            f"{folder.path} holds another system's answers: nothing was recorded of them"
        )
    benchmark = find_benchmark(config.benchmark)
    snapshot = open_snapshot(Path(str(record.snapshot["folder"])), benchmark.language)
    if config.snapshot and snapshot.manifest.fingerprint != config.snapshot:
        raise InputError(
            f"{folder.path} was run on another snapshot than the one now in {snapshot.folder}"
        )
    recorded = (
        None
        if config.model == EXTRACTIVE
        else Endpoint(model=config.model, base_url=record.base_url or None)
    )
    plan = Plan(
        benchmark=benchmark,
        data=Path(record.data),
        split=config.split,
        edition=config.edition,
        snapshot=snapshot.folder,
        setting=config.setting,
        strategy=cast(StrategyName, config.strategy),
        model=recorded,
        k=config.k,
        epochs=config.epochs,
        max_calls=config.max_calls,
        max_tokens=config.max_tokens,
        context_limit=config.context_limit,
        prompting=config.prompting,
        seed=config.seed,
        temperature=config.temperature,
        tools=config.tools,
        classify=config.classify,
        shots=config.shots,
        mode=config.mode,
        embedder=config.embedder,
        prompts=Path(record.prompts_folder) if record.prompts_folder else None,
        options=config.options,
    )
    asker = open_asker(plan, config, snapshot, folder.path / CALLS, replay=True)
    samples = {sample.id: sample for sample in kept_samples(folder)}
    same, other = 0, []
    for prediction in folder.predictions():
        if prediction.response is None:
            continue
        check_loop()
        again = asyncio.run(
            predict_one(benchmark, samples[prediction.sample_id], asker, prediction.epoch)
        )
        if again.response is not None and again.response.text == prediction.response.text:
            same += 1
        else:
            other.append(prediction.sample_id)
    return same, other
