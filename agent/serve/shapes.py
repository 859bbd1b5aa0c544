"""The bodies of requests, checked before anything is done with them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.settings import LONGEST_QUESTION, StrategyName
from agent.types import Setting, Style
from retrieval.index import Mode

MOST_K = 100
MOST_QUERIES = 64
MOST_TITLES = 50
LONGEST_QUOTE = 2000
LONGEST_TITLE = 256
"""Bytes that MediaWiki allows, here characters."""
LONGEST_TEXT = 8192
"""Characters of one text to embed."""
MOST_TEXTS = 256

Title = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE)]
Query = Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
ChunkId = Annotated[str, Field(min_length=1, max_length=100, description="page:revision:ordinal")]


class Shape(BaseModel):
    """A request's body; what it does not know is refused, as a misspelt option would be lost."""

    model_config = ConfigDict(extra="forbid")


class Choice(BaseModel):
    """How a question is answered; what is left out is the server's default, see `/v1/about`."""

    strategy: StrategyName | None = None
    setting: Setting | None = None
    evidence: Annotated[list[Title], Field(max_length=MOST_TITLES)] = []
    style: Style | None = None
    snapshot: Annotated[str, Field(max_length=200)] | None = None
    k: Annotated[int, Field(ge=1, le=MOST_K)] | None = None
    max_sub_questions: Annotated[int, Field(ge=1, le=1000)] | None = None
    max_seconds: Annotated[float, Field(ge=1, le=86_400, allow_inf_nan=False)] | None = None


class AskRequest(Shape, Choice):
    """A question."""

    question: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
    model: Annotated[str, Field(max_length=200)] | None = None


class SearchRequest(Shape):
    """Queries."""

    queries: Annotated[list[Query], Field(min_length=1, max_length=MOST_QUERIES)]
    k: Annotated[int, Field(ge=1, le=MOST_K)] = 10
    mode: Mode | None = None
    titles: Annotated[list[Title], Field(max_length=MOST_TITLES)] = []
    snapshot: Annotated[str, Field(max_length=200)] | None = None


class RetrieveRequest(Shape):
    """Search-R1's request."""

    queries: Annotated[list[Query], Field(min_length=1, max_length=MOST_QUERIES)]
    topk: Annotated[int, Field(ge=1, le=MOST_K)] | None = None
    return_scores: bool = False


class VerifyRequest(Shape):
    """A quote, and the chunk it is said to stand in."""

    quote: Annotated[str, Field(min_length=1, max_length=LONGEST_QUOTE)]
    chunk_id: ChunkId
    claim: Annotated[str, Field(min_length=1, max_length=LONGEST_QUOTE)] | None = None
    snapshot: Annotated[str, Field(max_length=200)] | None = None


class Part(BaseModel):
    """A part of a message; only text is read."""

    type: str
    text: str | None = None


class ChatMessage(BaseModel):
    """A message of a conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | Annotated[list[Part], Field(max_length=64)] | None = None


class StreamOptions(BaseModel):
    """What a stream tells beside the answer."""

    include_usage: bool = False


class ChatRequest(Choice):
    """OpenAI's request, with the choices of `/v1/ask` beside; other fields are passed over."""

    model: Annotated[str, Field(max_length=200)]
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=1000)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None


class EmbeddingsRequest(BaseModel):
    """OpenAI's request; other fields are passed over."""

    input: str | Annotated[list[Any], Field(min_length=1, max_length=MOST_TEXTS)]
    model: Annotated[str, Field(max_length=200)]
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = None
