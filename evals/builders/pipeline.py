"""Stages in a row, a file of JSON Lines between each and the next.

A stage's file has one line for every input it has worked through, on disk before the next is
begun. A run that was killed goes on with the inputs that have no line yet; a torn last line is cut
off. The order of what a stage hands on is that of its inputs, whichever was done first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from agent.errors import ModelRefused, ReplyMalformed, ReplyTruncated
from corpus.progress import followed
from corpus.terminal import one_line
from evals.builders.folder import SynthesisFolder
from evals.builders.types import Each, Every, Item, Rejected, Stage, Step, reject
from evals.records import RecordFile, to_json, write_beside

CONCURRENCY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Generic[Item]):
    """What all stages came to."""

    items: tuple[Item, ...]
    rejected: tuple[Rejected[Item], ...]
    counts: tuple[tuple[str, int, int], ...]
    """Of every stage: its name, how many it kept, how many it rejected."""


async def run_stages(
    folder: SynthesisFolder,
    kind: type[Item],
    stages: Sequence[Stage[Item]],
    *,
    concurrency: int = CONCURRENCY,
) -> Outcome[Item]:
    """Run what has not been run yet.

    Args:
        folder: begun, and so locked.
        kind: the items' dataclass.
        stages: the first one is given nothing.
        concurrency: items at once within a stage.

    Raises:
        ModelError: the endpoint failed; what was done is kept, and the same call goes on.
    """
    items: tuple[Item, ...] = ()
    rejected: list[Rejected[Item]] = []
    counts: list[tuple[str, int, int]] = []
    for number, stage in enumerate(stages, start=1):
        lines: RecordFile[Step[Item]] = RecordFile(
            folder.stage_file(number, stage.name),
            Step[kind],  # type: ignore[valid-type]
        )
        if isinstance(stage, Every):
            steps = _run_every(lines, stage, items)
        else:
            steps = await _run_each(lines, stage, items, concurrency)
        items = tuple(item for step in steps for item in step.kept)
        refused = [one for step in steps for one in step.rejected]
        rejected += refused
        counts.append((stage.name, len(items), len(refused)))
    return Outcome(items=items, rejected=tuple(rejected), counts=tuple(counts))


def _run_every(
    lines: RecordFile[Step[Item]], stage: Every[Item], items: Sequence[Item]
) -> list[Step[Item]]:
    done = list(lines)
    if done:
        return done
    step = stage.work(items)
    write_beside(lines.path, lambda path: _write_line(path, to_json(step)))
    return [step]


def _write_line(path: Path, line: str) -> None:
    path.write_text(line + "\n", encoding="utf-8")


async def _run_each(
    lines: RecordFile[Step[Item]], stage: Each[Item], items: Sequence[Item], concurrency: int
) -> list[Step[Item]]:
    done = {step.input: step for step in lines}
    turns = asyncio.Semaphore(concurrency)
    missing = [item for item in items if item.id not in done]
    with followed("evals", "items", stage.name) as report:
        report(stage.name, len(done), len(items))

        async def work(item: Item) -> None:
            async with turns:
                try:
                    step = await stage.work(item)
                except (ModelRefused, ReplyMalformed, ReplyTruncated) as error:
                    # The model's word on this item alone; an endpoint that fails ends the run.
                    step = reject(item, stage.name, f"model: {one_line(str(error))}")
                lines.append(step)
                done[item.id] = step
                report(stage.name, len(done), len(items))

        tasks = [asyncio.create_task(work(item)) for item in missing]
        try:
            await asyncio.gather(*tasks)
        except BaseException:
            for one in tasks:
                one.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise
        finally:
            lines.close()
    return [done[item.id] for item in items]
