"""Two hundred questions on a model server that fails three calls in ten, in every way that servers do.

    python bench/faulty_server.py [--questions 200] [--share 0.3] [--seed 7] [--snapshot DIR]

A server in a process of its own answers from what it is shown, and fails a share of the calls: 429,
5xx, cut connections, time-outs, broken JSON, replies cut off by the limit of tokens, empty bodies;
which calls hangs on what is asked, so that a run repeats. Questions are about the articles of a
snapshot, in all six strategies in turn, eight at once. Counted is how each ends: with an answer,
with the nearest passages, with the one line of an error, with a trace, or not at all in five
minutes. A step is accounted for where it has a status, and a reason unless it was answered.
Bounds: no trace, none that hangs, 97 % with an answer or passages, every step accounted for.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent import Agent  # noqa: E402
from agent.graph.parts import Wiring  # noqa: E402
from agent.llm.limits import Limits  # noqa: E402
from agent.llm.retries import RetryPolicy  # noqa: E402
from agent.settings import STRATEGY_NAMES, Settings  # noqa: E402
from agent.types import Answer  # noqa: E402
from bench.many_at_once import serving  # noqa: E402
from corpus.errors import FanfoldError  # noqa: E402
from corpus.sample import sample_snapshot  # noqa: E402
from corpus.store import Snapshot  # noqa: E402
from retrieval.index import ensure_built, open_retriever  # noqa: E402
from tests.faults import KINDS  # noqa: E402

AT_ONCE = 8
PATIENCE = 300.0
"""Seconds after which a question counts as hanging."""
ENDED = 0.97
POLICY = RetryPolicy(first_wait=0.01, longest_wait=0.1)
"""As it comes, but for the waits: what is counted is how questions end, not how long servers rest."""
TIMEOUT = 3.0
FORMS = ("What is told of {}?", "Which people and places are named beside {}?")


def serve(port: Any, seed: int, share: float) -> None:
    """Run the failing server until the process is ended."""
    from tests.fake_server import FakeServer
    from tests.faults import failing_at_random
    from tests.integration.test_flaky_server import ThreeSteps

    with FakeServer(ThreeSteps(), trouble=failing_at_random(seed, share, list(KINDS))) as server:
        port.put(server.url)
        time.sleep(36_000)


def unaccounted(answer: Answer, strategy: str) -> int:
    """Return how many steps of a plan were dropped without a word."""
    told = {one.sub_question_id: one for one in answer.sub_answers}
    if strategy in ("e2e", "agentic"):
        asked = [
            step
            for step in answer.sub_questions
            if step.kind == "core" or (step.kind == "background" and strategy == "agentic")
        ]
        dropped = sum(step.id not in told for step in asked)
    else:
        dropped = 0
    unsaid = sum(one.status in ("failed", "not_asked") and not one.error for one in told.values())
    silent = answer.abstained and answer.failure is not None and not answer.notes and not told
    return dropped + unsaid + silent


async def ask(
    agents: dict[str, Agent], strategy: str, question: str, statuses: Counter[str]
) -> tuple[str, int, str]:
    """Return how a question ended, its steps that are not accounted for, and what was said."""
    try:
        async with asyncio.timeout(PATIENCE):
            answer = await agents[strategy].aask(question)
    except TimeoutError:
        return "hung", 0, question
    except FanfoldError as error:
        return "error", 0, str(error)
    except Exception as error:
        return "trace", 0, f"{type(error).__name__}: {error}"
    statuses.update(one.status for one in answer.sub_answers)
    end = "passages" if answer.passages else "nothing" if answer.abstained else "answer"
    if end == "answer" and answer.notes:
        end = "answer, with notes"
    return end, unaccounted(answer, strategy), ""


async def main() -> None:
    """Ask, print, and say whether the bounds hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--snapshot", type=Path, help="folder; the embedded sample by default")
    given = parser.parse_args()
    with (
        Snapshot.open(given.snapshot or sample_snapshot("en")) as snapshot,
        serving(serve, given.seed, given.share) as url,
    ):
        ensure_built(snapshot.folder, "bm25")
        wiring = Wiring(
            snapshot=snapshot,
            retriever=open_retriever(snapshot.folder, "bm25"),
            limits=Limits(concurrency=24),
            policy=POLICY,
            timeout=TIMEOUT,
        )
        agents = {
            strategy: Agent(
                settings=Settings(strategy=strategy, model="m", base_url=url, k=4), wiring=wiring
            )
            for strategy in STRATEGY_NAMES
        }
        titles = sorted(snapshot.titles())
        # Another seed asks about other articles, too.
        titles = titles[given.seed % len(titles) :] + titles[: given.seed % len(titles)]
        places = asyncio.Semaphore(AT_ONCE)
        statuses: Counter[str] = Counter()

        async def one(number: int) -> tuple[str, int, str]:
            form = FORMS[number // len(titles) % len(FORMS)]
            question = form.format(titles[number % len(titles)])
            async with places:
                return await ask(agents, STRATEGY_NAMES[number % len(agents)], question, statuses)

        begun = time.perf_counter()
        ends = await asyncio.gather(*map(one, range(given.questions)))
        seconds = time.perf_counter() - begun
    counts = Counter(end for end, _, _ in ends)
    dropped = sum(number for _, number, _ in ends)
    for end in ("answer", "answer, with notes", "passages", "nothing", "error", "trace", "hung"):
        print(f"{end:22} {counts[end]:5}")
    for said, number in Counter(said for _, _, said in ends if said).most_common(5):
        print(f"  {number} × {said[:160]}")
    well = counts["answer"] + counts["answer, with notes"] + counts["passages"]
    print(f"answer or passages     {100 * well / len(ends):.1f} % of {len(ends)}")
    print(f"steps                  {', '.join(f'{n} {name}' for name, n in statuses.items())}")
    print(f"not accounted for      {dropped} steps")
    print(f"seconds                {seconds:.0f}")
    held = not counts["trace"] and not counts["hung"] and not dropped and well >= ENDED * len(ends)
    print("holds" if held else "DOES NOT HOLD")
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    asyncio.run(main())
