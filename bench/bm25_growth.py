"""BM25+ at three sizes, and what the line through them says of 40 million chunks.

    python bench/bm25_growth.py [--sizes 250000 500000 1000000] [--target 40000000]

Synthetic chunks and measurements are those of `bm25_steps.py`, without the other packages. Figures
of the target are an extrapolation by the least-squares line, not a measurement. A build analyses on
one thread and packs on another.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
from bm25_steps import ROOT, measure

ROWS = (
    ("build", "build, s"),
    ("build processor", "build, processor time, s"),
    ("build memory", "build, peak memory, MB"),
    ("disk", "disk, MB"),
    ("open", "import and open, s"),
    ("first", "first query, s"),
    ("text", "text query, one thread, ms"),
    ("content", "content query, one thread, ms"),
    ("memory", "search, peak memory, pages of the index included, MB"),
)


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[250_000, 500_000, 1_000_000])
    parser.add_argument("--target", type=int, default=40_000_000)
    parser.add_argument("--dumps", type=Path, default=ROOT / "../shared/data/dumps")
    arguments = parser.parse_args()
    columns = []
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory(prefix="bm25-") as folder:
            work = Path(folder)
            measure("generate", work, str(size), str(arguments.dumps))
            built = measure("build plus", work)
            columns.append(
                {
                    **measure("search plus", work),
                    "build": built["build"],
                    "build processor": built["processor"],
                    "build memory": built["memory"],
                    "disk": built["disk"],
                }
            )
    header = "".join(f"{size:>12,}" for size in arguments.sizes)
    print(f"{'chunks':54}{header}{arguments.target:>16,}")
    for key, name in ROWS:
        values = [column[key] for column in columns]
        slope, start = np.polyfit(arguments.sizes, values, 1)
        # A build holds two segments at most: its memory does not grow with the collection.
        then = max(values) if key == "build memory" else start + slope * arguments.target
        print(f"{name:54}" + "".join(f"{value:>12.4g}" for value in values) + f"{then:>16.4g}")


if __name__ == "__main__":
    main()
