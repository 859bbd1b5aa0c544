"""Pages made to break an extractor: how long each takes, and in which way it is read.

    python bench/hostile.py

Each must end within five seconds. The last column is empty where the page was read in full.
"""

from __future__ import annotations

import random
import time

from corpus.chunk import spans
from corpus.html import to_text as html_to_text
from corpus.wikitext import to_text

BOUND = 5.0
"""Seconds."""
MARKS = (
    *[
        "{{",
        "}}",
        "[[",
        "]]",
        "{|",
        "|}",
        "|",
        "=",
        "<ref>",
        "</ref>",
        "<!--",
        "-->",
        "a",
        "infobox",
        "File:",
        "thumb",
        "<nowiki>",
        "*",
        "{",
        "}",
        "[",
        "]",
    ],
    *["http://", "&amp;", "{{{", "<br>", "{{!}}", "''"],
    "\n",
    "\n|-\n",
    "\n!",
)
PAGE = (
    "'''Alder''' is a [[tree|kind of tree]] of {{convert|20|m}}.<ref>{{cite book|title=Trees}}</ref>\n"
    "{| class=wikitable\n! Name !! Height\n|-\n| Grey || 15\n|}\n* [[Birch]]\n\n== Uses ==\n"
)


def wikitext_pages() -> dict[str, str]:
    """Return hostile wikitext by name."""
    shuffled = random.Random(7)
    return {
        "templates unclosed, 10,000": "{{a|" * 10_000,
        "templates unclosed, 500,000": "{{a|" * 500_000,
        "templates nested, 100,000": "{{lang|fr|" * 100_000 + "x" + "}}" * 100_000,
        "links nested, 300,000": "[[a|" * 300_000 + "]]" * 300_000,
        "boxes nested, 5,000": "{{infobox\n|a=\n|b=1\n|c=" * 5_000 + "}}" * 5_000,
        "tables nested, 50": "\n{|\n|-\n| a || " * 50 + "\n|}" * 50,
        "tables nested, 20,000": "\n{|\n|-\n| a\n" * 20_000 + "\n|}" * 20_000,
        "tables unclosed, 100,000": "\n{|\n|-\n| a\n" * 100_000,
        "cells of 9,999 by 9,999": "{|\n" + "|-\n| colspan=9999 rowspan=9999 | x\n" * 20_000 + "|}",
        "attributes without end": "{|\n| " + "a=b " * 500_000 + "\n|}",
        "references unclosed": "<ref>a " * 300_000,
        "comments unclosed": "<!-- " * 300_000,
        "links to sites unclosed": "[http://a " * 300_000,
        "formula of braces": "<math>" + "{" * 1_000_000 + "</math>",
        "quotes": "'" * 2_000_000,
        "entities": "&amp;" * 400_000 + "&#99999999;" * 100_000,
        "control characters": "\x00\x01\x85" * 600_000,
        "lone surrogates": "\ud800a" * 1_000_000,
        "combining marks": "a" + "\u0301" * 1_000_000,
        "marks in random order": "".join(shuffled.choices(MARKS, k=700_000)),
        "20 MB of articles": PAGE * (20_000_000 // len(PAGE)),
        "20 MB on one line": "a" * 20_000_000,
        "20 MB of empty lines": "\n" * 20_000_000,
        "20 MB of templates": "{{a|b}}" * (20_000_000 // 7),
        "20 MB of cells": "{|\n|-\n|a||b\n|}\n" * (20_000_000 // 16),
    }


def html_pages() -> dict[str, str]:
    """Return hostile HTML by name."""
    return {
        "HTML: divisions nested, 100,000": "<div>" * 100_000,
        "HTML: tables nested, 20,000": "<table><tr><td>" * 20_000 + "x",
        "HTML: wide cells": "<table>" + "<tr><td colspan=999 rowspan=999>x</td></tr>" * 20_000,
        "HTML: 2,000,000 breaks": "<br>" * 2_000_000,
        "HTML: 20 MB of paragraphs": "<p>word <a href='x'>y</a></p>" * 700_000,
        "HTML: attributes without end": "<a " + "b=c " * 1_000_000,
        "HTML: entities": "&amp;" * 4_000_000,
    }


def main() -> None:
    """Print size, time, chunks and way of reading of each page."""
    slowest = 0.0
    print(f"{'page':34}{'MB':>6}{'seconds':>9}{'chunks':>8}  read more simply")
    for pages, extract in ((wikitext_pages(), to_text), (html_pages(), html_to_text)):
        for name, source in pages.items():
            begun = time.perf_counter()
            text = extract(source, "Hostile")
            chunks = spans(text.text)
            spent = time.perf_counter() - begun
            slowest = max(slowest, spent)
            print(
                f"{name:34}{len(source) / 1e6:6.1f}{spent:9.2f}{len(chunks):8,}  {text.degraded or ''}"
            )
    print(f"slowest: {slowest:.2f} s, bound {BOUND:.0f} s")


if __name__ == "__main__":
    main()
