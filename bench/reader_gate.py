"""What rules and the reader make of single questions together, on articles held out or for tuning.

    python bench/reader_gate.py [--data ../shared/data] [--weights FILE] [--part held out|tuning]
        [--limit N] [--save FILE]

Each question of SQuAD 2.0 is asked of the paragraphs of its article that hold most of its words,
its own among them: rules propose a value, the reader confirms it or reads by itself, as in the
engine. An answer is right where it equals one of SQuAD's after its normalisation or F1 with one is
at least 0.8. With --save, every proposal with the reader's margins is written, one JSON object a
line: thresholds are set on those of the tuning article alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from reader_accuracy import right  # noqa: E402
from reader_data import Case, squad_cases  # noqa: E402

from agent.extractive.finder.asked import Asked, read_asked  # noqa: E402
from agent.extractive.finder.facts import Fact, facts_of  # noqa: E402
from agent.extractive.finder.values import read_best  # noqa: E402
from agent.extractive.reader.confirmation import agreement, windows_around  # noqa: E402
from agent.extractive.reader.selection import select  # noqa: E402
from agent.extractive.reader.span import EmbeddedReader, Reader, Span  # noqa: E402
from agent.extractive.reader.values import MOST_READ, find_value, read_value  # noqa: E402
from agent.extractive.reader.windows import Window, windows_of  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402
from retrieval.dense.embedders import shared_embedder  # noqa: E402

PARAGRAPHS = 6
"""Of an article, read for a question."""


class Remembering:
    """A reader that reads nothing twice: a question's windows are read for several figures."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.reads_cells, self.is_sure = reader.reads_cells, reader.is_sure
        self._known: dict[tuple[str, str], list[Span]] = {}

    def read(self, question: str, windows: Sequence[Window]) -> list[Span]:
        """As the reader does."""
        new = [window for window in windows if (question, window.text) not in self._known]
        for window in new:
            self._known[question, window.text] = []
        for span in self._reader.read(question, new) if new else ():
            self._known[question, span.window.text].append(span)
        found = [span for window in windows for span in self._known[question, window.text]]
        return sorted(found, key=lambda span: -span.margin)


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


def measured(asked: Asked, facts: list[Fact], case: Case, reader: Reader) -> dict[str, Any]:
    """What rules propose and what the reader finds, with margins."""
    found: dict[str, Any] = {"question": case.question, "answers": list(case.answers)}
    proposed = read_best(asked, facts, shared_embedder())
    if proposed is not None:
        spans = reader.read(asked.text, windows_around(proposed.fact, facts))
        found["rules"] = {
            "value": proposed.value,
            "right": right(proposed.value, case.answers),
            "score": round(proposed.score, 3),
            "agreement": agreement(proposed.value, proposed.fact, spans),
        }
    spans = reader.read(asked.text, select(asked.text, windows_of(facts), MOST_READ))
    if spans:
        found["reader"] = {
            "value": spans[0].text,
            "right": right(spans[0].text, case.answers),
            "margin": round(spans[0].margin, 2),
        }
    own = read_value(asked, facts, reader, shared_embedder())
    if own is not None:
        found["own"] = {
            "value": own.text, "right": right(own.text, case.answers), "margin": own.margin
        }  # fmt: skip
    return found


def main() -> None:
    """Print how the questions end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--weights", type=Path, default=FOLDER / "reader.safetensors")
    parser.add_argument("--part", choices=["held out", "tuning"], default="held out")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--save", type=Path)
    arguments = parser.parse_args()
    reader = Remembering(EmbeddedReader.open(arguments.weights))
    path = arguments.data / "reading/squad2-dev-half.json.gz"
    cases = [case for case in squad_cases(path, arguments.part) if case.windows]
    chosen = cases[:: max(1, len(cases) // arguments.limit)] if arguments.limit else cases
    ends: dict[str, Counter[str]] = {name: Counter() for name in ("rules", "both")}
    saved = []
    for case in chosen:
        title = case.windows[0].facts[0].title
        pool = [one for one in cases if one.windows[0].facts[0].title == title]
        facts = evidence(case, pool)
        asked = read_asked(case.question, lambda name: None)
        if arguments.save:
            saved.append(measured(asked, facts, case, reader))
        told = "with" if case.answers else "without"
        proposed = read_best(asked, facts, shared_embedder())
        value = find_value(asked, facts, shared_embedder(), reader)
        said = proposed.value if proposed is not None else ""
        for name, text, sure in (
            ("rules", said, True),
            ("both", value.text if value else "", bool(value and value.sure)),
        ):
            end = "none" if not text else "" if sure else "unsure "
            end = end if end == "none" else end + (
                "right" if right(text, case.answers) else "wrong"
            )  # fmt: skip
            ends[name][f"{told} {end}"] += 1
    if arguments.save:
        arguments.save.write_text("".join(json.dumps(one) + "\n" for one in saved))
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
