"""How far the estimate of tokens lies from OpenAI's encodings, by kind of text.

python bench/token_estimate.py [--data ../shared/data]
"""

from __future__ import annotations

import argparse
import bz2
import json
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from agent.llm.tokens import Estimate, counter_for  # noqa: E402


def samples(data: Path) -> dict[str, list[str]]:
    """Texts of about one chunk, by kind."""
    passages = json.loads((data / "multihop/2wiki-passages.json").read_text("utf-8"))
    chinese = json.loads((data / "chinese/cmrc2018-dev.json").read_text("utf-8"))
    reports = (data / "researchy/reports-20.jsonl").read_text("utf-8").splitlines()
    found = {
        "English passages": [str(passage["text"]) for passage in passages[:800]],
        "English reports": [line[:20_000] for line in reports],
        "Chinese passages": [
            str(paragraph["context"])
            for article in chinese["data"]
            for paragraph in article["paragraphs"]
        ],
    }
    for kind, name in (
        ("wikitext", "enwiki-2014-11-wp2txt.xml.bz2"),
        ("wikitext tables", "enwiki-2017-tables-gensim.xml.bz2"),
    ):
        with bz2.open(data / "dumps" / name, "rt", encoding="utf-8") as file:
            text = file.read(600_000)[50_000:]
        found[kind] = [text[at : at + 1000] for at in range(0, len(text) - 1000, 1000)]
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    data = parser.parse_args().data
    exact = {"cl100k_base": counter_for("gpt-4-turbo"), "o200k_base": counter_for("gpt-4o")}
    estimate = Estimate()
    print("estimate / exact: sum over all texts, then the 5th and 95th percentile of single texts")
    print(f"{'text':20}{'n':>6}" + "".join(f"{name:>24}" for name in exact) + f"{'µs/kB':>8}")
    for kind, texts in samples(data).items():
        begun = time.perf_counter()
        guessed = [estimate(text) for text in texts]
        speed = (time.perf_counter() - begun) / sum(map(len, texts)) * 1e9
        row = f"{kind:20}{len(texts):6}"
        for count in exact.values():
            counted = [count(text) for text in texts]
            ratios = sorted(a / b for a, b in zip(guessed, counted, strict=True))
            low, high = ratios[len(ratios) // 20], ratios[-len(ratios) // 20]
            row += f"{sum(guessed) / sum(counted):>10.2f} ({low:.2f}, {high:.2f})"
        print(f"{row}{speed:8.0f}")


if __name__ == "__main__":
    main()
