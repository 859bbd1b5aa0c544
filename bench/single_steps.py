"""How the extractive engine answers single steps over the embedded sample, each asked by itself.

    python bench/single_steps.py [--every N]

Asks the steps of bench/data/judging_steps.jsonl, by a writer who saw no code: 200 that one value of an
article answers, 120 that no article answers though it looks as if one did. Each goes the way that an
agent's steps go, to the check of citations. Printed, for both: how many are answered, unsure and not
found, and how many of the answers, and of what is shown as unsure, hold what answers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent.extractive.answers import StepAnswers  # noqa: E402
from agent.extractive.sources import Sources  # noqa: E402
from agent.graph.account import verified  # noqa: E402
from agent.graph.record.hits import Hits  # noqa: E402
from agent.types import SubAnswer, SubQuestion  # noqa: E402
from corpus import Snapshot  # noqa: E402
from corpus.sample import sample_snapshot  # noqa: E402
from evals.metrics.fanoutqa import string_accuracy  # noqa: E402
from retrieval.dense.embedders import shared_embedder  # noqa: E402
from retrieval.index import ensure_built, open_retriever  # noqa: E402

STEPS = ROOT / "bench/data/judging_steps.jsonl"
HITS = 10
"""Chunks read for a step."""


def answered(steps: list[str]) -> Iterator[SubAnswer]:
    """What becomes of each step."""
    snapshot = Snapshot.open(sample_snapshot("en"))
    ensure_built(snapshot.folder)
    retriever = open_retriever(snapshot.folder)
    engine = StepAnswers(shared_embedder(), Sources(snapshot, readable=True), None)
    for step in steps:
        question = SubQuestion(id="1", text=step, kind="core")
        hits = retriever.search([step], HITS)[0]
        found = engine.answer(question, hits)
        checked = verified(
            found, known=Hits(hits), evidence=True, question=step, confirms=engine.confirms
        )
        yield checked.sub_answer


def main() -> None:
    """Ask all, and print what became of those with and those without an answer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="ask every Nth step")
    arguments = parser.parse_args()
    lines = STEPS.read_text(encoding="utf-8").splitlines()[:: arguments.every]
    records = [json.loads(line) for line in lines]
    counts: Counter[tuple[bool, str, bool]] = Counter()
    answers = answered([record["step"] for record in records])
    for record, answer in zip(records, answers, strict=True):
        said = "; ".join(answer.items) or answer.text
        holds = any(string_accuracy(one, said).loose == 1.0 for one in record["answers"])
        counts[bool(record["answers"]), answer.status, holds] += 1
    for answerable, name in ((True, "with an answer"), (False, "without")):
        print(name, sum(n for (known, _, _), n in counts.items() if known == answerable))
        for status in ("answered", "unsure", "not_found"):
            right, wrong = (counts[answerable, status, holds] for holds in (True, False))
            held = f", {right} of them rightly" if answerable and status != "not_found" else ""
            print(f"  {status}: {right + wrong}{held}")


if __name__ == "__main__":
    main()
