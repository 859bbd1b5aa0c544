from __future__ import annotations

import asyncio

import pytest

from agent.budget import Budget, BudgetedModel, Meter
from agent.errors import BudgetExhausted
from agent.llm.port import Completion, Message, Request
from agent.llm.prices import Price, PriceTable
from agent.types import Usage
from tests.fakes import ScriptedModel

PROMPT = [Message(role="user", content="x")]


def model(tokens_in: int = 10, tokens_out: int = 5) -> BudgetedModel:
    usage = Usage(calls=1, tokens_in=tokens_in, tokens_out=tokens_out)
    return BudgetedModel(ScriptedModel(lambda _: Completion(text="yes", usage=usage), name="m"))


async def call(
    meter: Meter, times: int, *, last: bool = False, one: BudgetedModel | None = None
) -> None:
    used = one or model()
    with meter.counting(last=last):
        for _ in range(times):
            await used.complete(Request(PROMPT))


async def test_one_call_is_kept_back_for_the_answer() -> None:
    meter = Meter(Budget(calls=3))
    await call(meter, 2)
    with pytest.raises(BudgetExhausted, match="3 model calls"):
        await call(meter, 1)
    await call(meter, 1, last=True)
    with pytest.raises(BudgetExhausted):
        await call(meter, 1, last=True)
    assert meter.usage.calls == 3


async def test_a_budget_of_one_call_may_be_used_at_once() -> None:
    meter = Meter(Budget(calls=1))
    await call(meter, 1)
    with pytest.raises(BudgetExhausted):
        await call(meter, 1, last=True)


async def test_tokens_and_cost_stop_before_the_last_share() -> None:
    meter = Meter(Budget(tokens=100))
    await call(meter, 6)
    with pytest.raises(BudgetExhausted, match="100 tokens"):
        await call(meter, 1)
    await call(meter, 1, last=True)

    prices = PriceTable({"m": Price(tokens_in=1e5, tokens_out=0.0)})
    meter = Meter(Budget(cost_usd=2.0), prices=prices)
    await call(meter, 2)
    assert meter.usage.cost_usd == pytest.approx(2.0)
    with pytest.raises(BudgetExhausted, match=r"\$2 ran out"):
        await call(meter, 1)


async def test_seconds_run_on_from_before_a_resumption() -> None:
    now = [100.0]
    meter = Meter(Budget(seconds=10), elapsed=4.0, clock=lambda: now[0])
    assert meter.seconds_left(last=True) == pytest.approx(6.0)
    now[0] += 5.0
    with pytest.raises(BudgetExhausted, match="10 seconds"):
        meter.permit(last=False)
    meter.permit(last=True)
    assert meter.usage.seconds == pytest.approx(9.0)
    assert Meter(Budget()).seconds_left(last=False) is None


async def test_what_was_spent_before_counts() -> None:
    meter = Meter(Budget(calls=5), spent=Usage(calls=4, tokens_in=40, tokens_out=4))
    with pytest.raises(BudgetExhausted):
        await call(meter, 1)
    await call(meter, 1, last=True)
    assert meter.usage.calls == 5
    assert meter.usage.tokens_in == 50


async def test_questions_at_once_do_not_share_a_meter() -> None:
    shared = model()
    meters = [Meter(Budget(calls=9)) for _ in range(3)]
    await asyncio.gather(*(call(m, n + 1, one=shared) for n, m in enumerate(meters)))
    assert [meter.usage.calls for meter in meters] == [1, 2, 3]


async def test_outside_a_question_nothing_is_counted() -> None:
    assert (await model().complete(Request(PROMPT))).text == "yes"
    assert model().name == "m"
