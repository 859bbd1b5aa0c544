from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.llm.port import Completion, Message, Request, ToolCall
from agent.llm.traits import ServerTraits
from agent.llm.wire import (
    StreamedReply,
    UnreadableReplyError,
    read_completion,
    read_usage,
    reasoned,
    request_body,
)
from agent.prompted.forms import PlanReply
from agent.prompted.tool_calls import TOOLS
from agent.types import Usage
from tests.fake_server import completion_body, stream_pieces
from tests.openai_rules import request_faults

SYSTEM = Message(role="system", content="You plan.")
USER = Message(role="user", content="Plan this.")
CALL = ToolCall(id="c1", name="search", arguments={"query": "Triton"}, raw='{"query": "Triton"}')
BROKEN = ToolCall(id="c2", name="read", arguments=None, raw='{"title": "Tri')
TALK = (
    SYSTEM,
    USER,
    Message(role="assistant", content="", tool_calls=(CALL, BROKEN)),
    Message(role="tool", content="found", tool_call_id="c1"),
    Message(role="tool", content="unreadable", tool_call_id="c2"),
)


def body(request: Request, *, stream: bool = False, **traits: Any) -> dict[str, Any]:
    made = request_body("m", request, ServerTraits(**traits), stream=stream)
    assert request_faults(json.loads(json.dumps(made))) == []
    return made


def test_requests_of_all_kinds_are_what_openai_takes() -> None:
    for messages in ((SYSTEM, USER), (USER,), TALK):
        for schema in (None, PlanReply):
            for tools in ((), TOOLS):
                for mode in ("json_schema", "json_object", "text"):
                    for stream in (False, True):
                        request = Request(
                            messages=messages, schema=schema, tools=tools, seed=1, max_tokens=9
                        )
                        body(request, stream=stream, schema_mode=mode)


def test_the_rules_refuse_what_openai_refuses() -> None:
    good = body(Request(messages=(USER,)))
    for change in (
        {"surprise": 1},
        {"messages": []},
        {"messages": [{"role": "user"}]},
        {"messages": [{"role": "nobody", "content": "x"}]},
        {"messages": [{"role": "user", "content": 3}]},
        {"messages": [{"role": "tool", "content": "x", "tool_call_id": "c"}]},
        {"messages": [{"role": "user", "content": ""}]},
        {"messages": [{"role": "assistant", "content": "x"}]},
        {"temperature": "hot"},
        {"seed": 1.5},
        {"tools": [{"type": "function", "function": {}}]},
        {"response_format": {"type": "json_object"}},
        {"max_completion_tokens": 3},
    ):
        assert request_faults({**good, **change}), change


def test_parameters_are_passed_and_left_out_once_refused() -> None:
    request = Request(messages=(USER,), max_tokens=7, temperature=0.0, seed=3)
    made = body(request)
    assert (made["max_tokens"], made["temperature"], made["seed"]) == (7, 0.0, 3)
    made = body(request, tokens_field="max_completion_tokens", dropped={"temperature", "seed"})
    assert made["max_completion_tokens"] == 7
    assert not {"temperature", "seed", "max_tokens"} & set(made)
    assert "seed" not in body(Request(messages=(USER,)))


def test_the_schema_is_enforced_or_said_in_words() -> None:
    request = Request(messages=(SYSTEM, USER), schema=PlanReply)
    assert body(request)["response_format"]["json_schema"]["strict"] is True
    made = body(request, schema_mode="json_object")
    assert made["response_format"] == {"type": "json_object"}
    assert "sub_questions" in made["messages"][0]["content"]
    made = body(Request(messages=(USER,), schema=PlanReply), schema_mode="text")
    assert "response_format" not in made
    assert made["messages"][0]["role"] == "system"


def test_with_tools_the_schema_is_said_in_words_lest_no_tool_could_be_called() -> None:
    made = body(Request(messages=(SYSTEM, USER), schema=PlanReply, tools=TOOLS))
    assert "response_format" not in made
    assert "sub_questions" in made["messages"][0]["content"]


def reply(**message: Any) -> dict[str, Any]:
    finish = message.pop("finish_reason", "stop")
    return {"choices": [{"message": message, "finish_reason": finish}]}


@pytest.mark.parametrize(
    ("data", "text", "reason"),
    [
        (reply(content="hi"), "hi", "stop"),
        (reply(content=None), "", "stop"),
        (reply(content=[{"type": "text", "text": "h"}, {"text": "i"}, "x"]), "hi", "stop"),
        (reply(content="hi", finish_reason="length"), "hi", "length"),
        (reply(content="", finish_reason="content_filter"), "", "refusal"),
        (reply(content=None, refusal="I won't."), "I won't.", "refusal"),
        (reply(content="hi", finish_reason=None), "hi", "stop"),
        (reply(content="hi", finish_reason="eos"), "hi", "stop"),
        (reply(content="x\ud800"), "x\ufffd", "stop"),
    ],
)
def test_replies_are_read(data: dict[str, Any], text: str, reason: str) -> None:
    completion = read_completion(data, 1.5)
    assert (completion.text, completion.finish_reason) == (text, reason)
    assert completion.usage == Usage(calls=1, seconds=1.5)


def test_tool_calls_are_read_with_their_faults() -> None:
    calls = [
        {"id": "a", "function": {"name": "search", "arguments": '{"query": "x"}'}},
        {"function": {"name": "read", "arguments": '{"title": '}},
        {"id": "c", "function": {"name": "read", "arguments": {"title": "T"}}},
        {"id": "d", "function": {"name": "go", "arguments": ""}},
        {"id": "e", "function": {"name": "go", "arguments": "[1]"}},
        {"id": "f"},
        "nonsense",
    ]
    completion = read_completion(reply(content=None, tool_calls=calls), 0)
    assert completion.finish_reason == "tool_calls"
    assert [(one.id, one.name, one.arguments) for one in completion.tool_calls] == [
        ("a", "search", {"query": "x"}),
        ("call_2", "read", None),
        ("c", "read", {"title": "T"}),
        ("d", "go", {}),
        ("e", "go", None),
        ("f", "", None),
    ]
    assert completion.tool_calls[1].raw == '{"title": '


@pytest.mark.parametrize(
    "data",
    [{}, {"choices": []}, {"choices": None}, {"choices": ["x"]}, {"choices": [{"message": None}]}],
)
def test_what_is_no_completion_is_said_to_be_none(data: dict[str, Any]) -> None:
    with pytest.raises(UnreadableReplyError):
        read_completion(data, 0)


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": None}, {"prompt_tokens": -1}])
def test_usage_may_be_missing(usage: object) -> None:
    assert read_usage(usage, 0) == Usage(calls=1)
    assert read_usage({"prompt_tokens": 3, "completion_tokens": True}, 0).tokens_in == 3


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=2), max_size=3),
)
def test_a_streamed_reply_reads_as_the_whole_one(
    text: str, arguments: list[dict[str, str]]
) -> None:
    calls = tuple(
        ToolCall(id=f"c{number}", name="search", arguments=one, raw=json.dumps(one))
        for number, one in enumerate(arguments)
    )
    request = {"model": "m", "messages": [], "stream_options": {"include_usage": True}}
    said = Completion(text=text, tool_calls=calls, finish_reason="tool_calls" if calls else "stop")
    whole = completion_body(said, request)
    streamed = StreamedReply()
    for piece in stream_pieces(whole, request):
        if piece != "[DONE]":
            streamed.add(json.loads(piece))
    assert read_completion(streamed.whole(), 0) == read_completion(whole, 0)


def test_thoughts_are_noticed_in_a_stream_too() -> None:
    streamed = StreamedReply()
    streamed.add({"choices": [{"delta": {"reasoning_content": "Let me think"}}]})
    streamed.add({"choices": [{"delta": {}, "finish_reason": "length"}]})
    assert reasoned(streamed.whole())
    assert not reasoned(reply(content="hi", finish_reason="length"))


def test_a_stream_that_ends_early_is_no_reply() -> None:
    streamed = StreamedReply()
    streamed.add({"choices": [{"delta": {"content": "half a"}}]})
    with pytest.raises(UnreadableReplyError, match="early"):
        streamed.whole()


def test_streamed_calls_without_an_index_are_taken_whole() -> None:
    streamed = StreamedReply()
    for name in ("search", "read"):
        streamed.add({"choices": [{"delta": {"tool_calls": [{"function": {"name": name}}]}}]})
    streamed.add({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
    calls = read_completion(streamed.whole(), 0).tool_calls
    assert [one.name for one in calls] == ["search", "read"]
