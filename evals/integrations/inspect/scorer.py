"""fanfold's metrics and judges as Inspect's scorer: the same numbers as `evals score`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from inspect_ai.model import get_model
from inspect_ai.scorer import Metric, SampleScore, Scorer, Target, Value, metric, scorer
from inspect_ai.scorer import Score as InspectScore
from inspect_ai.solver import TaskState

from agent.llm.replies.repair import RepairedModel
from evals.integrations.inspect.model import InspectModel
from evals.integrations.inspect.solver import PREDICTION, Asked
from evals.metrics.summary import summarise
from evals.ports import Judges
from evals.records import from_json, to_json
from evals.runs.predict import score as score_predictions
from evals.types import FAILED, Prediction, Response, Score

_SCORE, _PLACE = "fanfold", "place"


@metric(scores="unreduced")
def summary(headline: str) -> Metric:
    """Return the mean of every metric over the questions, as `evals score` takes it.

    Epochs of a question are averaged first; a failed sample counts 0, an unscored one is left out.

    Args:
        headline: the metric by which samples count as scored.
    """

    def compute(scores: list[SampleScore]) -> Value:
        placed = [
            (one.score.metadata[_PLACE], from_json(Score, json.dumps(one.score.metadata[_SCORE])))
            for one in scores
            if one.score.metadata is not None
        ]
        placed.sort(key=lambda one: (one[1].epoch, one[0]))
        found = summarise([score for _, score in placed], headline)
        means = {name: interval.mean for name, interval in found.metrics.items()}
        return {**means, "failed": found.failed, "unscored": found.unscored}

    return compute


def scorer_of(asked: Asked, judge: str = "") -> Scorer:
    """Return the scorer of a task.

    Args:
        asked: the task's benchmark and samples.
        judge: a model as Inspect names it, where a benchmark has one judge.
    """
    benchmark = asked.sources.benchmark
    places = {sample_id: place for place, sample_id in enumerate(asked.samples)}

    @scorer(metrics=[summary(benchmark.headline)], name=benchmark.name)
    def by_fanfold(judge: str) -> Scorer:
        async def score(state: TaskState, target: Target) -> InspectScore:
            sample = asked.samples[str(state.sample_id)]
            prediction = prediction_of(state)
            judges = judges_of(judge)
            if benchmark.offline is not None:
                judges = benchmark.offline(judges)
            [scored] = await score_predictions(benchmark, [sample], [prediction], judges)
            return InspectScore(
                value=dict(scored.values) or {FAILED: 1.0},
                answer=prediction.response.text if prediction.response is not None else None,
                explanation=_explained(scored.unscored),
                metadata={_SCORE: json.loads(to_json(scored)), _PLACE: places[sample.id]},
            )

        return score

    return by_fanfold(judge)


def prediction_of(state: TaskState) -> Prediction:
    """Return what fanfold's solver left in the store, or what any other solver said."""
    kept: Any = state.store.get(PREDICTION)
    if kept is not None:
        return from_json(Prediction, json.dumps(kept))
    return Prediction(
        sample_id=str(state.sample_id),
        epoch=state.epoch - 1,
        response=Response(text=state.output.completion),
    )


def judges_of(name: str) -> Judges:
    """Return the judges over one of Inspect's models; none where none is named."""
    from agent.prompted.templates import Prompts
    from evals.judges.coverage import PromptedCoverage
    from evals.judges.extraction import PromptedExtractor
    from evals.judges.verdict import PACKAGED, SEED, PromptedJudge, SampledModel

    if not name:
        return Judges()
    prompts = Prompts(packaged=PACKAGED)
    model = SampledModel(RepairedModel(InspectModel(get_model(name))), 0.0, SEED)
    return Judges(
        judge=PromptedJudge(model, prompts),
        coverage=PromptedCoverage(model, prompts),
        extractor=PromptedExtractor(model, prompts),
    )


def _explained(unscored: Mapping[str, str]) -> str | None:
    return "; ".join(f"{name}: {reason}" for name, reason in unscored.items()) or None
