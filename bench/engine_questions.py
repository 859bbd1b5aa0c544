"""The extractive engine on questions it was not made on, over the embedded sample.

    python bench/engine_questions.py [originals lower paraphrases others unanswerable open dev …]
        [--every N] [--plans FILE] [-v]

originals, lower, paraphrases: the sample's questions as they are, in lower case without marks, and
in three other wordings each; loose string accuracy. others: questions of other people with their
answers; right where every part of the answer is there, and of what is asserted how much holds.
unanswerable: the share in which something is asserted. open: the share of key points of which the
answer holds most content words; open-more, dev-open: the same by others, each also with
"-unanswerable". later and twenty, each also with "-unanswerable": as others and
unanswerable, by one more writer, and by one in the manner of twenty people; more: the same by yet
another in the words of everyday. dev, dev-more, dev-third to dev-tenth, each also with
"-unanswerable", dev-paraphrases and dev-paraphrases-more: the same kinds of questions by other
writers, which may be read while something is mended. With --plans only the questions whose plans a file holds, by these plans:
what is then not right was not read rightly (bench/data/development_plans.jsonl).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent import Agent  # noqa: E402
from agent.citations import strip_marks  # noqa: E402
from agent.errors import ModelError  # noqa: E402
from agent.extractive import ExtractiveReasoner  # noqa: E402
from agent.extractive.language.stems import content_stems  # noqa: E402
from agent.extractive.planner.writer.model import Written  # noqa: E402
from agent.extractive.planner.writer.program import line_of  # noqa: E402
from agent.tools import Toolbox  # noqa: E402
from corpus import Snapshot  # noqa: E402
from corpus.sample import sample_snapshot  # noqa: E402
from evals.metrics.fanoutqa import string_accuracy  # noqa: E402
from retrieval.dense.embedders import shared_embedder  # noqa: E402
from retrieval.index import ensure_built, open_retriever  # noqa: E402

DATA = ROOT / "bench/data"
PARTS = ("originals", "lower", "paraphrases", "others", "unanswerable", "open")
BOTH = {
    "later": "sample_asked_later", "twenty": "sample_asked_by_twenty",
    "more": "sample_asked_by_more",
    "dev": "sample_development", "dev-more": "sample_development_more",
    "dev-third": "sample_development_third", "dev-fourth": "sample_development_fourth",
    "dev-fifth": "sample_development_fifth", "dev-sixth": "sample_development_sixth",
    "dev-seventh": "sample_development_seventh", "dev-eighth": "sample_development_eighth",
    "dev-ninth": "sample_development_ninth", "dev-tenth": "sample_development_tenth",
    "open-more": "open_questions_more", "dev-open": "open_questions_development",
}  # fmt: skip
"""Files that hold questions without an answer, too: of the kind "none"."""
FILES = {
    "paraphrases": "sample_paraphrases",
    "others": "sample_asked_by_others",
    "unanswerable": "sample_unanswerable",
    "open": "open_questions",
    "dev-paraphrases": "sample_paraphrases_development",
    "dev-paraphrases-more": "sample_paraphrases_development_more",
    "dev-paraphrases-third": "sample_paraphrases_development_third",
    **BOTH,
    **{f"{part}-unanswerable": name for part, name in BOTH.items()},
}
HELD_FROM = 0.6
"""Share of a key point's content words that must stand in an answer."""


def holds_both(part: str) -> bool:
    """Whether a part's file holds questions with an answer and without."""
    return part.removesuffix("-unanswerable") in BOTH


def is_open(part: str) -> bool:
    """Whether a part's questions ask for accounts."""
    return "open" in part


def records(path: Path) -> list[dict[str, Any]]:
    """The records of a file."""
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def questions(part: str) -> Iterator[tuple[str, str, Any]]:
    """(group, question, reference) of a part."""
    sample = json.loads((ROOT / "evals/sample/fanoutqa-dev.json").read_text(encoding="utf-8"))
    answers = {one["id"]: one["answer"] for one in sample}
    if part in ("originals", "lower"):
        for one in sample:
            text = one["question"]
            yield (
                part,
                re.sub(r"[^\w\s'’-]", "", text.lower()) if part == "lower" else text,
                one["answer"],
            )
    elif "paraphrases" in part:
        for one in records(DATA / f"{FILES[part]}.jsonl"):
            yield one["voice"], one["question"], answers[one["id"]]
    else:
        for one in records(DATA / f"{FILES[part]}.jsonl"):
            without_answer = part.endswith("-unanswerable")
            if holds_both(part) and (one["kind"] == "none") != without_answer:
                continue
            wanted = one.get("key_points") if is_open(part) else one.get("answer")
            yield one.get("why", one.get("kind", part)), one["question"], wanted


def points_held(points: list[str], text: str) -> float:
    """Share of key points of which an answer holds most content words."""
    said = set(content_stems(text))
    held = 0
    for point in points:
        wanted = set(content_stems(point))
        held += len(wanted & said) >= HELD_FROM * len(wanted)
    return held / len(points)


def beyond(wanted: Any, text: str) -> int:
    """How many lines of an answer name nothing of a reference of several parts: other members.

    String accuracy asks only whether the parts are there: a list of everything would be right.
    """
    if not isinstance(wanted, list | dict) or len(wanted) < 2:
        return 0
    named = [*wanted, *(wanted.values() if isinstance(wanted, dict) else ())]
    flat = (one for part in named for one in (part if isinstance(part, list) else [part]))
    parts = [str(one).casefold() for one in flat]
    lines = [line for line in text.casefold().splitlines() if re.search(r"[^\W\d_]{2}", line)]
    return sum(not any(part in line for part in parts) for line in lines)


class GivenPlans:
    """Plans questions as people wrote that they should be planned."""

    def __init__(self, path: Path) -> None:
        self.plans = {one["question"]: one for one in records(path)}
        self.asked = ""

    def write(self, question: str) -> list[Written]:
        """The plan of the question that is asked; it comes here with its names written out."""
        plan = self.plans[self.asked]
        lines = tuple(line for step in plan["steps"] if (line := line_of(step)))
        return [Written(plan["operator"], lines, 0.0)]


def reasoner_with(plans: GivenPlans) -> ExtractiveReasoner:
    """The extractive engine over the sample, with plans that are given."""
    snapshot = Snapshot.open(sample_snapshot("en"))
    ensure_built(snapshot.folder)
    toolbox = Toolbox(open_retriever(snapshot.folder), snapshot)
    return ExtractiveReasoner(shared_embedder(), snapshot, toolbox, planner=plans)


async def measure(part: str, every: int, verbose: bool, plans: GivenPlans | None = None) -> None:
    """Ask the questions of a part and print its figures."""
    reasoner = reasoner_with(plans) if plans is not None else None
    agent = Agent(strategy="agentic", style="long" if is_open(part) else "short", reasoner=reasoner)
    unanswerable = part.endswith("unanswerable")
    scores: list[float] = []
    words: list[int] = []
    asserted: list[bool] = []
    overfull = 0
    seconds: list[float] = []
    groups: dict[str, list[float]] = {}
    for group, question, wanted in list(questions(part))[::every]:
        if plans is not None:
            if question not in plans.plans:
                continue
            plans.asked = question
        began = time.perf_counter()
        try:
            answer = await agent.aask(question)
            # A mark's number is no part of what is answered.
            text, said = strip_marks(answer.text), not answer.abstained
        except ModelError as error:
            text, said = f"failed: {error}", False
        seconds.append(time.perf_counter() - began)
        asserted.append(said)
        words.append(len(text.split()) if said else 0)
        overfull += said and beyond(wanted, text) > 0
        if unanswerable:
            score = float(said)
        elif is_open(part):
            score = points_held(wanted, text) if said else 0.0
        elif part == "others" or holds_both(part):
            score = float(said and string_accuracy(wanted, text).strict)
        else:
            score = string_accuracy(wanted, text).loose if said else 0.0
        scores.append(score)
        groups.setdefault(group, []).append(score)
        if verbose:
            print(f"{score:.2f} {seconds[-1]:5.1f} s {question}\n      {text[:400]!r}", flush=True)
    n = len(scores)
    name = "asserted" if unanswerable else "key points held" if is_open(part) else "right"
    print(f"{part}: {name} {sum(scores) / n:.3f} of {n}, answered {sum(asserted) / n:.3f}, "
          f"median {sorted(seconds)[n // 2]:.1f} s")  # fmt: skip
    if not unanswerable and not is_open(part) and any(asserted):
        kept = [score for score, said in zip(scores, asserted, strict=True) if said]
        print(f"  of what is asserted holds {sum(kept) / len(kept):.3f}; "
              f"{overfull} of {len(kept)} name more than the reference does")  # fmt: skip
    if is_open(part) and any(asserted):
        print(f"  {sum(words) / sum(asserted):.0f} words an account")
    if len(groups) > 1:
        print("  " + ", ".join(f"{g} {sum(s) / len(s):.2f} ({len(s)})" for g, s in groups.items()))


def main() -> None:
    """Measure the parts named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART")
    parser.add_argument("--every", type=int, default=1, help="ask every Nth question")
    parser.add_argument("--plans", type=Path, help="plans that are given for questions")
    parser.add_argument("-v", "--verbose", action="store_true")
    arguments = parser.parse_args()
    plans = GivenPlans(arguments.plans) if arguments.plans else None
    for part in arguments.parts:
        asyncio.run(measure(part, arguments.every, arguments.verbose, plans))


if __name__ == "__main__":
    main()
