"""BM25+ at three sizes, and what the line through them says of 40 million chunks.

    python bench/bm25_growth.py [--sizes 250000 500000 1000000] [--target 40000000] [--work FOLDER]

Synthetic chunks and measurements are those of `bm25_steps.py`, without the other packages. Figures
of the target are an extrapolation by the least-squares line, not a measurement. A build analyses on
one thread and packs on another. `--order articles` makes chunks that stand together as those of
articles do. With --work chunks, indexes and figures are kept, and the same
command goes on where it was interrupted.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from bm25_speed import Measurements
from bm25_steps import ROOT

ROWS = (
    ("build plus", "build", "build, s"),
    ("build plus", "processor", "build, processor time, s"),
    ("build plus", "memory", "build, peak memory, MB"),
    ("build plus", "disk", "disk, MB"),
    ("search plus", "open", "import and open, s"),
    ("search plus", "open processor", "interpreter, import and open, processor time, s"),
    ("search plus", "first", "first query, s"),
    ("search plus", "first processor", "first query, processor time, s"),
    ("search plus", "text", "text query, one thread, ms"),
    ("search plus", "content", "content query, one thread, ms"),
    ("search plus", "memory", "search, peak memory, pages of the index included, MB"),
)


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[250_000, 500_000, 1_000_000])
    parser.add_argument("--target", type=int, default=40_000_000)
    parser.add_argument("--order", choices=("independent", "articles"), default="independent")
    parser.add_argument("--dumps", type=Path, default=ROOT / "../shared/data/dumps")
    parser.add_argument("--work", type=Path, help="a folder to keep chunks, indexes and figures in")
    arguments = parser.parse_args()
    columns = []
    with tempfile.TemporaryDirectory(prefix="bm25-") as folder:
        for size in arguments.sizes:
            work = (arguments.work or Path(folder)) / str(size)
            work.mkdir(parents=True, exist_ok=True)
            measured = Measurements(work)
            measured.take("generate", 1, str(size), str(arguments.dumps), arguments.order)
            measured.take("build plus", 1)
            measured.take("search plus", 1)
            columns.append(measured)
    header = "".join(f"{size:>12,}" for size in arguments.sizes)
    print(f"{'chunks':54}{header}{arguments.target:>16,}")
    for step, key, name in ROWS:
        values = [measured.best(step)[key] for measured in columns]
        slope, start = np.polyfit(arguments.sizes, values, 1)
        # A build holds two segments at most: its memory does not grow with the collection.
        constant = (step, key) == ("build plus", "memory")
        then = max(values) if constant else start + slope * arguments.target
        print(f"{name:54}" + "".join(f"{value:>12.4g}" for value in values) + f"{then:>16.4g}")


if __name__ == "__main__":
    main()
