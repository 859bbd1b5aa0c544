"""How a node does its work: timed, counted and traced, with whatever goes wrong turned to words."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from agent.budget import counted
from agent.errors import BudgetExhausted, ModelUnreachable
from agent.graph.hits import search_all
from agent.graph.state import Context, Found
from agent.llm.meter import Ledger, remarks
from agent.telemetry import AttributeValue, step_span, text_attributes
from agent.types import SubAnswer, SubQuestion, TraceStep
from corpus.errors import FanfoldError, InputError, NothingFoundError
from corpus.faults import machine_fault
from corpus.machine.threads import in_thread
from corpus.terminal import one_line
from retrieval.types import Hit

T = TypeVar("T")
_LOG = logging.getLogger("fanfold.agent")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a piece of work has no result."""

    reason: str
    backend: bool = False
    """A model or an index failed, rather than a budget or a rule."""
    not_found: bool = False


@dataclass(slots=True)
class Work:
    """One step of the trace in the making."""

    name: str
    sub_question_id: str | None
    begun: float
    ledger: Ledger
    elapsed: float
    """Seconds the question had taken when the step began."""
    detail: dict[str, object] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    """What had to be done without; they end up among the notes of the answer."""

    def update(self, **values: Any) -> dict[str, Any]:
        """Return a node's update: its values, what was remarked, and what the step took."""
        seconds = time.perf_counter() - self.begun
        usage = self.ledger.total
        if usage.calls:
            self.detail["usage"] = {
                "calls": usage.calls,
                "cached": usage.cached,
                "tokens_in": usage.tokens_in,
                "tokens_out": usage.tokens_out,
                "cost_usd": usage.cost_usd,
            }
        step = TraceStep(
            name=self.name,
            sub_question_id=self.sub_question_id,
            seconds=seconds,
            detail=self.detail,
        )
        about = "" if self.sub_question_id is None else f"sub-question {self.sub_question_id}: "
        notes = (*values.get("notes", ()), *(about + remark for remark in self.remarks))
        return {
            **values,
            "notes": notes,
            "trace": (step,),
            "usage": usage,
            "elapsed": self.elapsed + seconds,
        }


@contextmanager
def working(
    context: Context,
    name: str,
    sub_question_id: str | None = None,
    *,
    last: bool = False,
    about: str = "",
) -> Iterator[Work]:
    """Count and time what is done inside, as one step of the trace.

    Args:
        context: whose meter counts.
        name: of the step.
        sub_question_id: which sub-question it is for.
        last: whether it writes the answer and may use what budgets keep back for that.
        about: the sub-question in words, for traces that hold text.
    """
    attributes: dict[str, AttributeValue] = {}
    if sub_question_id is not None:
        attributes["fanfold.sub_question.id"] = sub_question_id
    if about:
        attributes |= text_attributes({"sub_question.text": about})
    with (
        context.meter.counting(last=last) as ledger,
        remarks() as said,
        step_span(name, attributes) as span,
    ):
        work = Work(
            name,
            sub_question_id,
            time.perf_counter(),
            ledger,
            context.meter.elapsed,
            remarks=said,
        )
        yield work
        span.note(
            {
                f"fanfold.{key}": value
                for key, value in work.detail.items()
                if isinstance(value, int | float) or (key == "status" and isinstance(value, str))
            }
        )


async def attempt(
    context: Context, work: Awaitable[T], *, last: bool = False, alone: bool = False
) -> T | Fault:
    """Return the result of `work`, or the fault that it ended in.

    Args:
        context: whose budget of seconds bounds it.
        work: a reasoner's or a retriever's.
        last: as for `working`.
        alone: bad input is this step's fault alone; otherwise it is the user's to mend.

    Raises:
        InputError: unless `alone`.
        OSError, MemoryError, RuntimeError: the machine lacks something, see `machine_fault`.
        ModelUnreachable: what this step cannot have, no later one will; the question can be resumed.
    """
    try:
        async with asyncio.timeout(context.meter.seconds_left(last=last)):
            return await work
    except TimeoutError as error:
        left = context.meter.seconds_left(last=last)
        if left is not None and left <= 0:
            return Fault(context.meter.out_of_time)
        return Fault(one_line(str(error)) or "it timed out", backend=True)
    except BudgetExhausted as error:
        return Fault(str(error))
    except NothingFoundError as error:
        return Fault(one_line(str(error)), not_found=True)
    except InputError as error:
        if not alone:
            raise
        return Fault(one_line(str(error)))
    except ModelUnreachable:
        raise
    except FanfoldError as error:
        return Fault(one_line(str(error)), backend=True)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # Not this question's end: something inside gave up on itself.
        return Fault("it was cancelled from within", backend=True)
    except Exception as error:  # one step's bug must not cost the other nineteen
        if machine_fault(error) is not None:
            # The other steps stand on the same machine, and what they find would be poorer unsaid.
            raise
        _LOG.exception("a step of the agent failed")
        return Fault(one_line(f"{type(error).__name__}: {error}"), backend=True)


async def first_hits(context: Context, question: str, *, last: bool = False) -> list[Hit]:
    """Return the hits for the question itself, which show a planner what exists; [] on a fault."""
    found = await attempt(
        context,
        in_thread(search_all, context.retriever, [question], context.settings.k),
        alone=True,
        last=last,
    )
    return [] if isinstance(found, Fault) else found[0]


def unanswered(step: SubQuestion, fault: Fault) -> Found:
    """Return what is kept of a sub-question that ended in a fault."""
    answer = SubAnswer(
        sub_question_id=step.id,
        status="not_found" if fault.not_found else "failed",
        error=fault.reason,
    )
    return Found(sub_answer=answer, backend=fault.backend)


def why_nothing(found: Mapping[str, Found]) -> str | None:
    """Return why not one sub-question was answered, where that was the backend's doing."""
    if any(one.sub_answer.status == "not_found" for one in found.values()):
        return None
    backend = [one.sub_answer.error for one in found.values() if one.backend]
    if not backend:
        return None
    return f"{len(found)} of {len(found)} sub-questions failed, the first because: {backend[0]}"


def out_of_budget(context: Context, rounds: int) -> str | None:
    """Return which budget forbids another round of sub-questions, None where none does."""
    depth = context.settings.budget.depth
    if rounds >= depth:
        return f"the budget of {counted(depth, 'round')} ran out"
    try:
        context.meter.permit(last=False)
    except BudgetExhausted as error:
        return str(error)
    return None
