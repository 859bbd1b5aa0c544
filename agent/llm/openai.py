"""Any OpenAI-compatible server as a LanguageModel: the only file that imports openai.

The openai package carries the request; retries, waiting and what a server can do are decided here,
because its own retries know nothing of the other calls under way.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import openai

from agent.errors import ModelError, ModelRefused, ModelUnreachable, ToolsRefused
from agent.llm.connections import Connections
from agent.llm.limits import Admission
from agent.llm.port import Completion, Request
from agent.llm.replies.schema import read_reply
from agent.llm.retries import RETRIED_STATUS, RetryPolicy, asked_wait
from agent.llm.shared import public_url
from agent.llm.tokens import Estimate, count_messages
from agent.llm.traits import Refusal, SchemaMode, ServerTraits, read_refusal
from agent.llm.wire import (
    StreamedReply,
    UnreadableReplyError,
    read_completion,
    reasoned,
    request_body,
)
from agent.types import Usage
from corpus.address import checked_key
from corpus.faults import machine_fault

DEFAULT_TIMEOUT = 120.0
"""Seconds for a whole reply, or between two pieces of a streamed one."""
LONGEST_STREAM = 10
"""A streamed reply may last this many time-outs in all."""
NO_KEY = "none"
"""Sent where no key is given: local servers want some value and ignore it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fault:
    """One failed attempt."""

    reason: str
    retried: bool = True
    unreachable: bool = False
    asked: float | None = None
    """Seconds the server asked to wait."""
    throttled: bool = False
    refusal: Refusal | None = None
    """Where the request itself was at fault."""
    used: Usage | None = None
    """Where it was a reply, cut off while the model was thinking."""


class OpenAIModel:
    """A model at an OpenAI-compatible endpoint.

    Replies that break the schema come back with `parsed` None; `agent.llm.replies.repair` deals with them.

    Args:
        model: the name the server knows it by.
        base_url: such as `http://localhost:8000/v1`.
        api_key: never shown, stored or logged.
        limiter: shared by all models of one endpoint.
        policy: how failed calls are repeated.
        timeout: seconds for a whole reply, or between two pieces of a streamed one.
        stream: ask for the reply in pieces; for slow servers, and proxies that cut idle
            connections.
        traits: what is known of the server; what is learnt is noted there.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None,
        limiter: Admission,
        policy: RetryPolicy | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        stream: bool = False,
        traits: ServerTraits | None = None,
    ) -> None:
        self._model = model
        self._base_url = base_url
        self._key = checked_key(api_key) or NO_KEY
        self._limiter = limiter
        self._policy = policy or RetryPolicy()
        self._timeout = timeout
        self._stream = stream
        self.traits = traits if traits is not None else ServerTraits()
        self._random = random.Random(0)
        self._connections = Connections(partial(_new_client, self._key, base_url, timeout))

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model

    async def complete(self, request: Request) -> Completion:
        """Send the conversation and return the reply; see `LanguageModel.complete`.

        Raises:
            ToolsRefused: the server does not take tools with this model.
            ModelRefused: a content filter turned the conversation down.
            ModelUnreachable: nothing answers at the address, and nothing ever has.
            ModelError: anything else, after the retries where they could help.
        """
        size = count_messages(request.messages, Estimate()) + request.max_tokens
        failed, spent = 0, Usage()
        while True:
            mode, version = self.traits.schema_mode, self.traits.version
            async with self._limiter.admitted(size):
                outcome = await self._attempt(request)
                if isinstance(outcome, Completion):
                    used = outcome.usage.tokens_in + outcome.usage.tokens_out
                    self._limiter.succeeded(size, used or size)
                    return self._with_schema(outcome, request, mode, spent)
                wait = outcome.asked
                if wait is None:
                    wait = self._policy.wait(failed, self._random)
                if outcome.throttled:
                    self._limiter.refused(min(wait, self._policy.longest_asked))
            if outcome.used is not None:
                spent += outcome.used
                continue
            if outcome.refusal is not None:
                self._adapt(request, version, outcome.refusal, outcome.reason)
                continue
            self._give_up_or_go_on(outcome, failed)
            failed += 1
            await asyncio.sleep(wait)

    async def aclose(self) -> None:
        """Close this loop's connections; the end of the loop does so too."""
        await self._connections.aclose()

    def close(self) -> None:
        """Have every event loop close the connections it uses, as soon as it turns to it."""
        self._connections.close()

    def _adapt(self, request: Request, version: int, refusal: Refusal, reason: str) -> None:
        """Learn from a refused request, or raise where nothing can be learnt."""
        if refusal.about_content:
            raise ModelRefused(f"{self._where()} turned the request down: {reason}")
        if request.tools and refusal.about_tools:
            raise ToolsRefused(f"{self._where()} takes no tools: {reason}")
        if self.traits.version != version:
            return
        with_schema = request.schema is not None and not request.tools
        if not self.traits.refused(refusal, with_schema=with_schema):
            raise ModelError(f"{self._where()} does not take the request: {reason}")

    def _give_up_or_go_on(self, fault: _Fault, failed: int) -> None:
        if fault.unreachable:
            raise ModelUnreachable(f"{self._where()}: {fault.reason}")
        if not fault.retried:
            raise ModelError(f"{self._where()}: {fault.reason}")
        if fault.asked is not None and fault.asked > self._policy.longest_asked:
            raise ModelError(
                f"{self._where()} asks to wait {fault.asked:.0f} s ({fault.reason}): try again "
                "then, or allow fewer calls a minute"
            )
        if failed == self._policy.retries:
            raise ModelError(
                f"{self._where()} failed {failed + 1} times, at last with: {fault.reason}"
            )

    def _with_schema(
        self, completion: Completion, request: Request, mode: SchemaMode, spent: Usage
    ) -> Completion:
        completion = replace(completion, usage=spent + completion.usage)
        if request.schema is None or completion.tool_calls or completion.finish_reason != "stop":
            return completion
        parsed, _ = read_reply(completion.text, request.schema)
        if not request.tools and completion.text:
            if parsed is None:
                self.traits.without_following(mode)
            elif mode == self.traits.schema_mode:
                self.traits.proven = True
        return replace(completion, parsed=parsed)

    async def _attempt(self, request: Request) -> Completion | _Fault:
        """Make one attempt. Exceptions end here: theirs hold the request, and with it the key."""
        room = self.traits.reasoning_room
        body = request_body(self._model, request, self.traits, stream=self._stream)
        begun = time.perf_counter()
        try:
            data = await self._send(body)
            self.traits.answered = True
            completion = read_completion(data, time.perf_counter() - begun)
            cut_off = completion.finish_reason == "length" and reasoned(data)
            if cut_off and (self.traits.thinks() or room < self.traits.reasoning_room):
                return _Fault(reason="cut off while it was thinking", used=completion.usage)
            return completion
        except (openai.APITimeoutError, TimeoutError):
            return _Fault(reason=f"no reply within {self._timeout:g} s")
        except openai.APIConnectionError as error:
            return self._connection_fault(error)
        except openai.APIStatusError as error:
            return self._status_fault(error)
        except openai.APIError as error:
            return _Fault(reason=f"the reply broke off: {self._clean(str(error))}")
        except (UnreadableReplyError, ValueError, AttributeError, TypeError) as error:
            return _Fault(reason=f"not a chat completion: {self._clean(str(error))}")

    async def _send(self, body: dict[str, Any]) -> Mapping[str, Any]:
        client = await self._connections.client()
        if not self._stream:
            # Posted as it is and read as plain JSON: the package's types take longer to walk than
            # the call itself, and would hide a body that is no completion at all.
            async with asyncio.timeout(self._timeout):
                data: object = await client.post("/chat/completions", cast_to=object, body=body)
            if isinstance(data, str):
                data = json.loads(data)
            if not isinstance(data, dict):
                raise UnreadableReplyError("it is no JSON object")
            return data
        reply = StreamedReply()
        async with asyncio.timeout(self._timeout * LONGEST_STREAM):
            pieces = await client.chat.completions.create(**body)
            async with pieces:
                async for piece in pieces:
                    reply.add(piece.to_dict())
        return reply.whole()

    def _connection_fault(self, error: openai.APIConnectionError) -> _Fault:
        """A server that has never answered is not there: waiting does not make it come."""
        cause = error.__cause__
        # By its name: the class is that of whichever HTTP library the openai package is built on.
        named = type(cause).__name__ if cause else "no detail"
        lacking = machine_fault(error)
        if lacking is not None:
            return _Fault(reason=lacking)
        if named == "ConnectError" and not self.traits.answered:
            said = self._clean(str(cause)) or named
            return _Fault(
                reason=f"the server cannot be reached ({said}): check the address, or start it",
                unreachable=True,
            )
        return _Fault(reason=f"the connection failed ({named})")

    def _status_fault(self, error: openai.APIStatusError) -> _Fault:
        self.traits.answered = True
        status = error.status_code
        refusal = read_refusal(error.body, error.message)
        refusal = replace(refusal, message=self._clean(refusal.message))
        reason = f"HTTP {status}: {refusal.message}"
        if status in (400, 404, 405, 415, 422, 501):
            return _Fault(reason=reason, retried=False, refusal=refusal)
        return _Fault(
            reason=reason,
            retried=status in RETRIED_STATUS and refusal.code != "insufficient_quota",
            asked=asked_wait(error.response.headers),
            throttled=status == 429,
        )

    def _where(self) -> str:
        return f"model {self._model!r} at {public_url(self._base_url)}"

    def _clean(self, text: str) -> str:
        """Fold and shorten what a server said, and take the key out should it repeat it."""
        text = " ".join(text.split())
        if self._key != NO_KEY:
            text = text.replace(self._key, "[key]")
        return text if len(text) <= 300 else text[:297] + "…"


def _new_client(key: str, base_url: str, timeout: float) -> openai.AsyncOpenAI:
    client = openai.AsyncOpenAI(api_key=key, base_url=base_url, max_retries=0, timeout=timeout)
    # The package takes these from the environment; only what was named is used here.
    client.organization = client.project = client.admin_api_key = None
    client.webhook_secret = None
    return client
