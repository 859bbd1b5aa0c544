"""CofCA's tables: by hop and source, sub-questions by position, chains, joint scores, the gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from statistics import fmean, stdev
from typing import Any, cast

from evals.benchmarks.tables.groups import mean_by_group, over_epochs
from evals.metrics.chains import (
    ChainOutcome,
    JointScore,
    ReasoningChain,
    chain_categories,
    chain_shares,
    joint_score,
    reasoning_chain,
)
from evals.metrics.squad import TokenScore
from evals.metrics.statistics import paired_difference, unpaired_difference
from evals.metrics.summary import question_scores
from evals.types import Prediction, Sample, Score, Table

METRICS = ("em", "f1", "pm")
JOINT = (*METRICS, "sub_em", "sub_f1", "joint_em", "joint_f1")
Cell = str | float | None
_NOTHING = TokenScore(precision=0.0, recall=0.0, f1=0.0)


def tables(
    samples: Sequence[Sample], predictions: Sequence[Prediction], scores: Sequence[Score]
) -> list[Table]:
    """Return the paper's tables of one run; a failed prediction counts as wrong throughout."""
    by_id = {sample.id: sample for sample in samples}
    chained = [(by_id[s.sample_id], s) for s in scores if by_id[s.sample_id].steps]
    return [
        mean_by_group("By hops", "hops", samples, scores, JOINT, plot=METRICS),
        mean_by_group("By data", "data", samples, scores, METRICS),
        mean_by_group("By type", "type", samples, scores, METRICS),
        gap_table(samples, scores),
        shares_table(chained),
        *category_tables(chained),
        positions_table(chained),
        joint_table(chained),
        over_epochs("hops", samples, scores, METRICS),
    ]


def gap_table(samples: Sequence[Sample], scores: Sequence[Score]) -> Table:
    """Return what factual items score above counterfactual ones, with its interval, by type as well.

    Items that come in pairs are compared pair by pair; without any, two sets of questions.
    """
    kinds = list(dict.fromkeys(s.groups["type"] for s in samples if "type" in s.groups))
    chosen = [("all", samples)]
    if len(kinds) > 1:
        chosen += [(kind, [s for s in samples if s.groups.get("type") == kind]) for kind in kinds]
    rows = [
        (name, *row)
        for name, those in chosen
        for metric in METRICS
        if (row := _gap(those, scores, metric)) is not None
    ]
    return Table(
        name="Factual against counterfactual",
        columns=("type", "metric", "factual", "counterfactual", "gap", "low", "high", "p", "over"),
        rows=tuple(rows),
        note="Gap: factual minus counterfactual; 95 % bootstrap interval (10,000 resamples).",
        plot=("factual", "counterfactual"),
    )


def _gap(
    samples: Sequence[Sample], scores: Sequence[Score], metric: str
) -> tuple[Cell, ...] | None:
    values = question_scores(scores, metric)
    sides: dict[str, dict[str, float]] = {"factual": {}, "counterfactual": {}}
    for sample in samples:
        side = sample.groups.get("source", "")
        if sample.id in values and side in sides:
            sides[side][sample.pair or f" {sample.id}"] = values[sample.id]
    factual, counter = sides["factual"], sides["counterfactual"]
    if not factual or not counter or not any(metric in score.values for score in scores):
        return None
    both = [pair for pair in factual if pair in counter]
    p_value: float | None = None
    if both:
        a, b = [factual[pair] for pair in both], [counter[pair] for pair in both]
        found = paired_difference(a, b)
        how, p_value = f"{len(both)} pairs", found.p_value
        gap = (found.mean, found.low, found.high)
    else:
        a, b = list(factual.values()), list(counter.values())
        apart = unpaired_difference(a, b)
        how = f"{len(a)} against {len(b)} items, not paired"
        gap = (apart.mean, apart.low, apart.high)
    return metric, sum(a) / len(a), sum(b) / len(b), *gap, p_value, how


def shares_table(chained: Sequence[tuple[Sample, Score]]) -> Table:
    """Return how right answers were reached, by number of sub-questions; each row adds to 100 %."""
    rows: list[tuple[Cell, ...]] = []
    for hops, items in _by_hops(chained).items():
        shares = chain_shares([_outcome(sample, score) for sample, score in items])
        rows.append(
            (
                f"{hops} steps",
                shares.right_chain,
                shares.wrong_chain,
                shares.wrong_answer,
                len(items),
            )
        )
    return Table(
        name="Chain shares",
        columns=("chain", "right chain %", "wrong chain, right answer %", "wrong answer %", "n"),
        rows=tuple(rows),
        note="Per cent of the answers, by exact match; epochs count one by one.",
        plot=("right chain %", "wrong chain, right answer %", "wrong answer %"),
    )


def category_tables(chained: Sequence[tuple[Sample, Score]]) -> list[Table]:
    """Return the paper's Table 8 for every number of steps: 2^(N+1) categories in per cent."""
    drawn = []
    for hops, items in _by_hops(chained).items():
        shares = chain_categories([_outcome(sample, score) for sample, score in items])
        drawn.append(
            Table(
                name=f"Chains of {hops} steps",
                columns=("category", *(f"q{n + 1}" for n in range(hops)), "q", "%"),
                rows=tuple((name, *name, share) for name, share in shares.items()),
                note="c: correct, w: wrong, by exact match, for each sub-question and the question "
                f"(Table 8); {len(items)} answers; the rows add to 100 %.",
                plot=("%",),
            )
        )
    return drawn


def positions_table(chained: Sequence[tuple[Sample, Score]]) -> Table:
    """Return EM and F1 of the sub-questions by their position (Tables 13 and 14)."""
    rows: list[tuple[Cell, ...]] = []
    for hops, items in _by_hops(chained).items():
        for position in range(hops):
            parts = [_parts(sample, score)[position] for sample, score in items]
            exact = [float(right) for right, _ in parts]
            tokens = [found.f1 for _, found in parts]
            rows.append(
                (
                    f"{hops} steps, q{position + 1}",
                    sum(exact) / len(exact),
                    sum(tokens) / len(tokens),
                    len(parts),
                )
            )
    return Table(
        name="Sub-questions by position",
        columns=("sub-question", "em", "f1", "n"),
        rows=tuple(rows),
        plot=("em",),
    )


def joint_table(chained: Sequence[tuple[Sample, Score]]) -> Table:
    """Return joint scores both ways: plain, item by item, and logged, once over a data set."""
    rows: list[tuple[Cell, ...]] = []
    for hops, items in _by_hops(chained).items():
        joint = [_joint(sample, score) for sample, score in items]
        epochs = sorted({score.epoch for _, score in items})
        runs = [logged([(a, b) for a, b in items if b.epoch == epoch], hops)[0] for epoch in epochs]
        f1, em = [run.f1 for run in runs], [run.em for run in runs]
        rows.append(
            (
                f"{hops} steps",
                sum(j.f1 for j in joint) / len(joint),
                sum(j.em for j in joint) / len(joint),
                *_mean_and_deviation(f1),
                *_mean_and_deviation(em),
                ", ".join(logged(items, hops)[1]),
                len(joint),
            )
        )
    return Table(
        name="Joint scores",
        columns=("chain", "joint F1", "joint EM", "F1 RC", "± F1 RC", "EM RC", "± EM RC",
                 "mean of 0", "n"),
        rows=tuple(rows),
        note="Joint F1 and EM: means over all answers, larger is better. RC: the −ln formula taken "
        "once on the means of each part over all items of an epoch, larger is worse (Table 7, "
        "appendix C), then mean and deviation over the epochs; ∞ where a part is right in no item.",
    )  # fmt: skip


def logged(items: Sequence[tuple[Sample, Score]], hops: int) -> tuple[ReasoningChain, list[str]]:
    """Return the paper's logged scores of the items of one hop count, and the parts never right."""
    every = [[_whole(score), *_parts(sample, score)] for sample, score in items]
    columns = list(zip(*every, strict=True))

    def means(values: Sequence[Sequence[float]]) -> list[float]:
        return [sum(column) / len(column) for column in values]

    precisions = means([[tokens.precision for _, tokens in part] for part in columns])
    recalls = means([[tokens.recall for _, tokens in part] for part in columns])
    exact = means([[float(right) for right, _ in part] for part in columns])
    names = ["q", *(f"q{n + 1}" for n in range(hops))]
    never = [name for name, mean in zip(names, exact, strict=True) if mean == 0]
    return reasoning_chain(precisions, recalls, exact), never


def _mean_and_deviation(values: Sequence[float]) -> tuple[Cell, Cell]:
    """Return mean and deviation (n − 1 below) over epochs; "∞" where one of them has no value."""
    if not all(map(isfinite, values)):
        return "∞", None
    return fmean(values), stdev(values) if len(values) > 1 else None


def _by_hops(
    chained: Sequence[tuple[Sample, Score]],
) -> Mapping[int, list[tuple[Sample, Score]]]:
    found: dict[int, list[tuple[Sample, Score]]] = {}
    for sample, score in chained:
        found.setdefault(len(sample.steps), []).append((sample, score))
    return dict(sorted(found.items()))


def _outcome(sample: Sample, score: Score) -> ChainOutcome:
    category = str(score.detail.get("chain", "w" * (len(sample.steps) + 1)))
    *parts, whole = (letter == "c" for letter in category)
    return ChainOutcome(sub_questions=tuple(parts), question=whole)


def _parts(sample: Sample, score: Score) -> list[tuple[bool, TokenScore]]:
    rows = cast("Sequence[Mapping[str, Any]]", score.detail.get("parts", ()))
    return [_read(row) for row in rows] or [(False, _NOTHING)] * len(sample.steps)


def _whole(score: Score) -> tuple[bool, TokenScore]:
    whole = cast("Mapping[str, Any] | None", score.detail.get("whole"))
    return _read(whole) if whole else (False, _NOTHING)


def _joint(sample: Sample, score: Score) -> JointScore:
    every = [_whole(score), *_parts(sample, score)]
    return joint_score([tokens for _, tokens in every], [exact for exact, _ in every])


def _read(row: Mapping[str, Any]) -> tuple[bool, TokenScore]:
    tokens = TokenScore(precision=row["precision"], recall=row["recall"], f1=row["f1"])
    return bool(row["em"]), tokens
