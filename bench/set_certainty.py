"""Fits how certain the extractive engine is that a list is the set which a question asks for.

    python bench/set_certainty.py

Questions for sets, half of them with a set that the articles tell and half with one that they only
seem to tell: by two writers over the embedded sample (certainty_sets_a.jsonl, certainty_sets_b.jsonl)
and over 48 texts of another (certainty_sets_tables.jsonl); and steps of development questions with
the lists that the engine found, of which people said whether they are right
(development_sets.jsonl). For each list of as many
as the question says: what `agent.extractive.reader.sets.features_of_set`
rests on, whether it is right, and how the rules of citations judge it.

Printed: the weights fitted on all, as that module holds them; then, each list by weights that were
fitted on nine tenths without it, and by the module's: how many of those that rules prove are kept
from the lower bound on, how many that lack words of the question are asserted from the upper one,
and how many of each are right.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
from reader_certainty import HITS, Found, fit  # noqa: E402
from written_questions import as_articles  # noqa: E402

import agent.extractive.set_answers as set_answers  # noqa: E402
from agent.citations.subanswers import judged  # noqa: E402
from agent.extractive.answers import StepAnswers  # noqa: E402
from agent.extractive.finder.asked import read_asked  # noqa: E402
from agent.extractive.finder.facts import facts_of  # noqa: E402
from agent.extractive.language.words import count_of  # noqa: E402
from agent.extractive.reader.sets import (  # noqa: E402
    DOUBTED_BELOW,
    INTERCEPT,
    SET_FROM,
    WEIGHTS,
    features_of_set,
)
from agent.extractive.reader.span import embedded_reader  # noqa: E402
from agent.extractive.sources import Sources  # noqa: E402
from agent.types import SubQuestion  # noqa: E402
from corpus import Snapshot  # noqa: E402
from corpus.builder.snapshot import build_snapshot  # noqa: E402
from corpus.sample import sample_snapshot  # noqa: E402
from retrieval.dense.embedders import open_embedder  # noqa: E402
from retrieval.index import ensure_built, open_retriever  # noqa: E402

DATA = ROOT / "bench/data"
SAMPLE = ("certainty_sets_a", "certainty_sets_b", "development_sets")
TABLES = "certainty_sets_tables"
FOLDS = 10

Judge = Callable[[Sequence[str]], bool | None]
"""Whether a list is right; None where nobody said so."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question for a set."""

    question: str
    is_right: Judge


def askings(path: Path) -> Iterator[Asking]:
    """The questions of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "questions" in record:
            for question, told in record["questions"]:
                yield Asking(question, _names([one for one in told.split("; ") if one]))
        elif "step" in record:
            yield Asking(record["step"], _known(record["found"], record["right"]))
        else:
            yield Asking(record["question"], _names(record["members"]))


def _names(wanted: Sequence[str]) -> Judge:
    def is_right(found: Sequence[str]) -> bool:
        return bool(wanted) and _covers(found, wanted) and _covers(wanted, found)

    return is_right


def _known(seen: Sequence[str], right: bool) -> Judge:
    def is_right(found: Sequence[str]) -> bool | None:
        return right if sorted(found) == sorted(seen) else None

    return is_right


def _covers(names: Sequence[str], others: Sequence[str]) -> bool:
    """Whether each of some names is one of others, or a part of one."""
    return all(any(_same(_bare(one), _bare(other)) for other in others) for one in names)


def _bare(name: str) -> str:
    return re.sub(r"\s*\([^)]*\)", "", name).casefold().strip(' ."“”')


def _same(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) > 3 and short in long)


def lists_found(name: str) -> Iterator[Found]:
    """Every list found for a file's questions that rules prove, or that lacks words for them."""
    with tempfile.TemporaryDirectory(prefix="sets-") as scratch:
        folder = sample_snapshot("en")
        if name == TABLES:
            folder = Path(scratch) / "snapshot"
            made = as_articles(DATA / f"{name}.jsonl", Path(scratch) / "articles.jsonl")
            build_snapshot([made], folder, date="2026-01-01")
        ensure_built(folder)
        retriever, embedder, reader = open_retriever(folder), open_embedder(), embedded_reader()
        sources = Sources(Snapshot.open(folder), readable=True)
        engine = StepAnswers(embedder, sources, None)
        for one in askings(DATA / f"{name}.jsonl"):
            hits = retriever.search([one.question], HITS)[0]
            finding = engine.answer(SubQuestion(id="1", text=one.question, kind="core"), hits)
            answer = finding.sub_answer
            asked = read_asked(one.question, sources.subject_of)
            right = one.is_right(answer.items)
            told = count_of(asked.text) or len(answer.items)
            if not asked.many or not answer.citations or right is None or told != len(answer.items):
                continue
            chunks = {hit.chunk.id: hit.chunk for hit in finding.hits}
            ruled, _ = judged(answer, one.question, chunks, confirms=engine.confirms)
            proven = ruled.status == "answered"
            if not proven and not (ruled.error or "").startswith("the quote does not say"):
                continue
            facts = facts_of(sources.with_whole_articles(finding.hits))
            cited = {(quote.chunk_id, quote.quote) for quote in answer.citations}
            lines = [fact for fact in facts if (fact.hit.chunk.id, fact.text) in cited]
            if lines:
                rests_on = features_of_set(
                    asked, answer.items, lines, facts, reader, sources.lead_of
                )
                values = tuple(rests_on[key] for key in WEIGHTS)
                yield Found(values, right, name, "proven" if proven else "lacking words")


def by_nine_tenths(found: Sequence[Found]) -> np.ndarray:
    """The probability of each by weights that were fitted on nine tenths without it."""
    fold = np.random.RandomState(0).randint(0, FOLDS, len(found))
    chance = np.zeros(len(found))
    for number in range(FOLDS):
        weights, intercept = fit([one for one, f in zip(found, fold, strict=True) if f != number])
        for place in np.flatnonzero(fold == number):
            chance[place] = 1 / (1 + np.exp(-(weights @ found[place].features + intercept)))
    return chance


def report(found: Sequence[Found], chance: np.ndarray) -> None:
    """Print what is kept and what is asserted, by file."""
    for name in (*SAMPLE, TABLES):
        told = []
        for ruling, bound in (("proven", DOUBTED_BELOW), ("lacking words", SET_FROM)):
            one = [(f.right, p >= bound) for f, p in zip(found, chance, strict=True)
                   if (f.writer, f.ruling) == (name, ruling)]  # fmt: skip
            kept = [right for right, above in one if above]
            left = [right for right, above in one if not above]
            told.append(f"{ruling}: from {bound:g} {sum(kept)} of {len(kept)} right, "
                        f"below {sum(left)} of {len(left)}")  # fmt: skip
        print(f"  {name}: {'; '.join(told)}")


def main() -> None:
    """Fit, and say what the bounds keep."""
    # What is judged is the list as found, before its certainty has a say.
    set_answers.SET_FROM, set_answers.DOUBTED_BELOW = 2.0, -1.0
    found = [one for name in (*SAMPLE, TABLES) for one in lists_found(name)]
    weights, intercept = fit(found)
    print("fitted:", {n: round(float(w), 2) for n, w in zip(WEIGHTS, weights, strict=True)}, round(intercept, 2))  # fmt: skip
    x = np.array([one.features for one in found])
    print("by weights of nine tenths:")
    report(found, by_nine_tenths(found))
    print("by the module's weights:")
    report(found, 1 / (1 + np.exp(-(x @ np.array(list(WEIGHTS.values())) + INTERCEPT))))


if __name__ == "__main__":
    main()
