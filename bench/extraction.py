"""Speed of extraction beside mwparserfromhell's `strip_code`, on the same real pages.

    python bench/extraction.py [DUMPS]

One process; both read every page once a round, in turn, page by page, so that a busy machine slows
both alike; the best of the rounds counts for each. Megabytes are of wikitext in UTF-8.
`strip_code` only drops markup: it keeps no boxes, no heads of tables, no words of templates.
The first column is mwparserfromhell's parsing alone, which every extractor built on its tree pays.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

import mwparserfromhell
from real_pages import DEFAULT_DUMPS, RealPage, read_pages

from corpus.chunk import spans
from corpus.wikitext import to_text

BOUND = 2.0
"""Times as fast as strip_code, at least."""


def seconds(page: RealPage) -> tuple[float, float, float, float]:
    """Return the processor time that parsing, strip_code, extraction and cutting take for a page."""
    begun = time.process_time()
    code = mwparserfromhell.parse(page.source)
    parsed = time.process_time()
    code.strip_code()
    stripped = time.process_time()
    text = to_text(page.source, page.title).text
    extracted = time.process_time()
    spans(text)
    cut = time.process_time()
    return parsed - begun, stripped - begun, extracted - stripped, cut - extracted


def main() -> None:
    """Print megabytes a second for each dump and for all pages, and their ratio."""
    parser = argparse.ArgumentParser(description="Extraction beside strip_code.")
    parser.add_argument("dumps", type=Path, nargs="?", default=DEFAULT_DUMPS)
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    pages = read_pages(arguments.dumps)
    size: dict[str, int] = defaultdict(int)
    for page in pages:
        for group in (page.dump, "all"):
            size[group] += len(page.source.encode())
    best: dict[str, list[float]] = {}
    for _ in range(arguments.rounds):
        spent: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
        for page in pages:
            taken = seconds(page)
            for group in (page.dump, "all"):
                spent[group] = [a + b for a, b in zip(spent[group], taken, strict=True)]
        for group, times in spent.items():
            best[group] = [min(a, b) for a, b in zip(best.get(group, times), times, strict=True)]
    print(
        f"{'':34}{'pages':>6}{'MB':>7}{'parsing':>10}{'strip_code':>12}{'fanfold':>9}{'ratio':>7}{'+ cutting':>11}"
    )
    for group, (parsed, stripped, extracted, cut) in best.items():
        megabytes = size[group] / 1e6
        count = sum(group in (page.dump, "all") for page in pages)
        print(
            f"{group:34}{count:6}{megabytes:7.1f}{megabytes / parsed:8.2f}/s{megabytes / stripped:10.2f}/s"
            f"{megabytes / extracted:7.2f}/s{stripped / extracted:7.2f}{megabytes / (extracted + cut):9.2f}/s"
        )
    print(f"bound: {BOUND} times strip_code")


if __name__ == "__main__":
    main()
