"""What ranking and reading make of single questions together, on articles held out or for tuning.

    python bench/reader_gate.py [--data ../shared/data] [--weights FILE] [--part held out|tuning]
        [--limit N]

Each question of SQuAD 2.0 is asked of the paragraphs of its article that hold most of its words,
its own among them, as the engine asks a step: the sentence that ranks first is proposed and read,
else the reader reads by itself. An answer is right where it equals one of SQuAD's after its
normalisation or F1 with one is at least 0.8. Beside it the reader alone.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from reader_accuracy import right  # noqa: E402
from reader_data import Case, squad_cases  # noqa: E402

from agent.extractive.finder.asked import read_asked  # noqa: E402
from agent.extractive.finder.facts import Fact, facts_of  # noqa: E402
from agent.extractive.reader.selection import select  # noqa: E402
from agent.extractive.reader.span import EmbeddedReader  # noqa: E402
from agent.extractive.reader.values import find_value, read_value  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402
from retrieval.dense.embedders import shared_embedder  # noqa: E402

PARAGRAPHS = 6
"""Of an article, read for a question."""


def evidence(case: Case, pool: list[Case]) -> list[Fact]:
    """The facts of the paragraphs with most of a question's words, its own first."""
    own = {window.facts[0].hit.chunk.id for window in case.windows}
    near = {window.facts[0].hit.chunk.id: window.facts[0].hit for window in case.windows}
    others = [w for other in pool for w in other.windows]
    for window in select(case.question, others, 4 * PARAGRAPHS):
        if len(near) - len(own) + 1 >= PARAGRAPHS:
            break
        near.setdefault(window.facts[0].hit.chunk.id, window.facts[0].hit)
    return facts_of(near.values())


def main() -> None:
    """Print how the questions end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--weights", type=Path, default=FOLDER / "reader.safetensors")
    parser.add_argument("--part", choices=["held out", "tuning"], default="held out")
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    reader = EmbeddedReader.open(arguments.weights)
    path = arguments.data / "reading/squad2-dev-half.json.gz"
    cases = [case for case in squad_cases(path, arguments.part) if case.windows]
    chosen = cases[:: max(1, len(cases) // arguments.limit)] if arguments.limit else cases
    ends: dict[str, Counter[str]] = {name: Counter() for name in ("reader alone", "both")}
    for case in chosen:
        title = case.windows[0].facts[0].title
        pool = [one for one in cases if one.windows[0].facts[0].title == title]
        facts = evidence(case, pool)
        asked = read_asked(case.question, lambda name: None)
        told = "with" if case.answers else "without"
        for name, value in (
            ("reader alone", read_value(asked, facts, reader, shared_embedder())),
            ("both", find_value(asked, facts, shared_embedder(), reader)),
        ):
            text, sure = (value.text, value.sure) if value is not None else ("", False)
            end = "none" if not text else "" if sure else "unsure "
            end = end if end == "none" else end + (
                "right" if right(text, case.answers) else "wrong"
            )  # fmt: skip
            ends[name][f"{told} {end}"] += 1
    for name, counted in ends.items():
        for told in ("with", "without"):
            total = sum(n for key, n in counted.items() if key.startswith(told + " "))
            parts = [
                f"{key.partition(' ')[2]} {n / total:.3f}"
                for key, n in sorted(counted.items())
                if key.startswith(told + " ")
            ]
            print(f"{name}, {total} questions {told} an answer: {', '.join(parts)}")
        asserted = sum(
            n for key, n in counted.items() if key.split(" ", 1)[1] in ("right", "wrong")
        )
        held = counted["with right"] + counted["without right"]
        print(f"  of {asserted} asserted holds {held / max(1, asserted):.3f}")


if __name__ == "__main__":
    main()
