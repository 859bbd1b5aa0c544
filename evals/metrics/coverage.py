"""Sub-question coverage (Xie et al., 2024, section 3): four cases, metrics #1 to #6, the rating.

A sub-question is answered where the answer covers it, retrieved where at least one chunk does.
A share whose denominator is 0 is undefined: None, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from agent.types import Kind

KINDS: tuple[Kind, ...] = ("core", "background", "follow_up")


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What became of one sub-question in one answer and its retrieved chunks."""

    kind: Kind
    answered: bool | None
    """Whether the answer covers the sub-question; None where the verdict could not be read."""
    chunks: tuple[bool | None, ...] = ()
    """For each retrieved chunk, whether it covers the sub-question; None as above."""
    position: float | None = None
    """Where the answering fragment starts, in words, as a share of the answer's words."""

    @property
    def retrieved(self) -> bool | None:
        """Whether at least one chunk covers the sub-question.

        None where none is known to and a verdict is unreadable: it is not known then.
        """
        if any(self.chunks):
            return True
        return None if None in self.chunks else False

    @property
    def share(self) -> float | None:
        """Share of the chunks with a verdict that cover the sub-question; None without any."""
        readable = [covered for covered in self.chunks if covered is not None]
        return fmean(readable) if readable else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """P(answered, retrieved) over sub-questions of one kind; shares or percentages."""

    neither: float
    retrieved_only: float
    answered_only: float
    both: float

    @property
    def total(self) -> float:
        """1 for shares, 100 for percentages."""
        return self.neither + self.retrieved_only + self.answered_only + self.both


def four_cases(coverages: Iterable[Coverage], kind: Kind) -> Cases | None:
    """Return the four shares of a kind's sub-questions of which both are known; None for none."""
    pairs = [
        (c.answered, c.retrieved)
        for c in coverages
        if c.kind == kind and c.answered is not None and c.retrieved is not None
    ]
    if not pairs:
        return None

    def share(answered: bool, retrieved: bool) -> float:
        return pairs.count((answered, retrieved)) / len(pairs)

    return Cases(
        neither=share(False, False),
        retrieved_only=share(False, True),
        answered_only=share(True, False),
        both=share(True, True),
    )


def answer_coverage(cases: Cases) -> float:
    """#1: P_t(answered), of the four cases."""
    return (cases.answered_only + cases.both) / cases.total


def retrieval_coverage(cases: Cases) -> float:
    """#2: P_t(retrieved), of the four cases."""
    return (cases.retrieved_only + cases.both) / cases.total


def share_answered(coverages: Iterable[Coverage], kind: Kind) -> float | None:
    """#1: P_t(answered), over the answer's readable verdicts; None without any."""
    known = [c.answered for c in coverages if c.kind == kind and c.answered is not None]
    return fmean(known) if known else None


def share_retrieved(coverages: Iterable[Coverage], kind: Kind) -> float | None:
    """#2: P_t(retrieved), over the sub-questions of which it is known; None without any."""
    known = [r for c in coverages if c.kind == kind and (r := c.retrieved) is not None]
    return fmean(known) if known else None


def use_of_retrieved(core: Cases) -> float | None:
    """#3: P_core(answered ∧ retrieved) / P_core(retrieved)."""
    return _ratio(core.both, core.retrieved_only + core.both)


def room_for_retrieval(core: Cases) -> float | None:
    """#4: P_core(¬answered ∧ ¬retrieved) / P_core(¬answered)."""
    return _ratio(core.neither, core.neither + core.retrieved_only)


def chunk_share_gap(coverages: Iterable[Coverage]) -> float | None:
    """#5: p_covered − p_not-covered.

    The mean share of retrieved chunks that cover a core sub-question, over those the answer covers,
    minus the same over those it does not; sub-questions without any chunk are left out.
    """
    core = [
        (c.answered, share)
        for c in coverages
        if c.kind == "core" and c.answered is not None and (share := c.share) is not None
    ]
    covered = [share for answered, share in core if answered]
    not_covered = [share for answered, share in core if not answered]
    if not covered or not not_covered:
        return None
    return fmean(covered) - fmean(not_covered)


def position_gap(coverages: Iterable[Coverage]) -> float | None:
    """#6: pos_follow-up − (pos_core + pos_background) / 2, each a mean share of the answer."""
    positions: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for coverage in coverages:
        if coverage.position is not None:
            positions[coverage.kind].append(coverage.position)
    if not all(positions.values()):
        return None
    follow_up, core, background = (
        fmean(positions[kind]) for kind in ("follow_up", "core", "background")
    )
    return follow_up - (core + background) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageMetrics:
    """Metrics #1 to #6 of a set of sub-questions; None is undefined."""

    cases: Mapping[Kind, Cases | None]
    answered: Mapping[Kind, float | None]
    """#1 by kind."""
    retrieved: Mapping[Kind, float | None]
    """#2 by kind."""
    use_of_retrieved: float | None
    """#3."""
    room_for_retrieval: float | None
    """#4."""
    chunk_share_gap: float | None = None
    """#5."""
    position_gap: float | None = None
    """#6."""


def metrics_of_cases(cases: Mapping[Kind, Cases | None]) -> CoverageMetrics:
    """Return #1 to #4, which follow from the four cases alone (the paper's Table 1 → Table 2)."""
    core = cases.get("core")
    return CoverageMetrics(
        cases=cases,
        answered={kind: answer_coverage(c) if c else None for kind, c in cases.items()},
        retrieved={kind: retrieval_coverage(c) if c else None for kind, c in cases.items()},
        use_of_retrieved=use_of_retrieved(core) if core else None,
        room_for_retrieval=room_for_retrieval(core) if core else None,
    )


def coverage_metrics(coverages: Sequence[Coverage]) -> CoverageMetrics:
    """Return #1 to #6 over the pooled sub-questions of any number of questions."""
    of_cases = metrics_of_cases({kind: four_cases(coverages, kind) for kind in KINDS})
    return CoverageMetrics(
        cases=of_cases.cases,
        answered={kind: share_answered(coverages, kind) for kind in KINDS},
        retrieved={kind: share_retrieved(coverages, kind) for kind in KINDS},
        use_of_retrieved=of_cases.use_of_retrieved,
        room_for_retrieval=of_cases.room_for_retrieval,
        chunk_share_gap=chunk_share_gap(coverages),
        position_gap=position_gap(coverages),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingWeights:
    """Weights of the answer rating; the defaults are the paper's (section 4)."""

    core: float = 1.0
    background: float = 0.5
    follow_up: float = -1.0


def answer_rating(
    coverages: Sequence[Coverage], weights: RatingWeights | None = None
) -> float | None:
    """Return w_core·c_core + w_background·c_background + w_follow-up·c_follow-up.

    c_t is #1 of kind t; a kind without sub-questions adds nothing. None without any sub-question.
    """
    if all(coverage.answered is None for coverage in coverages):
        return None
    weights = weights or RatingWeights()
    by_kind = {"core": weights.core, "background": weights.background}
    by_kind["follow_up"] = weights.follow_up
    terms = []
    for kind in KINDS:
        covered = share_answered(coverages, kind)
        if covered is not None:
            terms.append(by_kind[kind] * covered)
    return math.fsum(terms)


def pairwise_accuracy(pairs: Sequence[tuple[float, float, Literal["a", "b"]]]) -> float | None:
    """Return how often the higher rating is the one people preferred; equal ratings count half.

    `pairs` holds (rating of a, rating of b, preferred); pairs that people left tied are not in it.
    """
    if not pairs:
        return None
    points = [0.5 if a == b else float((a > b) == (preferred == "a")) for a, b, preferred in pairs]
    return fmean(points)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
