"""Runs a benchmark: every sample ends in exactly one prediction, flushed as it ends.

Failed samples are recorded with their reason and counted; running again asks only what is missing
or failed. What is already paid for is in the model's cache, so that even a question that was cut
off halfway repeats no finished call.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.types import Usage
from corpus.errors import FanfoldError
from corpus.faults import machine_fault
from corpus.terminal import one_line
from evals.answer_text import scored as words_of
from evals.judges.nobody import in_place_of
from evals.metrics.summary import DESCRIPTIVE, metric_names
from evals.ports import Asker, Benchmark, Judges
from evals.runs.folder import Key, RunFolder
from evals.types import FAILED, Prediction, Response, Sample, Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where a run stands, after every sample."""

    done: int
    """Predictions on disk, failed ones included."""
    failed: int
    total: int
    found: int
    """Predictions that were on disk when this process began."""
    usage: Usage
    """Of this process; what an earlier one paid is on disk."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts a run's predictions."""

    missing: list[Key]
    """What had none when this process began, or a failed one, in order."""
    total: int
    done: int
    failed: int = 0
    usage: Usage = field(default_factory=Usage)

    @classmethod
    def of(cls, folder: RunFolder, samples: Sequence[Sample]) -> Tally:
        """Return what a run has and lacks of these samples."""
        known = {sample.id for sample in samples}
        outcomes = folder.outcomes()
        keys = [key for key in folder.wanted() if key[0] in known]
        missing = [key for key in keys if outcomes.get(key, "missing") is not None]
        return cls(missing=missing, total=len(keys), done=len(keys) - len(missing))

    def add(self, prediction: Prediction) -> None:
        """Count one that is on disk."""
        self.done += 1
        self.failed += prediction.error is not None
        self.usage += prediction.usage

    def state(self) -> Progress:
        """Return where the run stands."""
        found = self.total - len(self.missing)
        return Progress(
            done=self.done, failed=self.failed, total=self.total, found=found, usage=self.usage
        )


async def predict(
    benchmark: Benchmark,
    samples: Sequence[Sample],
    asker: Asker,
    folder: RunFolder,
    *,
    concurrency: int = 4,
    report: Callable[[Progress], None] = lambda _: None,
) -> Progress:
    """Ask every sample that has no prediction yet, or a failed one.

    Args:
        benchmark: says how a sample is put to the system.
        samples: the samples of the run, in order.
        asker: the system under test.
        folder: a locked run folder.
        concurrency: most samples under way at once.
        report: called after every sample.
    """
    by_id = {sample.id: sample for sample in samples}
    tally = Tally.of(folder, samples)
    waiting = iter(tally.missing)

    async def work() -> None:
        # Workers draw from one iterator, so that a thousand samples are not a thousand tasks, and
        # none waits for the slowest of a batch.
        for sample_id, epoch in waiting:
            prediction = await predict_one(benchmark, by_id[sample_id], asker, epoch)
            await asyncio.to_thread(folder.predictions_file.append, prediction)
            tally.add(prediction)
            report(tally.state())

    await _together(work, min(concurrency, len(tally.missing)))
    return tally.state()


async def _together(work: Callable[[], Coroutine[Any, Any, None]], workers: int) -> None:
    """Have several workers do the same until nothing is left; what stops one stops all.

    Raises what stopped the first, as it is: a full disk is told to a person, and a group of one
    would be told as a fault of the program.
    """
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(work())
    except ExceptionGroup as stopped:
        ours = (error for error in stopped.exceptions if isinstance(error, FanfoldError))
        raise next(ours, stopped.exceptions[0]) from None


async def predict_one(benchmark: Benchmark, sample: Sample, asker: Asker, epoch: int) -> Prediction:
    """Ask one sample; whatever goes wrong becomes the prediction's error."""
    began = time.perf_counter()
    try:
        response = await benchmark.respond(asker, sample, epoch)
    except FanfoldError as error:
        if machine_fault(error) is not None:
            # A full disk does not mend itself for the next sample: the run ends, and goes on later.
            raise
        reason = one_line(str(error))
    except OSError as error:
        if machine_fault(error) is not None:
            raise
        # One sample's file may be lost alone: the run goes on and says so in the record.
        reason = one_line(f"{type(error).__name__}: {error}")
    else:
        return Prediction(
            sample_id=sample.id,
            epoch=epoch,
            response=response,
            seconds=time.perf_counter() - began,
            usage=sum_usage(answer.usage for answer in response.answers),
        )
    return Prediction(
        sample_id=sample.id, epoch=epoch, error=reason, seconds=time.perf_counter() - began
    )


async def score(
    benchmark: Benchmark,
    samples: Sequence[Sample],
    predictions: Iterable[Prediction],
    judges: Judges,
    *,
    concurrency: int = 4,
    report: Callable[[int], None] = lambda _: None,
) -> list[Score]:
    """Score the words of predictions; a failed one is unscored as "failed" and counts 0 in means.

    Where every one failed, no score says which metrics there are: each then holds the 0 itself.
    Predictions are drawn as workers become free, so a run is never in memory as a whole.
    """
    by_id = {sample.id: sample for sample in samples}
    scores: list[Score] = []
    waiting = iter(predictions)

    async def work() -> None:
        for prediction in waiting:
            if prediction.response is None:
                scored = Score(
                    sample_id=prediction.sample_id,
                    epoch=prediction.epoch,
                    unscored={FAILED: prediction.error or ""},
                )
            else:
                sample = by_id[prediction.sample_id]
                scored = replace(
                    await benchmark.score(sample, words_of(prediction.response), judges),
                    sample_id=sample.id,
                    epoch=prediction.epoch,
                    abstained=prediction.response.abstained,
                )
            scores.append(scored)
            report(len(scores))

    await _together(work, concurrency)
    if scores and all(FAILED in scored.unscored for scored in scores):
        zeros = dict.fromkeys(await _metrics_of(benchmark, samples, judges), 0.0)
        scores = [replace(scored, values=zeros) for scored in scores]
    order = {sample.id: position for position, sample in enumerate(samples)}
    return sorted(scores, key=lambda scored: (scored.epoch, order[scored.sample_id]))


async def _metrics_of(
    benchmark: Benchmark, samples: Sequence[Sample], judges: Judges
) -> Iterable[str]:
    """Return the metrics in which an answer to these samples has a value; no judge is called."""
    silent = in_place_of(judges)
    empty = Response(text="", abstained=True)
    found = [await benchmark.score(sample, empty, silent) for sample in samples]
    return [name for name in metric_names(found) if name not in DESCRIPTIVE]


def sum_usage(usages: Iterable[Usage]) -> Usage:
    """Add up usages; the cost is unknown as soon as one of calls that were made is."""
    total = Usage()
    for usage in usages:
        total += usage
    return total
