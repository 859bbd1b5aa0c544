"""Check files of marked questions against bench/data/PLANNER_GUIDE.md.

    python bench/planner_marks.py FILE...

Prints each line that does not hold to the guide, then the counts of labels, operators, voices.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent.extractive.planner.marks.types import OPERATORS, parse  # noqa: E402

VOICES = (
    "plain", "hasty", "polite", "command", "indirect", "spoken", "terse", "foreign", "formal",
)  # fmt: skip


def faults(record: dict[str, str]) -> list[str]:
    """What in one record does not hold to the guide."""
    found = [f"no {name}" for name in ("marked", "op", "voice", "subject") if not record.get(name)]
    if found:
        return found
    if record["op"] not in OPERATORS:
        found.append(f"unknown operator {record['op']!r}")
    if record["voice"] not in VOICES:
        found.append(f"unknown voice {record['voice']!r}")
    try:
        text, marks = parse(record["marked"])
    except ValueError as error:
        return [*found, str(error)]
    for mark in marks:
        span = text[mark.start : mark.end]
        if span != span.strip(" ,.;:?!"):
            found.append(f"{mark.label} {span!r}: spaces or punctuation at its edge")
        for edge in (mark.start, mark.end):
            if 0 < edge < len(text) and text[edge - 1].isalnum() and text[edge].isalnum():
                found.append(f"{mark.label} {span!r}: part of a word")
    labels = {mark.label for mark in marks}
    if record["op"] == "none" and marks:
        found.append("none has no marks")
    if record["op"] != "none" and not marks:
        found.append(f"{record['op']} needs marks")
    for pointer, things in (("RS", "S"), ("RM", "M"), ("RB", "B"), ("RA", "A")):
        if pointer in labels and things not in labels:
            found.append(f"{pointer} points at no {things}")
    if "RK" in labels and not labels & {"K+", "K-"}:
        found.append("RK points at no K")
    if record["op"] in ("count", "any") and "S" not in labels and "M" not in labels:
        found.append(f"{record['op']} needs an S or M")
    if record["op"] in ("sum", "average", "difference", "same", "explain") and "A" not in labels:
        found.append(f"{record['op']} needs an A")
    return found


def main() -> None:
    """Check the files named on the command line."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("op", "voice", "label")}
    bad = total = 0
    for path in map(Path, sys.argv[1:]):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if not line.strip():
                continue
            total += 1
            try:
                record = json.loads(line)
                found = faults(record)
            except json.JSONDecodeError as error:
                found = [str(error)]
            if found:
                bad += 1
                print(f"{path.name}:{number}: {'; '.join(found)}")
                continue
            counts["op"][record["op"]] += 1
            counts["voice"][record["voice"]] += 1
            counts["label"].update(mark.label for mark in parse(record["marked"])[1])
    print(f"{total} questions, {bad} to mend")
    for name, counter in counts.items():
        print(f"{name}: " + ", ".join(f"{key} {n}" for key, n in counter.most_common()))
    sys.exit(2 if bad else 0)


if __name__ == "__main__":
    main()
