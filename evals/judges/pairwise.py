"""Win rates: a judge compares the answers of two runs to the same question, in both orders."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from corpus.errors import InputError
from evals.judges.verdict import PreferenceJudge, wins_both_ways
from evals.metrics.statistics import Interval, bootstrap_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Wins:
    """How often the answers of run `a` are preferred to those of run `b`."""

    a: str
    b: str
    share: Interval | None
    """Over questions, a tie being half a win; None where none was judged."""
    ties: int
    """Of the judgments, two a question."""
    unscored: int
    """Questions of which at least one order has no readable verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WinRates:
    """All pairs of some runs."""

    judge: str
    labels: tuple[str, ...]
    pairs: tuple[Wins, ...]

    def matrix(self) -> list[list[float | None]]:
        """Return [row][column] = share of judgments that the row wins over the column."""
        shares = {(w.a, w.b): w.share.mean if w.share else None for w in self.pairs}
        return [[_cell(shares, row, column) for column in self.labels] for row in self.labels]


def _cell(shares: Mapping[tuple[str, str], float | None], row: str, column: str) -> float | None:
    if (row, column) in shares:
        return shares[row, column]
    other = shares.get((column, row))
    return None if other is None else 1.0 - other


async def win_rates(
    judge: PreferenceJudge,
    questions: Mapping[str, str],
    answers: Mapping[str, Mapping[str, str | None]],
    *,
    concurrency: int = 8,
) -> WinRates:
    """Judge every pair of runs on every question both were asked.

    Args:
        judge: prefers "A", "B" or "TIE".
        questions: their texts by sample id.
        answers: run → sample id → answer, None where it failed: no answer loses to any without
            being judged, and two such are a tie.
        concurrency: most questions under way at once.

    Raises:
        InputError: two runs have no question in common.
    """
    gate = asyncio.Semaphore(concurrency)

    async def one(sample_id: str, a: str | None, b: str | None) -> tuple[float | None, int]:
        if a is None or b is None:
            return (0.5, 2) if a is b else (float(b is None), 0)
        async with gate:
            return await wins_both_ways(judge, questions[sample_id], a, b)

    pairs = []
    for first, second in combinations(answers, 2):
        common = [i for i in answers[first] if i in answers[second]]
        if not common:
            raise InputError(f"{first} and {second} have no question in common to judge")
        outcomes = await asyncio.gather(
            *(one(i, answers[first][i], answers[second][i]) for i in common)
        )
        pairs.append(_sum_up(first, second, outcomes))
    return WinRates(judge=judge.name, labels=tuple(answers), pairs=tuple(pairs))


def _sum_up(a: str, b: str, outcomes: Sequence[tuple[float | None, int]]) -> Wins:
    shares = [share for share, _ in outcomes if share is not None]
    return Wins(
        a=a,
        b=b,
        share=bootstrap_mean(shares) if shares else None,
        ties=sum(ties for _, ties in outcomes),
        unscored=len(outcomes) - len(shares),
    )
