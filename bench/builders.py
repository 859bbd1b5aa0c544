"""What sets made by rules are like: what memory earns, how many comparisons are turned, and a draw to read.

    python bench/builders.py [--seeds 31415,2718] [--items 60] [--snapshot DIR] [--read N] [--draw SEED]

Makes a counterfactual set, a set of fact chains and one of compound questions for every seed, from
the embedded samples; --snapshot names another English one. Prints for each: items made; EM and token
F1 of the real answers against the counterfactual ones (at most 0.10), share of comparisons that
another wins than in truth (40 to 60 %); chains by domain, most that grow from one seed; compound
questions that pass the rules of their type. --read prints N items of each, drawn at random, to be
read against the criteria in docs/builders.md. Ends with 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from corpus.sample import sample_snapshot  # noqa: E402
from corpus.store import Snapshot  # noqa: E402
from evals.builders.counterfactual import builder as counterfactual  # noqa: E402
from evals.builders.cq_syn import builder as cq_syn  # noqa: E402
from evals.builders.cq_syn.keywords import missing_dimension  # noqa: E402
from evals.builders.cq_syn.structure import missing_part  # noqa: E402
from evals.builders.fact_chains import builder as fact_chains  # noqa: E402
from evals.builders.folder import SynthesisFolder  # noqa: E402
from evals.metrics.squad import exact_match, token_score  # noqa: E402


def draw(texts: list[str], count: int, seed: int) -> None:
    """Print some of the texts, drawn at random."""
    for text in random.Random(seed).sample(texts, min(count, len(texts))):
        print(f"\n{text}")


def worlds(snapshot: Snapshot, out: Path, options: argparse.Namespace, seed: int) -> bool:
    """Make a counterfactual set; return whether it keeps its bounds."""
    with SynthesisFolder.begin(out, {"builder": "counterfactual"}) as folder:
        made = counterfactual.make_counterfactual(
            snapshot, folder, counterfactual.Options(items=options.items, seed=seed)
        ).items
    real = [(item.factual.answer, [item.told.answer]) for item in made]
    earned = fmean(token_score(*pair).f1 for pair in real)
    compared = [item for item in made if item.type == "comparison"]
    turned = fmean(item.turned is not None for item in compared) if compared else 0.5
    print(
        f"counterfactual, seed {seed}: {len(made)} items; real answers: EM "
        f"{fmean(exact_match(*pair) for pair in real):.3f}, F1 {earned:.3f}; turned "
        f"{turned:.0%} of {len(compared)} comparisons"
    )
    draw(
        [
            f"{item.id}: {item.told.question}\n  {item.factual.answer} → {item.told.answer}\n  "
            + "\n  ".join(
                f"{q} {a}"
                for q, a in zip(item.told.sub_questions, item.told.sub_answers, strict=True)
            )
            + f"\n{item.told.passage}"
            for item in made
        ],
        options.read,
        options.draw,
    )
    return earned <= 0.1 and 0.4 <= turned <= 0.6


def chains(snapshot: Snapshot, out: Path, options: argparse.Namespace, seed: int) -> bool:
    """Make a set of chains; return whether it keeps its bounds."""
    with SynthesisFolder.begin(out, {"builder": "fact-chains"}) as folder:
        made = fact_chains.make_chains(
            snapshot, folder, fact_chains.Options(items=options.items, seed=seed)
        ).items
    domains = Counter(item.domain for item in made)
    most = max(Counter((item.kind, item.chain[0].question) for item in made).values())
    print(
        f"fact-chains, seed {seed}: {len(made)} items; "
        + ", ".join(f"{domain} {count}" for domain, count in domains.most_common())
        + f"; at most {most} of a length from one seed"
    )
    draw(
        [
            f"{item.id}: {item.question}\n  "
            + " → ".join("/".join(link.answers) for link in item.chain)
            for item in made
        ],
        options.read,
        options.draw,
    )
    return most <= 2


def compounds(snapshot: Snapshot, out: Path, options: argparse.Namespace, seed: int) -> bool:
    """Make a set of compound questions; return whether all are of their type."""
    with SynthesisFolder.begin(out, {"builder": "cq-syn"}) as folder:
        made = cq_syn.make_compound(
            snapshot, folder, cq_syn.Options(items=options.items // 2, seed=seed)
        ).items
    whole = sum(
        missing_dimension(item.question, item.type) is None
        and not missing_part(item.question, item.type)
        for item in made
    )
    print(f"cq-syn, seed {seed}: {len(made)} items, {whole} pass the rules of their type")
    draw([f"{item.question}\n  {item.reference}" for item in made], options.read, options.draw)
    return whole == len(made)


def main() -> None:
    """Make the sets and print what they are like."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seeds", default="31415,2718")
    parser.add_argument("--items", type=int, default=60)
    parser.add_argument("--snapshot", type=Path)
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--draw", type=int, default=1)
    options = parser.parse_args()
    english = Snapshot.open(options.snapshot or sample_snapshot("en"))
    chinese = Snapshot.open(sample_snapshot("zh"))
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        for seed in map(int, options.seeds.split(",")):
            kept &= worlds(english, Path(folder) / f"cf{seed}", options, seed)
            kept &= compounds(english, Path(folder) / f"cq{seed}", options, seed)
            if options.snapshot is None:
                kept &= chains(chinese, Path(folder) / f"fc{seed}", options, seed)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
