"""How the extractive engine settles yes-or-no questions over the embedded sample.

    python bench/statements.py [--every N]

Asks the questions of bench/data/development_statements.jsonl, by a writer who saw no code: of 45 the
articles say yes, of 45 they give another value, 30 are traps (a box has a tempting value and does not
tell what the verb asks: rejected by, taught at, grew up in), 30 are about groups, kinds and single
things. Printed, for each of these: how many are told rightly, how many wrongly, how many are told
though no article tells, and how many of those that are to be told are not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent import Agent, Answer  # noqa: E402
from agent.citations import strip_marks  # noqa: E402

QUESTIONS = ROOT / "bench/data/development_statements.jsonl"
KINDS = ("yes", "no", "trap", "group")


def outcome(record: dict[str, Any], answer: Answer) -> str:
    """What became of a question: an answer that begins with neither yes nor no tells it wrongly."""
    if answer.abstained:
        return "silent" if record["answer"] else "rightly silent"
    said = strip_marks(answer.text).split(maxsplit=1)[0].strip(".,:;")
    if record["answer"] is None:
        return "told without an answer"
    return "right" if said == record["answer"] else "wrong"


async def ask(records: list[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """Ask all, and count what became of those of each kind."""
    agent = Agent(strategy="agentic", style="short")
    found: Counter[tuple[str, str]] = Counter()
    for record in records:
        found[record["kind"], outcome(record, await agent.aask(record["question"]))] += 1
    return found


def main() -> None:
    """Ask, and print a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="ask every Nth question")
    arguments = parser.parse_args()
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()[:: arguments.every]
    found = asyncio.run(ask([json.loads(line) for line in lines]))
    for kind in KINDS:
        told = {result: count for (of, result), count in sorted(found.items()) if of == kind}
        print(f"{kind}: {', '.join(f'{count} {result}' for result, count in told.items())}")


if __name__ == "__main__":
    main()
