"""Fits how certain the extractive engine is of what a less likely plan found.

    python bench/guess_certainty.py [PART ...] [--every N]

Each plan that stands for a development question (`bench/engine_questions.py` has the parts) is run
alone, the likeliest first, until three have given an answer. Of each that did: what
`agent.extractive.composer.guesses.features_of_guess` rests on, and how much of the reference its
answer holds, 0 where the question has no answer. About an hour for all parts on one core.

Printed: the weights fitted on all, as that module holds them; then, each answer judged by weights
that were fitted on nine tenths of the questions without its own, and by the module's: how many
questions are right, how many asserted, and how many without an answer are asserted, where later plans
are not followed, where three or all are and each is believed, and where they are believed from several
bounds on.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import numpy as np  # noqa: E402
from engine_questions import holds_both, questions  # noqa: E402
from reader_certainty import regression  # noqa: E402

import agent.extractive.reasoner as reasoner  # noqa: E402
from agent import Agent  # noqa: E402
from agent.citations import strip_marks  # noqa: E402
from agent.extractive.composer.guesses import (  # noqa: E402
    GUESS_FROM,
    INTERCEPT,
    WEIGHTS,
    features_of_guess,
)
from agent.extractive.planner.decomposition import Decomposition  # noqa: E402
from agent.extractive.readings import Readings  # noqa: E402
from agent.extractive.reasoner import ExtractiveReasoner  # noqa: E402
from agent.extractive.sources import Sources  # noqa: E402
from agent.reasoner import Composed, Finding  # noqa: E402
from agent.tools import Toolbox  # noqa: E402
from agent.types import SubQuestion  # noqa: E402
from corpus import Snapshot  # noqa: E402
from corpus.sample import sample_snapshot  # noqa: E402
from evals.metrics.fanoutqa import string_accuracy  # noqa: E402
from retrieval.dense.embedders import shared_embedder  # noqa: E402
from retrieval.index import ensure_built, open_retriever  # noqa: E402
from retrieval.types import Hit  # noqa: E402

ASKED = (
    "dev", "dev-more", "dev-third", "dev-fourth", "dev-fifth", "dev-sixth", "dev-seventh", "dev-eighth",
)  # fmt: skip
PARTS = (
    *ASKED, *(f"{part}-unanswerable" for part in ASKED), "dev-paraphrases", "dev-paraphrases-more",
)  # fmt: skip
ENOUGH = 3
"""Plans that give an answer, after which no others of a question are run."""
FOLDS = 10
"""Parts of the questions, each judged by weights of the others."""
BOUNDS = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8)


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that one plan of a question gave."""

    place: int
    """Of the plan among those that stand, from 0."""
    rests_on: dict[str, float]
    right: float
    """The share of the reference that it holds."""


@dataclass(slots=True)
class Asked:
    """A question with what its plans gave."""

    answerable: bool
    answers: list[Given] = field(default_factory=list)


class OneOf(Readings):
    """One of a question's plans at a time; the question whole is none."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources, None)
        self._all = Readings(sources, None)
        self.place = 0

    def standing(self, question: str) -> list[Decomposition]:
        """The plans that stand, those of other wordings among them."""
        return [plan for plan in self._all.with_reworded(question) if not plan.by_sentence]

    def of(self, question: str) -> tuple[Decomposition, ...]:
        """The plan that is to be run."""
        self._known[question] = (self.standing(question)[self.place],)
        return self._known[question]

    def with_reworded(self, question: str) -> tuple[Decomposition, ...]:
        """No other."""
        return self.of(question)


class OnePlan(ExtractiveReasoner):
    """Runs one plan of a question alone, and keeps what the certainty of its answer rests on."""

    def __init__(self) -> None:
        snapshot = Snapshot.open(sample_snapshot("en"))
        ensure_built(snapshot.folder)
        toolbox = Toolbox(open_retriever(snapshot.folder), snapshot)
        super().__init__(shared_embedder(), snapshot, toolbox)
        self.plans = OneOf(self._sources)
        self._readings = self.plans
        self.rests_on: dict[str, float] = {}
        self._found: dict[tuple[str, ...], Finding] = {}

    def _answer(self, question: SubQuestion, hits: Sequence[Hit]) -> Finding:
        key = (question.text, *(hit.chunk.id for hit in hits))
        if key not in self._found:
            self._found[key] = super()._answer(question, hits)
        found = self._found[key]
        answer = replace(found.sub_answer, sub_question_id=question.id)
        return replace(found, sub_answer=answer)

    def _compose(self, question: str, sub_questions: Any, sub_answers: Any, hits: Any, style: Any) -> Composed:  # fmt: skip
        composed = super()._compose(question, sub_questions, sub_answers, hits, style)
        self.rests_on = features_of_guess(
            self.plans.of(question)[0], sub_questions, sub_answers, before=self.plans.place,
            margin_of=partial(self._answers.margin_of, question, hits),
        )  # fmt: skip
        return composed


async def answers_of(part: str, every: int) -> list[Asked]:
    """What the plans of a part's questions give, each alone."""
    one_plan = OnePlan()
    agent = Agent(strategy="agentic", style="short", reasoner=one_plan)
    found = []
    for _, question, wanted in list(questions(part))[::every]:
        asked = Asked(not part.endswith("unanswerable"))
        for place in range(len(one_plan.plans.standing(question))):
            one_plan.plans.place = place
            answer = await agent.aask(question)
            if answer.abstained:
                continue
            held = string_accuracy(wanted, strip_marks(answer.text)) if asked.answerable else None
            right = 0.0 if held is None else float(held.strict if holds_both(part) else held.loose)
            asked.answers.append(Given(place, one_plan.rests_on, right))
            if len(asked.answers) == ENOUGH:
                break
        found.append(asked)
    return found


def rows(found: Sequence[Asked]) -> Iterator[tuple[int, Given, float]]:
    """Each answer with the number of its question and its weight; a question's weigh 1 together."""
    for number, asked in enumerate(found):
        for given in asked.answers:
            yield number, given, 1 / len(asked.answers)


def fit(found: Sequence[tuple[int, Given, float]]) -> tuple[np.ndarray, float]:
    """Weights, in the order of `WEIGHTS`, and intercept of a logistic regression of shares."""
    x = np.array([[given.rests_on[name] for name in WEIGHTS] for _, given, _ in found])
    y = np.array([given.right for _, given, _ in found])
    return regression(x, y, np.array([weight for _, _, weight in found]))


def chances(found: Sequence[tuple[int, Given, float]], weights: np.ndarray, intercept: float) -> np.ndarray:  # fmt: skip
    """The probability of each answer."""
    x = np.array([[given.rests_on[name] for name in WEIGHTS] for _, given, _ in found])
    return np.asarray(1 / (1 + np.exp(-(x @ weights + intercept))))


def by_nine_tenths(found: Sequence[tuple[int, Given, float]]) -> np.ndarray:
    """The probability of each by weights that were fitted on the other questions of nine tenths."""
    numbers = np.array([number for number, _, _ in found])
    fold = np.random.RandomState(0).randint(0, FOLDS, numbers.max() + 1)[numbers]
    chance = np.zeros(len(found))
    for part in range(FOLDS):
        mine = np.flatnonzero(fold == part)
        if not len(mine):
            continue
        fitted = fit([found[place] for place in np.flatnonzero(fold != part)])
        chance[mine] = chances([found[place] for place in mine], *fitted)
    return chance


def outcome(found: Sequence[Asked], chance: np.ndarray, most: int, least: float) -> str:
    """What comes of asserting the first answer, or that of a later plan from a bound on."""
    told = iter(chance)
    right, asserted, without = 0.0, 0, 0
    for asked in found:
        likely = [(given, next(told)) for given in asked.answers]
        said = next((g for g, p in likely if g.place < most and (not g.place or p >= least)), None)
        if said is not None and asked.answerable:
            right, asserted = right + said.right, asserted + 1
        without += said is not None and not asked.answerable
    return f"{right:.1f} right of {asserted} asserted ({right / max(1, asserted):.3f}), {without} without an answer"


def report(found: Sequence[Asked]) -> None:
    """Print the weights, and what is asserted by them."""
    every = list(rows(found))
    weights, intercept = fit(every)
    print("fitted:", {n: round(float(w), 2) for n, w in zip(WEIGHTS, weights, strict=True)}, round(intercept, 2))  # fmt: skip
    answerable = sum(asked.answerable for asked in found)
    print(f"{answerable} questions with an answer, {len(found) - answerable} without")
    crossed = by_nine_tenths(every)
    for name, most in (("the first plan alone", 1), ("three plans", 3), ("all plans", 99)):
        print(f"  {name}: {outcome(found, crossed, most, 0.0)}")
    for bound in BOUNDS:
        print(f"  later plans from {bound:g}, by nine tenths: {outcome(found, crossed, 99, bound)}")
    held = chances(every, np.array(list(WEIGHTS.values())), INTERCEPT)
    print(f"  from {GUESS_FROM:g}, by the module's weights: {outcome(found, held, 99, GUESS_FROM)}")


def main() -> None:
    """Run the plans, fit, and say what comes of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART")
    parser.add_argument("--every", type=int, default=1, help="ask every Nth question")
    arguments = parser.parse_args()
    # What is judged is what a plan found, before its certainty has a say.
    reasoner.is_believed = lambda *_, **__: True  # type: ignore[assignment]
    found: list[Asked] = []
    for part in arguments.parts:
        found += asyncio.run(answers_of(part, arguments.every))
    report(found)


if __name__ == "__main__":
    main()
