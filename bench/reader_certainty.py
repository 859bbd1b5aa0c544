"""Fits and judges how certain the extractive engine is of words that its reader points at.

    python bench/reader_certainty.py [--kind cells] [--weights FILE] [--every N] [--fit FILE] [--judge FILE]

Asks the questions of some paragraphs, each of the whole snapshot that they make, and takes the words
that rules and reader find (`agent.extractive.reader.values.find_value`). A logistic regression on
what `agent.extractive.reader.certainty.features` returns is fitted on one file: its weights are
printed as that module holds them. For these and for the module's own weights, on both files: from
some probabilities on, how many words are asserted, how many of them are right, and what share of the
questions with an answer that is; beside it the same for the reader's margin alone, and how many of
those asserted are right by what the check of citations says of them. With `--kind cells`
of boxes and tables instead of paragraphs, with `--kind titles` of what paragraphs are about.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
from reader_accuracy import right  # noqa: E402
from written_questions import as_articles  # noqa: E402

from agent.citations.support.answers import examine_answer  # noqa: E402
from agent.extractive.finder.asked import Asked, read_asked  # noqa: E402
from agent.extractive.finder.facts import Fact, facts_of  # noqa: E402
from agent.extractive.language.names import without_bracket  # noqa: E402
from agent.extractive.reader.certainty import (  # noqa: E402
    CELL_INTERCEPT,
    CELL_WEIGHTS,
    CELLS_FROM,
    CERTAIN_FROM,
    INTERCEPT,
    TITLE_INTERCEPT,
    TITLE_WEIGHTS,
    WEIGHTS,
    features,
    features_of_title,
)
from agent.extractive.reader.confirmation import pointing  # noqa: E402
from agent.extractive.reader.span import EmbeddedReader  # noqa: E402
from agent.extractive.reader.told import likeliest_told  # noqa: E402
from agent.extractive.reader.values import Value, find_value  # noqa: E402
from agent.extractive.sources import Sources  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402
from corpus import Snapshot  # noqa: E402
from corpus.builder.snapshot import build_snapshot  # noqa: E402
from retrieval.dense.embedders import open_embedder  # noqa: E402
from retrieval.index import ensure_built, open_retriever  # noqa: E402
from retrieval.types import Embedder  # noqa: E402

HITS = 8
"""Chunks read for a question."""
BESIDE = tuple(ROOT / f"bench/data/{name}_reading.jsonl" for name in ("certainty", "judging"))
"""Paragraphs among which what families of titles are about is asked: not all articles are siblings."""
FROM = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
RIDGE = 1.0
KINDS = {
    "sentences": (WEIGHTS, INTERCEPT, "reading"),
    "cells": (CELL_WEIGHTS, CELL_INTERCEPT, "cells"),
    "titles": (TITLE_WEIGHTS, TITLE_INTERCEPT, "titles"),
}
"""What is pointed at, with the module's weights and the files that they are fitted and judged on."""


@dataclass(frozen=True, slots=True)
class Found:
    """Words for a question."""

    features: tuple[float, ...]
    right: bool
    ruling: str = ""
    """What the check of citations says of them by rules alone."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with what is found for it, and what answers it."""

    question: str
    asked: Asked
    expected: str
    facts: list[Fact]
    more: list[Fact]
    sources: Sources
    embedder: Embedder
    reader: EmbeddedReader


def asked_of(paths: Sequence[Path], weights: Path, every: int = 1) -> Iterator[Asking]:
    """Ask every Nth question of the first file of the snapshot that all files make."""
    with tempfile.TemporaryDirectory(prefix="certainty-") as scratch:
        folder = Path(scratch) / "snapshot"
        made = [as_articles(file, Path(scratch) / f"{n}.jsonl") for n, file in enumerate(paths)]
        build_snapshot(made, folder, date="2026-01-01")
        ensure_built(folder)
        retriever, embedder = open_retriever(folder), open_embedder()
        reader = EmbeddedReader.open(weights)
        sources = Sources(Snapshot.open(folder), readable=True)
        for question, expected in list(_questions(paths[0]))[::every]:
            asked = read_asked(question, sources.subject_of)
            if asked.form == "yes_no":
                continue
            facts = facts_of(retriever.search([question], HITS)[0])
            more = sources.more_facts(asked, facts)
            yield Asking(question, asked, expected, facts, more, sources, embedder, reader)


def found_words(path: Path, every: int, weights: Path, kind: str) -> tuple[list[Found], int]:
    """Return the words found, of a kind of `KINDS`, and how many questions have an answer."""
    answerable = 0
    names = KINDS[kind][0]
    found: list[Found] = []
    for one in asked_of([path, *(BESIDE if kind == "titles" else ())], weights, every):
        answerable += bool(one.expected)
        asked, embedder, reader = one.asked, one.embedder, one.reader
        if kind == "titles":
            told = likeliest_told(asked, one.facts, embedder, reader, one.sources.lead_of)
            if told is None:
                continue
            fact, how = told
            rests_on = features_of_title(asked, how)
            correct = bool(one.expected) and right(without_bracket(fact.title), (one.expected,))
            found.append(Found(tuple(rests_on[name] for name in names), correct))
            continue
        value = find_value(asked, one.facts, embedder, reader, one.more)
        if value is None or bool(value.fact.cells) != (kind == "cells"):
            continue
        facts = [*one.facts, *one.more]
        pointed = pointing(asked, value.text, value.fact, facts, reader, embedder)
        rests_on = features(asked, value.text, value.fact, pointed)
        correct = bool(one.expected) and answers(value.text, one.expected)
        ruling = _ruling(one.question, value)
        found.append(Found(tuple(rests_on[name] for name in names), correct, ruling))
    return found, answerable


def _ruling(question: str, value: Value) -> str:
    """How rules judge words as an answer: proven, lacking what a reader may settle, or else."""
    ruled, _ = examine_answer(question, (value.text,), value.fact.text, value.fact.hit.chunk)
    if ruled.ruling == "supported":
        return "proven by rules"
    if not ruled.wording:
        return "doubted by rules"
    lacks_words = ruled.reason.startswith("the quote does not say")
    return "lacking words" if lacks_words else "speaking of something else by rules"


def answers(said: str, expected: str) -> bool:
    """Whether words answer: as SQuAD scores them, with the unit, or with what else the cell says."""
    return right(said, (expected,)) or f" {expected.casefold()} " in f" {said.casefold()} ".replace(
        ",", " ,"
    )


def _questions(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield from json.loads(line)["questions"]


def fit(found: Sequence[Found]) -> tuple[np.ndarray, float]:
    """Return the weights and the intercept of a ridge-penalised logistic regression (Newton's method)."""
    x = np.array([one.features for one in found])
    y = np.array([one.right for one in found], float)
    mean, scale = x.mean(0), np.where(x.std(0) > 0, x.std(0), 1.0)
    design = np.hstack([(x - mean) / scale, np.ones((len(x), 1))])
    penalty = RIDGE * np.diag([*np.ones(x.shape[1]), 0.0])
    beta = np.zeros(design.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-design @ beta))
        gradient = design.T @ (y - p) - penalty @ beta
        beta += np.linalg.solve((design.T * (p * (1 - p))) @ design + penalty, gradient)
    weights = beta[:-1] / scale
    return weights, float(beta[-1] - weights @ mean)


def report(name: str, found: Sequence[Found], answerable: int, scores: Sequence[float], bounds: Sequence[float]) -> None:  # fmt: skip
    """Print what is asserted from some bounds on, and how much of it is right."""
    for bound in bounds:
        kept = [one.right for one, score in zip(found, scores, strict=True) if score >= bound]
        if kept:
            print(f"  {name} from {bound:g}: {len(kept)} asserted, {sum(kept) / len(kept):.3f} right, "
                  f"{sum(kept) / answerable:.3f} of the answerable")  # fmt: skip


def main() -> None:
    """Fit, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=KINDS, default="sentences", help="what is pointed at")
    parser.add_argument("--weights", type=Path, default=FOLDER / "reader.safetensors")
    parser.add_argument("--fit", type=Path, help="file to fit on")
    parser.add_argument("--judge", type=Path, help="file to judge on")
    parser.add_argument("--every", type=int, default=1, help="ask every Nth question")
    arguments = parser.parse_args()
    names, own_intercept, source = KINDS[arguments.kind]
    data = ROOT / "bench/data"
    files = [
        found_words(path, arguments.every, arguments.weights, arguments.kind)
        for path in (
            arguments.fit or data / f"certainty_{source}.jsonl",
            arguments.judge or data / f"judging_{source}.jsonl",
        )
    ]
    weights, intercept = fit(files[0][0])
    print("fitted:", {n: round(float(w), 3) for n, w in zip(names, weights, strict=True)}, round(intercept, 3))  # fmt: skip
    for name, (found, n) in zip(("fitted on", "not fitted on"), files, strict=True):
        print(f"{name}: {n} questions with an answer, words found for {len(found)}")
        x = np.array([one.features for one in found])
        own = 1 / (1 + np.exp(-(x @ np.array(list(names.values())) + own_intercept)))
        new = 1 / (1 + np.exp(-(x @ weights + intercept)))
        report("the module's weights", found, n, own.tolist(), FROM)
        least = CELLS_FROM if arguments.kind == "cells" else CERTAIN_FROM
        by_ruling: dict[str, list[bool]] = {}
        for one, certainty in zip(found, own, strict=True):
            if certainty >= least:
                by_ruling.setdefault(one.ruling, []).append(one.right)
        for ruling, rights in sorted(by_ruling.items()):
            print(f"    {ruling or 'all'}: {sum(rights)} of {len(rights)} right")
        report("the fitted weights", found, n, new.tolist(), FROM)
        report("the margin alone", found, n, x[:, 0].tolist(), (6.0, 8.0, 10.0, 12.0))


if __name__ == "__main__":
    main()
