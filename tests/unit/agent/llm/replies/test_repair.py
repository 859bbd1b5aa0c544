from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from agent.errors import ModelError, ModelRefused, ReplyMalformed, ReplyTruncated
from agent.llm.port import Completion, Message, Request
from agent.llm.replies.repair import RepairedModel
from agent.prompted.forms import OneKindReply
from agent.prompted.tool_calls import TOOLS
from agent.types import Usage
from tests.fakes import Asked, ScriptedModel, call

USER = (Message(role="user", content="Sort this."),)
GOOD = '{"reason": "", "kind": "core"}'


def saying(*said: Any) -> tuple[RepairedModel, ScriptedModel]:
    left = list(said)

    def mind(_: Asked) -> Any:
        one = left.pop(0)
        if isinstance(one, Exception):
            raise one
        return one

    scripted = ScriptedModel(mind)
    return RepairedModel(scripted), scripted


async def test_a_good_reply_passes() -> None:
    model, scripted = saying(GOOD)
    reply = await model.complete(Request(USER, schema=OneKindReply))
    assert isinstance(reply.parsed, OneKindReply)
    assert (model.name, len(scripted.asked)) == ("scripted", 1)


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ("It is core.", "holds no JSON object"),
        ('{"kind": "vital"}', "kind: Input should be 'core', 'background' or 'follow-up'"),
        ("  ", "the reply is empty"),
    ],
)
async def test_a_faulty_reply_goes_back_once_with_its_fault(bad: str, fault: str) -> None:
    model, scripted = saying(bad, GOOD)
    reply = await model.complete(Request(USER, schema=OneKindReply))
    assert reply.parsed is not None
    assert reply.usage.calls == 2
    turns = scripted.asked[1].messages
    assert fault in turns[-1]["content"]
    roles = [turn["role"] for turn in turns]
    assert roles == (["user", "assistant", "user"] if bad.strip() else ["user", "user"])


async def test_a_second_fault_ends_the_call() -> None:
    model, scripted = saying("no", "still no", GOOD)
    with pytest.raises(ReplyMalformed, match="asked twice: the reply holds no JSON") as caught:
        await model.complete(Request(USER, schema=OneKindReply))
    assert len(scripted.asked) == 2
    assert caught.value.usage.calls == 2


async def test_a_long_faulty_reply_goes_back_shortened() -> None:
    model, scripted = saying("x" * 50_000, GOOD)
    await model.complete(Request(USER, schema=OneKindReply))
    assert len(scripted.asked[1].text) < 5000


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (Completion(text="I can't help.", finish_reason="refusal"), ModelRefused),
        (Completion(text="", finish_reason="refusal"), ModelRefused),
        (Completion(text='{"reason": "bec', finish_reason="length"), ReplyTruncated),
        (Completion(text="", finish_reason="length"), ReplyTruncated),
    ],
)
async def test_a_refusal_and_a_cut_off_reply_are_not_asked_again(
    said: Completion, error: type[ModelError]
) -> None:
    model, scripted = saying(said)
    with pytest.raises(error):
        await model.complete(Request(USER, schema=OneKindReply, max_tokens=5))
    assert len(scripted.asked) == 1


async def test_tool_calls_pass() -> None:
    model, _ = saying([call("search", query="x")])
    assert (await model.complete(Request(USER, tools=TOOLS, schema=OneKindReply))).tool_calls


async def test_calls_of_tools_that_are_not_on_offer_are_a_fault() -> None:
    model, scripted = saying([call("search", query="x")], GOOD)
    assert (await model.complete(Request(USER, schema=OneKindReply))).parsed is not None
    assert "none is on offer" in scripted.asked[1].text


async def test_with_tools_on_offer_text_need_not_follow_the_schema() -> None:
    model, _ = saying("<search>x</search>")
    assert (await model.complete(Request(USER, tools=TOOLS, schema=OneKindReply))).parsed is None


async def test_what_was_used_is_told_when_the_repair_fails() -> None:
    model, _ = saying("no", ModelError("down"))
    with pytest.raises(ModelError, match="down") as caught:
        await model.complete(Request(USER, schema=OneKindReply))
    assert caught.value.usage.calls == 1


def total(parts: Sequence[Usage]) -> Usage:
    whole = Usage()
    for part in parts:
        whole += part
    return whole


def test_usages_add_up_and_an_unknown_cost_stays_unknown() -> None:
    a = Usage(calls=1, tokens_in=2, cost_usd=0.5, seconds=1)
    assert total([Usage(), a, Usage(), a]) == Usage(calls=2, tokens_in=4, cost_usd=1.0, seconds=2)
    assert total([a, Usage(calls=1)]).cost_usd is None
