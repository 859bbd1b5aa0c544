"""Any system under test: an agent, a query engine or a callable, asked like fanfold's own."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from agent.types import Answer, SubQuestion, Usage
from corpus.errors import BackendError, FanfoldError, InputError
from evals.types import Passage, RunConfig

System = Callable[..., Any]
"""Takes a question, and `passages` where it has such a parameter; returns an `Answer`, a text, or
what prints as one. It may be asynchronous."""


class SystemAsker:
    """Puts questions to any system; see `evals.ports.Asker`."""

    def __init__(self, config: RunConfig, system: System) -> None:
        self._config = config
        self._system = system
        self._takes_passages = "passages" in inspect.signature(system).parameters

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
        pages: Mapping[str, int] | None = None,
        plan: Sequence[SubQuestion] = (),
        epoch: int = 0,
    ) -> Answer:
        """Put one question to the system; see `evals.ports.Asker.ask`."""
        given = {"passages": passages} if self._takes_passages else {}
        try:
            if inspect.iscoroutinefunction(self._system):
                said = await self._system(question, **given)
            else:
                said = await asyncio.to_thread(self._system, question, **given)
        except FanfoldError:
            raise
        except Exception as error:
            # Whatever a system raises is its own failure at this question, and the run goes on.
            raise BackendError(f"{type(error).__name__}: {error}") from error
        if isinstance(said, Answer):
            return said
        return Answer(
            question=question, text=str(said), abstained=not str(said).strip(), sub_questions=(),
            sub_answers=(), citations=(), suggestions=(), usage=Usage(), trace=(), hits=(),
        )  # fmt: skip

    async def prompt(self, name: str, question: str, **_: Any) -> Answer:
        """Refuse: a protocol of prompts asks a model, not a system."""
        raise InputError(f"the prompting {name} asks a model: use `python -m evals run --model`")

    async def research(self, question: str, **_: Any) -> Answer:
        """Refuse, as `prompt` does."""
        raise InputError("this protocol asks a model: use `python -m evals run --model`")


def asked_of(system: Any) -> System:
    """Return what a question is put to: an agent's or a query engine's own method, or the callable."""
    for method in ("aask", "query"):
        found = getattr(system, method, None)
        if callable(found):
            return cast("System", found)
    if not callable(system):
        raise InputError(
            f"{system!r} cannot be asked: give an Agent, a query engine or a callable of a question"
        )
    return cast("System", system)


def source_of(system: Any) -> dict[str, str]:
    """Name, date and fingerprint of the snapshot that an `Agent` answers from; {} of other systems."""
    manifest = getattr(getattr(system, "snapshot", None), "manifest", None)
    if manifest is None:
        return {}
    return {"name": manifest.name, "date": manifest.date, "fingerprint": manifest.fingerprint}


def name_of(system: Any) -> str:
    """Return what a system is called where nobody names it."""
    return str(getattr(system, "__name__", type(system).__name__))
