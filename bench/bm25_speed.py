"""BM25+ search and build against bm25s (numba) and rank_bm25 on synthetic chunks.

    python bench/bm25_speed.py [--chunks 100000] [--dumps ../shared/data/dumps] [--rounds 2]
    python bench/bm25_speed.py --chunks 1000000 --work FOLDER

Every measurement runs in a process of its own, see `bm25_steps.py`; searches of the two packages
take turns, and the best of all rounds counts. bm25s's method "bm25+" ranks as if δ were 0, so the
top ten are compared with an index of fanfold's in compat="rank_bm25", and latency is given for both
formulas. A million chunks take some fifteen minutes, 7 GB of memory (bm25s) and 3 GB of disk; with
--work the folder and the figures are kept, and the same command goes on where it was interrupted.
"""

from __future__ import annotations

import argparse
import json
import pickle
import tempfile
from pathlib import Path

import numpy as np
from bm25_steps import BATCH, KINDS, ROOT, Figures, measure

BUILDS = ("build plus", "build bm25s", "build compat")
SEARCHES = ("search plus", "search bm25s", "search compat", "share plus")
LARGEST_RANK_BM25 = 100_000


class Measurements:
    """What was measured so far, kept in the folder."""

    def __init__(self, work: Path) -> None:
        self._work = work
        self._path = work / "figures.json"
        self._all: dict[str, list[Figures]] = {}
        if self._path.exists():
            self._all = json.loads(self._path.read_text())

    def take(self, step: str, rounds: int, *more: str) -> None:
        """Measure until there are so many rounds of a step."""
        while len(self._all.get(step, [])) < rounds:
            self._all.setdefault(step, []).append(measure(step, self._work, *more))
            self._path.write_text(json.dumps(self._all))

    def best(self, step: str) -> Figures:
        """Return the least of each figure."""
        rounds = self._all[step]
        return {name: min(figures[name] for figures in rounds) for name in rounds[0]}

    def of(self, step: str) -> list[Figures]:
        """Return all rounds of a step."""
        return self._all[step]


def same_top_ten(work: Path, kind: str) -> str:
    """Say for how many queries both found the same ten, ties at the end aside."""
    ids, scores = pickle.loads((work / f"compat.{kind}.pickle").read_bytes())
    other_ids, other_scores = pickle.loads((work / f"bm25s.{kind}.pickle").read_bytes())
    same = 0
    for row in range(len(ids)):
        # Documents that tie with the tenth may be any of them; scores are float32 in bm25s.
        tie = scores[row, -1] * (1 + 1e-5)
        above = set(ids[row][scores[row] > tie].tolist())
        other = set(other_ids[row][other_scores[row] > tie].tolist())
        close = np.allclose(scores[row], other_scores[row], rtol=1e-5)
        same += above == other and close
    return f"{same}/{len(ids)}"


def report(work: Path, measured: Measurements, chunks: int) -> None:
    """Print the table."""
    ours, peer = measured.best("build plus"), measured.best("build bm25s")
    plus, compat = measured.best("search plus"), measured.best("search compat")
    bm25s = measured.best("search bm25s")
    print(f"{chunks:,} chunks; fanfold's figures for the published formula / as rank_bm25")
    print(f"{'':38}{'fanfold':>19}{'bm25s':>10}{'ratio':>8}   bound")

    def row(name: str, values: list[float], other: float, bound: str, unit: str) -> None:
        shown = " / ".join(f"{value:.3g}" for value in values)
        ratio = max(values) / other
        print(f"{name + ', ' + unit:38}{shown:>19}{other:>10.3g}{ratio:>8.2f}   {bound}")

    row("build", [ours["build"]], peer["build"], "below 1", "s")
    row("build, processor time", [ours["processor"]], peer["processor"], "", "s")
    row("build, peak memory", [ours["memory"]], peer["memory"], "2,048 MB", "MB")
    row("disk", [ours["disk"]], peer["disk"], "at most 1", "MB")
    row("import and open", [plus["open"], compat["open"]], bm25s["open"], "1 s", "s")
    row("first query", [plus["first"], compat["first"]], bm25s["first"], "0.3 s", "s")
    for kind in KINDS:
        mine = [plus[kind], compat[kind]]
        row(f"{kind} query", mine, bm25s[kind], "at most 0.5", "ms")
        row(f"{kind} query, bm25s without analysis", mine,
            bm25s[f"{kind} without analysis"], "", "ms")  # fmt: skip
        mine = [plus[f"{kind} batch"], compat[f"{kind} batch"]]
        row(f"{kind} query in batches of {BATCH}", mine, bm25s[f"{kind} batch"], "", "ms")
        print(f"{'  same top ten (as rank_bm25)':38}{same_top_ten(work, kind):>19}")
    print(f"batches of {BATCH} on two threads, of one; bound: 1.6 times as fast")
    for figures in measured.of("share plus"):
        for kind in KINDS:
            print(
                f"  {kind:8} {figures[f'{kind} faster']:.2f} times as fast; processor time "
                f"{figures[f'{kind} processor']:.2f} times, {figures[f'{kind} second']:.0%} of it "
                f"on the second thread; load average {figures['load']:.1f}"
            )
    if chunks <= LARGEST_RANK_BM25:
        rank = measured.best("search rank_bm25")
        for kind in KINDS:
            name = f"rank_bm25, {kind} query, ms"
            print(f"{name:38}{rank[kind]:>29.3g}{plus[kind] / rank[kind]:>8.4f}")


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--dumps", type=Path, default=ROOT / "../shared/data/dumps")
    parser.add_argument("--rounds", type=int, default=2, help="of every search")
    parser.add_argument("--work", type=Path, help="a folder to keep chunks, indexes and figures in")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bm25-") as folder:
        work = arguments.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        measured = Measurements(work)
        measured.take("generate", 1, str(arguments.chunks), str(arguments.dumps))
        for step in BUILDS:
            measured.take(step, 1)
        if arguments.chunks <= LARGEST_RANK_BM25:
            measured.take("search rank_bm25", 1)
        for turn in range(1, arguments.rounds + 1):
            for step in SEARCHES:
                measured.take(step, turn)
        report(work, measured, arguments.chunks)


if __name__ == "__main__":
    main()
