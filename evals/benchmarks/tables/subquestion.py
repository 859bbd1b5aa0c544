"""Sub-question coverage's tables: the paper's four cases, its six metrics, and unreadable verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from evals.metrics.coverage import (
    KINDS,
    Coverage,
    coverage_metrics,
)
from evals.types import FAILED, Prediction, Sample, Score, Table


def pooled_coverages(scores: Sequence[Score]) -> list[Coverage]:
    """Return the coverage of every sub-question of a run, from its scores alone.

    A failed question has no answer and no chunks: it has none here.
    """
    pooled: list[Coverage] = []
    for score_ in scores:
        rows = cast("Sequence[Mapping[str, Any]]", score_.detail.get("coverage", []))
        pooled += [
            Coverage(
                kind=row["kind"],
                answered=row["answered"],
                chunks=tuple(row["chunks"]),
                position=row["position"],
            )
            for row in rows
            if row["kind"] is not None
        ]
    return pooled


def tables(
    samples: Sequence[Sample], predictions: Sequence[Prediction], scores: Sequence[Score]
) -> list[Table]:
    """Return the paper's Table 1 (four cases) and Table 2 (metrics #1 to #6) of this run."""
    pooled = pooled_coverages(scores)
    metrics = coverage_metrics(pooled)
    failed = sum(FAILED in score_.unscored for score_ in scores)
    shown = ("neither", "retrieved_only", "answered_only", "both")
    cases = Table(
        name="Four cases",
        columns=("answered × retrieved", *KINDS),
        rows=tuple(
            (
                name.replace("_", " "),
                *(
                    getattr(found, name) if (found := metrics.cases[kind]) else None
                    for kind in KINDS
                ),
            )
            for name in shown
        ),
        note="Shares of the sub-questions of a kind (Table 1).",
    )
    rows: list[tuple[str | float | None, ...]] = [
        *((f"#1 answered, {kind}", metrics.answered[kind]) for kind in KINDS),
        *((f"#2 retrieved, {kind}", metrics.retrieved[kind]) for kind in KINDS),
        ("#3 retrieved core that is answered", metrics.use_of_retrieved),
        ("#4 unanswered core that is not retrieved", metrics.room_for_retrieval),
        ("#5 chunk share, covered minus not covered", metrics.chunk_share_gap),
        ("#6 position, follow-up minus core and background", metrics.position_gap),
    ]
    return [
        cases,
        Table(
            name="Coverage metrics",
            columns=("metric", "value"),
            rows=tuple(rows),
            note="Over the pooled sub-questions; no value: its denominator is 0 (Table 2). "
            f"{failed} failed questions, which count 0 in the headline, have no answer and no "
            "chunks and are not among them.",
        ),
        _verdicts(pooled),
    ]


def _verdicts(pooled: Sequence[Coverage]) -> Table:
    of_answers = [coverage.answered for coverage in pooled]
    of_chunks = [covered for coverage in pooled for covered in coverage.chunks]
    unknown = [coverage.retrieved for coverage in pooled]
    return Table(
        name="Verdicts",
        columns=("of", "verdicts", "unreadable"),
        rows=(
            ("sub-questions in answers", len(of_answers), of_answers.count(None)),
            ("sub-questions in chunks", len(of_chunks), of_chunks.count(None)),
            ("retrieved or not (#2)", len(unknown), unknown.count(None)),
        ),
        note="An unreadable verdict is left out of the metrics that need it, never “not covered”.",
    )
