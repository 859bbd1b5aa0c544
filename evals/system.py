"""The system under test: the agent, set up once for a run and asked sample by sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from agent.agent import Agent
from agent.opening import Wiring
from agent.settings import Settings
from agent.types import Answer
from evals.passages import PassageRetriever
from evals.types import Passage, RunConfig

if TYPE_CHECKING:
    from agent.llm.port import LanguageModel
    from corpus.store import Snapshot
    from retrieval.types import Retriever

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


class AgentAsker:
    """Puts questions to the agent with one run's configuration; see `evals.types.Asker`."""

    def __init__(self, config: RunConfig, settings: Settings, resources: Resources) -> None:
        self._config = config
        self._settings = settings
        self._resources = resources
        # Agents of the open and closed settings serve every sample of an epoch.
        self._shared = lru_cache(maxsize=None)(self._shared_agent)

    @property
    def config(self) -> RunConfig:
        """The run's configuration."""
        return self._config

    async def ask(
        self,
        question: str,
        *,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        instructions: str = "",
        epoch: int = 0,
    ) -> Answer:
        """Put one question to the agent; see `evals.types.Asker.ask`."""
        if self._settings.setting != "evidence":
            agent = self._shared(epoch)
        elif passages:
            agent = self._agent(epoch, replace(self._settings, setting="open"), passages)
        else:
            agent = self._agent(epoch, replace(self._settings, evidence=tuple(evidence)), ())
        return await agent.aask(f"{question}\n\n{instructions}" if instructions else question)

    def _shared_agent(self, epoch: int) -> Agent:
        return self._agent(epoch, self._settings, ())

    def _agent(self, epoch: int, settings: Settings, passages: Sequence[Passage]) -> Agent:
        shared = self._resources
        if passages:
            retriever: Retriever | None = PassageRetriever(passages)
        else:
            # The agent makes the retriever of the evidence setting itself, from the titles.
            retriever = shared.retriever if settings.setting == "open" else None
        return Agent(
            settings=settings,
            wiring=Wiring(
                snapshot=shared.snapshot,
                retriever=retriever,
                model=shared.model(epoch) if shared.model is not None else None,
                prompts=shared.prompts,
            ),
        )
