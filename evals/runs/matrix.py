"""Whole runs: a configuration in every way that was asked for, one folder each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from agent.budget import counted
from agent.types import Usage
from corpus.cluster import SharingCluster
from corpus.errors import InputError
from corpus.faults import check_loop
from corpus.store import Snapshot
from corpus.terminal import say, waiting
from evals.runs.cluster.workers import predict_on
from evals.runs.config import check_config, make_record, pinned
from evals.runs.folder import RunFolder, RunRecord, selection_of
from evals.runs.models import CALLS
from evals.runs.predict import predict
from evals.runs.preflight import caveats, check_endpoint, held_articles, preflight
from evals.runs.progress import told
from evals.runs.prompt_files import check_prompt_folder
from evals.runs.samples import keep_samples, load_samples
from evals.runs.sources import Sources, open_snapshot
from evals.runs.system.asker import open_asker
from evals.types import RunConfig, Sample

Ways: TypeAlias = Mapping[str, Sequence[Any]]
"""Field of a `RunConfig` → the values that it is run with, one after the other."""


def variants(config: RunConfig, ways: Ways) -> dict[str, RunConfig]:
    """Return the configuration in every combination, by what tells each apart.

    A name is STRATEGY-SETTING, then the values of what else comes in several.
    """
    several = {name: tuple(values) for name, values in ways.items() if values}
    named = {}
    for chosen in product(*several.values()):
        values = dict(zip(several, chosen, strict=True))
        one = replace(config, **values)
        telling = [one.strategy, one.setting] + [
            "unbounded" if value is None else str(value)
            for name, value in values.items()
            if len(several[name]) > 1 and name not in ("strategy", "setting")
        ]
        named["-".join(telling)] = one
    return named


def run_matrix(
    config: RunConfig,
    sources: Sources,
    out: Path,
    *,
    ways: Ways | None = None,
    limit: int | None = None,
    ids: Sequence[str] = (),
    concurrency: int = 4,
    label: str = "",
    cluster: SharingCluster | None = None,
) -> Iterator[RunFolder]:
    """Run a configuration in every combination of `ways`; yield each folder as it ends.

    One combination runs in `out` itself; several run in folders of it named by what tells them
    apart; see `variants`.

    Args:
        config: what was chosen; see `evals.runs.config.pinned` for what is filled in.
        sources: where it finds what it names.
        out: the run's folder, or that of the runs.
        ways: what of it is run with several values.
        limit: the first so many samples.
        ids: these samples.
        concurrency: samples at once.
        label: what reports call the run, of one combination.
        cluster: whose workers ask the samples, so many at once on each.

    Raises:
        InputError: something that cannot be run; nothing of the matrix was then.
        BackendError: nothing answers where the model should be.
    """
    chosen = variants(config, ways or {})
    if label and len(chosen) > 1:
        raise InputError(f"--label {label!r} names one run: this command makes {len(chosen)}")
    for one in chosen.values():
        check_config(one, sources)
    check_prompt_folder(sources.prompts)
    with waiting(lambda: f"evals: the questions of {sources.data} are read"):
        samples = load_samples(
            sources.benchmark, sources.data, config.split, config.edition, limit=limit, ids=ids
        )
    snapshot = open_snapshot(sources.snapshot, sources.benchmark.language)
    searching = any(one.setting != "closed" for one in chosen.values())
    articles = held_articles(snapshot, samples) if searching else (0, 0)
    folders = {name: out / name if len(chosen) > 1 else out for name in chosen}
    left = [(one, _left(folders[name], one, samples)) for name, one in chosen.items()]
    if any(those for _, those in left):
        if sources.endpoint is not None:
            check_endpoint(sources.endpoint.model, sources.endpoint.base_url)
        for line in preflight(left, sources, snapshot, articles):
            say(f"evals: {line}")
    for name, one in chosen.items():
        with waiting(partial(_preparing, name)):
            whole = pinned(one, sources, snapshot, samples)
            record = replace(
                make_record(whole, sources, snapshot, samples),
                label=label,
                articles=articles,
                concurrency=concurrency,
                caveats=caveats(whole, sources, snapshot),
                selection=selection_of(limit, ids),
            )
        yield _run(record, sources, snapshot, folders[name], samples, concurrency, cluster)


def _preparing(name: str) -> str:
    return f"evals: {name} is prepared: models and indexes are looked up"


def _left(path: Path, config: RunConfig, samples: Sequence[Sample]) -> list[Sample]:
    """Return what a run has left to ask: each sample once for every epoch that lacks it."""
    begun = (path / "config.json").is_file()
    there = RunFolder.open(path).outcomes() if begun else {}
    return [
        sample
        for epoch in range(config.epochs)
        for sample in samples
        if there.get((sample.id, epoch), "missing") is not None
    ]


def _run(
    record: RunRecord,
    sources: Sources,
    snapshot: Snapshot,
    path: Path,
    samples: Sequence[Sample],
    concurrency: int,
    cluster: SharingCluster | None,
) -> RunFolder:
    config = record.config
    folder = RunFolder.begin(path, record)
    folder.lock()
    try:
        keep_samples(folder, samples)
        with told(f"{config.variant}, {config.setting}") as report:
            check_loop()
            if cluster is not None:
                state = predict_on(
                    cluster,
                    config,
                    sources,
                    samples,
                    folder,
                    concurrency=concurrency,
                    report=report,
                )
            else:
                with closing(open_asker(config, sources, snapshot, folder.path / CALLS)) as asker:
                    asked = predict(
                        sources.benchmark,
                        samples,
                        asker,
                        folder,
                        concurrency=concurrency,
                        report=report,
                    )
                    state = asyncio.run(asked)
        folder.put_in_order()
    finally:
        folder.close()
    said = f"{state.done} of {state.total} samples, {state.failed} failed"
    say(f"evals: {path}: {said}{_paid(state.usage)}")
    return folder


def _paid(usage: Usage) -> str:
    """Return what this process spent on a model; "" where none was called."""
    if not usage.calls:
        return ""
    tokens = f"{usage.tokens_in:,} tokens in and {usage.tokens_out:,} out"
    cost = "" if usage.cost_usd is None else f", ${usage.cost_usd:.2f}"
    return f"; {counted(usage.calls, 'call')}, {tokens}{cost}"


def all_failed(folder: RunFolder) -> str | None:
    """Return why the first question of a run failed where every one did, None otherwise."""
    outcomes = folder.outcomes()
    reasons = [outcomes.get(key) for key in folder.wanted()]
    if reasons and all(reason is not None for reason in reasons):
        return reasons[0]
    return None
