"""The port to a language model, and what passes through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal, Protocol, runtime_checkable

from pydantic import BaseModel

from agent.types import Usage

FinishReason = Literal["stop", "length", "tool_calls", "refusal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool the model asks for."""

    id: str
    name: str
    arguments: Mapping[str, object] | None
    """None where the model's arguments were no JSON object; `raw` then holds them."""
    raw: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool offered to the model; `parameters` is a strict JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a model: what caches key, meters count, limits admit and fakes see."""

    messages: Sequence[Message]
    """The conversation, system message first."""
    _: KW_ONLY
    tools: Sequence[Tool] = ()
    """What the model may call."""
    schema: type[BaseModel] | None = None
    """Ask for JSON of this form; `Completion.parsed` then holds it."""
    max_tokens: int = 1024
    """Most tokens in the reply."""
    temperature: float = 0.0
    """0 is greedy."""
    seed: int | None = None
    """Passed on where the server takes one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's reply."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    parsed: BaseModel | None = None
    """An instance of the schema asked for, validated."""
    finish_reason: FinishReason = "stop"
    usage: Usage = Usage()


@runtime_checkable
class AsyncClosable(Protocol):
    """A model with connections of its own, an event loop's apart from another's."""

    async def aclose(self) -> None:
        """Close those of the running loop; the end of the loop does so too."""
        ...


class LanguageModel(Protocol):
    """Completes a conversation."""

    @property
    def name(self) -> str:
        """The model's name as reports print it."""
        ...

    async def complete(self, request: Request) -> Completion:
        """Return the reply.

        Raises:
            ModelError: after bounded retries; a subclass says why.
        """
        ...
