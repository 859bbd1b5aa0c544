"""Share of the published Compound-QA items that pass the keyword filter of their own type.

python bench/cqsyn_keywords.py [DIR] [--show N]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from evals.synthesis.cq_syn.keywords import TYPES, missing_dimension  # noqa: E402


def main() -> None:
    """Print a row a file and a row a type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, default=ROOT / "../shared/data/compound-qa")
    parser.add_argument("--show", type=int, default=0, help="print so many failures of each file")
    options = parser.parse_args()
    passed = dict.fromkeys(TYPES, 0)
    total = dict.fromkeys(TYPES, 0)
    print(f"{'file':<45} {'items':>6} {'pass':>7}")
    for path in sorted(options.data.glob("*.jsonl")):
        type_ = path.stem.partition("_")[2].replace("-", "_")
        lines = path.read_text(encoding="utf-8").splitlines()
        questions = [json.loads(line)["com_question"] for line in lines if line.strip()]
        failed = [q for q in questions if missing_dimension(q, type_) is not None]
        passed[type_] += len(questions) - len(failed)
        total[type_] += len(questions)
        print(f"{path.stem:<45} {len(questions):>6} {1 - len(failed) / len(questions):>7.1%}")
        for question in failed[: options.show]:
            print(f"    {missing_dimension(question, type_)}: {question}")
    for type_ in TYPES:
        if total[type_]:
            print(f"{type_:<45} {total[type_]:>6} {passed[type_] / total[type_]:>7.1%}")


if __name__ == "__main__":
    main()
