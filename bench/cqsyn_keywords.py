"""Share of the published Compound-QA items that pass the rules of each type, keywords and structure.

python bench/cqsyn_keywords.py [DIR] [--show N]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from evals.builders.cq_syn.keywords import TYPES, missing_dimension  # noqa: E402
from evals.builders.cq_syn.structure import missing_part  # noqa: E402


def main() -> None:
    """Print a row a file and a row a type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=ROOT / "../shared/data/compound-qa")
    parser.add_argument("--show", type=int, default=0, help="print so many failures of each file")
    options = parser.parse_args()
    questions: dict[str, list[str]] = {type_: [] for type_ in TYPES}
    print(f"{'file':<45} {'items':>6} {'pass':>7}")
    for path in sorted(options.data.glob("*.jsonl")):
        type_ = path.stem.partition("_")[2].replace("-", "_")
        lines = path.read_text(encoding="utf-8").splitlines()
        own = [json.loads(line)["com_question"] for line in lines if line.strip()]
        failed = [q for q in own if missing_dimension(q, type_) is not None]
        questions[type_] += own
        print(f"{path.stem:<45} {len(own):>6} {1 - len(failed) / len(own):>7.1%}")
        for question in failed[: options.show]:
            print(f"    {missing_dimension(question, type_)}: {question}")
    print(f"\n{'type':<28} {'items':>6}   share that passes the rule of")
    print(" " * 35 + " ".join(f"{rule.partition('_')[0]:>12}" for rule in TYPES))
    for type_, own in questions.items():
        shares = [
            sum(missing_dimension(q, rule) is None for q in own) / max(1, len(own))
            for rule in TYPES
        ]
        print(f"{type_:<28} {len(own):>6} " + " ".join(f"{share:>12.1%}" for share in shares))
    print(f"\n{'type':<28} {'items':>6}   built as it asks")
    for type_, own in questions.items():
        whole = sum(not missing_part(question, type_) for question in own)
        print(f"{type_:<28} {len(own):>6} {whole / max(1, len(own)):>12.1%}")


if __name__ == "__main__":
    main()
