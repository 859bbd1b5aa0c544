"""Fits and judges how certain the engine is of the words that settle a yes-or-no question.

    python bench/polar_accuracy.py [--files FILE …] [--weights FILE]

Asks the questions of some files, each of all texts of its file, as the engine reads them
(`agent.extractive.reader.polar`). Right is a question that is settled as its writer says; what
nothing settles should not be. A logistic regression is fitted on every other record; its weights are
printed as that module holds them. For these and for the module's own, on both halves: from some
probabilities on, how many questions are settled, how many of those rightly, and what share of those
that can be that is.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
from reader_certainty import Found, fit, report  # noqa: E402
from reader_data import polar_questions  # noqa: E402

from agent.extractive.finder.asked import read_asked  # noqa: E402
from agent.extractive.reader.polar import INTERCEPT, WEIGHTS, settled  # noqa: E402
from agent.extractive.reader.span import EmbeddedReader  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402
from retrieval.dense.embedders import shared_embedder  # noqa: E402

FROM = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
DATA = ROOT / "bench/data"


def found_in(path: Path, weights: Path) -> tuple[tuple[list[Found], list[Found]], list[int]]:
    """What the reader makes of the questions, and how many can be settled, of every other record."""
    reader, embedder = EmbeddedReader.open(weights), shared_embedder()
    records = [
        (number, list(group))
        for number, (_, group) in enumerate(
            groupby(polar_questions([path]), lambda one: id(one[0]))
        )
    ]
    facts = [f for _, group in records for window in group[0][0] for f in window.facts]
    titles = {fact.title.casefold(): fact.title for fact in facts}
    halves: tuple[list[Found], list[Found]] = ([], [])
    settleable = [0, 0]
    pointed: Counter[bool] = Counter()
    for number, group in records:
        for _, question, verdict, words in group:
            made = settled(
                read_asked(question, lambda name: titles.get(name.casefold())),
                facts,
                reader,
                embedder,
            )
            settleable[number % 2] += bool(verdict)
            if made is None:
                continue
            good = bool(verdict) and made.yes == (verdict == "yes")
            halves[number % 2].append(Found(tuple(made.features[n] for n in WEIGHTS), good))
            if verdict and words in made.fact.text:
                pointed[good] += 1
    print(f"{path.name}: of {sum(settleable)} it points at the fact that settles them for "
          f"{pointed.total()}, and says yes or no rightly for {pointed[True]} of these")  # fmt: skip
    return halves, settleable


def main() -> None:
    """Fit, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, nargs="+", default=sorted(DATA.glob("judging_polar_*.jsonl")))  # fmt: skip
    parser.add_argument("--weights", type=Path, default=FOLDER / "reader.safetensors")
    arguments = parser.parse_args()
    read = [found_in(path, arguments.weights) for path in arguments.files]
    weights, intercept = fit([one for (first, _), _ in read for one in first])
    print("fitted:", {n: round(float(w), 3) for n, w in zip(WEIGHTS, weights, strict=True)}, round(intercept, 3))  # fmt: skip
    for half, name in enumerate(("fitted on", "not fitted on")):
        found = [one for halves, _ in read for one in halves[half]]
        n = sum(settleable[half] for _, settleable in read)
        print(f"{name}: {n} questions that can be settled, words found for {len(found)}")
        x = np.array([one.features for one in found])
        own = 1 / (1 + np.exp(-(x @ np.array(list(WEIGHTS.values())) + INTERCEPT)))
        new = 1 / (1 + np.exp(-(x @ weights + intercept)))
        report("the module's weights", found, n, own.tolist(), FROM)
        report("the fitted weights", found, n, new.tolist(), FROM)


if __name__ == "__main__":
    main()
