"""Two faults of the extractive engine: a part of a question lost, and one box's value for another's.

    python bench/parts_and_boxes.py [-v] [--held] [--data ../shared/data] [--keep FOLDER]

A question of two parts counts as asked where each part stands in a step of its plan. Of questions
whose label stands in several boxes of an article, or before a whole line of people in several
roles, those are counted where a value that is not the one asked for got a tick, and those where the
right one got it. `--held` takes the half that was not looked at while the code was written.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent import Agent  # noqa: E402
from agent.types import Answer  # noqa: E402

DUMPS = {
    "2014": ("enwiki-2014-11-wp2txt.xml.bz2", "2014-11-30"),
    "2019": ("enwiki-2019-camchenry.xml.bz2", "2019-09-30"),
    "2021": ("enwiki-2021-dbpedia.xml.bz2", "2021-12-31"),
}


def records(name: str, held: bool) -> list[dict[str, Any]]:
    """Return one half of the questions of a file."""
    lines = (ROOT / "bench/data" / name).read_text("utf-8").splitlines()
    return [one for one in map(json.loads, lines) if one["held"] == held]


def unasked(answer: Answer, parts: list[str]) -> list[str]:
    """Return the parts of a question that no step of its plan asks."""
    said = [step.text.casefold().rstrip(" ?") for step in answer.sub_questions]
    return [part for part in parts if not any(re.fullmatch(part, one) for one in said)]


def ticked(answer: Answer) -> list[str]:
    """Return the values that got a tick: those of steps that no other waits for."""
    if answer.abstained:
        return []
    needed = {id_ for step in answer.sub_questions for id_ in step.depends_on}
    return [
        item
        for one in answer.sub_answers
        if one.status == "answered" and one.sub_question_id not in needed
        for item in one.items
    ]


def snapshot(dump: str, data: Path, keep: Path) -> Path:
    """Return the folder of a dump's snapshot, built where it is not there yet."""
    folder = keep / dump
    if not folder.exists():
        source, date = DUMPS[dump]
        build = [str(data / "dumps" / source), "--date", date, "--out", str(folder)]
        subprocess.run([sys.executable, "-m", "corpus", "build", *build], check=True)
        index = ["retrieval", "build", str(folder), "--bm25-only"]
        subprocess.run([sys.executable, "-m", *index], check=True)
    return folder


async def main() -> None:
    """Ask every question and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true", help="print every question")
    parser.add_argument("--held", action="store_true", help="the held-back half")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--keep", type=Path, help="folder of the snapshots")
    arguments = parser.parse_args()
    keep = arguments.keep or Path(tempfile.mkdtemp(prefix="fanfold-boxes-"))
    two = records("two_part_questions.jsonl", arguments.held)
    agent, asked, answered = Agent(), 0, 0
    for one in two:
        answer = await agent.aask(one["question"])
        left = unasked(answer, one["parts"])
        asked += not left
        answered += not answer.abstained
        if arguments.verbose:
            print(f"{one['question']}\n  not asked: {left}\n  {answer.text}")
    boxes = records("repeated_label_questions.jsonl", arguments.held)
    agents: dict[str, Agent] = {}
    wrong = right = 0
    for one in boxes:
        if one["dump"] not in agents:
            folder = snapshot(one["dump"], arguments.data, keep)
            agents[one["dump"]] = Agent(snapshot=folder)
        answer = await agents[one["dump"]].aask(one["question"])
        values = ticked(answer)
        fits = [any(good in value for good in one["right"]) for value in values]
        # A whole line of people is not the one who was asked for.
        fits = [fit and len(value) < 60 for fit, value in zip(fits, values, strict=True)]
        wrong += not all(fits)
        right += bool(fits) and all(fits)
        if arguments.verbose:
            print(f"{one['question']} of {one['right']}\n  ticked: {values}\n  {answer.text}")
    print(
        f"questions of several parts: every part asked in {asked} of {len(two)}, {answered} answered"
    )
    possible = sum(bool(one["right"]) for one in boxes)
    print(
        f"labels that stand several times: wrong tick in {wrong} of {len(boxes)}, "
        f"right in {right} of {possible} that have one"
    )


if __name__ == "__main__":
    asyncio.run(main())
