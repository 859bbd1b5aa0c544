"""How well the planner marks questions: operators, labels, whole questions.

    python bench/planner_accuracy.py FILE... [--qdmr ../shared/data/reading/qdmr.jsonl.gz]
        [--weights agent/extractive/weights/planner.safetensors] [--show N]

For every file: the share of questions whose operator is right, whose spans are all right, whose
spans are all right up to leading articles and quantifiers, and the F1 of the spans of each label.
For QDMR: the operator on the fifth that was not trained on.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from train_planner import marked, qdmr  # noqa: E402

from agent.extractive.planner.marks.tagger import Tagger  # noqa: E402
from agent.extractive.planner.marks.types import Mark, nested  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402

_LEADING = re.compile(r"^(?:the|a|an|each of|all of|all|each|every|both|of)\s+", re.IGNORECASE)


def trimmed(text: str, mark: Mark) -> tuple[str, str]:
    """A span's label and words without leading articles and quantifiers."""
    said = text[mark.start : mark.end].casefold()
    while (shorter := _LEADING.sub("", said)) != said:
        said = shorter
    return mark.label, said


def kept(marks: tuple[Mark, ...]) -> list[Mark]:
    """The marks that nest, as a plan uses them."""
    found: list[Mark] = []
    open_ = nested(marks)
    while open_:
        node = open_.pop()
        found.append(node.mark)
        open_.extend(node.inside)
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--qdmr", type=Path)
    parser.add_argument("--weights", type=Path, default=FOLDER / "planner.safetensors")
    parser.add_argument("--show", type=int, default=0, help="print so many questions read wrongly")
    arguments = parser.parse_args()
    tagger = Tagger.open(arguments.weights)
    for path in arguments.files:
        records = marked([path])
        right, exact, near = 0, 0, 0
        hits: Counter[str] = Counter()
        said: Counter[str] = Counter()
        gold: Counter[str] = Counter()
        shown = 0
        for record in records:
            tagged = tagger.tag(record["text"])
            operator = tagged.operator == record["op"]
            right += operator
            found = {(m.label, m.start, m.end) for m in kept(tagged.marks)}
            wanted = {(m.label, m.start, m.end) for m in record["marks"]}
            exact += found == wanted
            near += {trimmed(record["text"], m) for m in kept(tagged.marks)} == {
                trimmed(record["text"], m) for m in record["marks"]
            }
            hits.update(label for label, _, _ in found & wanted)
            said.update(label for label, _, _ in found)
            gold.update(label for label, _, _ in wanted)
            if shown < arguments.show and (not operator or found != wanted):
                shown += 1
                print(f"{tagged.operator:8} for {record['op']:8} {record['marked']}")
                for label, start, end in sorted(found - wanted):
                    print(f"    said   {label:3} {record['text'][start:end]}")
                for label, start, end in sorted(wanted - found):
                    print(f"    missed {label:3} {record['text'][start:end]}")
        n = len(records)
        print(f"{path.name}: {n} questions")
        print(f"  operator right {right / n:.3f}; all spans right {exact / n:.3f}, "
              f"up to articles {near / n:.3f}")  # fmt: skip
        total = 2 * sum(hits.values()) / max(sum(said.values()) + sum(gold.values()), 1)
        parts = ", ".join(
            f"{label} {2 * hits[label] / (said[label] + gold[label]):.2f}" for label in sorted(gold)
        )
        print(f"  F1 of spans {total:.3f}: {parts}")
    if arguments.qdmr:
        examples = qdmr(arguments.qdmr, held_out=True)
        right = sum(tagger.tag(e.text).operator == e.operator for e in examples)
        usual = Counter(e.operator for e in examples).most_common(1)[0]
        print(f"QDMR, held-out fifth: operator right {right / len(examples):.3f} of {len(examples)}; "
              f"always {usual[0]}: {usual[1] / len(examples):.3f}")  # fmt: skip


if __name__ == "__main__":
    main()
