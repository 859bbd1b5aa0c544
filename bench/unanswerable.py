"""How many questions that the sample cannot answer get a tick all the same, with nothing configured.

    python bench/unanswerable.py [--data bench/data/sample_unanswerable.jsonl]

A tick is a sub-question that no other waits for and that ends as "answered": what the reader takes
for the answer. Steps on the way may be answered rightly. Only totals are printed, by kind of
question, so that nobody tunes to single ones.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent import Agent  # noqa: E402
from agent.types import Answer  # noqa: E402


def outcome(answer: Answer) -> str:
    """Return the best status among the steps that the answer ends in."""
    if answer.abstained:
        return "abstained"
    needed = {id_ for step in answer.sub_questions for id_ in step.depends_on}
    last = {
        step.id for step in answer.sub_questions if step.kind == "core" and step.id not in needed
    }
    statuses = {one.status for one in answer.sub_answers if one.sub_question_id in last}
    return next((name for name in ("answered", "unsure") if name in statuses), "not_found")


async def main() -> None:
    """Ask every question and print how they ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = ROOT / "bench/data/sample_unanswerable.jsonl"
    parser.add_argument("--data", type=Path, default=default)
    arguments = parser.parse_args()
    records = [json.loads(line) for line in arguments.data.read_text("utf-8").splitlines()]
    kinds: dict[str, Counter[str]] = {}
    total: Counter[str] = Counter()
    agent = Agent()
    for record in records:
        ended = outcome(await agent.aask(record["question"]))
        kinds.setdefault(record["kind"], Counter())[ended] += 1
        total[ended] += 1
    columns = ("answered", "unsure", "not_found", "abstained")
    print(f"{'kind':32}" + "".join(f"{name:>11}" for name in columns))
    for kind, counted in [*sorted(kinds.items()), ("all", total)]:
        print(f"{kind[:31]:32}" + "".join(f"{counted[name]:11}" for name in columns))
    print(f"{total['answered']} of {len(records)} questions without an answer got a tick")


if __name__ == "__main__":
    asyncio.run(main())
