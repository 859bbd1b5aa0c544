"""The agent as Inspect's solver: one prediction a sample, its account in the transcript."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from inspect_ai.model import (
    ChatMessageAssistant,
    ContentText,
    Model,
    ModelOutput,
    UrlCitation,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import span

from agent.types import Answer
from evals.integrations.inspect.account import show
from evals.integrations.inspect.model import InspectEndpoint
from evals.records import to_json
from evals.runs.config import check_config, pinned
from evals.runs.models import CALLS, EXTRACTIVE
from evals.runs.predict import predict_one
from evals.runs.sources import Sources, open_snapshot
from evals.runs.system.asker import AgentAsker, open_asker
from evals.types import Prediction, RunConfig, Sample

PREDICTION = "fanfold:prediction"
"""Where a sample's store keeps the prediction: a log can be scored again from it."""
NO_MODEL = "none/none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a task asks, for its solver and its scorer."""

    config: RunConfig
    sources: Sources
    """Without an endpoint: Inspect names the model."""
    samples: Mapping[str, Sample]


@solver
def agent(asked: Asked) -> Solver:
    """Answer each sample as `evals run` does.

    Args:
        asked: the benchmark's samples, and how they are asked.
    """
    askers: dict[str, AgentAsker] = {}
    opening = asyncio.Lock()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        async with opening:
            if str(model) not in askers:
                askers[str(model)] = await asyncio.to_thread(open_for, asked, model)
        sample = asked.samples[str(state.sample_id)]
        async with span("fanfold", type="agent"):
            prediction = await predict_one(
                asked.sources.benchmark, sample, askers[str(model)], state.epoch - 1
            )
            # Inside: of a solver's span its viewer shows what its agents did.
            for answer in _answers(prediction):
                await show(answer)
        state.store.set(PREDICTION, json.loads(to_json(prediction)))
        state.output = _output(prediction, str(model))
        state.messages.append(state.output.message)
        return state

    return solve


def open_for(asked: Asked, model: Model) -> AgentAsker:
    """Return the system under test with Inspect's model, or the extractive engine without one."""
    named = None if str(model) == NO_MODEL else InspectEndpoint(model=str(model), given=model)
    sources = replace(asked.sources, endpoint=named)
    config = replace(asked.config, model=EXTRACTIVE if named is None else named.model)
    check_config(config, sources)
    snapshot = open_snapshot(sources.snapshot, sources.benchmark.language)
    # Inspect keeps the calls: nothing is written under this name.
    return open_asker(pinned(config, sources, snapshot), sources, snapshot, Path(CALLS))


def _answers(prediction: Prediction) -> tuple[Answer, ...]:
    return prediction.response.answers if prediction.response is not None else ()


def _output(prediction: Prediction, model: str) -> ModelOutput:
    name = EXTRACTIVE if model == NO_MODEL else model
    if prediction.response is None:
        return ModelOutput.from_content(name, "", error=prediction.error)
    cited = [
        UrlCitation(url=one.revision.url, title=one.revision.title, cited_text=one.quote)
        for answer in prediction.response.answers
        for one in answer.citations
    ]
    content = ContentText(text=prediction.response.text, citations=cited or None)
    return ModelOutput.from_message(ChatMessageAssistant(content=[content], model=name))
