"""Write the digests by which the editions of FanOutQA are told apart.

    python bench/fanoutqa_editions.py FOLDER [--write]

FOLDER holds the four published files. A digest is of one item with its keys sorted; it holds
nothing of the item itself. Prints how many items each edition shares with the other.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from evals.benchmarks.editions import DIGESTS, digest_of_item
from evals.datafiles import read_json_list

FILES = {
    "nov23": ("fanout-final-dev-nov23.json", "fanout-final-test-nov23.json"),
    "jul26": ("fanout-final-dev.json", "fanout-final-test.json"),
}


def main() -> None:
    """Read the files, print the counts, and write the digests where asked to."""
    folder = Path(sys.argv[1])
    digests = {
        edition: {digest_of_item(item) for file in files for item in read_json_list(folder / file)}
        for edition, files in FILES.items()
    }
    both = digests["nov23"] & digests["jul26"]
    parts = {"both": both, **{edition: found - both for edition, found in digests.items()}}
    for name, found in parts.items():
        print(f"{name:<6} {len(found):>5} items")
    if "--write" in sys.argv:
        lines = {name: "".join(sorted(found)) for name, found in parts.items()}
        DIGESTS.write_text(json.dumps(lines, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
