"""Scores an agent's own plan against the gold decomposition that a sample carries.

The papers score final answers only; where the data holds gold steps, these measures say at which
step an answer went wrong: asked another question, looked in another article, or read it wrongly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from agent.citations import strip_marks
from agent.types import Answer, SubAnswer
from corpus.storage.titles import fold
from evals.benchmarks.plans.likeness import likeness
from evals.metrics.fanoutqa import count_strings, string_accuracy
from evals.metrics.plan import THRESHOLD, evidence_recall, first_wrong_step, plan_score
from evals.types import FAILED, GoldStep, Json, Sample, Score, Table

STEP_K = 10
"""Chunks of a step's search that count for the recall of its evidence."""


NO_STEP = "nothing"
"""The fault of a plan of which every gold step was answered."""
FAULTS = ("not asked", "not retrieved", "not read", NO_STEP)
_SHOWN = {NO_STEP: "every step right, answer wrong"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanScores:
    """What a plan is worth; a measure that is undefined for a sample is in neither mapping."""

    values: Mapping[str, float] = field(default_factory=dict)
    detail: Mapping[str, Json] = field(default_factory=dict)


def score_evidence(sample: Sample, answer: Answer) -> float | None:
    """Return the share of a sample's necessary articles among those retrieved at all.

    None where the sample names none, or nothing was searched.
    """
    if not answer.hits:
        return None
    retrieved = [fold(hit.chunk.revision.title) for hit in answer.hits]
    return evidence_recall([fold(title) for title in sample.evidence], retrieved, len(retrieved))


def score_plan(sample: Sample, answer: Answer) -> PlanScores:
    """Score the steps an agent took against the gold steps, matched one to one.

    Args:
        sample: with its gold steps; every gold step depends on its sub-steps.
        answer: with the agent's sub-questions as they were asked, placeholders filled; how alike
            two steps are is for `evals.benchmarks.plans.likeness` to say.

    Returns:
        `plan_recall`, `plan_precision`, `plan_order` (`evals.metrics.plan`), `step_evidence@10`
        (mean over matched gold steps that name an article) and `step_accuracy` (mean loose string
        accuracy over all gold steps, 0 for one that nothing was matched to); in the detail the
        matches, what became of each gold step, the id of the first that went wrong, and why (one
        of `FAULTS`). What a strategy does not do is not scored: one that answers no steps has
        neither `step_evidence@10` nor `step_accuracy` nor a first fault, one that asks all steps at
        once has no `plan_order`.
    """
    from retrieval.dense.embedders import shared_embedder

    own = answer.sub_questions
    if not sample.steps or not own:
        return PlanScores()
    answers_steps = bool(answer.sub_answers)
    similarity = likeness(
        sample.question,
        [step.question for step in sample.steps],
        [step.text for step in own],
        shared_embedder(),
        filled=answers_steps,
    )
    plan = plan_score(
        similarity,
        _positions([(step.id, step.depends_on) for step in sample.steps]),
        _positions([(step.id, step.depends_on) for step in own]),
        THRESHOLD,
    )
    waits = any(step.depends_on for step in own) or any(t.name == "replan" for t in answer.trace)
    ids = {position: own[step].id for position, step in plan.matches.items()}
    accuracies, recalls = _outcomes(sample, answer, ids)
    missed = {position for position, recall in recalls.items() if recall < 1.0}
    became: list[Json] = [
        {
            "gold": gold.id,
            "own": ids.get(position),
            "retrieved": recalls[position] == 1.0 if position in recalls else None,
            "read": accuracies[position] == 1.0
            if position in ids and answers_steps and _is_gold(gold)
            else None,
        }
        for position, gold in enumerate(sample.steps)
    ]
    values = {
        name: value
        for name, value in (
            ("plan_recall", plan.recall),
            ("plan_precision", plan.precision),
            ("plan_order", plan.order if waits else None),
            (f"step_evidence@{STEP_K}", fmean(recalls.values()) if recalls else None),
            (
                "step_accuracy",
                fmean(accuracy or 0.0 for accuracy in accuracies) if answers_steps else None,
            ),
        )
        if value is not None
    }
    wrong = first_wrong_step(accuracies) if answers_steps else None
    why = _fault(wrong, accuracies, missed) if answers_steps else None
    detail: dict[str, Json] = {
        "matches": {sample.steps[gold].id: step_id for gold, step_id in sorted(ids.items())},
        "steps": became,
        "first_wrong": None if wrong is None else sample.steps[wrong].id,
        "why": why,
    }
    return PlanScores(values=values, detail={"plan": detail})


def _outcomes(
    sample: Sample, answer: Answer, ids: Mapping[int, str]
) -> tuple[list[float | None], dict[int, float]]:
    """Return what became of the gold steps, `ids` being the own step that each is matched to.

    The first are their accuracies, None where nothing is matched; the second the recall of those
    that name articles and were searched for.
    """
    found = {sub_answer.sub_question_id: sub_answer for sub_answer in answer.sub_answers}
    titles = _titles_by_step(answer)
    accuracies: list[float | None] = []
    recalls: dict[int, float] = {}
    for position, gold in enumerate(sample.steps):
        step_id = ids.get(position)
        accuracies.append(_step_accuracy(gold, found.get(step_id)) if step_id is not None else None)
        if step_id is not None and step_id in titles:
            needed = [fold(title) for title in gold.evidence]
            recall = evidence_recall(needed, titles[step_id], STEP_K)
            if recall is not None:
                recalls[position] = recall
    return accuracies, recalls


def _fault(wrong: int | None, accuracies: Sequence[float | None], missed: set[int]) -> str:
    """Return why a plan went wrong at a gold step, one of `FAULTS`."""
    if wrong is None:
        return NO_STEP
    if accuracies[wrong] is None:
        return "not asked"
    return "not retrieved" if wrong in missed else "not read"


def first_faults(scores: Sequence[Score], metric: str = "loose") -> Table:
    """Return how often a plan's first fault was of which kind, among answers that are wrong.

    Args:
        scores: of a run.
        metric: an answer is wrong where this is below 1.
    """
    counts = dict.fromkeys(FAULTS, 0)
    for score in scores:
        plan = score.detail.get("plan")
        wrong = score.values.get(metric, 0.0) < 1.0
        if wrong and isinstance(plan, dict) and plan["why"] is not None:
            counts[str(plan["why"])] += 1
    total = sum(counts.values())
    failed = sum(FAILED in score.unscored for score in scores)
    return Table(
        name="What went wrong first",
        columns=("fault", "wrong answers", "share"),
        rows=tuple(
            (_SHOWN.get(fault, fault), count, count / total)
            for fault, count in counts.items()
            if total
        ),
        note="Of wrong answers, the first gold step that was not answered wholly: no own step asks "
        "it, its article was not among the chunks retrieved for it, or the answer was read wrongly; "
        f"{failed} failed questions have no plan and are not among them.",
    )


def _positions(steps: Sequence[tuple[str, Sequence[str]]]) -> list[list[int]]:
    """Return for each step the positions of the steps that it depends on."""
    position = {step_id: number for number, (step_id, _) in enumerate(steps)}
    return [[position[id_] for id_ in depends_on if id_ in position] for _, depends_on in steps]


def _is_gold(gold: GoldStep) -> bool:
    """Whether a step has a gold answer to be read."""
    return gold.answer is not None and count_strings(gold.answer) > 0


def _step_accuracy(gold: GoldStep, found: SubAnswer | None) -> float:
    """Return the loose string accuracy of a step's answer; a step without a gold answer is right."""
    if not _is_gold(gold):
        return 1.0
    if found is None or found.status != "answered":
        return 0.0
    said = "\n".join(strip_marks(text) for text in (found.text, *found.items))
    return max(0.0, string_accuracy(gold.answer, said).loose)


def _titles_by_step(answer: Answer) -> dict[str, list[str]]:
    """Return the titles of the chunks each step was answered from, best first."""
    title = {hit.chunk.id: fold(hit.chunk.revision.title) for hit in answer.hits}
    by_step: dict[str, list[str]] = {}
    for step in answer.trace:
        chunks = step.detail.get("chunks")
        if step.sub_question_id is not None and isinstance(chunks, list):
            by_step[step.sub_question_id] = [title[chunk] for chunk in chunks if chunk in title]
    return by_step
