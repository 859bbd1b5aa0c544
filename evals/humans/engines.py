"""Who classifies, decomposes and judges beside people: a model that was named, or the offline engine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.options import one_of
from evals.options import CLASSIFY, endpoint_of, judges_of

if TYPE_CHECKING:
    from agent.llm.port import LanguageModel
    from agent.prompted import PromptedReasoner
    from agent.reasoner import Reasoner
    from evals.humans.decomposition import Decomposer
    from evals.ports import CoverageJudge
    from evals.types import Jury


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a model that classifies is asked."""

    classify: str
    shots: int | None
    prompts: Path | None
    temperature: float
    seed: int


def coverage_judge_of(jury: Jury, calls: Path) -> CoverageJudge:
    """Return the judge of coverage: the model named, which keeps its calls in a folder, or embeddings."""
    if jury.models:
        calls.mkdir(parents=True, exist_ok=True)
        named = judges_of(calls, jury).coverage
        assert named is not None
        return named
    from evals.judges.coverage_offline import EmbeddedCoverage

    return EmbeddedCoverage()


def reasoner_of(name: str, base_url: str, calls: Path, sampling: Sampling) -> Reasoner:
    """Return who classifies sub-questions: the model named, or the extractive engine."""
    if not name:
        from agent.extractive import ExtractiveReasoner
        from retrieval.dense.embedders import shared_embedder

        return ExtractiveReasoner(shared_embedder())
    from evals.runs.models import CALLS

    address = base_url or os.environ.get("FANFOLD_BASE_URL") or None
    endpoint = endpoint_of(name, address or "")
    assert endpoint is not None
    calls.mkdir(parents=True, exist_ok=True)
    return prompted(endpoint.open(calls / CALLS), sampling)


def prompted(model: LanguageModel, sampling: Sampling) -> PromptedReasoner:
    """Return a model as a reasoner without tools."""
    from agent.prompted import PromptedReasoner
    from agent.prompted.templates import Prompts
    from evals.runs.prompt_files import check_prompt_folder

    return PromptedReasoner(
        model,
        None,
        classify=one_of(sampling.classify, "--classify", CLASSIFY),
        shots=sampling.shots,
        prompts=Prompts(check_prompt_folder(sampling.prompts)),
        temperature=sampling.temperature,
        seed=sampling.seed,
    )


def decomposer_of(
    model: str,
    base_url: str,
    out: Path,
    count: int,
    snapshot: Path | None,
    sampling: Sampling,
) -> Decomposer:
    """Return who takes questions apart, a model's calls kept beside the file that it writes."""
    from evals.humans.decomposition import ExtractiveDecomposer, PromptedDecomposer

    endpoint = endpoint_of(model, base_url)
    if endpoint is not None:
        from agent.prompted.templates import Prompts
        from evals.judges.verdict import PACKAGED, SampledModel

        out.parent.mkdir(parents=True, exist_ok=True)
        opened = endpoint.open(out.with_suffix(".calls.sqlite"))
        return PromptedDecomposer(
            SampledModel(opened, sampling.temperature, sampling.seed),
            prompted(opened, sampling),
            count=count,
            prompts=Prompts(sampling.prompts, packaged=PACKAGED),
        )
    from agent.graph.parts import open_parts
    from agent.settings import Settings

    parts = open_parts(Settings(snapshot=None if snapshot is None else str(snapshot)))
    return ExtractiveDecomposer(parts.reasoner, parts.retriever)
