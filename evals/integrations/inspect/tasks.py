"""The five benchmarks as Inspect's tasks.

    inspect eval fanfold/fanoutqa                                    the extractive engine
    inspect eval fanfold/fanoutqa --model openai/gpt-4.1-mini        a model that Inspect knows
    inspect eval fanfold/cofca -T setting=evidence -T strategy=e2e --limit 20

From a checkout `evals/integrations/inspect/tasks.py@fanoutqa` names the same task.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import cast

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample

from agent.types import Setting
from evals.datafiles import SAMPLE_DATA
from evals.integrations.inspect.scorer import scorer_of
from evals.integrations.inspect.solver import Asked, agent
from evals.runs.config import read_options
from evals.runs.models import EXTRACTIVE
from evals.runs.samples import choose_edition, choose_split, find_benchmark, load_samples
from evals.runs.sources import Sources
from evals.types import Json, RunConfig, Sample


def asked_as_evals_run(named: Callable[[], None]) -> Callable[..., Task]:
    """Make of an empty function the task of the benchmark of its name.

    Inspect reads the parameters of a task from its signature: all five have this one.
    """

    def made(
        data: str = "",
        split: str = "",
        edition: str = "",
        snapshot: str = "",
        setting: str = "",
        strategy: str = "agentic",
        prompting: str = "",
        option: str = "",
        k: int = 10,
        context_limit: int | None = None,
        judge: str = "",
    ) -> Task:
        benchmark = find_benchmark(named.__name__)
        path = Path(data) if data else SAMPLE_DATA
        split = choose_split(benchmark, path, split)
        config = RunConfig(
            benchmark=benchmark.name,
            edition=choose_edition(benchmark, path, split, edition),
            split=split,
            setting=cast(Setting, setting or benchmark.setting),
            strategy=strategy,
            model=EXTRACTIVE,
            style=benchmark.style,
            k=k,
            context_limit=context_limit,
            prompting=prompting or benchmark.promptings[0],
            options=read_options(benchmark, [option] if option else []),
        )
        sources = Sources(
            benchmark=benchmark, data=path, snapshot=Path(snapshot) if snapshot else None
        )
        samples = load_samples(benchmark, path, split, config.edition)
        asked = Asked(config=config, sources=sources, samples={one.id: one for one in samples})
        return Task(
            name=benchmark.name,
            dataset=MemoryDataset(
                [_sample(sample) for sample in samples], name=f"{benchmark.name}-{split}"
            ),
            solver=agent(asked),
            scorer=scorer_of(asked, judge),
            # What was chosen where nothing was named: Inspect shows only what was.
            metadata={
                "citation": benchmark.citation,
                "edition": config.edition,
                "split": split,
                "setting": config.setting,
                "strategy": strategy,
                "prompting": config.prompting,
                "snapshot": snapshot or "the embedded sample",
            },
        )

    made.__name__ = made.__qualname__ = named.__name__
    made.__doc__ = named.__doc__
    return made


@task
@asked_as_evals_run
def fanoutqa() -> None:
    """FanOutQA: questions whose answers need many articles (Zhu et al., 2024)."""


@task
@asked_as_evals_run
def subquestion() -> None:
    """Sub-question coverage of answers to open-ended questions (Xie et al., 2024)."""


@task
@asked_as_evals_run
def compound() -> None:
    """Compound-QA: several questions in one (Hou et al., 2024)."""


@task
@asked_as_evals_run
def cofca() -> None:
    """CofCA: multi-hop questions over counterfactual passages (Wu et al., 2025)."""


@task
@asked_as_evals_run
def ccmor() -> None:
    """CCMOR: Chinese chains of facts (You et al., 2025)."""


def _sample(sample: Sample) -> InspectSample:
    return InspectSample(
        input=sample.question,
        target=in_words(sample.reference),
        id=sample.id,
        metadata=dict(sample.groups),
    )


def in_words(reference: Json) -> str:
    """Return a gold answer as its viewer shows it: lists and objects as people write them."""
    if reference is None:
        return ""
    if isinstance(reference, str):
        return reference
    if isinstance(reference, list | tuple):
        return "; ".join(map(in_words, reference))
    if isinstance(reference, dict):
        return "; ".join(f"{name}: {in_words(value)}" for name, value in reference.items())
    return json.dumps(reference, ensure_ascii=False)
