"""String accuracy and ROUGE beside FanOutQA's public scorer: equality and speed, in one run.

    pip install --no-deps fanoutqa markdownify beautifulsoup4 soupsieve
    python bench/fanoutqa_scorer.py [--data ../shared/data/fanoutqa]

The public scorer's lemmatiser (a spaCy model that package registries do not carry) is replaced by
fanfold's in its own code, so that both are fed the same. Candidates: the gold answer as text, a
part of it, its parts in another order, the gold answer with noise, and another model's real answer.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from evals.metrics.fanoutqa import reference_text, string_accuracy  # noqa: E402
from evals.metrics.lemma import simplemma_lemmatiser  # noqa: E402
from evals.metrics.rouge import ROUGE_TYPES, rouge  # noqa: E402


def load_peer() -> tuple[Any, Any, Any]:
    """Import the public scorer's functions, and not its judge and BLEURT, which need more."""
    found = find_spec("fanoutqa")
    if found is None or not found.submodule_search_locations:
        sys.exit("the public scorer is not installed: see the first lines of this file")
    # The package's own __init__ imports the judge: a bare package in its place lets the modules
    # that are wanted load as they are.
    package = ModuleType("fanoutqa.eval")
    package.__path__ = [str(Path(found.submodule_search_locations[0]) / "eval")]
    sys.modules["fanoutqa.eval"] = package
    from fanoutqa import norm
    from fanoutqa.eval.string import answer_in_text
    from fanoutqa.eval.utils import str_answer

    return norm, answer_in_text, str_answer


def candidates(answer: Any, generator: random.Random, others: list[str]) -> list[str]:
    """Return several kinds of answers to one question."""
    text = reference_text(answer)
    lines = text.split("\n")
    shuffled = generator.sample(lines, len(lines))
    noise = " ".join("".join(generator.sample(word, len(word))) for word in text.split())
    return [text, "\n".join(lines[::2]), "\n".join(shuffled), f"{noise}\n{text.upper()}", *others]


def timed(run: Callable[[], list[Any]]) -> tuple[list[Any], float]:
    """Return a result and its seconds."""
    began = time.perf_counter()
    return run(), time.perf_counter() - began


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data/fanoutqa")
    data: Path = parser.parse_args().data
    norm, answer_in_text, str_answer = load_peer()
    from rouge_score.rouge_scorer import RougeScorer

    lemmatiser = simplemma_lemmatiser()
    norm.lemmatize = lambda text, remove_stopwords=False: lemmatiser.lemmatise(text)
    peer_rouge = RougeScorer(ROUGE_TYPES, use_stemmer=True)

    questions = json.loads((data / "fanout-final-dev.json").read_text("utf-8"))
    real = [
        json.loads(line)["answer"]
        for line in (data / "example-submission/results-openbook-gpt-4o.jsonl")
        .read_text("utf-8")
        .splitlines()
    ]
    generator = random.Random(7)
    pairs = [
        (question["answer"], candidate)
        for question in questions
        for candidate in candidates(question["answer"], generator, generator.sample(real, 2))
    ]

    ours, our_seconds = timed(
        lambda: [
            (
                string_accuracy(reference, text, lemmatiser).loose,
                rouge(reference_text(reference), text),
            )
            for reference, text in pairs
        ]
    )
    peers, peer_seconds = timed(
        lambda: [
            (
                answer_in_text(reference, text).score,
                peer_rouge.score(str_answer(reference), str_answer(text)),
            )
            for reference, text in pairs
        ]
    )
    strings = sum(mine[0] == peer[0] for mine, peer in zip(ours, peers, strict=True))
    rouges = sum(
        all(
            (mine[1][f"{name}_p"], mine[1][f"{name}_r"], mine[1][f"{name}_f"])
            == tuple(peer[1][name])
            for name in ROUGE_TYPES
        )
        for mine, peer in zip(ours, peers, strict=True)
    )
    print(f"{len(questions)} references, {len(pairs)} candidates")
    print(f"string accuracy equal: {strings}/{len(pairs)}")
    print(f"ROUGE equal:           {rouges}/{len(pairs)}")
    print(
        f"fanfold {our_seconds:.2f} s, public scorer {peer_seconds:.2f} s: "
        f"{peer_seconds / our_seconds:.1f} times faster (bound: 5)"
    )


if __name__ == "__main__":
    main()
