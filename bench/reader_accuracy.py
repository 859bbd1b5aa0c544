"""How well the reader finds answers, and tells that there is none.

    python bench/reader_accuracy.py [--data ../shared/data] [--weights FILE] [--part held out|tuning]
        [--pooled] [--limit N]

SQuAD 2.0, articles held out: an answerable question is right where the words found equal an answer
after SQuAD's normalisation (articles, case and punctuation aside) or F1 with one is at least 0.8,
an unanswerable one where nothing is found from the threshold. Tables held out: look-ups alone. Each
question is asked of its own paragraph or table; pooled, of the windows that the engine would choose
among all of the article, where more can look like an answer. Printed over thresholds of the
reader's margin, and of the certainty that the engine makes of it (`agent.extractive.reader.certainty`).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
from reader_data import Case, pooled, squad_cases, table_cases  # noqa: E402

from agent.extractive.finder.asked import read_asked  # noqa: E402
from agent.extractive.reader.certainty import (  # noqa: E402
    CERTAIN_FROM,
    certainty,
    pointed_at,
)
from agent.extractive.reader.named_reader import open_reader  # noqa: E402
from agent.extractive.reader.span import EmbeddedReader, Reader  # noqa: E402
from agent.extractive.reader.values import MOST_READ  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402
from evals.metrics.squad import exact_match, token_score  # noqa: E402
from retrieval.dense.embedders import shared_embedder  # noqa: E402


def right(said: str, answers: tuple[str, ...]) -> bool:
    """Whether the words found are an answer."""
    return bool(answers) and (exact_match(said, answers) or token_score(said, answers).f1 >= 0.8)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for a case."""

    answerable: bool
    right: bool
    margin: float = -99.0
    certainty: float = 0.0


def measure(reader: Reader, cases: list[Case]) -> list[Found]:
    """What the reader's likeliest words are worth, for every case."""
    found = []
    for case in cases:
        spans = reader.read(case.question, case.windows[:40])
        if not spans:
            found.append(Found(bool(case.answers), right=False))
            continue
        best = spans[0]
        asked = read_asked(case.question, lambda name: None)
        pointed = pointed_at(asked, best.text, best.fact, best.margin, spans, shared_embedder())
        sure = certainty(asked, best.text, best.fact, pointed)
        found.append(Found(bool(case.answers), right(best.text, case.answers), best.margin, sure))
    return found


MARGINS = (-4, -2, -1, 0, 1, 2, 3, 4, 6, 8, 12, 16)
CERTAINTIES = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, CERTAIN_FROM)


def report(found: list[Found], name: str, thresholds: tuple[float, ...]) -> None:
    """Print what is right, and what is left unsaid, from some thresholds on."""
    scores = np.array([getattr(one, name) for one in found])
    answerable = np.array([one.answerable for one in found])
    good = np.array([one.right for one in found])
    for threshold in thresholds:
        said = scores >= threshold
        kept = int((good & said & answerable).sum())
        none = (~said)[~answerable].mean() if (~answerable).any() else float("nan")
        print(f"  {name} from {threshold:4}: right {kept / answerable.sum():.3f}, "
              f"abstained of those without {none:.3f}, of what is said holds "
              f"{kept / max(1, int(said.sum())):.3f}")  # fmt: skip


def main() -> None:
    """Print the figures over thresholds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument(
        "--weights", type=Path, default=FOLDER / "reader.safetensors",
        help="file of the embedded reader, or folder of any that --reader of the agent opens",
    )  # fmt: skip
    parser.add_argument("--part", choices=["held out", "tuning"], default="held out")
    parser.add_argument("--pooled", action="store_true")
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    reader = open_reader(str(arguments.weights)) if arguments.weights.is_dir() else EmbeddedReader.open(arguments.weights)  # fmt: skip
    reading = arguments.data / "reading"
    sets = {
        "SQuAD": list(squad_cases(reading / "squad2-dev-half.json.gz", arguments.part)),
        "tables": list(table_cases(reading / "wikitablequestions-train.jsonl.gz", arguments.part)),
    }
    for name, cases in sets.items():
        if arguments.pooled:
            cases = list(pooled(cases, MOST_READ))
        cases = cases[:: max(1, len(cases) // arguments.limit)] if arguments.limit else cases
        found = measure(reader, cases)
        with_answer = [one.right for one in found if one.answerable]
        print(f"{name}, {arguments.part}: {len(with_answer)} with an answer, "
              f"{len(found) - len(with_answer)} without")  # fmt: skip
        print(f"  best words right, no threshold: {np.mean(with_answer):.3f}")
        report(found, "margin", MARGINS)
        report(found, "certainty", CERTAINTIES)


if __name__ == "__main__":
    main()
