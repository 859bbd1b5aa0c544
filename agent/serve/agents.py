"""Agents kept open, one for each way of asking that was asked for; models opened once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace

from agent.agent import Agent
from agent.graph.parts import open_model_of
from agent.serve.options import Options
from agent.serve.problems import Problem
from agent.serve.shapes import Choice
from agent.serve.snapshots.library import Library
from agent.settings import Settings
from retrieval.types import Closable, Embedder

MOST_AGENTS = 64
"""Agents kept open, of different settings; one holds a compiled graph and what it read last."""
EXTRACTIVE = "extractive"


class Agents:
    """The agents over some snapshots.

    Args:
        options: what whoever runs the server chose: its models are opened now.
        libraries: the snapshots, by name.
        embedder: shared by all.

    Raises:
        InputError: a model that cannot be used.
    """

    def __init__(
        self, options: Options, libraries: Mapping[str, Library], embedder: Embedder
    ) -> None:
        self._wiring = options.wiring
        self._libraries = libraries
        self._embedder = embedder
        self._models = {
            (library.name, name or EXTRACTIVE): open_model_of(
                replace(options.settings, model=name), options.wiring, library.snapshot
            )
            for library in libraries.values()
            for name in options.models
        }
        self._agents: OrderedDict[tuple[str, str, Settings], Agent] = OrderedDict()

    def get(self, snapshot: str, model: str, settings: Settings) -> Agent:
        """Return the agent of these settings, opened when first asked for; in any thread."""
        key = (snapshot, model, settings)
        agent = self._agents.get(key)
        if agent is not None:
            self._agents.move_to_end(key)
            return agent
        library = self._libraries[snapshot]
        for title in settings.evidence:
            library.snapshot.article(title)
        opened = settings.setting == "open"
        agent = Agent(
            settings=settings,
            wiring=replace(
                self._wiring,
                snapshot=library.snapshot,
                model=self._models[snapshot, model],
                retriever=library.retriever(library.mode) if opened else None,
                embedder=self._embedder if opened else None,
            ),
        )
        self._agents[key] = agent
        while len(self._agents) > MOST_AGENTS:
            # Not closed here: a question may be under way with it. It closes as it is collected.
            self._agents.popitem(last=False)
        return agent

    def close(self) -> None:
        """Close the agents and their models."""
        for agent in self._agents.values():
            agent.close()
        for model in self._models.values():
            if isinstance(model, Closable):
                model.close()


def settings_of(choice: Choice, own: Settings) -> Settings:
    """Return the settings of a request: what it chose, over those of the server.

    Raises:
        Problem: 422, titles without the evidence setting, or that setting without titles.
    """
    settings = replace(
        own,
        strategy=choice.strategy or own.strategy,
        setting=choice.setting or own.setting,
        style=choice.style or own.style,
        k=choice.k or own.k,
        evidence=tuple(choice.evidence) or own.evidence,
        snapshot=None,
        language="en",
        model=None,
    )
    if settings.setting != "evidence" and settings.evidence:
        raise Problem(
            status=422,
            detail=f"titles have no meaning in the {settings.setting} setting",
            where="evidence",
            mend="add `setting`: `evidence`, or leave the titles out",
        )
    if settings.setting == "evidence" and not settings.evidence:
        raise Problem(
            status=422,
            detail="the evidence setting needs the titles it may draw on",
            where="evidence",
            mend="name articles, which /v1/titles?q= finds",
        )
    return settings
