"""Replies already paid for: a model whose calls are kept, keyed by everything that changes a reply.

A run keeps its calls in `calls.sqlite`. A finished call is never sent twice; `replay` answers from
the file alone and never opens a socket. Several processes may share a file (SQLite's write-ahead
log); within one process, equal calls under way at the same time are sent once, whichever threads
and agents make them.

Failures are kept too, so that a replay fails where the run failed; a later run that may use the
network tries them again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from pydantic import BaseModel

from agent import errors
from agent.errors import ModelError, ReplayMiss
from agent.llm.calls import Calls
from agent.llm.port import (
    AsyncClosable,
    Completion,
    LanguageModel,
    Message,
    Request,
    ToolCall,
)
from agent.llm.replies.schema import read_reply, strict_schema
from agent.types import Usage
from retrieval.types import Closable

_FAILURES: dict[str, type[ModelError]] = {
    kind.__name__: kind
    for kind in (
        errors.ModelError,
        errors.ModelRefused,
        errors.ReplyMalformed,
        errors.ReplyTruncated,
        errors.ToolsRefused,
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheKey:
    """What changes a reply beside the request itself."""

    model: str
    endpoint: str
    epoch: int = 0
    """Raise it to draw a fresh sample of every reply."""
    fingerprint: str = ""
    """Of the snapshot that the conversation draws on."""

    def of(self, request: Request) -> str:
        """Return the SHA-256 of the call, in hexadecimal."""
        schema = request.schema
        call = {
            "key": asdict(self),
            "messages": [_message(message) for message in request.messages],
            "tools": [
                [tool.name, tool.description, dict(tool.parameters)] for tool in request.tools
            ],
            "schema": None if schema is None else [schema.__name__, dict(strict_schema(schema))],
            "max_tokens": request.max_tokens,
            "temperature": float(request.temperature),
            "seed": request.seed,
        }
        text = json.dumps(call, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _message(message: Message) -> list[object]:
    calls = [[call.id, call.name, _arguments(call)] for call in message.tool_calls]
    return [message.role, message.content, calls, message.tool_call_id]


def _arguments(call: ToolCall) -> object:
    return call.raw if call.arguments is None else dict(call.arguments)


class CachedModel:
    """A model that answers known calls from a cache; with no model behind it, those alone."""

    def __init__(self, model: LanguageModel | None, cache: Calls, key: CacheKey) -> None:
        self._model = model
        self._cache = cache
        self._key = key

    @property
    def name(self) -> str:
        """The model's name."""
        return self._key.model

    def close(self) -> None:
        """Close the file of calls, and have every event loop close the model's connections."""
        if isinstance(self._model, Closable):
            self._model.close()
        self._cache.close()

    async def aclose(self) -> None:
        """Close the model's connections that this event loop uses."""
        if isinstance(self._model, AsyncClosable):
            await self._model.aclose()

    async def complete(self, request: Request) -> Completion:
        """Return the kept reply, or ask and keep it; see `LanguageModel.complete`.

        A call that is being made already is waited for, and its failure shared.

        Raises:
            ReplayMiss: the call is not in the cache and there is no model to ask.
        """
        key = self._key.of(request)
        if self._model is None:
            kept = await self._cache.get(key)
            if kept is None:
                raise ReplayMiss(
                    f"call {key[:16]} to {self.name!r} is not among those recorded in "
                    f"{self._cache.path}: the question, prompts, model or snapshot have changed"
                )
            return _restored(*kept, request.schema)
        just_kept = await self._cache.begin(key)
        done = False
        try:
            kept = await self._cache.get(key)
            if kept is not None and (kept[0] or just_kept):
                return _restored(*kept, request.schema)
            try:
                completion = await self._model.complete(request)
            except ModelError as error:
                await self._cache.put(key, self.name, ok=False, record=_failed(error))
                done = True
                raise
            await self._cache.put(key, self.name, ok=True, record=_record(completion))
            done = True
            return completion
        finally:
            self._cache.end(key, kept=done or just_kept)


def _failed(error: ModelError) -> dict[str, Any]:
    return {
        "error": type(error).__name__,
        "message": str(error),
        "usage": asdict(error.usage),
        "said": error.said,
    }


def _record(completion: Completion) -> dict[str, Any]:
    return {
        "text": completion.text,
        "tool_calls": [
            [call.id, call.name, None if call.arguments is None else dict(call.arguments), call.raw]
            for call in completion.tool_calls
        ],
        "finish_reason": completion.finish_reason,
        "usage": asdict(completion.usage),
    }


def _restored(ok: bool, record: dict[str, Any], schema: type[BaseModel] | None) -> Completion:
    usage = Usage(**record["usage"])
    usage = replace(usage, cached=usage.calls)
    if not ok:
        failure = _FAILURES.get(record["error"], ModelError)(record["message"])
        failure.usage = usage
        failure.said = record.get("said", "")
        raise failure
    calls = tuple(
        ToolCall(id=id_, name=name, arguments=arguments, raw=raw)
        for id_, name, arguments, raw in record["tool_calls"]
    )
    parsed = None
    if schema is not None and not calls:
        parsed, _ = read_reply(record["text"], schema)
    return Completion(
        text=record["text"],
        tool_calls=calls,
        parsed=parsed,
        finish_reason=record["finish_reason"],
        usage=usage,
    )
