"""One agent asked for long: does it keep what its questions open, or grow?

    python bench/long_life.py [--questions 2000] [--offline] [--snapshot DIR]

Questions go through one agent in turn: `ask`, `aask` of four at once, `aask` cancelled in the
middle, `events` left in the middle. A model on loopback, in a process of its own, answers from what
it is shown, and the steps and calls of every question are kept; with --offline the extractive
engine answers. After every hundred questions the descriptors, threads and resident memory of the
process are counted, with nothing under way. Bounds: after the first hundred, descriptors are at
most three more (a snapshot keeps up to four idle connections, as many as were needed at once),
threads no more than then, and memory at most 2 % more.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import aclosing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent import Agent  # noqa: E402
from bench.many_at_once import serving  # noqa: E402
from tests.descriptors import held, resident  # noqa: E402

GROWN = 1.02
IDLE = 3
AT_ONCE = 4
FORMS = ("What is told of {}?", "Where is {}, and since when?", "Who has to do with {}?")
WAYS = ("ask", "aask", "cancelled", "left")


async def at_once(agent: Agent, questions: list[str]) -> None:
    """Ask some questions at once."""
    await asyncio.gather(*map(agent.aask, questions))


async def cancelled(agent: Agent, question: str, after: float) -> None:
    """Ask, and cancel the question after some seconds."""
    task = asyncio.create_task(agent.aask(question))
    await asyncio.wait([task], timeout=after)
    task.cancel()
    await asyncio.wait([task])


async def left(agent: Agent, question: str, after: int) -> None:
    """Follow a question's events, and leave after some of them."""
    async with aclosing(agent.events(question)) as stream:  # type: ignore[type-var]
        async for _ in stream:
            after -= 1
            if after < 0:
                break


def live(agent: Agent, questions: int, chance: random.Random) -> list[tuple[int, int, int]]:
    """Ask all questions; return (descriptors, threads, KiB) after every hundred."""
    titles = sorted(agent.snapshot.titles())
    ways: Counter[str] = Counter()
    counted = []
    asked = turn = 0
    begun = time.perf_counter()
    while asked < questions:
        way = WAYS[turn % len(WAYS)]
        turn += 1
        number = AT_ONCE if way == "aask" else 1
        texts = [
            FORMS[place // len(titles) % len(FORMS)].format(titles[place % len(titles)])
            for place in range(asked, asked + number)
        ]
        if way == "ask":
            agent.ask(texts[0])
        elif way == "aask":
            asyncio.run(at_once(agent, texts))
        elif way == "cancelled":
            asyncio.run(cancelled(agent, texts[0], chance.uniform(0.0, 0.5)))
        else:
            asyncio.run(left(agent, texts[0], chance.randrange(6)))
        ways[way] += number
        asked += number
        if asked // 100 > len(counted):
            gc.collect()
            counted.append((*held(), resident()))
            descriptors, threads, memory = counted[-1]
            print(
                f"{asked:6,}  {descriptors:5} descriptors  {threads:3} threads  "
                f"{memory / 1024:8.1f} MiB  {time.perf_counter() - begun:7.0f} s",
                flush=True,
            )
    print(", ".join(f"{number:,} {way}" for way, number in ways.items()))
    return counted


def main() -> None:
    """Live, print, and say whether the bounds hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--offline", action="store_true", help="ask the extractive engine")
    parser.add_argument("--snapshot", help="folder; the embedded sample by default")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving() as url:
        options: dict[str, Any] = {"snapshot": given.snapshot}
        if not given.offline:
            options |= {"model": "m", "base_url": url, "calls": Path(folder) / "calls.sqlite"}
        with Agent(**options, checkpoints=Path(folder) / "runs.sqlite") as agent:
            counted = live(agent, given.questions, random.Random(7))
    first, later = counted[0], counted[1:] or counted
    descriptors, threads, memory = (max(each) for each in zip(*later, strict=True))
    print(f"descriptors after the first hundred  {first[0]}, at most {descriptors}")
    print(f"threads                              {first[1]}, at most {threads}")
    print(f"memory                               {100 * memory / first[2] - 100:+.1f} % at most")
    held_ = descriptors <= first[0] + IDLE and threads <= first[1] and memory <= GROWN * first[2]
    print("holds" if held_ else "DOES NOT HOLD")
    sys.exit(0 if held_ else 1)


if __name__ == "__main__":
    main()
