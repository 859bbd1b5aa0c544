"""One configuration, from the command line to replay: chosen, checked, pinned to what it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from agent.budget import Budget
from agent.settings import Settings, StrategyName, check_settings
from corpus.errors import InputError
from corpus.storage.manifest import TOOL_VERSION
from corpus.store import Snapshot
from evals.ports import Benchmark
from evals.runs.folder import RunRecord, run_id
from evals.runs.models import EXTRACTIVE
from evals.runs.prompt_files import prompt_hashes
from evals.runs.sources import Sources, data_digest, retriever_name
from evals.types import PAPER, Json, RunConfig, Sample

EACH_ITS_OWN = ("each sample's own",)
"""The evidence of a run's settings: every sample brings titles or texts of its own."""


def read_options(benchmark: Benchmark, given: Sequence[str]) -> dict[str, Json]:
    """Return a benchmark's options, NAME=VALUE each, what is not given by its default.

    Raises:
        InputError: an option or a value that the benchmark does not know.
    """
    chosen: dict[str, Json] = {name: values[0] for name, values in benchmark.options.items()}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or name not in benchmark.options:
            known = ", ".join(f"{n}={'|'.join(map(str, v))}" for n, v in benchmark.options.items())
            raise InputError(
                f"unknown option {one!r} of {benchmark.name}: choose {known or 'none, it has none'}"
            )
        values = {str(choice): choice for choice in benchmark.options[name]}
        if value not in values:
            raise InputError(f"option {name} cannot be {value!r}: choose {', '.join(values)}")
        chosen[name] = values[value]
    return chosen


def check_config(config: RunConfig, sources: Sources) -> None:
    """Refuse what cannot be run, before anything is.

    Raises:
        InputError: a setting of the agent that there is not, a way of asking that the benchmark
            does not have or that needs a model, or a protocol that fills the model's context where
            its size is not known. Says which option mends it.
    """
    check_settings(settings_of(config))
    benchmark, model = sources.benchmark, sources.endpoint
    if config.prompting not in benchmark.promptings:
        raise InputError(
            f"{benchmark.name} has no prompting {config.prompting!r}: "
            f"choose {', '.join(benchmark.promptings)}"
        )
    if model is None and config.prompting != benchmark.promptings[0]:
        raise InputError(
            f"the prompting {config.prompting!r} asks a model: name one with --model, "
            f"or choose {benchmark.promptings[0]}"
        )
    fills = benchmark.fills_context and config.prompting == PAPER
    if fills and config.setting != "closed" and config.context_limit is None:
        raise InputError(
            f"the paper's protocol fills the context of {config.model}: "
            "say how large it is with --context-limit"
        )


def settings_of(config: RunConfig) -> Settings:
    """Return what the agent is told of a configuration; what it works with is wired beside."""
    return Settings(
        strategy=cast(StrategyName, config.strategy),
        setting=config.setting,
        evidence=EACH_ITS_OWN if config.setting == "evidence" else (),
        style=config.style,
        k=config.k,
        context_limit=config.context_limit,
        tools=config.tools,
        classify=config.classify,
        shots=config.shots,
        temperature=config.temperature,
        seed=config.seed,
        budget=Budget(calls=config.max_calls or Budget().calls, tokens=config.max_tokens),
    )


def pinned(
    config: RunConfig, sources: Sources, snapshot: Snapshot, samples: Sequence[Sample] = ()
) -> RunConfig:
    """Return the configuration with the hashes and names of what it draws on.

    Its hash is the run's id: another snapshot, file of data or prompt is another run. Samples that
    bring their own passages draw on no snapshot in the evidence setting.
    """
    closed, open_ = config.setting == "closed", config.setting == "open"
    given = bool(samples) and all(sample.passages for sample in samples)
    own = given and config.setting == "evidence"
    return replace(
        config,
        benchmark=sources.benchmark.name,
        style=sources.benchmark.style,
        model=sources.endpoint.model if sources.endpoint is not None else EXTRACTIVE,
        data_sha256=data_digest(sources.data),
        snapshot="" if closed or own else snapshot.manifest.fingerprint,
        retriever="" if closed else retriever_name(config, sources, snapshot),
        mode=config.mode if open_ else "",
        embedder=config.embedder if open_ else "",
        prompts=_answering_prompts(config, sources),
    )


def _answering_prompts(config: RunConfig, sources: Sources) -> dict[str, str]:
    """Return the hashes of the prompts that answers may depend on: the agent's, or the benchmark's."""
    if sources.endpoint is None:
        return {}
    benchmark = sources.benchmark
    hashes = prompt_hashes(sources.prompts, benchmark.language)
    own = config.prompting != benchmark.promptings[0]
    mine = (benchmark.name, "sources") if own else ("agent/",)
    return {name: digest for name, digest in hashes.items() if name.startswith(mine)}


def make_record(
    config: RunConfig, sources: Sources, snapshot: Snapshot, samples: Sequence[Sample]
) -> RunRecord:
    """Return what a run's config.json holds."""
    manifest = snapshot.manifest
    return RunRecord(
        id=run_id(config),
        config=config,
        data=str(sources.data),
        snapshot={
            "name": manifest.name,
            "date": manifest.date,
            "fingerprint": manifest.fingerprint,
            "folder": str(snapshot.folder),
            "embedded": sources.snapshot is None,
        },
        sample_ids=tuple(sample.id for sample in samples),
        tool_version=TOOL_VERSION,
        prompts=prompt_hashes(sources.prompts, sources.benchmark.language),
        prompts_folder=str(sources.prompts.resolve()) if sources.prompts is not None else "",
        store=sources.store,
        base_url=_public(sources.endpoint.base_url) if sources.endpoint is not None else "",
    )


def _public(url: str | None) -> str:
    from agent.llm.shared import public_url

    return public_url(url) if url else ""
