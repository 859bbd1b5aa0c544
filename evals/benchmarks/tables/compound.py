"""Compound-QA's tables: win rate by type and dimension, sub-questions, positions, errors, levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, cast

from evals.benchmarks.compound_questions import ORDERS, can_turn, positions
from evals.benchmarks.tables.groups import mean_by_group, over_epochs
from evals.metrics.summary import question_scores
from evals.metrics.winrate import LEVELS
from evals.types import FAILED, Prediction, Sample, Score, Table

ERRORS = ("omission", "confusion", "language")
Cell = str | float | None


def tables(
    samples: Sequence[Sample], predictions: Sequence[Prediction], scores: Sequence[Score]
) -> list[Table]:
    """Return the paper's tables of one run."""
    return [
        win_table(samples, scores),
        mean_by_group(
            "By dimension",
            "dimension",
            samples,
            scores,
            ("win", "sub_win", "omission"),
            plot=("win",),
        ),
        mean_by_group(
            "Sub-questions",
            "type",
            samples,
            scores,
            ("sub_win", "omission", "sub_words"),
            plot=("sub_win", "omission"),
        ),
        against_table(samples, scores),
        positions_table(samples, scores),
        errors_table(samples, scores),
        levels_table(scores),
        over_epochs("type", samples, scores, ("win", "sub_win")),
    ]


def win_table(samples: Sequence[Sample], scores: Sequence[Score]) -> Table:
    """Return the win rate by type and dimension (Table 2)."""
    wins = question_scores(scores, "win")
    dimensions = list(dict.fromkeys(sample.groups["dimension"] for sample in samples))
    types = list(dict.fromkeys(sample.groups["type"] for sample in samples))

    def mean(kind: str | None, dimension: str | None) -> float | None:
        found = [
            wins[sample.id]
            for sample in samples
            if sample.id in wins
            and kind in (None, sample.groups["type"])
            and dimension in (None, sample.groups["dimension"])
        ]
        return fmean(found) if found else None

    return Table(
        name="Win rate by type",
        columns=("type", *dimensions, "all"),
        rows=(
            *((kind, *(mean(kind, one) for one in dimensions), mean(kind, None)) for kind in types),
            ("all", *(mean(None, one) for one in dimensions), mean(None, None)),
        ),
        note="Share of the judgments, two a question with positions swapped, in which the answer is "
        f"as good as the reference or better (Table 2). {_by_whom(scores)}",
        plot=("all",),
    )


def _by_whom(scores: Sequence[Score]) -> str:
    judges = {str(s.detail["judged by"]) for s in scores if "judged by" in s.detail}
    extractors = {str(s.detail["extracted by"]) for s in scores if "extracted by" in s.detail}
    if not judges:
        return "No answer was judged."
    return f"Judged by {', '.join(judges)}; sub-answers extracted by {', '.join(extractors)}."


def against_table(samples: Sequence[Sample], scores: Sequence[Score]) -> Table:
    """Return compound against single questions: win rate and length of sub-answers (Figure 3).

    Without a run of `form=both` there are no rows. A question counts where both were scored.
    """
    names = ("sub_win", "single_sub_win", "sub_words", "single_sub_words")
    found = {name: question_scores(scores, name) for name in names}
    both = {
        sample_id
        for sample_id in found["sub_win"].keys() & found["single_sub_win"].keys()
        if any("single_sub_win" in score.values for score in scores)
    }
    rows: list[tuple[Cell, ...]] = []
    kinds = list(dict.fromkeys(sample.groups["type"] for sample in samples))
    for kind in (*kinds, None):
        ids = [s.id for s in samples if s.id in both and kind in (None, s.groups["type"])]
        if ids:
            cells = [
                fmean(values)
                if (values := [found[name][i] for i in ids if i in found[name]])
                else None
                for name in names
            ]
            rows.append((kind or "all", *cells, len(ids)))
    return Table(
        name="Compound against single",
        columns=("type", "compound", "single", "words, compound", "words, single", "questions"),
        rows=tuple(rows),
        note="Win rate of the sub-answers against the sub-references, taken out of the compound "
        "answer and asked one at a time, and their mean length in words (Chinese: characters), "
        "those left out not counted (Figure 3).",
        plot=("compound", "single"),
    )


def positions_table(samples: Sequence[Sample], scores: Sequence[Score]) -> Table:
    """Return the win rate of each sub-question at each position (Table 3).

    A failed question that would have been asked in four orders has lost in all of them.
    """
    turned = {s.id for s in samples if can_turn([step.question for step in s.steps])}
    asked = any("positions" in score.detail for score in scores)
    lost = {f"{order}, sub-question {number + 1}": 0.0 for order in ORDERS for number in range(3)}
    found: dict[tuple[int, int], list[float]] = {}
    for score in scores:
        wins = cast("Mapping[str, Any]", score.detail.get("positions", {}))
        if asked and FAILED in score.unscored and score.sample_id in turned:
            wins = lost
        for order in ORDERS:
            for place, number in enumerate(positions(order)):
                win = wins.get(f"{order}, sub-question {number + 1}")
                if win is not None:
                    found.setdefault((number, place), []).append(win)
    rows = [
        (
            f"sub-question {number + 1}",
            *(fmean(at) if (at := found.get((number, place))) else None for place in range(3)),
        )
        for number in range(3)
        if any((number, place) in found for place in range(3))
    ]
    return Table(
        name="Win rate by position",
        columns=("asked", "1XX", "X1X", "XX1"),
        rows=tuple(rows),
        note="Each sub-question asked first, in the middle and last, over the orders "
        f"{', '.join(ORDERS)}; questions with three sub-questions (Table 3). A failed one has lost.",
        plot=("1XX", "X1X", "XX1"),
    )


def errors_table(samples: Sequence[Sample], scores: Sequence[Score]) -> Table:
    """Return the share of answers that show each error, by type of question; one may show several."""
    kinds = {sample.id: sample.groups["type"] for sample in samples}
    told = [score for score in scores if "errors" in score.detail]
    failed = sum(FAILED in score.unscored for score in scores)
    rows: list[tuple[Cell, ...]] = []
    for kind in dict.fromkeys(kinds[score.sample_id] for score in told):
        those = [s for s in told if kinds[s.sample_id] == kind]
        counts = Counter(
            error for s in those for error in cast("Sequence[str]", s.detail["errors"])
        )
        without = sum(not s.detail["errors"] for s in those)
        shares = [counts[error] / len(those) for error in ERRORS]
        rows.append((kind, *shares, without / len(those), len(those)))
    return Table(
        name="Errors",
        columns=("type", *ERRORS, "none of them", "n"),
        rows=tuple(rows),
        note="Shares of the answers, by rule: a sub-question without an answer; two sub-questions "
        "answered by the same words; another script than the question's. "
        f"{failed} failed questions have no answer and are not among them.",
        plot=ERRORS,
    )


def levels_table(scores: Sequence[Score]) -> Table:
    """Return how often each of the five levels was given, by where the answer stood."""
    rows: list[tuple[Cell, ...]] = []
    for place, shown in enumerate(("A", "B")):
        given = [
            str(cast("Sequence[str]", score.detail["levels"])[place])
            for score in scores
            if "levels" in score.detail
        ]
        counts = Counter(given)
        other = len(given) - sum(counts[level] for level in LEVELS)
        if given:
            rows.append((f"as {shown}", *(counts[x] for x in LEVELS), other))
    return Table(
        name="Verdicts",
        columns=("the answer stood", *LEVELS, "unreadable"),
        rows=tuple(rows),
    )
