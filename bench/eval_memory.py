"""Whether memory stays flat over a long run.

    python bench/eval_memory.py [--samples 2000] [--chunks 20]

A system that answers at once, with `chunks` chunks of 1,000 characters in every answer's account, so
that each prediction is as heavy as a real one. Prints the resident memory at each tenth, from the
first tenth on, and the growth in KiB a sample; keeping the predictions would show as their size.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from agent.types import Answer, Usage
from corpus.types import Chunk, Revision
from evals.benchmarks import BENCHMARKS
from evals.ports import Judges
from evals.runs.folder import RunFolder, RunRecord, run_id
from evals.runs.predict import Progress, predict, score
from evals.runs.samples import keep_samples
from evals.types import Passage, RunConfig, Sample
from retrieval.types import Hit

CONFIG = RunConfig(
    benchmark="fanoutqa",
    edition="sample",
    split="dev",
    data_sha256="",
    snapshot="",
    setting="open",
    strategy="baseline",
    model="at once",
    style="short",
    k=10,
)


class AtOnce:
    """Answers every question with chunks of its own."""

    def __init__(self, chunks: int) -> None:
        self._chunks = chunks

    @property
    def config(self) -> RunConfig:
        """The run's configuration."""
        return CONFIG

    async def ask(
        self,
        question: str,
        *,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        instructions: str = "",
        epoch: int = 0,
    ) -> Answer:
        """Make up an answer."""
        revision = Revision(page_id=1, rev_id=1, title="T", timestamp="", url="")
        hits = []
        for n in range(self._chunks):
            text = f"{question} {n} ".ljust(1_000, "x")
            chunk = Chunk(id=str(n), revision=revision, start=0, end=1_000, section="", text=text)
            hits.append(Hit(chunk=chunk, score=1.0, rank=n + 1, source="bm25"))
        return Answer(
            question=question,
            text=question,
            abstained=False,
            sub_questions=(),
            sub_answers=(),
            citations=(),
            suggestions=(),
            usage=Usage(),
            hits=tuple(hits),
        )


def resident() -> float:
    """Return the resident memory of this process in MiB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def main() -> None:
    """Run, score, and print the memory on the way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=2_000)
    parser.add_argument("--chunks", type=int, default=20)
    given = parser.parse_args()
    samples = [
        Sample(id=str(n), question=f"Question {n}?", reference=["yes"], groups={"category": "x"})
        for n in range(given.samples)
    ]
    tenth = max(1, given.samples // 10)
    seen: list[float] = []

    def watch(done: int) -> None:
        if done % tenth == 0:
            seen.append(resident())
            print(f"{done:8}{seen[-1]:10.1f} MiB", flush=True)

    def report(state: Progress) -> None:
        watch(state.done)

    with tempfile.TemporaryDirectory() as place:
        folder = RunFolder.begin(
            Path(place) / "run",
            RunRecord(
                id=run_id(CONFIG),
                config=CONFIG,
                data="",
                snapshot={},
                sample_ids=tuple(sample.id for sample in samples),
                tool_version="0",
            ),
        )
        keep_samples(folder, samples)
        print("run")
        fanoutqa = BENCHMARKS["fanoutqa"]
        asyncio.run(
            predict(fanoutqa, samples, AtOnce(given.chunks), folder, concurrency=16, report=report)
        )
        folder.close()
        size = folder.predictions_file.path.stat().st_size / 1024 / given.samples
        growth = 1024 * (seen[-1] - seen[0]) / (given.samples - tenth)
        print(f"growth {growth:.2f} KiB a sample; a prediction on disk has {size:.0f} KiB")
        seen.clear()
        print("score")
        asyncio.run(score(fanoutqa, samples, folder.predictions(), Judges(), report=watch))
        growth = 1024 * (seen[-1] - seen[0]) / (given.samples - tenth)
        print(f"growth {growth:.2f} KiB a sample, the scores themselves included")


if __name__ == "__main__":
    main()
