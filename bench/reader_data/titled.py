"""Questions of bench/data/titled_*.jsonl: what a paragraph is about, told by what it says of it.

A record names its paragraph, of bench/data/reading_*.jsonl, and has questions with the words of the
paragraph that tell their answer, the title; without words for what it only seems to tell.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from agent.extractive.language.names import without_bracket
from agent.extractive.reader.windows import Window
from reader_data.examples import Example, overlap, windows_in

OTHERS = 0.35
"""Share of questions that are asked of another paragraph as well."""
BESIDE = 0.5
"""Share of questions that are asked of a part of the paragraph that does not tell."""


def titled(paths: Iterable[Path], rng: random.Random) -> Iterator[Example]:
    """Each question with the window that tells its answer, and with ones that do not.

    Args:
        paths: of the questions; the files of the paragraphs stand beside them.
        rng: draws.
    """
    read = []
    lines_of: dict[Path, list[str]] = {}
    for path in paths:
        for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            file = path.with_name(f"{record['file']}.jsonl")
            if file not in lines_of:
                lines_of[file] = file.read_text(encoding="utf-8").splitlines()
            paragraph = json.loads(lines_of[file][record["line"]])
            windows = windows_in(paragraph["title"], paragraph["text"])
            read.append((paragraph["title"], record["questions"], windows))
    every = [window for _, _, windows in read for window in windows]
    for title, questions, windows in read:
        for question, proof in questions:
            telling = [w for w in windows if proof and proof[:60] in w.text[w.body :]]
            for window in telling[:1]:
                yield Example(question, window.text, 0, _end_of_title(window), "titled")
            nearest = sorted(windows, key=lambda w: -overlap(question, w.text))
            rest = [w for w in nearest if w not in telling]
            if rest and (not proof or rng.random() < BESIDE):
                yield Example(question, rest[0].text, -1, -1, "titled none")
            if rng.random() < OTHERS:
                drawn = rng.sample(every, min(300, len(every)))
                # Another writer's paragraph on the same thing may tell it, too.
                others = [w for w in drawn if w.facts[0].title != title]
                alike = max(others, key=lambda w: overlap(question, w.text))
                yield Example(question, alike.text, -1, -1, "titled other")


def _end_of_title(window: Window) -> int:
    return len(without_bracket(window.facts[0].title))
