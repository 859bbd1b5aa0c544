"""From what a person names to what a run works with: configuration, snapshot, models, judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agent.budget import Budget
from agent.settings import SEED, Settings, check_settings
from agent.types import Setting
from corpus.errors import InputError
from corpus.files import sha256_of
from corpus.manifest import TOOL_VERSION
from corpus.store import Snapshot
from evals.runs.folder import RunRecord, run_id
from evals.runs.prompt_files import check_prompt_folder, prompt_hashes
from evals.runs.system import AgentAsker, ModelOf, Resources
from evals.types import PAPER, Benchmark, Json, Judges, Jury, RunConfig, Sample

if TYPE_CHECKING:
    from agent.llm.limits import Limits
    from agent.llm.port import LanguageModel
    from agent.llm.prices import PriceTable
    from agent.settings import StrategyName
    from retrieval.types import Retriever

CALLS = "calls.sqlite"
EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model and where it is reached."""

    model: str
    base_url: str | None = None
    api_key: str | None = None
    limits: Limits | None = None
    """Calls at once, calls and tokens a minute; shared by all models of one address."""
    timeout: float = 120.0
    """Seconds for one call."""
    stream: bool = False
    """Ask for replies in pieces."""
    prices: PriceTable | None = None
    """Of models that the listed prices lack."""

    def open(
        self, calls: Path, *, epoch: int = 0, fingerprint: str = "", replay: bool = False
    ) -> LanguageModel:
        """Return the model; its calls are kept in `calls`, or taken from there alone."""
        from agent.llm import open_model

        return open_model(
            self.model,
            self.base_url,
            self.api_key,
            cache=calls,
            replay=replay,
            limits=self.limits,
            timeout=self.timeout,
            stream=self.stream,
            epoch=epoch,
            fingerprint=fingerprint,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything a person chose for one run."""

    benchmark: Benchmark
    data: Path
    split: str
    edition: str
    snapshot: Path | None
    """None for the embedded sample."""
    setting: Setting
    strategy: StrategyName
    model: Endpoint | None
    k: int = 10
    epochs: int = 1
    max_calls: int | None = None
    max_tokens: int | None = None
    context_limit: int | None = None
    prompting: str = "vanilla"
    seed: int = SEED
    temperature: float = 0.0
    tools: Literal["native", "text", "auto"] = "auto"
    classify: Literal["batch", "each"] = "batch"
    shots: int | None = None
    mode: Literal["", "bm25", "dense", "hybrid"] = ""
    embedder: str = ""
    prompts: Path | None = None
    """Folder of prompt files that replace the packaged ones."""
    options: Mapping[str, Json] = field(default_factory=dict)


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


def check_context(plan: Plan) -> None:
    """Refuse a protocol that fills the model's context where its size is not known.

    Raises:
        InputError: says which option names it.
    """
    fills = plan.benchmark.fills_context and plan.prompting == PAPER
    if fills and plan.setting != "closed" and plan.context_limit is None:
        raise InputError(
            f"the paper's protocol fills the context of {plan.model.model if plan.model else ''}: "
            "say how large it is with --context-limit"
        )


def check_prompting(benchmark: Benchmark, prompting: str, model: Endpoint | None) -> None:
    """Refuse a way of asking that the benchmark does not have, or that needs a model.

    Raises:
        InputError: says which there are.
    """
    if prompting not in benchmark.promptings:
        raise InputError(
            f"{benchmark.name} has no prompting {prompting!r}: "
            f"choose {', '.join(benchmark.promptings)}"
        )
    if model is None and prompting != benchmark.promptings[0]:
        raise InputError(
            f"the prompting {prompting!r} asks a model: name one with --model, "
            f"or choose {benchmark.promptings[0]}"
        )


def make_config(plan: Plan, snapshot: Snapshot) -> RunConfig:
    """Return the configuration of a run; its hash is the run's id."""
    closed = plan.setting == "closed"
    return RunConfig(
        benchmark=plan.benchmark.name,
        edition=plan.edition,
        split=plan.split,
        data_sha256=digest_of(plan.data),
        snapshot="" if closed else snapshot.manifest.fingerprint,
        setting=plan.setting,
        strategy=plan.strategy,
        model=plan.model.model if plan.model else EXTRACTIVE,
        style=plan.benchmark.style,
        k=plan.k,
        retriever="" if closed else _retriever_name(snapshot, plan),
        prompting=plan.prompting,
        epochs=plan.epochs,
        context_limit=plan.context_limit,
        max_calls=plan.max_calls,
        max_tokens=plan.max_tokens,
        seed=plan.seed,
        temperature=plan.temperature,
        tools=plan.tools,
        classify=plan.classify,
        shots=plan.shots,
        mode=plan.mode if plan.setting == "open" else "",
        embedder=plan.embedder if plan.setting == "open" else "",
        prompts=_prompts_of(plan),
        options=dict(plan.options),
    )


def _prompts_of(plan: Plan) -> dict[str, str]:
    """Return the hashes of the prompts that answers may depend on: the agent's, or the benchmark's."""
    if plan.model is None:
        return {}
    hashes = prompt_hashes(plan.prompts, plan.benchmark.language)
    own = plan.prompting != plan.benchmark.promptings[0]
    mine = (plan.benchmark.name, "sources") if own else ("agent/",)
    return {name: digest for name, digest in hashes.items() if name.startswith(mine)}


def digest_of(data: Path) -> str:
    """Return the SHA-256 of a benchmark's data: of a file, or of the data files of a folder."""
    if data.is_file():
        return sha256_of(data)
    import hashlib

    digest = hashlib.sha256()
    for path in sorted(p for p in data.rglob("*.json*") if p.is_file()):
        digest.update(f"{path.relative_to(data)} {sha256_of(path)}\n".encode())
    return digest.hexdigest()


def _retriever_name(snapshot: Snapshot, plan: Plan) -> str:
    from retrieval.analyze import analyzer
    from retrieval.folders import list_indexes, read_index
    from retrieval.languages import knows
    from retrieval.wording import ENGLISH, default_wording

    if plan.setting == "evidence":
        english = analyzer(snapshot.manifest.language).name in ENGLISH
        return "BM25+ over the given articles" + (", content words asked" if english else "")
    mode = _mode(snapshot, plan)
    way = f"{mode} by {plan.embedder}" if plan.embedder else mode
    described = []
    for name in list_indexes(snapshot.folder):
        index = read_index(snapshot.folder, name, snapshot.manifest)
        engine = index.parameters.get("analyzer" if index.kind == "bm25" else "embedder", {})
        engine_name = engine.get("name", "unknown")
        asked = f", {default_wording(mode)} words asked" if engine_name in ENGLISH else ""
        silent = index.kind == "dense" and not knows(engine["spec"], snapshot.manifest.language)
        weight = ", no weight" if silent and mode == "hybrid" else ""
        described.append(f"{index.kind}: {engine_name}{asked}{weight}")
    return f"{way} ({', '.join(described)})"


def _mode(snapshot: Snapshot, plan: Plan) -> Literal["bm25", "dense", "hybrid"]:
    """Return how the snapshot is searched; indexes are built where there are none.

    They are built before the run is named: a first run and its repetition must be the same run.
    """
    from retrieval.folders import list_indexes
    from retrieval.index import DENSE, ensure_built

    # The embedded sample has both; another process may be building the second just now.
    if plan.snapshot is None or not list_indexes(snapshot.folder):
        ensure_built(snapshot.folder)
    if plan.mode:
        return plan.mode
    if plan.embedder:
        return "hybrid"
    dense = any(name.startswith(DENSE) for name in list_indexes(snapshot.folder))
    return "hybrid" if dense else "bm25"


def open_snapshot(folder: Path | None, language: str) -> Snapshot:
    """Open the snapshot named, or the embedded sample of a language."""
    if folder is None:
        from corpus.sample import sample_snapshot

        folder = sample_snapshot(language if language in ("en", "zh") else "en")
    snapshot = Snapshot.open(folder)
    snapshot.check()
    return snapshot


def open_asker(
    plan: Plan, config: RunConfig, snapshot: Snapshot, calls: Path, *, replay: bool = False
) -> AgentAsker:
    """Return the system under test.

    Raises:
        InputError: a setting, an index or a model that cannot be used.
    """
    settings = Settings(
        strategy=plan.strategy,
        setting=plan.setting,
        # Of the evidence setting every sample brings its own titles.
        evidence=("each sample's own",) if plan.setting == "evidence" else (),
        style=plan.benchmark.style,
        k=plan.k,
        snapshot=str(snapshot.folder),
        model=plan.model.model if plan.model else None,
        base_url=plan.model.base_url if plan.model else None,
        context_limit=plan.context_limit,
        tools=plan.tools,
        classify=plan.classify,
        shots=plan.shots,
        temperature=plan.temperature,
        seed=plan.seed,
        budget=Budget(calls=plan.max_calls or Budget().calls, tokens=plan.max_tokens),
    )
    check_settings(settings)
    model_of: ModelOf | None = None
    if plan.model is not None:
        endpoint, fingerprint = plan.model, config.snapshot
        models: dict[int, LanguageModel] = {}

        def open_for(epoch: int) -> LanguageModel:
            if epoch not in models:
                models[epoch] = endpoint.open(
                    calls, epoch=epoch, fingerprint=fingerprint, replay=replay
                )
            return models[epoch]

        model_of = open_for
    retriever = _shared_retriever(snapshot, plan) if plan.setting == "open" else None
    resources = Resources(
        snapshot=snapshot,
        retriever=retriever,
        model=model_of,
        prompts=check_prompt_folder(plan.prompts),
        prices=plan.model.prices if plan.model is not None else None,
        language=plan.benchmark.language,
    )
    return AgentAsker(config, settings, resources)


def _shared_retriever(snapshot: Snapshot, plan: Plan) -> Retriever:
    from retrieval.index import open_retriever

    return open_retriever(
        snapshot.folder,
        _mode(snapshot, plan),
        embedder=plan.embedder or None,
        api_key=plan.model.api_key if plan.model is not None else None,
    )


def make_record(
    plan: Plan, config: RunConfig, snapshot: Snapshot, samples: Sequence[Sample]
) -> RunRecord:
    """Return what a run's config.json holds."""
    manifest = snapshot.manifest
    return RunRecord(
        id=run_id(config),
        config=config,
        data=str(plan.data),
        snapshot={
            "name": manifest.name,
            "date": manifest.date,
            "fingerprint": manifest.fingerprint,
            "folder": str(snapshot.folder),
        },
        sample_ids=tuple(sample.id for sample in samples),
        tool_version=TOOL_VERSION,
        prompts=prompt_hashes(plan.prompts, plan.benchmark.language),
        prompts_folder=str(plan.prompts.resolve()) if plan.prompts is not None else "",
        base_url=_public(plan.model.base_url) if plan.model else "",
    )


def _public(url: str | None) -> str:
    from agent.llm.shared import public_url

    return public_url(url) if url else ""


def open_judges(
    jury: Jury, calls: Path, *, api_key: str | None = None, replay: bool = False
) -> Judges:
    """Return the judges that were named; several are a panel whose majority counts.

    Args:
        jury: the judging models, and how they are asked.
        calls: file that keeps their calls.
        api_key: of their endpoint.
        replay: take replies from `calls` alone.

    Raises:
        InputError: two judges of a panel are the same, or a faulty folder of prompts.
    """
    from agent.prompted.templates import Prompts
    from evals.judges.coverage import BATCH, PromptedCoverage
    from evals.judges.extraction import PromptedExtractor
    from evals.judges.verdict import PACKAGED, PromptedJudge, SampledModel

    if len(set(jury.models)) < len(jury.models):
        raise InputError("two judges are the same model at the same address: name different ones")
    if not jury.models:
        return Judges()
    folder = check_prompt_folder(Path(jury.prompts) if jury.prompts else None)
    prompts = Prompts(folder, packaged=PACKAGED)
    models = [
        SampledModel(
            Endpoint(model=name, base_url=jury.base_url or None, api_key=api_key).open(
                calls, replay=replay
            ),
            jury.temperature,
            jury.seed,
        )
        for name in jury.models
    ]
    judges = tuple(PromptedJudge(model, prompts) for model in models)
    return Judges(
        judge=judges[0],
        panel=judges if len(judges) > 1 else (),
        coverage=PromptedCoverage(models[0], prompts, batch=jury.batch or BATCH, shots=jury.shots),
        extractor=PromptedExtractor(models[0], prompts),
    )
