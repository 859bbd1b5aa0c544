"""How single steps end: the sample's sub-questions with their answer among the hits, and without it.

    python bench/reader_steps.py [--reader NAME] [--every N] [-v]

A step is a sub-question of the sample that one value answers. It is asked twice: of what retrieval
finds, where it should be answered, and of the same with every chunk left out that holds the answer,
where anything that is asserted as answered is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent.graph.parts import open_parts  # noqa: E402
from agent.settings import Settings  # noqa: E402
from agent.types import SubAnswer, SubQuestion  # noqa: E402
from evals.metrics.fanoutqa import string_accuracy  # noqa: E402

LONGEST = 12
"""Words of a value that still says the answer rather than quotes where it stands."""


def steps(questions: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """(sub-question, answer) of the steps that stand for themselves and that one value answers."""
    for one in questions:
        inner = one.get("decomposition") or []
        answer = one["answer"]
        if not inner and isinstance(answer, str | int | float) and one.get("evidence"):
            yield one["question"], str(answer)
        yield from steps(inner)


def right(answer: str, found: SubAnswer) -> bool:
    """Whether what was found says the answer in a few words."""
    said = ", ".join(found.items)
    return string_accuracy(answer, said).strict and len(said.split()) <= LONGEST + len(
        answer.split()
    )


async def main() -> None:
    """Ask every step and print how they ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reader", help="as of run_agent.py")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("-v", "--verbose", action="store_true")
    arguments = parser.parse_args()
    sample = json.loads((ROOT / "evals/sample/fanoutqa-dev.json").read_text(encoding="utf-8"))
    asked = dict(step for one in sample for step in steps(one["decomposition"]))
    counts = {"with": dict.fromkeys(("right", "unsure right", "wrong", "unsure", "none"), 0)}
    counts["without"] = dict.fromkeys(("wrong", "unsure", "none"), 0)
    seconds = []
    with closing(open_parts(Settings(style="short", reader=arguments.reader))) as parts:
        assert parts.toolbox is not None
        for text, answer in list(asked.items())[:: arguments.every]:
            hits = parts.toolbox.search(text)
            step = SubQuestion(id="1", text=text, kind="core")
            began = time.perf_counter()
            found = (await parts.reasoner.answer(step, hits)).sub_answer
            seconds.append(time.perf_counter() - began)
            holds = right(answer, found)
            ended = {"answered": "right" if holds else "wrong",
                     "unsure": "unsure right" if holds else "unsure"}.get(found.status, "none")  # fmt: skip
            counts["with"][ended] += 1
            rest = [hit for hit in hits if not string_accuracy(answer, hit.chunk.text).strict]
            other = (await parts.reasoner.answer(step, rest)).sub_answer if rest else None
            held = other is not None and any(
                string_accuracy(answer, c.quote).strict for c in other.citations
            )
            status = other.status if other is not None else "not_found"
            lost = {"answered": "wrong", "unsure": "unsure"}.get(status, "none")
            if not held:  # the whole article was read, and the answer with it
                counts["without"][lost] += 1
            if arguments.verbose and (ended != "right" or (lost == "wrong" and not held)):
                print(f"{ended:12} {text} | {answer} | {', '.join(found.items)[:100]}")
                if lost == "wrong" and not held and other is not None:
                    quote = other.citations[0].quote if other.citations else ""
                    print(f"    without: {', '.join(other.items)[:80]} from {quote[:160]!r}")
    for name, counted in counts.items():
        total = sum(counted.values())
        print(f"{name} the answer, {total} steps: "
              + ", ".join(f"{key} {n / total:.3f}" for key, n in counted.items()))  # fmt: skip
    print(f"median {sorted(seconds)[len(seconds) // 2]:.2f} s, all {sum(seconds):.1f} s")


if __name__ == "__main__":
    asyncio.run(main())
