"""Chat completions on the wire: requests as the OpenAI format wants them, replies as they come back.

Pure functions over plain dictionaries; sending them is `agent.llm.openai`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agent.llm.port import Completion, FinishReason, Message, Request, Tool, ToolCall
from agent.llm.replies.schema import schema_in_words, sound_text, strict_schema
from agent.llm.traits import ServerTraits
from agent.types import Usage


class UnreadableReplyError(Exception):
    """The server said 200 and sent something that is no chat completion."""


def request_body(
    model: str, request: Request, traits: ServerTraits, *, stream: bool
) -> dict[str, Any]:
    """Return the body of the request as this server takes it.

    With tools on offer the schema goes into the instructions: a server that enforces a schema
    while decoding could otherwise never emit a tool call.
    """
    longest = request.max_tokens + traits.reasoning_room
    body: dict[str, Any] = {"model": model, traits.tokens_field: longest}
    messages = [_message(message) for message in request.messages]
    if request.schema is not None:
        if request.tools or traits.schema_mode == "text":
            messages = _instructed(messages, schema_in_words(request.schema))
        elif traits.schema_mode == "json_object":
            messages = _instructed(messages, schema_in_words(request.schema))
            body["response_format"] = {"type": "json_object"}
        else:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {
                    "name": request.schema.__name__,
                    "strict": True,
                    "schema": dict(strict_schema(request.schema)),
                },
            }
    body["messages"] = messages
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    optional: dict[str, Any] = {"temperature": request.temperature, "seed": request.seed}
    if stream:
        body["stream"] = True
        optional["stream_options"] = {"include_usage": True}
    body.update(
        (name, value)
        for name, value in optional.items()
        if value is not None and name not in traits.dropped
    )
    return body


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {
            "role": "tool",
            "tool_call_id": message.tool_call_id or "",
            "content": message.content,
        }
    if message.tool_calls:
        return {
            "role": "assistant",
            "content": message.content or None,
            "tool_calls": [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": _arguments(call)},
                }
                for call in message.tool_calls
            ],
        }
    return {"role": message.role, "content": message.content}


def _arguments(call: ToolCall) -> str:
    if call.arguments is not None:
        return json.dumps(dict(call.arguments), ensure_ascii=False)
    # What the model wrote was no JSON; some servers parse it again and fail on the whole request.
    return json.dumps({"unreadable": call.raw}, ensure_ascii=False)


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.parameters),
            "strict": True,
        },
    }


def _instructed(messages: list[dict[str, Any]], instruction: str) -> list[dict[str, Any]]:
    """Append an instruction to the system message, or put one first."""
    if messages and messages[0]["role"] == "system":
        first = {**messages[0], "content": f"{messages[0]['content']}\n\n{instruction}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": instruction}, *messages]


def read_completion(data: Mapping[str, Any], seconds: float) -> Completion:
    """Return a chat completion's first choice.

    Raises:
        UnreadableReplyError: no choice or no message in it.
    """
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise UnreadableReplyError("it holds no choice")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise UnreadableReplyError("its choice holds no message")
    calls = tuple(
        _tool_call(call, number)
        for number, call in enumerate(message.get("tool_calls") or [], start=1)
        if isinstance(call, dict)
    )
    text = _text(message.get("content"))
    refusal = message.get("refusal")
    reason = _finish_reason(choices[0].get("finish_reason"), bool(calls), bool(refusal))
    return Completion(
        text=text or (str(refusal) if refusal else ""),
        tool_calls=calls,
        finish_reason=reason,
        usage=read_usage(data.get("usage"), seconds),
    )


def _text(content: object) -> str:
    if isinstance(content, str):
        return sound_text(content)
    if isinstance(content, list):
        # Some servers send a list of parts, as requests may hold.
        return sound_text(
            "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
        )
    return ""


def _tool_call(call: Mapping[str, Any], number: int) -> ToolCall:
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    raw = function.get("arguments")
    value: object
    if isinstance(raw, str):
        try:
            value = json.loads(raw or "{}", strict=False)
        except (json.JSONDecodeError, RecursionError):
            value = None
    else:
        value, raw = raw, json.dumps(raw, ensure_ascii=False)
    return ToolCall(
        id=str(call.get("id") or f"call_{number}"),
        name=str(function.get("name") or ""),
        arguments=value if isinstance(value, dict) else None,
        raw=raw,
    )


def _finish_reason(reason: object, called: bool, refused: bool) -> FinishReason:
    if refused or reason == "content_filter":
        return "refusal"
    if reason == "length":
        return "length"
    # Some servers say "stop" beside tool calls.
    return "tool_calls" if called else "stop"


def read_usage(data: object, seconds: float) -> Usage:
    """Return what one call used; counts a server leaves out are 0."""
    usage = data if isinstance(data, dict) else {}
    return Usage(
        calls=1,
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        seconds=seconds,
    )


def reasoned(data: Mapping[str, Any]) -> bool:
    """Tell whether a reply's tokens went, at least in part, into thinking aloud or unseen."""
    usage = data.get("usage")
    details = usage.get("completion_tokens_details") if isinstance(usage, dict) else None
    if isinstance(details, dict) and _count(details.get("reasoning_tokens")):
        return True
    message = data["choices"][0]["message"]
    if message.get("reasoning_content") or message.get("reasoning"):
        return True
    return "<think>" in _text(message.get("content"))


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


class StreamedReply:
    """Puts the pieces of a streamed chat completion together."""

    def __init__(self) -> None:
        self._content: list[str] = []
        self._refusal: list[str] = []
        self._thoughts: list[str] = []
        self._calls: dict[int, dict[str, Any]] = {}
        self._finish: object = None
        self._usage: object = None

    def add(self, chunk: Mapping[str, Any]) -> None:
        """Take one chunk."""
        self._usage = chunk.get("usage") or self._usage
        for choice in chunk.get("choices") or []:
            delta = choice.get("delta") or {}
            self._content.append(delta.get("content") or "")
            self._refusal.append(delta.get("refusal") or "")
            self._thoughts.append(delta.get("reasoning_content") or delta.get("reasoning") or "")
            for piece in delta.get("tool_calls") or []:
                self._add_call(piece)
            self._finish = choice.get("finish_reason") or self._finish

    def _add_call(self, piece: Mapping[str, Any]) -> None:
        # Servers that leave the index out send each call whole.
        index = piece.get("index")
        call = self._calls.setdefault(
            len(self._calls) if index is None else index, {"id": "", "name": "", "arguments": ""}
        )
        function = piece.get("function") or {}
        call["id"] = call["id"] or piece.get("id") or ""
        call["name"] += function.get("name") or ""
        call["arguments"] += function.get("arguments") or ""

    def whole(self) -> dict[str, Any]:
        """Return the reply as an unstreamed one would look.

        Raises:
            UnreadableReplyError: the stream ended before the reply did.
        """
        if self._finish is None:
            raise UnreadableReplyError("the stream ended early")
        message: dict[str, Any] = {
            "role": "assistant",
            "content": "".join(self._content),
            "refusal": "".join(self._refusal) or None,
            "reasoning_content": "".join(self._thoughts) or None,
        }
        if self._calls:
            message["tool_calls"] = [
                {
                    "id": call["id"],
                    "type": "function",
                    "function": {"name": call["name"], "arguments": call["arguments"]},
                }
                for _, call in sorted(self._calls.items())
            ]
        return {
            "choices": [{"index": 0, "message": message, "finish_reason": self._finish}],
            "usage": self._usage,
        }
