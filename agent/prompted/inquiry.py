"""How a step puts its question to the model: filled prompt, room for sources, one repair.

A reply that is cut off is asked for once more, shorter and with twice the room, and then taken as
far as it came.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from pydantic import BaseModel

from agent.errors import BudgetExhausted, ModelError, ReplyMalformed, ReplyTruncated
from agent.llm.meter import remark, step
from agent.llm.port import Completion, LanguageModel, Message, Request, Tool
from agent.llm.replies.salvage import salvage
from agent.llm.tokens import TokenCounter, count_messages
from agent.prompted.templates import Prompts
from corpus.errors import InputError

EVIDENCE_TOKENS = 16_000
"""Tokens of sources shown at once where no context limit says otherwise."""
_MARGIN = 64
"""Tokens kept free under a context limit for what the chat template adds."""

_ROOM = 2
"""Times the room of a reply that was cut off, when it is asked for again."""

Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A model, its prompts, and how it is asked."""

    model: LanguageModel
    prompts: Prompts
    count: TokenCounter
    context_limit: int | None
    """Tokens that prompt and reply may have together."""
    shots: int | None
    """Worked examples that a prompt shows; None for as many as the way of asking has."""
    temperature: float
    seed: int | None

    async def ask(
        self,
        name: str,
        messages: Sequence[Message],
        form: type[Form],
        *,
        max_tokens: int,
        check: Callable[[Form], str] | None = None,
    ) -> Form:
        """Return the reply in its form.

        Args:
            name: the step's name in the ledger.
            messages: the conversation.
            form: the schema.
            max_tokens: most tokens of the reply.
            check: returns what is wrong with a reply that has the right form, or ""; such a
                reply is asked for once more with the fault shown.

        Raises:
            ReplyTruncated: cut off twice, before anything usable was said.
            ReplyMalformed: wrong in form, or wrong twice.
            ModelError: as the model raises.
        """
        conversation = list(messages)
        fault = ""
        for _ in range(2):
            try:
                reply = await self._in_form(name, conversation, form, max_tokens)
            except (ReplyTruncated, ReplyMalformed) as error:
                salvaged = salvage(error.said, form)
                if salvaged is None or (check is not None and check(salvaged)):
                    raise
                remark(f"a reply of the model was cut off ({name}): what came of it is used")
                return salvaged
            parsed = cast(Form, reply.parsed)
            fault = check(parsed) if check is not None else ""
            if not fault:
                return parsed
            conversation = [*messages, *with_fault(reply, fault)]
        raise ReplyMalformed(f"model {self.model.name!r}, asked twice: {fault} ({name})")

    async def _in_form(
        self, name: str, messages: Sequence[Message], form: type[BaseModel], max_tokens: int
    ) -> Completion:
        """Return a reply that has its form; asked for once more, shorter, where it was cut off."""
        room = self.longest_reply(max_tokens)
        try:
            return await self._formed(name, messages, form, room)
        except ReplyTruncated as error:
            cut = error
        room = self._more_room(messages, room)
        try:
            return await self._formed(name, [*messages, *_shorter(room)], form, room)
        except ReplyTruncated as error:
            if salvage(error.said, form) is None:
                error.said = cut.said
            raise
        except (ModelError, BudgetExhausted):
            # The room may be more than the server has; what was said before counts.
            raise cut from None

    async def _formed(
        self, name: str, messages: Sequence[Message], form: type[BaseModel], room: int
    ) -> Completion:
        reply = await self._call(name, messages, schema=form, room=room, tools=())
        if reply.parsed is None:
            kind = ReplyTruncated if reply.finish_reason == "length" else ReplyMalformed
            error = kind(f"model {self.model.name!r} gave no usable reply ({name})")
            error.said = reply.text
            raise error
        return reply

    async def reply(
        self,
        name: str,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None,
        max_tokens: int,
        tools: Sequence[Tool] = (),
    ) -> Completion:
        """Make one call, counted under the step's name."""
        room = self.longest_reply(max_tokens)
        return await self._call(name, messages, schema=schema, room=room, tools=tools)

    async def _call(
        self,
        name: str,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None,
        room: int,
        tools: Sequence[Tool],
    ) -> Completion:
        with step(name):
            return await self.model.complete(
                Request(
                    messages,
                    tools=tools,
                    schema=schema,
                    max_tokens=room,
                    temperature=self.temperature,
                    seed=self.seed,
                )
            )

    def _more_room(self, messages: Sequence[Message], room: int) -> int:
        """Return twice the tokens of a reply, or what the context has beside the prompt."""
        if self.context_limit is None:
            return _ROOM * room
        free = self.context_limit - count_messages(messages, self.count) - 2 * _MARGIN
        return max(room, min(_ROOM * room, free))

    def longest_reply(self, max_tokens: int) -> int:
        """Return `max_tokens`, or a quarter of the context where that is less."""
        if self.context_limit is None:
            return max_tokens
        return min(max_tokens, self.context_limit // 4)

    def room(self, messages: Sequence[Message], max_tokens: int) -> int:
        """Return the tokens left for sources beside a prompt and its reply.

        Raises:
            InputError: the prompt alone does not fit.
        """
        if self.context_limit is None:
            return EVIDENCE_TOKENS
        used = count_messages(messages, self.count) + self.longest_reply(max_tokens) + _MARGIN
        if used >= self.context_limit:
            raise InputError(
                f"a context of {self.context_limit} tokens cannot hold this step, whose prompt and "
                f"reply take {used}: allow more, or ask a shorter question"
            )
        return self.context_limit - used


def _shorter(room: int) -> list[Message]:
    # What was cut off is not shown again: it would take the room that it lacked.
    ask = (
        "Your reply was cut off before it ended, so it cannot be used. Send the whole reply again, "
        f"much shorter: it must end within {room // 2} tokens. Leave out what matters least."
    )
    return [Message(role="user", content=ask)]


def with_fault(reply: Completion, fault: str) -> list[Message]:
    """Return the turns that send a reply back with its fault."""
    return [
        Message(role="assistant", content=reply.text),
        Message(role="user", content=f"{fault} Send the whole reply again, with this mended."),
    ]
