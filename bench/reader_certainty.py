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

Titles are fitted on families that are easily confused, as the others on questions that mislead, and
on the steps that the planner made of development questions over the embedded sample, whose answers
people wrote (bench/data/development_step_answers.jsonl): what is asked there, and how often there is no
answer, is what the engine meets. Each writer's are also judged by weights fitted on the others'.
Sentences and cells are fitted as well on what the engine once found for such steps, as people judged
it (bench/data/certainty_steps.jsonl), where it still finds that.
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
from agent.extractive.finder.kinds import fitting  # noqa: E402
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
from agent.extractive.reader.told import TOLD_FROM, likeliest_told  # noqa: E402
from agent.extractive.reader.values import Value, find_value  # noqa: E402
from agent.extractive.sources import Sources  # noqa: E402
from agent.extractive.weights.store import FOLDER  # noqa: E402
from corpus import Snapshot  # noqa: E402
from corpus.builder.snapshot import build_snapshot  # noqa: E402
from corpus.sample import sample_snapshot  # noqa: E402
from retrieval.dense.embedders import open_embedder  # noqa: E402
from retrieval.index import ensure_built, open_retriever  # noqa: E402
from retrieval.types import Embedder  # noqa: E402

HITS = 8
"""Chunks read for a question."""
BESIDE = tuple(ROOT / f"bench/data/{name}_reading.jsonl" for name in ("certainty", "judging"))
"""Paragraphs among which what families of titles are about is asked: not all articles are siblings."""
FROM = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
RIDGE = 1.0
STEPS = "development_step_answers"
"""Steps of questions over the embedded sample, with what answers them."""
JUDGED = "certainty_steps"
"""Such steps with what was found, and whether that is right."""
KINDS = {
    "sentences": (WEIGHTS, INTERCEPT, ("certainty_reading", JUDGED), "reading"),
    "cells": (CELL_WEIGHTS, CELL_INTERCEPT, ("certainty_cells", JUDGED), "cells"),
    "titles": (TITLE_WEIGHTS, TITLE_INTERCEPT, (STEPS, "certainty_titles"), "titles"),
}
"""What is pointed at, with the module's weights and the files that they are fitted and judged on."""
LEAST = {"sentences": CERTAIN_FROM, "cells": CELLS_FROM, "titles": TOLD_FROM}
"""From what certainty each is asserted."""


@dataclass(frozen=True, slots=True)
class Found:
    """Words for a question."""

    features: tuple[float, ...]
    right: bool
    writer: str
    ruling: str = ""
    """What the check of citations says of them by rules alone."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with what is found for it, and what answers it."""

    question: str
    asked: Asked
    expected: tuple[str, ...]
    """Wordings of the answer; none where there is none."""
    judged: str
    """The only words of which it is known, "" where all others are wrong."""
    writer: str
    """Of which writer it is, or which two."""
    facts: list[Fact]
    more: list[Fact]
    sources: Sources
    embedder: Embedder
    reader: EmbeddedReader


def asked_of(paths: Sequence[Path], weights: Path, every: int = 1) -> Iterator[Asking]:
    """Ask every Nth question of the first file of the snapshot that all files make, steps of the sample's."""
    with tempfile.TemporaryDirectory(prefix="certainty-") as scratch:
        folder = Path(scratch) / "snapshot"
        if paths[0].stem in (STEPS, JUDGED):
            folder = sample_snapshot("en")
        else:
            made = [as_articles(file, Path(scratch) / f"{n}.jsonl") for n, file in enumerate(paths)]
            build_snapshot(made, folder, date="2026-01-01")
        ensure_built(folder)
        retriever, embedder = open_retriever(folder), open_embedder()
        reader = EmbeddedReader.open(weights)
        sources = Sources(Snapshot.open(folder), readable=True)
        for question, expected, judged, writer in list(_questions(paths[0]))[::every]:
            asked = read_asked(question, sources.subject_of)
            if asked.form == "yes_no":
                continue
            facts = facts_of(retriever.search([question], HITS)[0])
            more = sources.more_facts(asked, facts)
            yield Asking(
                question, asked, expected, judged, writer, facts, more, sources, embedder, reader
            )


def found_words(path: Path, every: int, weights: Path, kind: str) -> tuple[list[Found], int]:
    """Return the words found, of a kind of `KINDS`, and how many questions have an answer."""
    answerable = 0
    names = KINDS[kind][0]
    found: list[Found] = []
    for one in asked_of([path, *(BESIDE if kind == "titles" else ())], weights, every):
        answerable += bool(one.expected)
        asked, embedder, reader = one.asked, one.embedder, one.reader
        lead_of = one.sources.lead_of
        facts = fitting(asked.kind_of_value, one.facts, lead_of)
        if kind == "titles":
            told = likeliest_told(asked, facts, embedder, reader, lead_of, one.more)
            if told is None:
                continue
            fact, how = told
            rests_on = features_of_title(asked, how)
            correct = answers(without_bracket(fact.title), one.expected)
            found.append(Found(tuple(rests_on[name] for name in names), correct, one.writer))
            continue
        value = find_value(asked, facts, embedder, reader, one.more)
        if value is None or bool(value.fact.cells) != (kind == "cells"):
            continue
        if one.judged and value.text != one.judged:
            continue
        read = [*facts, *one.more]
        pointed = pointing(asked, value.text, value.fact, read, reader, embedder)
        rests_on = features(asked, value.text, value.fact, pointed)
        correct = answers(value.text, one.expected)
        ruling = _ruling(one.question, value)
        found.append(Found(tuple(rests_on[name] for name in names), correct, one.writer, ruling))
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


def answers(said: str, expected: tuple[str, ...]) -> bool:
    """Whether words answer: as SQuAD scores them, with the unit, or with what else the cell says."""
    held = f" {said.casefold()} ".replace(",", " ,")
    return right(said, expected) or any(f" {one.casefold()} " in held for one in expected)


def _questions(path: Path) -> Iterator[tuple[str, tuple[str, ...], str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if path.stem == STEPS:
            yield record["step"], tuple(record["answers"]), "", record["part"]
        elif path.stem == JUDGED:
            told, holds = record["value"], record["right"]
            yield record["step"], (told,) if holds else (), told, path.stem
        else:
            asked = record["questions"]
            yield from ((one, (told,) if told else (), "", path.stem) for one, told in asked)


def fit(found: Sequence[Found]) -> tuple[np.ndarray, float]:
    """Return the weights and the intercept of a regression of whether words are right."""
    return regression(
        np.array([one.features for one in found]), np.array([one.right for one in found], float)
    )


def regression(x: np.ndarray, y: np.ndarray, worth: np.ndarray | float = 1.0) -> tuple[np.ndarray, float]:  # fmt: skip
    """Return the weights and the intercept of a ridge-penalised logistic regression (Newton's method).

    Args:
        x: features, [examples, features].
        y: what is regressed, from 0 to 1.
        worth: of each example.
    """
    mean, scale = x.mean(0), np.where(x.std(0) > 0, x.std(0), 1.0)
    design = np.hstack([(x - mean) / scale, np.ones((len(x), 1))])
    penalty = RIDGE * np.diag([*np.ones(x.shape[1]), 0.0])
    beta = np.zeros(design.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-design @ beta))
        gradient = design.T @ (worth * (y - p)) - penalty @ beta
        beta += np.linalg.solve((design.T * (worth * p * (1 - p))) @ design + penalty, gradient)
    weights = beta[:-1] / scale
    return weights, float(beta[-1] - weights @ mean)


def report(name: str, found: Sequence[Found], answerable: int, scores: Sequence[float], bounds: Sequence[float]) -> None:  # fmt: skip
    """Print what is asserted from some bounds on, and how much of it is right."""
    for bound in bounds:
        kept = [one.right for one, score in zip(found, scores, strict=True) if score >= bound]
        if kept:
            print(f"  {name} from {bound:g}: {len(kept)} asserted, {sum(kept) / len(kept):.3f} right, "
                  f"{sum(kept) / answerable:.3f} of the answerable")  # fmt: skip


def by_the_others(found: Sequence[Found]) -> list[float]:
    """The probability of each by weights that were fitted on what is not its writer's."""
    chance = {}
    for writer in {one.writer for one in found}:
        weights, intercept = fit([one for one in found if one.writer != writer])
        for place, one in enumerate(found):
            if one.writer == writer:
                chance[place] = float(1 / (1 + np.exp(-(weights @ one.features + intercept))))
    return [chance[place] for place in range(len(found))]


def main() -> None:
    """Fit, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=KINDS, default="sentences", help="what is pointed at")
    parser.add_argument("--weights", type=Path, default=FOLDER / "reader.safetensors")
    parser.add_argument("--fit", type=Path, nargs="+", help="files to fit on")
    parser.add_argument("--judge", type=Path, help="file to judge on")
    parser.add_argument("--every", type=int, default=1, help="ask every Nth question")
    arguments = parser.parse_args()
    names, own_intercept, fitted_on, judged_on = KINDS[arguments.kind]
    data = ROOT / "bench/data"
    files = []
    for paths in (
        arguments.fit or [data / f"{name}.jsonl" for name in fitted_on],
        [arguments.judge or data / f"judging_{judged_on}.jsonl"],
    ):
        made = [
            found_words(path, arguments.every, arguments.weights, arguments.kind) for path in paths
        ]
        files.append(([one for found, _ in made for one in found], sum(n for _, n in made)))
    weights, intercept = fit(files[0][0])
    print("fitted:", {n: round(float(w), 3) for n, w in zip(names, weights, strict=True)}, round(intercept, 3))  # fmt: skip
    for name, (found, n) in zip(("fitted on", "not fitted on"), files, strict=True):
        print(f"{name}: {n} questions with an answer, words found for {len(found)}")
        x = np.array([one.features for one in found])
        own = 1 / (1 + np.exp(-(x @ np.array(list(names.values())) + own_intercept)))
        new = 1 / (1 + np.exp(-(x @ weights + intercept)))
        report("the module's weights", found, n, own.tolist(), FROM)
        by_ruling: dict[str, list[bool]] = {}
        for one, certainty in zip(found, own, strict=True):
            if certainty >= LEAST[arguments.kind]:
                by_ruling.setdefault(one.ruling, []).append(one.right)
        for ruling, rights in sorted(by_ruling.items()):
            print(f"    {ruling or 'all'}: {sum(rights)} of {len(rights)} right")
        report("the fitted weights", found, n, new.tolist(), FROM)
        if len({one.writer for one in found}) > 1:
            report("weights of the other writers'", found, n, by_the_others(found), FROM)
        report("the margin alone", found, n, x[:, 0].tolist(), (6.0, 8.0, 10.0, 12.0))


if __name__ == "__main__":
    main()
