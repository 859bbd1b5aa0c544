"""How well a judge agrees with people: accuracy, Cohen's kappa, and each class by itself.

Xie et al. (2024) report for kinds 74.6 % of single people against their majority, and for coverage
83 % of GPT-4 against people; kappa says how much of an accuracy is more than chance.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evals.humans.labels import LabelledKinds, LabelledText, Preference
from evals.judges.verdict import PreferenceJudge, wins_both_ways
from evals.metrics.statistics import agreement_intervals, cohen_kappa
from evals.ports import CoverageJudge, Covered
from evals.types import Json

if TYPE_CHECKING:
    from agent.reasoner import Reasoner

TIE = "tie"
AT_ONCE = 8
"""Texts judged at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A judge's labels beside people's."""

    engine: str
    truth: tuple[str, ...]
    said: tuple[str, ...]
    """Of the items that were scored, in the same order."""
    questions: tuple[str, ...]
    """Of the same items: what belongs to one question is no independent evidence."""
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Why items were not scored, with their number."""
    left_out: int = 0
    """Items on which people themselves are evenly split."""

    @property
    def accuracy(self) -> float | None:
        """Share of the scored items on which both say the same; None without any.

        A tie that a judge calls between two answers is half right, as two equal ratings are.
        """
        if not self.truth:
            return None
        points = sum(a == b for a, b in zip(self.truth, self.said, strict=True))
        return (points + 0.5 * self.said.count(TIE)) / len(self.truth)

    @property
    def ties(self) -> int:
        """Ties among what the judge said."""
        return self.said.count(TIE)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None without scored items, or where chance agreement is total."""
        return cohen_kappa(self.truth, self.said) if self.truth else None

    def intervals(self) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
        """Return 95 % intervals of accuracy and kappa, questions resampled; None where undefined."""
        return agreement_intervals(self.truth, self.said, self.questions, half=TIE)

    def per_class(self) -> dict[str, dict[str, float | None]]:
        """Return for each label how often people gave it, and precision and recall of the judge."""
        gold, guessed = Counter(self.truth), Counter(self.said)
        both = Counter(a for a, b in zip(self.truth, self.said, strict=True) if a == b)
        return {
            label: {
                "n": gold[label],
                "said": guessed[label],
                "precision": both[label] / guessed[label] if guessed[label] else None,
                "recall": both[label] / gold[label] if gold[label] else None,
            }
            for label in sorted({*gold, *guessed})
        }

    def as_json(self) -> dict[str, Json]:
        """Return what `evals agreement --json` prints."""
        accuracy, kappa = self.intervals()
        classes: dict[str, Json] = {
            label: dict[str, Json](values) for label, values in self.per_class().items()
        }
        return {
            "n": len(self.truth),
            "questions": len({*self.questions}),
            "accuracy": self.accuracy,
            "accuracy_interval": None if accuracy is None else list(accuracy),
            "kappa": self.kappa,
            "kappa_interval": None if kappa is None else list(kappa),
            "per_class": classes,
            "unscored": sum(self.reasons.values()),
            "reasons": dict(self.reasons),
            "left_out": self.left_out,
            "ties": self.ties,
            "engine": self.engine,
        }


async def agree_on_kinds(reasoner: Reasoner, items: Sequence[LabelledKinds]) -> Agreement:
    """Compare the kinds a reasoner gives with those of the majority of people."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(item: LabelledKinds) -> Sequence[str] | str:
        from agent.errors import ModelError

        async with gate:
            try:
                return await reasoner.classify(item.question, item.sub_questions)
            except ModelError as error:
                return str(error)

    truth: list[str] = []
    said: list[str] = []
    questions: list[str] = []
    reasons: Counter[str] = Counter()
    for item, given in zip(items, await asyncio.gather(*map(one, items)), strict=True):
        known = [i for i, kind in enumerate(item.kinds) if kind is not None]
        if isinstance(given, str):
            reasons[given] += len(known)
            continue
        truth += [str(item.kinds[i]) for i in known]
        said += [given[i] for i in known]
        questions += [item.question] * len(known)
    return Agreement(
        engine=reasoner.name,
        truth=tuple(truth),
        said=tuple(said),
        questions=tuple(questions),
        reasons=reasons,
        left_out=sum(kind is None for item in items for kind in item.kinds),
    )


async def agree_on_coverage(
    judge: CoverageJudge, items: Sequence[LabelledText], *, whole_lists: bool = False
) -> Agreement:
    """Compare a judge's coverage with people's.

    Args:
        judge: of coverage.
        items: labelled answers.
        whole_lists: put every sub-question of a question to each of its answers, labelled there or
            not: for a judge that costs nothing and compares sub-questions with each other.
    """
    gate = asyncio.Semaphore(AT_ONCE)
    lists: dict[str, list[str]] = {}
    for item in items:
        asked = [label.sub_question for label in item.labels]
        known = lists.setdefault(item.question, [])
        known += [text for text in dict.fromkeys(asked) if text not in known]

    async def one(item: LabelledText) -> dict[str, Covered]:
        own = list(dict.fromkeys(label.sub_question for label in item.labels))
        asked = lists[item.question] if whole_lists else own
        async with gate:
            return dict(zip(asked, await judge.covers(item.text, asked), strict=True))

    truth, said, questions = [], [], []
    reasons: Counter[str] = Counter()
    for item, judged in zip(items, await asyncio.gather(*map(one, items)), strict=True):
        for label in item.labels:
            covered = judged[label.sub_question]
            if covered.covered is None:
                reasons[covered.unscored or "no reason given"] += 1
                continue
            truth.append("answered" if label.covered else "unanswered")
            said.append("answered" if covered.covered else "unanswered")
            questions.append(item.question)
    return Agreement(
        engine=judge.name,
        truth=tuple(truth),
        said=tuple(said),
        questions=tuple(questions),
        reasons=reasons,
    )


async def agree_on_preferences(judge: PreferenceJudge, items: Sequence[Preference]) -> Agreement:
    """Compare which answer a judge prefers, asked in both orders, with what people preferred.

    Ties of people are left out, as the paper does; a judge that wins each answer once, or calls a
    tie twice, says "tie", which counts half.
    """
    decided = [item for item in items if item.preferred]
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(item: Preference) -> float | None:
        async with gate:
            share, _ = await wins_both_ways(judge, item.question, item.a, item.b)
            return share

    shares = await asyncio.gather(*map(one, decided))
    scored = [(i, s) for i, s in zip(decided, shares, strict=True) if s is not None]
    unscored = len(decided) - len(scored)
    return Agreement(
        engine=judge.name,
        truth=tuple(item.preferred for item, _ in scored),
        questions=tuple(item.question for item, _ in scored),
        said=tuple(TIE if share == 0.5 else "a" if share > 0.5 else "b" for _, share in scored),
        reasons={"one order has no readable verdict": unscored} if unscored else {},
        left_out=len(items) - len(decided),
    )
