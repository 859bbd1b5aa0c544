"""How well steps of a plan are told apart: pairs that ask the same, and pairs that do not.

    python bench/step_pairs.py [--show]

Reads bench/data/step_pairs.tsv, whose pairs stood before the rules were written. Of the half "seen"
every mistake is printed with --show; of the half "kept" only how many there are.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from evals.benchmarks.plans.likeness import likeness  # noqa: E402
from evals.metrics.plan import THRESHOLD  # noqa: E402
from retrieval.dense.embedders import shared_embedder  # noqa: E402

PAIRS = ROOT / "bench/data/step_pairs.tsv"


def main() -> None:
    """Print, for each half, how many pairs of each sort are told rightly."""
    show = "--show" in sys.argv
    right: Counter[tuple[str, str]] = Counter()
    asked: Counter[tuple[str, str]] = Counter()
    with PAIRS.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            found = likeness(
                row["whole"], [row["gold"]], [row["own"]], shared_embedder(), filled=True
            )
            matched = found[0, 0] >= THRESHOLD
            key = row["half"], row["same"]
            asked[key] += 1
            right[key] += matched == (row["same"] == "yes")
            if show and row["half"] == "seen" and matched != (row["same"] == "yes"):
                print(f"{found[0, 0]:.2f} {row['same']:3} {row['gold']} | {row['own']}")
    for half in ("seen", "kept"):
        print(
            f"{half}: {right[half, 'yes']} of {asked[half, 'yes']} pairs that ask the same are "
            f"matched, {right[half, 'no']} of {asked[half, 'no']} others are not"
        )


if __name__ == "__main__":
    main()
