"""From settings to what a graph works with: the snapshot, its retriever, the tools, the reasoner.

A setting is nothing but a choice of retriever: none, the snapshot's, or one over the evidence.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from agent.budget import Budget, BudgetedModel, Meter
from agent.citations.content.names import Aliases, aliases_from
from agent.citations.resolution import Reread
from agent.citations.support.boxes import texts_from
from agent.graph.sources import Say, open_snapshot, retriever_of
from agent.graph.state import Context, Tell
from agent.llm.prices import PriceTable
from agent.prompted.templates import Prompts, prompt_language
from agent.settings import Settings, check_settings
from agent.types import Usage
from corpus.errors import InputError

if TYPE_CHECKING:
    from agent.extractive.planner.writer.model import Planner
    from agent.extractive.reader.span import Reader
    from agent.llm.limits import Limits
    from agent.llm.port import LanguageModel
    from agent.llm.retries import RetryPolicy
    from agent.reasoner import Reasoner
    from agent.tools import Toolbox
    from corpus.articles import Articles
    from retrieval.types import Embedder, Retriever

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """What a caller supplies instead of settings: open parts, a key, files."""

    snapshot: Articles | None = None
    """Open already; in the open setting a snapshot, or with a retriever of its own."""
    model: LanguageModel | None = None
    reasoner: Reasoner | None = None
    retriever: Retriever | None = None
    embedder: Embedder | None = None
    """Beside a retriever that is given: finds sub-questions that say the same."""
    api_key: str | None = None
    store_key: str | None = None
    """Of the store of vectors."""
    calls: Path | None = None
    """File of model calls: replies already paid for are taken from it."""
    replay: bool = False
    """Answer from `calls` alone, with the network off."""
    prompts: Path | None = None
    """Folder of prompt files that replace the packaged ones."""
    prices: PriceTable | None = None
    limits: Limits | None = None
    timeout: float = 120.0
    """Seconds for one model call."""
    policy: RetryPolicy | None = None
    """How failed calls are repeated."""
    stream: bool = False
    """Ask for replies in pieces: for slow servers, and proxies that cut idle connections."""
    say: Say = lambda _: None
    """Told what takes a while."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What is opened once and serves every question."""

    settings: Settings
    snapshot: Articles
    retriever: Retriever
    toolbox: Toolbox | None
    embedder: Embedder | None
    reasoner: Reasoner
    prices: PriceTable | None
    prompts: Prompts
    aliases: Aliases
    """Shared by all questions, which look up the same names."""
    reread: Reread | None = None
    """The verifier that was named."""
    model: LanguageModel | None = None
    """Where it was opened here."""
    opened: ExitStack = field(default_factory=ExitStack)
    """Closes what was opened here, and nothing that was given."""

    def close(self) -> None:
        """Close every file and connection that was opened for these parts."""
        self.opened.close()

    async def aclose(self) -> None:
        """Close the model's connections of this event loop, then all that `close` does."""
        from agent.llm.port import AsyncClosable

        if isinstance(self.model, AsyncClosable):
            await self.model.aclose()
        await asyncio.to_thread(self.close)

    def context(
        self,
        *,
        spent: Usage | None = None,
        elapsed: float = 0.0,
        budget: Budget | None = None,
        kept: bool = True,
        tell: Tell = lambda _: None,
    ) -> Context:
        """Return what the nodes of one question work with.

        Args:
            spent: usage before a resumption.
            elapsed: seconds before it.
            budget: of this question; that of the settings by default.
            kept: whether results are kept as they come.
            tell: told what happens.
        """
        manifest = self.snapshot.manifest
        settings = self.settings if budget is None else replace(self.settings, budget=budget)
        closed = settings.setting == "closed"
        return Context(
            reasoner=self.reasoner,
            retriever=self.retriever,
            settings=settings,
            meter=Meter(settings.budget, spent=spent, elapsed=elapsed, prices=self.prices),
            articles=None if closed else self.snapshot,
            toolbox=self.toolbox,
            embedder=self.embedder,
            prompts=self.prompts,
            aliases=None if closed else self.aliases,
            reread=self.reread,
            texts=None if closed else texts_from(self.snapshot),
            source="memory, and no source was consulted"
            if closed
            else f"the snapshot {manifest.name} of {manifest.date}",
            kept=kept,
            tell=tell,
        )


def open_parts(settings: Settings, wiring: Wiring | None = None) -> Parts:
    """Open everything that the settings name.

    Raises:
        InputError: a folder, an index, a title or an option that cannot be used.
    """
    wiring = wiring or Wiring()
    check_settings(settings)
    _check_price(settings, wiring)
    with ExitStack() as opened:
        # What was opened before something could not be is closed with the error.
        return replace(_open_parts(settings, wiring, opened), opened=opened.pop_all())


def _open_parts(settings: Settings, wiring: Wiring, opened: ExitStack) -> Parts:
    snapshot = wiring.snapshot or _closing(opened, open_snapshot(settings, wiring.say))
    prompts = Prompts(wiring.prompts, prompt_language(snapshot.manifest.language))
    # What may be refused comes before what takes a while.
    model = wiring.model or _closing(opened, open_model_of(settings, wiring, snapshot))
    retriever = wiring.retriever or _closing(
        opened,
        retriever_of(
            settings, snapshot, wiring.say, model.name if model else None, wiring.store_key
        ),
    )
    embedder = wiring.embedder
    if embedder is None and settings.setting != "closed" and wiring.retriever is None:
        embedder = _embedder()
    toolbox = _toolbox(settings, snapshot, retriever)
    return Parts(
        settings=settings,
        snapshot=snapshot,
        retriever=retriever,
        # Tools, and reading the articles that a sub-question names, are what agentic adds.
        toolbox=toolbox if settings.strategy == "agentic" else None,
        embedder=embedder,
        reasoner=wiring.reasoner or _open_reasoner(settings, model, snapshot, toolbox, prompts),
        prices=(wiring.prices or PriceTable()).at(settings.base_url),
        prompts=prompts,
        aliases=aliases_from(snapshot),
        reread=_open_verifier(settings),
        model=None if wiring.model is not None else model,
    )


def _closing(opened: ExitStack, part: T) -> T:
    from retrieval.types import Closable

    if isinstance(part, Closable):
        opened.callback(part.close)
    return part


def open_context(settings: Settings) -> Context:
    """Return the context of one question, everything opened as the settings say."""
    return open_parts(settings).context()


def _embedder() -> Embedder:
    from retrieval.dense.embedders import shared_embedder

    return shared_embedder()


def _toolbox(settings: Settings, snapshot: Articles, retriever: Retriever) -> Toolbox | None:
    if settings.setting == "closed":
        return None
    from agent.tools import Toolbox

    titles = settings.evidence if settings.setting == "evidence" else None
    return Toolbox(retriever, snapshot, settings.k, titles=titles)


def _open_reader(settings: Settings) -> Reader | None:
    if settings.reader is None:
        return None
    from agent.extractive.reader.named_reader import open_reader

    return open_reader(settings.reader)


def _open_planner(settings: Settings) -> Planner | None:
    if settings.planner is None:
        return None
    from agent.extractive.planner.writer.named_planner import open_planner

    return open_planner(settings.planner)


def _open_verifier(settings: Settings) -> Reread | None:
    if settings.verifier is None:
        return None
    from agent.citations.support.entailment import open_verifier

    return open_verifier(settings.verifier)


def _check_price(settings: Settings, wiring: Wiring) -> None:
    """Refuse a budget in dollars that could never end a question."""
    model = wiring.model.name if wiring.model is not None else settings.model
    if settings.budget.cost_usd is None or model is None:
        return
    if (wiring.prices or PriceTable()).at(settings.base_url).cost(model, Usage()) is None:
        raise InputError(
            f"the price of the model {model!r} is not known, so a budget in dollars would never "
            "end: name its price with --prices FILE, or limit tokens instead"
        )


def open_model_of(settings: Settings, wiring: Wiring, snapshot: Articles) -> LanguageModel | None:
    """Return the model that the settings name, None for the extractive engine; sends nothing.

    Raises:
        InputError: the address or the file of calls is no use.
    """
    if settings.model is None:
        return None
    from agent.llm import open_model

    return open_model(
        settings.model,
        settings.base_url,
        wiring.api_key,
        cache=wiring.calls,
        replay=wiring.replay,
        limits=wiring.limits,
        policy=wiring.policy,
        timeout=wiring.timeout,
        stream=wiring.stream,
        fingerprint=snapshot.manifest.fingerprint,
    )


def _open_reasoner(
    settings: Settings,
    model: LanguageModel | None,
    snapshot: Articles,
    toolbox: Toolbox | None,
    prompts: Prompts,
) -> Reasoner:
    if model is None:
        from agent.extractive import ExtractiveReasoner

        return ExtractiveReasoner(
            _embedder(), snapshot, toolbox, _open_reader(settings), _open_planner(settings)
        )
    from agent.prompted import PromptedReasoner

    return PromptedReasoner(
        BudgetedModel(model),
        toolbox if settings.strategy == "agentic" else None,
        tools=settings.tools,
        classify=settings.classify,
        prompts=prompts,
        shots=settings.shots,
        context_limit=settings.context_limit,
        closed=settings.setting == "closed",
        temperature=settings.temperature,
        seed=settings.seed,
    )
