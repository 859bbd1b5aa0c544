"""Fits by what articles are compared that may be about what a question asks for.

    python bench/title_worth.py [--weights FILE] [--fit FILE] [--judge FILE]

Asks questions that a paragraph's title answers of the whole snapshot that the paragraphs make, and
takes all articles that were read for each (`agent.extractive.reader.told.all_told`). A conditional
logit (McFadden 1974) on the reader's margin and the nearness of question and sentence says how much
of the one is worth how much of the other: `NEARNESS_WORTH` of `agent.extractive.reader.certainty`.
Printed with it: for how many questions the right article comes first by the margin alone, by the
module's worth and by the fitted one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
from reader_accuracy import right  # noqa: E402
from reader_certainty import BESIDE, RIDGE, asked_of  # noqa: E402

from agent.extractive.language.names import without_bracket  # noqa: E402
from agent.extractive.reader.certainty import (  # noqa: E402
    LEAST_MARGIN,
    MOST_MARGIN,
    NEARNESS_WORTH,
)
from agent.extractive.reader.told import all_told  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402


def choices(path: Path, weights: Path) -> Iterator[tuple[np.ndarray, int]]:
    """Margin and nearness of all articles read for a question, [articles, 2], and which is right."""
    for asking in asked_of([path, *BESIDE], weights):
        read = all_told(
            asking.asked, asking.facts, asking.embedder, asking.reader, asking.sources.lead_of
        )
        titles = [without_bracket(fact.title) for fact, _ in read]
        rights = [right(title, asking.expected) for title in titles]
        if asking.expected and any(rights) and len(read) > 1:
            rows = [(told.margin, told.nearness) for _, told in read]
            table = np.clip(np.array(rows), [LEAST_MARGIN, -1], [MOST_MARGIN, 1])
            yield table, rights.index(True)


def fit(asked: Sequence[tuple[np.ndarray, int]]) -> np.ndarray:
    """Weights of margin and nearness, [2], by Newton's method with a ridge."""
    every = np.vstack([table for table, _ in asked])
    mean, scale = every.mean(0), every.std(0)
    beta = np.zeros(2)
    for _ in range(50):
        gradient, curvature = -RIDGE * beta, RIDGE * np.eye(2)
        for table, answer in asked:
            x = (table - mean) / scale
            odds = np.exp(x @ beta - (x @ beta).max())
            chances = odds / odds.sum()
            expected = chances @ x
            gradient = gradient + x[answer] - expected
            curvature = curvature + (x.T * chances) @ x - np.outer(expected, expected)
        beta += np.linalg.solve(curvature, gradient)
    weights: np.ndarray = beta / scale
    return weights


def main() -> None:
    """Fit, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    data = ROOT / "bench/data"
    parser.add_argument("--weights", type=Path, default=FOLDER / "reader.safetensors")
    parser.add_argument("--fit", type=Path, default=data / "certainty_titles.jsonl")
    parser.add_argument("--judge", type=Path, default=data / "judging_titles.jsonl")
    arguments = parser.parse_args()
    fitted_on, judged_on = (
        list(choices(path, arguments.weights)) for path in (arguments.fit, arguments.judge)
    )
    margin, nearness = fit(fitted_on)
    print(
        f"fitted: {margin:.3f} a margin of 1, {nearness:.1f} a cosine of 1: worth {nearness / margin:.0f}"
    )
    ways = {"the margin": 0.0, "the module": NEARNESS_WORTH, "fitted": nearness / margin}
    for name, asked in (("fitted on", fitted_on), ("not fitted on", judged_on)):
        for way, worth in ways.items():
            first = sum(int((table @ [1, worth]).argmax()) == answer for table, answer in asked)
            print(f"{name}, by {way}: the right one first for {first} of {len(asked)}")


if __name__ == "__main__":
    main()
