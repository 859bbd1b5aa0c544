"""A run answered again from its recorded calls, with the network off."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from corpus.errors import InputError
from corpus.machine.loops import run_to_end
from evals.runs.exchange.imported import IMPORTED
from evals.runs.folder import RunFolder, RunRecord
from evals.runs.models import CALLS, EXTRACTIVE, Endpoint
from evals.runs.predict import predict_one
from evals.runs.samples import find_benchmark, kept_samples
from evals.runs.sources import Sources, open_snapshot
from evals.runs.system.asker import open_asker


def replay_run(folder: RunFolder, store_key: str | None = None) -> tuple[int, list[str]]:
    """Answer every sample again from the recorded calls.

    Args:
        folder: of the run.
        store_key: of the store of vectors that the run searched, where it searched one: it is
            asked again.

    Returns:
        The number of answers that are the same, and the ids of the samples whose answers are not.

    Raises:
        InputError: an imported run, or its snapshot is gone.
    """
    config = folder.record.config
    if config.model.startswith(IMPORTED):
        raise InputError(
            f"{folder.path} holds another system's answers: nothing was recorded of them"
        )
    sources = _recorded(folder.record, store_key)
    benchmark = sources.benchmark
    snapshot = open_snapshot(sources.snapshot, benchmark.language)
    if config.snapshot and snapshot.manifest.fingerprint != config.snapshot:
        raise InputError(
            f"{folder.path} was run on another snapshot than the one now in {snapshot.folder}"
        )
    samples = {sample.id: sample for sample in kept_samples(folder)}
    same, other = 0, []
    with closing(open_asker(config, sources, snapshot, folder.path / CALLS, replay=True)) as asker:
        for prediction in folder.predictions():
            if prediction.response is None:
                continue
            again = run_to_end(
                predict_one(benchmark, samples[prediction.sample_id], asker, prediction.epoch)
            )
            if again.response is not None and again.response.text == prediction.response.text:
                same += 1
            else:
                other.append(prediction.sample_id)
    return same, other


def _recorded(record: RunRecord, store_key: str | None) -> Sources:
    """Return where the run found what it drew on, as its folder says."""
    model = record.config.model
    return Sources(
        benchmark=find_benchmark(record.config.benchmark),
        data=Path(record.data),
        snapshot=Path(str(record.snapshot["folder"])),
        endpoint=(
            None if model == EXTRACTIVE else Endpoint(model=model, base_url=record.base_url or None)
        ),
        prompts=Path(record.prompts_folder) if record.prompts_folder else None,
        store=record.store,
        store_key=store_key,
    )
