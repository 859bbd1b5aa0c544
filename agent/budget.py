"""What a question may use, and what it has used: budgets end it in good order, never with nothing.

Every model call asks `Meter.permit` first. A share of each budget is kept back for writing the
answer, so that a question that runs out while it looks things up still says what it found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from agent.errors import BudgetExhausted
from agent.llm.meter import Ledger, Metered
from agent.llm.port import Completion, LanguageModel, Request
from agent.llm.prices import PriceTable
from agent.telemetry import chat_span, replied
from agent.types import Usage
from corpus.errors import InputError

KEPT_BACK = 0.15
"""Share of tokens, cost and seconds that only the composer may use."""
CALLS_KEPT_BACK = 1
"""Calls that only the composer may make."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of one question; None is no limit.

    Calls and tokens count whether a reply came from the cache or not, so that a question resumed
    or replayed ends where it ended before.
    """

    calls: int | None = 300
    tokens: int | None = None
    """In and out. Looked at before each call: calls under way are finished."""
    cost_usd: float | None = None
    seconds: float | None = None
    sub_questions: int = 60
    """Most that are asked, those that replanning adds included."""
    depth: int = 6
    """Most rounds of a plan: a step that depends on a step that depends on a third needs three."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            limit = getattr(self, name)
            if limit is not None and not limit > 0:
                raise InputError(f"a budget of {limit} for {name} allows nothing: give more")


def counted(number: int, thing: str) -> str:
    """Return "1 round", "2 rounds"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


class Meter:
    """One question's use of its budget, in this process and in those it was resumed from.

    Args:
        budget: the limits.
        spent: usage of steps that finished before a resumption.
        elapsed: seconds that went by before it.
        prices: what calls cost.
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        budget: Budget,
        *,
        spent: Usage | None = None,
        elapsed: float = 0.0,
        prices: PriceTable | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget = budget
        self.prices = prices
        self._spent = spent if spent is not None else Usage()
        self._clock = clock
        self._begun = clock() - elapsed
        self._ledgers: list[Ledger] = []

    @property
    def elapsed(self) -> float:
        """Seconds so far, those before a resumption included, the time between left out."""
        return self._clock() - self._begun

    @contextmanager
    def counting(self, *, last: bool = False) -> Iterator[Ledger]:
        """Count the model calls made inside, in this task and those it starts, in a new ledger.

        Args:
            last: the step writes the answer and may use what is kept back for that.
        """
        ledger = Ledger()
        self._ledgers.append(ledger)
        token = _COUNTING.set((self, ledger, last))
        try:
            yield ledger
        finally:
            _COUNTING.reset(token)

    def permit(self, *, last: bool) -> None:
        """Return where one more call may be made.

        Raises:
            BudgetExhausted: says which budget ran out.
        """
        budget = self.budget
        started = self._spent.calls + sum(ledger.started for ledger in self._ledgers)
        kept_back = 0 if last else min(CALLS_KEPT_BACK, (budget.calls or 0) - 1)
        if budget.calls is not None and started >= budget.calls - kept_back:
            raise BudgetExhausted(f"the budget of {counted(budget.calls, 'model call')} ran out")
        share = 1.0 if last else 1.0 - KEPT_BACK
        if budget.tokens is not None or budget.cost_usd is not None:
            used = self._used()
            tokens = used.tokens_in + used.tokens_out
            if budget.tokens is not None and tokens >= budget.tokens * share:
                raise BudgetExhausted(f"the budget of {budget.tokens:,} tokens ran out")
            if budget.cost_usd is not None and (used.cost_usd or 0.0) >= budget.cost_usd * share:
                raise BudgetExhausted(f"the budget of ${budget.cost_usd:g} ran out")
        left = self.seconds_left(last=last)
        if left is not None and left <= 0:
            raise BudgetExhausted(self.out_of_time)

    def seconds_left(self, *, last: bool) -> float | None:
        """Return the seconds a step may still take, None for no limit."""
        if self.budget.seconds is None:
            return None
        return self.budget.seconds * (1.0 if last else 1.0 - KEPT_BACK) - self.elapsed

    @property
    def out_of_time(self) -> str:
        """What is said where the seconds are used up."""
        return f"the budget of {self.budget.seconds:g} seconds ran out"

    @property
    def usage(self) -> Usage:
        """All that was used; `seconds` is the time that went by."""
        return replace(self._used(), seconds=self.elapsed)

    def _used(self) -> Usage:
        total = self._spent
        for ledger in self._ledgers:
            if ledger.steps:
                total += ledger.total
        return total


_COUNTING: ContextVar[tuple[Meter, Ledger, bool] | None] = ContextVar("counting", default=None)


class BudgetedModel:
    """A model that asks the meter of the step that calls it. One serves many questions at once."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def complete(self, request: Request) -> Completion:
        """Ask the meter, pass the call on, count it; see `LanguageModel.complete`.

        Raises:
            BudgetExhausted: the call was not made.
        """
        counting = _COUNTING.get()
        model: LanguageModel = self._model
        if counting is not None:
            meter, ledger, last = counting
            model = Metered(
                self._model,
                ledger=ledger,
                prices=meter.prices,
                permit=lambda _: meter.permit(last=last),
            )
        with chat_span(
            self.name,
            temperature=request.temperature,
            max_tokens=request.max_tokens,
            messages=request.messages,
        ) as span:
            reply = await model.complete(request)
            span.note(replied(reply))
        return reply
