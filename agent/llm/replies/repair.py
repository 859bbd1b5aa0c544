"""A reply that cannot be used is asked for once more with its fault shown; then the step fails."""

from __future__ import annotations

from dataclasses import replace

from agent.errors import ModelError, ModelRefused, ReplyMalformed, ReplyTruncated
from agent.llm.port import AsyncClosable, Completion, LanguageModel, Message, Request
from agent.llm.replies.schema import read_reply
from agent.types import Usage
from retrieval.types import Closable

LONGEST_SHOWN = 4000
"""Characters of a faulty reply that go back with the request to mend it."""


class RepairedModel:
    """A model whose replies are usable, or an error that says why not."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def close(self) -> None:
        """Have every event loop close the model's connections."""
        if isinstance(self._model, Closable):
            self._model.close()

    async def aclose(self) -> None:
        """Close the model's connections that this event loop uses."""
        if isinstance(self._model, AsyncClosable):
            await self._model.aclose()

    async def complete(self, request: Request) -> Completion:
        """Return a reply that is not empty and follows the schema; see `LanguageModel.complete`.

        A reply with calls of tools on offer is returned as it is. With tools on offer a reply need not follow
        the schema (`parsed` is then None): it may be in a text protocol that the caller reads.

        Raises:
            ModelRefused: it declined.
            ReplyTruncated: cut off at `max_tokens`.
            ReplyMalformed: empty or not of the schema, twice.
        """
        asked = request
        usage = Usage()
        for attempt in (1, 2):
            try:
                reply = await self._model.complete(asked)
            except ModelError as error:
                error.usage = usage + error.usage
                raise
            usage += reply.usage
            reply = replace(reply, usage=usage)
            try:
                fault = self._fault(reply, request)
                if fault and attempt == 2:
                    raise ReplyMalformed(f"model {self.name!r}, asked twice: {fault}")
            except ModelError as error:
                error.usage, error.said = usage, reply.text
                raise
            if not fault:
                return reply
            messages = (*request.messages, *_with_fault(reply.text, fault))
            asked = replace(request, messages=messages)
        raise AssertionError("the second attempt returns or raises")

    def _fault(self, reply: Completion, request: Request) -> str:
        schema, free = request.schema, bool(request.tools)
        if reply.finish_reason == "refusal":
            said = " ".join(reply.text.split())[:200]
            raise ModelRefused(f"model {self.name!r} declined" + (f": {said}" if said else ""))
        if reply.tool_calls and free:
            return ""
        if reply.finish_reason == "length":
            raise ReplyTruncated(
                f"model {self.name!r} was cut off at {request.max_tokens} tokens before its reply ended"
            )
        if reply.tool_calls and schema is not None and reply.parsed is None:
            return "it calls a tool, and none is on offer"
        if not reply.text.strip():
            return "the reply is empty"
        if schema is None or reply.parsed is not None or free:
            return ""
        return read_reply(reply.text, schema)[1]


def _with_fault(text: str, fault: str) -> list[Message]:
    ask = f"That reply cannot be used: {fault}. Send the whole reply again, with this mended."
    if not text.strip():
        return [Message(role="user", content=ask)]
    shown = text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + " […]"
    return [Message(role="assistant", content=shown), Message(role="user", content=ask)]
