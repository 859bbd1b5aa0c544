"""Samples asked by workers: each has the system under test, and all share one exchange."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from agent.llm.limits import Limits
from corpus.cluster import LostError, Shared, SharingCluster, map_shards, process_name
from corpus.errors import InputError
from evals.runs.cluster.exchange import Exchange, Gone, RemoteCalls, RemoteLimiter
from evals.runs.folder import RunFolder
from evals.runs.models import CALLS, Endpoint
from evals.runs.predict import Progress, Tally, predict_one
from evals.runs.samples import find_benchmark
from evals.runs.sources import Sources, open_snapshot
from evals.runs.system.asker import open_asker
from evals.types import Prediction, RunConfig, Sample

WRITERS = 8
"""Records that are written at once."""
Shard = tuple[Sample, int]
"""A sample, and which of its epochs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Makes, in a worker, what asks samples."""

    config: RunConfig
    """Pinned; see `evals.runs.config.pinned`."""
    benchmark: str
    data: Path
    snapshot: Path | None
    endpoint: Endpoint | None
    prompts: Path | None
    calls: Path
    """On the machine that began the run."""
    exchange: Shared | None
    """None without a model."""
    store: str = ""
    """See `evals.runs.sources.Sources`."""
    store_key: str | None = None

    def __call__(self) -> Callable[[Shard], Prediction]:
        """Open what the samples are asked of.

        Raises:
            InputError: the worker's machine lacks the snapshot, or has another one.
        """
        benchmark = find_benchmark(self.benchmark)
        snapshot = open_snapshot(self.snapshot, benchmark.language)
        if self.config.snapshot and snapshot.manifest.fingerprint != self.config.snapshot:
            raise InputError(
                f"{snapshot.folder} on a worker's machine is another snapshot than here: put the"
                " same folder at the same path on every node"
            )
        endpoint = self.endpoint
        if endpoint is not None and self.exchange is not None:
            endpoint = replace(
                endpoint,
                limiter=RemoteLimiter(self.exchange, process_name()),
                kept=RemoteCalls(self.exchange, self.calls, process_name()),
            )
        sources = Sources(
            benchmark=benchmark,
            data=self.data,
            snapshot=self.snapshot,
            endpoint=endpoint,
            prompts=self.prompts,
            store=self.store,
            store_key=self.store_key,
        )
        asker = open_asker(self.config, sources, snapshot, self.calls)
        # One event loop for all samples of the worker: they share connections.
        loop = asyncio.new_event_loop()
        threading.Thread(target=loop.run_forever, daemon=True).start()

        def ask(shard: Shard) -> Prediction:
            sample, epoch = shard
            asked = predict_one(benchmark, sample, asker, epoch)
            return asyncio.run_coroutine_threadsafe(asked, loop).result()

        return ask


def predict_on(
    cluster: SharingCluster,
    config: RunConfig,
    sources: Sources,
    samples: Sequence[Sample],
    folder: RunFolder,
    *,
    concurrency: int = 4,
    report: Callable[[Progress], None] = lambda _: None,
) -> Progress:
    """Ask on a cluster every sample that has no prediction yet; see `evals.runs.predict.predict`.

    Args:
        cluster: whose workers ask; the snapshot lies at the same path on each machine.
        config: pinned.
        sources: what the run draws on.
        samples: the samples of the run, in order.
        folder: a locked run folder.
        concurrency: most samples under way at once on one worker.
        report: called after every sample.

    Raises:
        InputError: a worker's machine lacks what the run draws on.
        BackendError: workers die of a sample again and again.
    """
    tally = Tally.of(folder, samples)
    calls = (folder.path / CALLS).absolute()
    endpoint, exchange = sources.endpoint, None
    if endpoint is not None:
        exchange = cluster.share(Exchange(calls=calls, limits=endpoint.limits or Limits()))
    asking = Asking(
        config=config,
        benchmark=sources.benchmark.name,
        data=sources.data.absolute(),
        snapshot=sources.snapshot.absolute() if sources.snapshot is not None else None,
        endpoint=endpoint,
        prompts=sources.prompts.absolute() if sources.prompts is not None else None,
        calls=calls,
        exchange=exchange,
        store=sources.store,
        store_key=sources.store_key,
    )
    by_id = {sample.id: sample for sample in samples}
    shards = [(by_id[sample_id], epoch) for sample_id, epoch in tally.missing]
    written: deque[tuple[Future[None], Prediction]] = deque()

    def settle(most: int) -> None:
        while len(written) > most or (written and written[0][0].done()):
            future, prediction = written.popleft()
            future.result()
            tally.add(prediction)
            report(tally.state())

    def tell_lost(lost: LostError) -> None:
        if exchange is not None and lost.worker:
            exchange(Gone(worker=lost.worker))

    try:
        # A record waits for the disk as long as a fast model answers: several wait together.
        with ThreadPoolExecutor(WRITERS) as disk:
            for _, prediction in map_shards(
                [shards],
                cluster.seats(asking, lanes=concurrency),
                name=lambda shard: f"sample {shard[0].id}",
                lost=tell_lost,
            ):
                append = disk.submit(folder.predictions_file.append, prediction)
                written.append((append, prediction))
                settle(WRITERS)
        settle(0)
    finally:
        if exchange is not None:
            exchange.close()
    return tally.state()
