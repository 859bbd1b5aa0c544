"""Questions on paragraphs: SQuAD 2.0 (Rajpurkar et al. 2018), and those of this project's writers."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent.extractive.reader.selection import select
from agent.extractive.reader.windows import Window
from reader_data.examples import Case, Example, overlap, windows_in

HELD_OUT = frozenset(["Normans", "Packet_switching", "Immune_system", "Warsaw"])
"""Articles of SQuAD that no training sees."""
TUNING = frozenset(["Huguenot"])
"""The article that thresholds are set on."""


def squad(path: Path, titles: str, rng: random.Random) -> Iterator[Example]:
    """Two or three windows a question: with its answer, and the likeliest without one."""
    for _, paragraphs in _squad_articles(path, titles):
        for number, (windows, questions) in enumerate(paragraphs):
            others = [w for i, (ws, _) in enumerate(paragraphs) if i != number for w in ws]
            for qa in questions:
                question = qa["question"].strip()
                texts = {answer["text"] for answer in qa["answers"]}
                rest = []
                for window in windows:
                    found = next((t for t in texts if t in window.text[window.body :]), None)
                    if found is None:
                        rest.append(window)
                    elif qa["answers"]:
                        start = window.text.index(found, window.body)
                        yield Example(question, window.text, start, start + len(found), "squad")
                        break
                rest.sort(key=lambda w: -overlap(question, w.text))
                if qa["is_impossible"]:
                    for window in rest[: 1 + (rng.random() < 0.4)]:
                        yield Example(question, window.text, -1, -1, "squad none")
                    continue
                near = max(
                    rng.sample(others, min(len(others), 12)),
                    key=lambda w: overlap(question, w.text),
                )
                yield Example(question, (rest[:1] or [near])[0].text, -1, -1, "squad other")
                if rng.random() < 0.3 and not any(t in near.text for t in texts):
                    yield Example(question, near.text, -1, -1, "squad other")


def squad_cases(path: Path, titles: str) -> Iterator[Case]:
    """Every question on the chosen articles with its own paragraph, as SQuAD is tested."""
    for _, paragraphs in _squad_articles(path, titles):
        for windows, questions in paragraphs:
            for qa in questions:
                answers = tuple(answer["text"] for answer in qa["answers"])
                yield Case(qa["question"].strip(), tuple(windows), answers)


def pooled(cases: Sequence[Case], most: int) -> Iterator[Case]:
    """Each question with the windows that the engine would choose among all of its article.

    Args:
        cases: with their own windows.
        most: windows of each.
    """
    windows: dict[str, dict[str, Window]] = {}
    for case in cases:
        for window in case.windows:
            windows.setdefault(window.facts[0].title, {})[window.text] = window
    for case in cases:
        if case.windows:
            whole = list(windows[case.windows[0].facts[0].title].values())
            yield replace(case, windows=tuple(select(case.question, whole, most)))


def _squad_articles(
    path: Path, titles: str
) -> Iterator[tuple[str, list[tuple[list[Window], list[dict[str, Any]]]]]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        data = json.load(file)["data"]
    for article in data:
        kind = (
            "held out" if article["title"] in HELD_OUT
            else "tuning" if article["title"] in TUNING
            else "train"
        )  # fmt: skip
        if kind != titles:
            continue
        title = article["title"].replace("_", " ")
        yield (
            title,
            [
                (windows_in(title, " ".join(p["context"].split()), i), p["qas"])
                for i, p in enumerate(article["paragraphs"])
            ],
        )


# Paragraphs by writers of this project


def written(paths: Iterable[Path], rng: random.Random) -> Iterator[Example]:
    """The questions of bench/data/reading_*.jsonl: the window that answers, the likeliest that does not."""
    for windows, question, answer in _written(paths):
        nearest = sorted(windows, key=lambda w: -overlap(question, w.text))
        holding = [w for w in nearest if answer and answer in w.text[w.body :]]
        if holding:
            window = holding[0]
            start = window.text.index(answer, window.body)
            yield Example(question, window.text, start, start + len(answer), "written")
        elif answer:
            continue
        others = [w for w in nearest if w not in holding]
        if others and (not answer or rng.random() < 0.4):
            yield Example(question, others[0].text, -1, -1, "written none")


def _written(paths: Iterable[Path]) -> Iterator[tuple[list[Window], str, str]]:
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            paragraph = json.loads(line)
            windows = windows_in(paragraph["title"], paragraph["text"], number)
            for question, answer in paragraph["questions"]:
                yield windows, question.strip(), answer.strip()
