"""Counts what model calls use, step by step, and asks before each call whether it may be made."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

from agent.errors import ModelError
from agent.llm.port import Completion, LanguageModel, Request
from agent.llm.prices import PriceTable
from agent.types import Usage

_LOG = logging.getLogger("fanfold.agent")
_REMARKS: ContextVar[list[str] | None] = ContextVar("remarks", default=None)
_STEP: ContextVar[str] = ContextVar("step", default="other")


@contextmanager
def step(name: str) -> Iterator[None]:
    """Count the calls made inside, in this task and those it starts, under `name`."""
    token = _STEP.set(name)
    try:
        yield
    finally:
        _STEP.reset(token)


@contextmanager
def remarks() -> Iterator[list[str]]:
    """Collect what is remarked inside, in this task and those it starts."""
    said: list[str] = []
    token = _REMARKS.set(said)
    try:
        yield said
    finally:
        _REMARKS.reset(token)


def remark(text: str) -> None:
    """Say in a line what had to be done without: to the answer's reader, else to the log."""
    said = _REMARKS.get()
    if said is None:
        _LOG.warning(text)
    else:
        said.append(text)


@dataclass(slots=True)
class Ledger:
    """What was used so far.

    Tokens and cost include calls answered from the cache, so that a replay reports what the answer
    took; `paid` is without them.
    """

    steps: dict[str, Usage] = field(default_factory=dict)
    """By step: "plan", "classify", "answer", "compose", …"""
    paid: Usage = field(default_factory=lambda: Usage(cost_usd=0.0))
    started: int = 0
    """Calls begun, finished or not: what a limit on calls must look at when many run at once."""
    failed: int = 0

    @property
    def total(self) -> Usage:
        """The sum over all steps."""
        total = Usage()
        for usage in self.steps.values():
            total += usage
        return total

    def add(self, name: str, usage: Usage) -> None:
        """Book what one call used."""
        self.steps[name] = self.steps.get(name, Usage()) + usage
        if usage.cached < usage.calls:
            self.paid = self.paid + usage if self.paid.calls else usage


Permission = Callable[[Ledger], None]
"""Called before each call; raises BudgetExhausted where it may not be made."""


class Metered:
    """A model that keeps a ledger."""

    def __init__(
        self,
        model: LanguageModel,
        *,
        ledger: Ledger | None = None,
        prices: PriceTable | None = None,
        permit: Permission | None = None,
    ) -> None:
        self._model = model
        self.ledger = ledger if ledger is not None else Ledger()
        self._prices = prices or PriceTable()
        self._permit = permit

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def complete(self, request: Request) -> Completion:
        """Ask for permission, pass the call on, book it; see `LanguageModel.complete`.

        Raises:
            BudgetExhausted: from the permission; the call was not made.
        """
        if self._permit is not None:
            self._permit(self.ledger)
        self.ledger.started += 1
        try:
            reply = await self._model.complete(request)
        except ModelError as error:
            self.ledger.failed += 1
            self._book(error.usage)
            raise
        usage = self._book(reply.usage)
        return reply if usage is reply.usage else replace(reply, usage=usage)

    def _book(self, usage: Usage) -> Usage:
        cost = self._prices.cost(self.name, usage)
        if cost != usage.cost_usd:
            usage = replace(usage, cost_usd=cost)
        self.ledger.add(_STEP.get(), usage)
        return usage
