"""The extractive engine on texts that nothing was trained on: 80 paragraphs, 1,040 questions.

    python bench/written_questions.py [FILE] [--every N] [--reader FOLDER] [--certain P] [-v]

FILE (bench/data/judging_reading.jsonl) holds paragraphs with eight questions each that it answers in
other words and five that it seems to answer, or boxes and tables (judging_cells.jsonl). They make a snapshot of an article a paragraph; the
agent is asked each question. Right is an answer that equals the expected one after SQuAD's
normalisation or whose F1 with it is at least 0.8. Printed: how many are right, what share of the
answers asserted is right, and on how many without an answer something is asserted.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from reader_accuracy import right  # noqa: E402

from agent import Agent  # noqa: E402
from agent.extractive.reader.span import EmbeddedReader  # noqa: E402
from agent.types import Answer  # noqa: E402
from corpus.builder.snapshot import build_snapshot  # noqa: E402
from retrieval.index import ensure_built  # noqa: E402


def as_articles(path: Path, out: Path) -> Path:
    """Write the paragraphs in the form of HotpotQA's contexts, which a snapshot is built from."""
    lines = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        paragraph = json.loads(line)
        text = paragraph.get("text") or "\n".join(paragraph["lines"])
        record = {
            "_id": str(number), "question": "", "answer": "", "supporting_facts": [],
            "context": [[paragraph["title"], [text]]],
        }  # fmt: skip
        lines.append(json.dumps(record))
    out.write_text("\n".join(lines), encoding="utf-8")
    return out


def end_of(answer: Answer, expected: str) -> str:
    """How a question ended: "right", "wrong", "unsure", "none"."""
    if answer.abstained:
        unsure = any(one.status == "unsure" for one in answer.sub_answers)
        return "unsure" if unsure else "none"
    said = ", ".join(answer.items) or answer.text
    return "right" if expected and right(said, (expected,)) else "wrong"


def main() -> None:
    """Ask, and print how the questions ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "file", nargs="?", type=Path, default=ROOT / "bench/data/judging_reading.jsonl"
    )
    parser.add_argument("--every", type=int, default=1, help="ask every Nth question")
    parser.add_argument("--first", type=int, default=0, help="from this one on")
    parser.add_argument("--reader", help="another's folder")
    parser.add_argument("--certain", type=float, help="from which the reader's own words assert")
    parser.add_argument("-v", "--verbose", action="store_true")
    arguments = parser.parse_args()
    if arguments.certain is not None:
        EmbeddedReader.certain_from = arguments.certain
    ends: dict[str, Counter[str]] = {"with": Counter(), "without": Counter()}
    with tempfile.TemporaryDirectory(prefix="written-") as scratch:
        source = as_articles(arguments.file, Path(scratch) / "paragraphs.jsonl")
        folder = Path(scratch) / "snapshot"
        build_snapshot([source], folder, date="2026-01-01")
        ensure_built(folder)
        asked = [
            (question, expected)
            for line in arguments.file.read_text(encoding="utf-8").splitlines()
            for question, expected in json.loads(line)["questions"]
        ]
        with Agent(snapshot=folder, style="short", reader=arguments.reader) as agent:
            for question, expected in asked[arguments.first :: arguments.every]:
                answer = agent.ask(question)
                end = end_of(answer, expected)
                ends["with" if expected else "without"][end] += 1
                if arguments.verbose:
                    found = [(one.status, one.items, one.error) for one in answer.sub_answers]
                    print(f"{end} | {question} | {expected} | {found}", flush=True)
    said = sum(counts["right"] + counts["wrong"] for counts in ends.values())
    true = ends["with"]["right"]
    print(f"right {true / max(sum(ends['with'].values()), 1):.3f} of {sum(ends['with'].values())}; "
          f"asserted of {sum(ends['without'].values())} without an answer "
          f"{ends['without']['wrong'] / max(sum(ends['without'].values()), 1):.3f}; "
          f"of {said} asserted holds {true / max(said, 1):.3f}")  # fmt: skip
    for name, counts in ends.items():
        print(f"  {name} an answer: {', '.join(f'{end} {n}' for end, n in counts.most_common())}")


if __name__ == "__main__":
    main()
