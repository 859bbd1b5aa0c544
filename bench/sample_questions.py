"""The extractive engine on the sample's FanOutQA questions, with nothing configured.

    python bench/sample_questions.py [-v] [--strategy agentic]

Prints loose and strict string accuracy with their intervals, and with -v every question.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from agent import Agent  # noqa: E402
from agent.errors import ModelError  # noqa: E402
from evals.benchmarks.fanoutqa import load  # noqa: E402
from evals.metrics.fanoutqa import string_accuracy  # noqa: E402
from evals.metrics.statistics import bootstrap_mean  # noqa: E402

BOUND = 0.60


async def main() -> None:
    """Ask every question and print the accuracies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true", help="print every question")
    parser.add_argument("--strategy", default="agentic")
    arguments = parser.parse_args()
    samples = load(ROOT / "evals/sample", "dev", "sample")
    agent = Agent(strategy=arguments.strategy, style="short")
    loose, strict, seconds = [], [], []
    for sample in samples:
        began = time.perf_counter()
        try:
            answer = await agent.aask(sample.question)
            text = answer.text
        except ModelError as error:
            text = f"failed: {error}"
        seconds.append(time.perf_counter() - began)
        score = string_accuracy(sample.reference, text)
        loose.append(score.loose)
        strict.append(float(score.strict))
        if arguments.verbose:
            print(f"{score.loose:.2f} {seconds[-1]:5.1f} s  {sample.question}")
            if not score.strict:
                print("      missing:", ", ".join(score.missing))
                print("      " + text.replace("\n", "\n      ")[:1200])
    for name, values in (("loose", loose), ("strict", strict)):
        interval = bootstrap_mean(values)
        print(
            f"{name:6} {interval.mean:.3f} [{interval.low:.3f}, {interval.high:.3f}] n = {interval.n}"
        )
    print(f"first 25: loose {sum(loose[:25]) / 25:.3f}; bound {BOUND}")
    print(f"median {sorted(seconds)[len(seconds) // 2]:.1f} s a question")


if __name__ == "__main__":
    asyncio.run(main())
