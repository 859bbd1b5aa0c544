"""What OpenAI refuses: requests of the wrong type, broken conversations, schemas not strict.

Types are the openai package's own, validated by pydantic; the rules for strict schemas are those
of its structured-outputs guide (all fields required, no additional properties, no keyword outside
the supported set, 5,000 properties, 10 levels).
"""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

_ALLOWED = frozenset(
    {"type", "properties", "required", "items", "enum", "const", "anyOf", "$ref", "$defs",
     "description", "additionalProperties", "title"}
)  # fmt: skip
_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def request_faults(request: Mapping[str, Any]) -> list[str]:
    """Everything OpenAI would refuse in the body of a chat completion."""
    wrong_types = list(_type_faults(request))
    if wrong_types:
        return wrong_types
    return [
        *_conversation_faults(request.get("messages") or []),
        *_format_faults(request),
        *_tool_faults(request),
    ]


@lru_cache(maxsize=1)
def _adapters() -> tuple[TypeAdapter[Any], TypeAdapter[Any], TypeAdapter[Any], frozenset[str]]:
    from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolUnionParam
    from openai.types.chat.completion_create_params import (
        CompletionCreateParamsNonStreaming,
        CompletionCreateParamsStreaming,
    )

    hints = typing.get_type_hints(CompletionCreateParamsNonStreaming, include_extras=True)
    both = CompletionCreateParamsNonStreaming | CompletionCreateParamsStreaming
    return (
        TypeAdapter(both),
        TypeAdapter(ChatCompletionMessageParam),
        TypeAdapter(ChatCompletionToolUnionParam),
        frozenset(hints),
    )


def _type_faults(request: Mapping[str, Any]) -> Iterator[str]:
    whole, message, tool, known = _adapters()
    for name in request:
        if name not in known:
            yield f"Unrecognized request argument supplied: {name}"
    # Iterables inside the package's types are checked lazily by pydantic: go through them here.
    for adapter, values, place in (
        (whole, [request], "request"),
        (message, request.get("messages") or [], "messages"),
        (tool, request.get("tools") or [], "tools"),
    ):
        for index, value in enumerate(values):
            try:
                _exhaust(adapter.validate_python(value, strict=True))
            except ValidationError as error:
                yield f"{place}[{index}]: {error.errors(include_url=False)[:2]}"


def _exhaust(value: Any) -> None:
    if isinstance(value, Mapping):
        for child in value.values():
            _exhaust(child)
    elif not isinstance(value, str) and hasattr(value, "__iter__"):
        for child in value:
            _exhaust(child)


def _conversation_faults(messages: list[Mapping[str, Any]]) -> Iterator[str]:
    if not messages:
        yield "messages is empty"
    waiting: list[str] = []
    for index, message in enumerate(messages):
        role = message.get("role")
        if role == "tool":
            if message.get("tool_call_id") not in waiting:
                yield f"messages[{index}]: answers no preceding tool call"
            else:
                waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            yield f"messages[{index}]: tool calls {waiting} are not answered"
        called = message.get("tool_calls") or []
        waiting = [call["id"] for call in called]
        if len(set(waiting)) < len(waiting):
            yield f"messages[{index}]: tool call ids are not unique"
        if not message.get("content") and not called:
            yield f"messages[{index}]: content is empty"
    if waiting:
        yield f"tool calls {waiting} are not answered"
    if messages and messages[-1].get("role") == "assistant":
        yield "the last message is the assistant's"


def _format_faults(request: Mapping[str, Any]) -> Iterator[str]:
    form = request.get("response_format") or {}
    if form.get("type") == "json_object":
        text = " ".join(str(message.get("content")) for message in request["messages"])
        if "json" not in text.lower():
            yield "'messages' must contain the word 'json' to use json_object"
    if form.get("type") == "json_schema":
        asked = form["json_schema"]
        if not _NAME.fullmatch(asked["name"]):
            yield f"the schema's name {asked['name']!r} is not allowed"
        if asked.get("strict") is not True:
            yield "the schema is not strict"
        yield from strict_faults(asked["schema"])
    if "max_tokens" in request and "max_completion_tokens" in request:
        yield "max_tokens and max_completion_tokens are both set"
    if request.get("stream_options") and not request.get("stream"):
        yield "stream_options without stream"


def _tool_faults(request: Mapping[str, Any]) -> Iterator[str]:
    if request.get("tools") == []:
        yield "tools is empty"
    for tool in request.get("tools") or []:
        function = tool["function"]
        if not _NAME.fullmatch(function["name"]):
            yield f"the tool's name {function['name']!r} is not allowed"
        if function.get("strict"):
            yield from strict_faults(function["parameters"])


def strict_faults(schema: Mapping[str, Any]) -> list[str]:
    """What keeps a schema from being strict by OpenAI's rules."""
    if schema.get("type") != "object" or "anyOf" in schema:
        return ["the root is not an object"]
    faults: list[str] = []
    properties = 0

    def visit(node: Any, path: str, depth: int, seen: tuple[str, ...]) -> None:
        nonlocal properties
        if not isinstance(node, Mapping):
            faults.append(f"{path}: is no schema")
            return
        faults.extend(f"{path}: {key} is not supported" for key in node if key not in _ALLOWED)
        if depth > 10:
            faults.append(f"{path}: more than 10 levels")
            return
        if "$ref" in node:
            if len(node) > 1:
                faults.append(f"{path}: $ref cannot have keywords beside it")
            name = node["$ref"].removeprefix("#/$defs/")
            if name not in schema.get("$defs", {}):
                faults.append(f"{path}: {node['$ref']} points nowhere")
            elif name not in seen:
                visit(schema["$defs"][name], f"{path}>{name}", depth, (*seen, name))
            return
        if "anyOf" in node:
            for index, child in enumerate(node["anyOf"]):
                visit(child, f"{path}.anyOf[{index}]", depth + 1, seen)
            return
        if "type" not in node and "enum" not in node and "const" not in node:
            faults.append(f"{path}: has no type")
        elif "type" in node and node["type"] not in _TYPES:
            faults.append(f"{path}: unknown type {node['type']}")
        if node.get("type") == "object":
            fields = node.get("properties", {})
            properties += len(fields)
            if node.get("additionalProperties") is not False:
                faults.append(f"{path}: additionalProperties must be false")
            if sorted(node.get("required", [])) != sorted(fields):
                faults.append(f"{path}: not all fields are required")
            for name, child in fields.items():
                visit(child, f"{path}.{name}", depth + 1, seen)
        if node.get("type") == "array":
            if "items" not in node:
                faults.append(f"{path}: items is missing")
            else:
                visit(node["items"], f"{path}[]", depth + 1, seen)

    visit(schema, "$", 1, ())
    if properties > 5000:
        faults.append("more than 5,000 properties")
    return faults
