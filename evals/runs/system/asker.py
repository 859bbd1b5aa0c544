"""The system under test: the agent, set up once for a run and asked sample by sample."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from agent.agent import Agent
from agent.graph.parts import Wiring
from agent.llm.prices import PriceTable
from agent.llm.tokens import counter_for
from agent.prompted.templates import Prompts
from agent.types import Answer, SubQuestion
from corpus.articles import MemoryArticles
from corpus.errors import BackendError, InputError
from evals.judges.verdict import PACKAGED
from evals.runs.config import settings_of
from evals.runs.prompt_files import check_prompt_folder
from evals.runs.sources import Sources, open_run_retriever
from evals.runs.system.articles import find_article
from evals.runs.system.direct import REPLY_TOKENS, ask_model
from evals.runs.system.open_book import Library, research
from evals.types import MISSING, Passage, RunConfig
from retrieval.types import Closable

if TYPE_CHECKING:
    from agent.llm.port import LanguageModel
    from agent.settings import Settings
    from corpus.articles import Articles
    from corpus.store import Snapshot
    from evals.runs.models import Endpoint
    from retrieval.types import Hit, Retriever

ModelOf = Callable[[int], "LanguageModel"]
"""Epoch → the model of that epoch: its cached replies are its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What every sample of a run shares."""

    snapshot: Snapshot
    retriever: Retriever | None = None
    """Of the open setting; opened once."""
    model: ModelOf | None = None
    """None is the extractive engine."""
    prompts: Path | None = None
    prices: PriceTable | None = None
    """Of models that the listed prices lack."""
    language: str = "en"
    """Of the benchmark's own passages."""


def _with_missing(answer: Answer, titles: Sequence[str]) -> Answer:
    return replace(answer, notes=(*answer.notes, *(f"{MISSING}{title}" for title in titles)))


class AgentAsker:
    """Puts questions to the agent with one run's configuration; see `evals.ports.Asker`."""

    def __init__(self, config: RunConfig, resources: Resources) -> None:
        self._config = config
        self._settings = settings_of(config)
        self._resources = resources
        # Agents of the open and closed settings serve every sample of an epoch.
        self._shared = lru_cache(maxsize=None)(self._shared_agent)

    @property
    def config(self) -> RunConfig:
        """The run's configuration."""
        return self._config

    def close(self) -> None:
        """Close the retriever: what it holds, a store of vectors or a file, may be one run's alone."""
        if isinstance(self._resources.retriever, Closable):
            self._resources.retriever.close()

    async def ask(
        self,
        question: str,
        *,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        pages: Mapping[str, int] | None = None,
        plan: Sequence[SubQuestion] = (),
        epoch: int = 0,
    ) -> Answer:
        """Put one question to the agent; see `evals.ports.Asker.ask`.

        Raises:
            BackendError: nothing could be answered, and that was a model's or an index's doing.
        """
        answer = await self._asked(question, evidence, passages, pages or {}, plan, epoch)
        if answer.failure is not None:
            # Not the system's answer to the question: a later run may ask again.
            raise BackendError(answer.failure)
        return answer

    async def _asked(
        self,
        question: str,
        evidence: Sequence[str],
        passages: Sequence[Passage],
        pages: Mapping[str, int],
        plan: Sequence[SubQuestion],
        epoch: int,
    ) -> Answer:
        if self._settings.setting != "evidence":
            return await self._shared(epoch).aask(question, plan=plan)
        if not passages:
            titles, missing = self._titles(evidence, pages)
            settings = replace(self._settings, evidence=titles)
            agent = self._agent(epoch, settings, self._resources.snapshot)
            return _with_missing(await agent.aask(question, plan=plan), missing)
        given = self._given(passages)
        settings = replace(self._settings, evidence=tuple(dict.fromkeys(given.titles())))
        return await self._agent(epoch, settings, given).aask(question, plan=plan)

    async def prompt(
        self,
        name: str,
        question: str,
        *,
        fields: Mapping[str, str] | None = None,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        pages: Mapping[str, int] | None = None,
        history: Sequence[tuple[str, str]] = (),
        language: str = "en",
        reply_tokens: int = REPLY_TOKENS,
        epoch: int = 0,
    ) -> Answer:
        """Put one of the benchmark's own prompts to the model; see `evals.ports.Asker.prompt`."""
        if self._resources.model is None:
            raise InputError("this prompting asks a model: name one with --model")
        first = history[0][0] if history else question
        titles, missing = self._titles(evidence, pages or {}) if evidence else ((), ())
        answer = await ask_model(
            self._resources.model(epoch),
            self._config,
            name,
            question,
            hits=await asyncio.to_thread(self._sources, first, titles, passages),
            fields=fields or {},
            history=history,
            language=language,
            prompts=self._resources.prompts,
            seed=self._config.seed + epoch,
            reply_tokens=reply_tokens,
        )
        return _with_missing(answer, missing)

    async def research(
        self, question: str, *, fields: Mapping[str, str] | None = None, epoch: int = 0
    ) -> Answer:
        """Let the model look articles up by itself; see `evals.ports.Asker.research`."""
        shared, config = self._resources, self._config
        if shared.model is None or config.context_limit is None:
            raise InputError("this protocol asks a model: name it with --model and --context-limit")
        count = counter_for(config.model)
        library = Library(
            snapshot=shared.snapshot,
            retriever=shared.retriever,
            question=question,
            tokens=config.context_limit // 2,
            count=count,
        )
        return await research(
            shared.model(epoch),
            Prompts(shared.prompts, packaged=PACKAGED),
            library,
            context_limit=config.context_limit,
            tools=config.tools,
            fields=fields or {},
            temperature=config.temperature,
            seed=config.seed + epoch,
        )

    def _titles(
        self, evidence: Sequence[str], pages: Mapping[str, int]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the titles that the snapshot has, as it has them, and those that it lacks.

        Where it has none, all are returned as they are, and the agent says what is missing.
        """
        if self._settings.setting != "evidence":
            return tuple(evidence), ()
        articles = {t: find_article(self._resources.snapshot, t, pages) for t in evidence}
        found = dict.fromkeys(a.revision.title for a in articles.values() if a is not None)
        if not found:
            return tuple(evidence), ()
        return tuple(found), tuple(title for title, a in articles.items() if a is None)

    def _sources(
        self, question: str, evidence: Sequence[str], passages: Sequence[Passage]
    ) -> list[Hit]:
        from retrieval.evidence import SOURCE, EvidenceRetriever
        from retrieval.types import Hit

        shared = self._resources
        if self._settings.setting == "closed":
            return []
        if self._settings.setting == "open":
            assert shared.retriever is not None
            return shared.retriever.search([question], self._settings.k)[0]
        if not passages:
            retriever = EvidenceRetriever(shared.snapshot, evidence)
            # What the context has no room for is left out later.
            filled = self._config.context_limit is not None
            return retriever.search([question], 10_000 if filled else self._settings.k)[0]
        return [
            Hit(chunk=chunk, score=0.0, rank=rank, source=SOURCE)
            for rank, chunk in enumerate(self._given(passages).chunks, start=1)
        ]

    def _given(self, passages: Sequence[Passage]) -> MemoryArticles:
        """Return a sample's texts as all there is.

        Tools that look up titles or read articles must not reach past them, or a counterfactual
        question would be answered with facts.
        """
        named = enumerate(passages, start=1)
        return MemoryArticles(
            ((one.title or f"Passage {number}", one.text) for number, one in named),
            name="passages",
            date=self._resources.snapshot.manifest.date,
            language=self._resources.language,
        )

    def _shared_agent(self, epoch: int) -> Agent:
        return self._agent(epoch, self._settings, self._resources.snapshot)

    def _agent(self, epoch: int, settings: Settings, snapshot: Articles) -> Agent:
        shared = self._resources
        return Agent(
            # An epoch is a sample of its own: under one seed a server would repeat itself.
            settings=replace(settings, seed=self._config.seed + epoch),
            wiring=Wiring(
                snapshot=snapshot,
                # The agent makes the retriever of the evidence setting itself, from the titles.
                retriever=shared.retriever if settings.setting == "open" else None,
                model=shared.model(epoch) if shared.model is not None else None,
                prompts=shared.prompts,
                prices=shared.prices,
            ),
        )


def open_asker(
    config: RunConfig,
    sources: Sources,
    snapshot: Snapshot,
    calls: Path,
    *,
    replay: bool = False,
) -> AgentAsker:
    """Return the system under test.

    Args:
        config: pinned; see `evals.runs.config.pinned`.
        sources: where it finds what it names.
        snapshot: the open one.
        calls: SQLite file of the model's calls.
        replay: take replies from `calls` alone.

    Raises:
        InputError: a setting, an index or a model that cannot be used.
    """
    return AgentAsker(
        config,
        Resources(
            snapshot=snapshot,
            retriever=(
                open_run_retriever(config, sources, snapshot) if config.setting == "open" else None
            ),
            model=_model_of(config, sources, calls, replay=replay),
            prompts=check_prompt_folder(sources.prompts),
            prices=_prices_of(sources.endpoint),
            language=sources.benchmark.language,
        ),
    )


def _prices_of(endpoint: Endpoint | None) -> PriceTable | None:
    if endpoint is None:
        return None
    return (endpoint.prices or PriceTable()).at(endpoint.base_url)


def _model_of(config: RunConfig, sources: Sources, calls: Path, *, replay: bool) -> ModelOf | None:
    endpoint = sources.endpoint
    if endpoint is None:
        return None

    @cache
    def open_for(epoch: int) -> LanguageModel:
        return endpoint.open(calls, epoch=epoch, fingerprint=config.snapshot, replay=replay)

    return open_for
