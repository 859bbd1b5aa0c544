"""How a step puts its question to the model: filled prompt, room for sources, one repair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from pydantic import BaseModel

from agent.errors import ReplyMalformed
from agent.llm.meter import step
from agent.llm.port import Completion, LanguageModel, Message, Tool
from agent.llm.tokens import TokenCounter, count_messages
from agent.prompted.prompts import Prompts
from corpus.errors import InputError

EVIDENCE_TOKENS = 16_000
"""Tokens of sources shown at once where no context limit says otherwise."""
_MARGIN = 64
"""Tokens kept free under a context limit for what the chat template adds."""

Form = TypeVar("Form", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A model, its prompts, and how it is asked."""

    model: LanguageModel
    prompts: Prompts
    count: TokenCounter
    context_limit: int | None
    """Tokens that prompt and reply may have together."""
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
            ReplyMalformed: wrong in form, or wrong twice.
            ModelError: as the model raises.
        """
        conversation = list(messages)
        fault = ""
        for _ in range(2):
            reply = await self.reply(name, conversation, schema=form, max_tokens=max_tokens)
            if reply.parsed is None:
                raise ReplyMalformed(f"model {self.model.name!r} gave no usable reply ({name})")
            parsed = cast(Form, reply.parsed)
            fault = check(parsed) if check is not None else ""
            if not fault:
                return parsed
            conversation = [*messages, *with_fault(reply, fault)]
        raise ReplyMalformed(f"model {self.model.name!r}, asked twice: {fault} ({name})")

    async def reply(
        self,
        name: str,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None,
        max_tokens: int,
        tools: Sequence[Tool] | None = None,
    ) -> Completion:
        """Make one call, counted under the step's name."""
        with step(name):
            return await self.model.complete(
                messages,
                tools=tools,
                schema=schema,
                max_tokens=self.longest_reply(max_tokens),
                temperature=self.temperature,
                seed=self.seed,
            )

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


def with_fault(reply: Completion, fault: str) -> list[Message]:
    """Return the turns that send a reply back with its fault."""
    return [
        Message(role="assistant", content=reply.text),
        Message(role="user", content=f"{fault} Send the whole reply again, with this mended."),
    ]
