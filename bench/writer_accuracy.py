"""How well the writer of steps plans: operators, plans, plans up to little words.

    python bench/writer_accuracy.py FILE... [--weights FOLDER] [--qdmr ../shared/data/reading/qdmr.jsonl.gz]
        [--every N] [--show N]

A plan is right where its operator and the kind, bound and words of every line are; "in other words"
where only little words (articles, auxiliaries) differ; "the same need" as plans_alike.py has it.
Printed with it: the share of plans that are at least as likely as each of a few bounds, and how many
of those are right in other words.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import sys
import zlib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from planner_steps import Asked, read  # noqa: E402
from plans_alike import EQUAL, EXACT, LOOSE, told  # noqa: E402

from agent.extractive.planner.writer.model import Writer, Written  # noqa: E402
from agent.extractive.planner.writer.program import Line  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402

BOUNDS = (-0.3, -1.0, -2.0, -3.0, -5.0)


def wanted(asked: Asked) -> tuple[str, tuple[Line, ...]]:
    """The plan of a block."""
    return asked.operator, asked.lines


SCORED = ("HOTPOT", "MUSIQUE", "FANOUT")
"""Question sets inside QDMR that fanfold scores."""


def qdmr(path: Path) -> list[tuple[str, str]]:
    """A fifth of the questions of QDMR, with the operator that its last steps stand for."""
    found = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            item = json.loads(line)
            if item["id"].upper().startswith(SCORED):
                continue
            if zlib.crc32(item["id"].encode()) % 5:
                continue
            operator = qdmr_operator(item["steps"], ast.literal_eval(item["operators"]))
            found.append((item["question"].strip(), operator))
    return found


def qdmr_operator(steps: list[str], operators: list[str]) -> str:
    """The planner's operator for a decomposition: what its last computing step does."""
    last = operators[-1].lower()
    text = steps[-1].lower()
    if last in ("aggregate", "group"):
        for word, name in (("number", "count"), ("sum", "sum"), ("average", "average")):
            if word in text:
                return name
        return "give"
    if last == "arithmetic":
        if "difference" in text:
            return "difference"
        return "sum" if "sum" in text else "average" if "average" in text else "give"
    if last == "boolean":
        return "same" if "same" in text else "yesno"
    return "give"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--weights", type=Path, default=FOLDER)
    parser.add_argument("--qdmr", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    arguments = parser.parse_args()
    writer = Writer.open(arguments.weights)
    shown = arguments.show
    for path in arguments.files:
        counts: Counter[str] = Counter()
        voices: dict[str, list[bool]] = {}
        scores: list[tuple[float, bool]] = []
        for asked in read(path)[0][:: arguments.every]:
            found = writer.write(asked.question)
            best = found[0] if found else Written("none", (), -99.0)
            operator, lines = wanted(asked)
            counts["all"] += 1
            counts["operator"] += operator == best.operator
            agree = {
                degree: told(operator, lines, degree) == told(best.operator, best.lines, degree)
                for degree in (EXACT, LOOSE, EQUAL)
            }
            counts.update(degree for degree, same in agree.items() if same)
            right = agree[LOOSE]
            scores.append((best.score, right))
            voices.setdefault(asked.voice, []).append(right)
            if shown and not agree[EQUAL]:
                shown -= 1
                print(asked.question)
                for name, plan in (("wanted", lines), ("written", best.lines)):
                    print(f"    {name}:", *(f"{li.kind} {li.bound}: {li.said} /" for li in plan))
        n = max(counts["all"], 1)
        print(f"{path.name}: {n} questions, operator right {counts['operator'] / n:.3f}, "
              f"plans right {counts[EXACT] / n:.3f}, in other words {counts[LOOSE] / n:.3f}, "
              f"the same need {counts[EQUAL] / n:.3f}")  # fmt: skip
        print("   ", *(f"{v} {sum(r) / len(r):.2f} ({len(r)})" for v, r in sorted(voices.items())))
        for bound in BOUNDS:
            likely = [right for score, right in scores if score >= bound]
            if likely:
                print(
                    f"    from {bound}: {len(likely) / n:.3f}, of which right {sum(likely) / len(likely):.3f}"
                )
    if arguments.qdmr:
        items = qdmr(arguments.qdmr)[:: arguments.every]
        good = sum(writer.operator(question) == operator for question, operator in items)
        print(f"QDMR held out: operator right {good / len(items):.3f} of {len(items)}")


if __name__ == "__main__":
    main()
