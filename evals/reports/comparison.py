"""Compares scored runs question by question, and refuses to compare what is not comparable."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations

from corpus.errors import InputError
from evals.metrics.statistics import Difference, holm, paired_difference
from evals.metrics.summary import Summary, metric_names, question_scores, summarise
from evals.reports.labels import labels_of
from evals.runs.folder import RunFolder, Scoring
from evals.types import Score

COMPARABLE = ("benchmark", "edition", "split", "data_sha256", "snapshot")
"""Fields of a run's configuration that must agree; the scoring must, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRun:
    """One run of a comparison."""

    label: str
    folder: str
    summary: Summary
    scoring: Scoring


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """The paired difference of two runs in one metric."""

    a: str
    b: str
    metric: str
    difference: Difference
    p_holm: float
    """Adjusted over all comparisons of the report."""
    left_out: int
    """Questions that only one of the two has a score for."""

    @property
    def significant(self) -> bool:
        """Whether the difference holds at 5 % after the correction."""
        return self.p_holm < 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything a report says about several runs."""

    headline: str
    runs: tuple[ComparedRun, ...]
    pairs: tuple[ComparedPair, ...]
    mixed: tuple[str, ...]
    """Differences that the person asked to overlook, as the report must say."""
    metrics: tuple[str, ...] = ()
    """Compared beside the headline, as asked for."""
    allow: tuple[str, ...] = ()
    """Fields that may differ, as asked for."""
    caveats: tuple[str, ...] = ()
    """What makes figures say less than they seem to, and of which runs."""
    questions: str = ""
    """How far the runs' questions are not the same; "" where they are."""


def compare_runs(
    runs: Sequence[RunFolder],
    headline: str,
    *,
    metrics: Collection[str] = (),
    allow: Collection[str] = (),
) -> Comparison:
    """Compare runs pairwise on the questions both have scores for.

    Args:
        runs: scored runs.
        headline: the metric that is always compared.
        metrics: further metrics to compare.
        allow: names of fields (of `COMPARABLE`, or of the scoring) that may differ.

    Raises:
        InputError: a run is not scored, or two differ in what makes scores comparable.
    """
    mixed = check_comparable(runs, allow)
    labels = labels_of(runs)
    scores = {label: list(run.scores().values()) for label, run in zip(labels, runs, strict=True)}
    compared = tuple(
        ComparedRun(
            label=label,
            folder=str(run.path),
            summary=summarise(scores[label], headline),
            scoring=run.scoring() or Scoring(),
        )
        for label, run in zip(labels, runs, strict=True)
    )
    pairs = [
        pair
        for metric in dict.fromkeys((headline, *metrics))
        for a, b in combinations(labels, 2)
        if (pair := _compare(a, b, metric, scores)) is not None
    ]
    adjusted = holm([pair.difference.p_value for pair in pairs])
    return Comparison(
        headline=headline,
        runs=compared,
        pairs=tuple(replace(pair, p_holm=p) for pair, p in zip(pairs, adjusted, strict=True)),
        mixed=tuple(mixed),
        metrics=tuple(metrics),
        allow=tuple(allow),
        questions=_other_questions(labels, runs),
        caveats=caveats_of(labels, runs),
    )


def caveats_of(labels: Sequence[str], runs: Sequence[RunFolder]) -> tuple[str, ...]:
    """Return each caveat of runs, with the labels of those that it is true of where not of all."""
    found: dict[str, list[str]] = {}
    for label, run in zip(labels, runs, strict=True):
        for line in run.record.caveats:
            found.setdefault(line, []).append(label)
    return tuple(
        line if len(those) == len(runs) else f"{' and '.join(those)}: {line}"
        for line, those in found.items()
    )


def _other_questions(labels: Sequence[str], runs: Sequence[RunFolder]) -> str:
    """Return how far the runs ask different questions, "" where all ask the same."""
    asked = [frozenset(run.record.sample_ids) for run in runs]
    if len(set(asked)) <= 1:
        return ""
    shared = len(frozenset.intersection(*asked))
    counts: dict[int, list[str]] = {}
    for label, those in zip(labels, asked, strict=True):
        counts.setdefault(len(those), []).append(label)
    told = ", ".join(f"{n:,} in {' and '.join(names)}" for n, names in counts.items())
    common = f"{shared:,} are common to all" if shared else "none is common to all"
    return (
        f"the runs are over different questions ({told}; {common}): each mean is over a run's own "
        "questions, and differences are over those that two runs share"
    )


def _compare(a: str, b: str, metric: str, scores: dict[str, list[Score]]) -> ComparedPair | None:
    if any(metric not in metric_names(scores[label]) for label in (a, b)):
        return None
    first, second = question_scores(scores[a], metric), question_scores(scores[b], metric)
    common = [question for question in first if question in second]
    if not common:
        return None
    return ComparedPair(
        a=a,
        b=b,
        metric=metric,
        difference=paired_difference([first[q] for q in common], [second[q] for q in common]),
        p_holm=1.0,
        left_out=len(first.keys() ^ second.keys()),
    )


def check_comparable(runs: Sequence[RunFolder], allow: Collection[str] = ()) -> list[str]:
    """Return in what of `allow` scored runs differ, in words.

    Raises:
        InputError: a run is not scored, or two differ in something else that scores depend on.
    """
    # How to reach the judges is no part of who they are.
    scored_by = [field.name for field in fields(Scoring) if field.name != "jury"]
    known = {*COMPARABLE, *scored_by}
    unknown = set(allow) - known
    if unknown:
        raise InputError(f"unknown field {min(unknown)!r}: choose {', '.join(sorted(known))}")
    described = []
    for run in runs:
        scoring = run.scoring()
        if scoring is None:
            raise InputError(
                f"{run.path} is not scored: run `python -m evals score {run.path}` first"
            )
        config = asdict(run.record.config)
        # In the closed setting, of passages that come with a question, and of imported answers there
        # is no snapshot: none can differ.
        config["snapshot"] = config["snapshot"] or None
        described.append(
            {
                **{name: config[name] for name in COMPARABLE},
                **{name: getattr(scoring, name) for name in scored_by},
            }
        )
    mixed = []
    for name in known:
        values = {
            str(values[name]): run.path
            for values, run in zip(described, runs, strict=True)
            if values[name] is not None
        }
        if len(values) > 1:
            shown = ", ".join(f"{value or 'none'} in {path}" for value, path in values.items())
            if name not in allow:
                raise InputError(
                    f"the runs differ in {name} ({shown}): their scores are not comparable; "
                    f"--allow {name} compares them all the same and says so in the report"
                )
            mixed.append(f"{name}: {shown}")
    return sorted(mixed)
