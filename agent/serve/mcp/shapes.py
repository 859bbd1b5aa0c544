"""What the tools return, described so that a model knows what it reads."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Result(BaseModel):
    """One passage that was found."""

    id: str = Field(description="for `fetch` and `verify`")
    title: str = Field(description="of the article, with the section")
    url: str = Field(description="permanent link to the revision")
    text: str = Field(description="the passage, an exact part of the article")


class SearchResults(BaseModel):
    """What a search found, best first; empty where nothing matches."""

    results: list[Result]


class Document(BaseModel):
    """An article, or the part of a long one that lies around a passage."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, Any]


class Verified(BaseModel):
    """Whether a passage holds a quote, and what the quote does for a claim."""

    model_config = ConfigDict(extra="allow")
    found: bool
    quote: str | None
    support: Literal["supported", "unsure", "unsupported"] | None
    reason: str | None
    title: str
    url: str


class CitedAnswer(BaseModel):
    """An answer and its account."""

    model_config = ConfigDict(extra="allow")
    answer: str = Field(description="with marks [n] that count `citations`")
    abstained: bool = Field(description="nothing was found; the text says so")
    sub_questions: list[dict[str, Any]] = Field(
        description="each with status: answered, unsure, not_found, failed or not_asked"
    )
    citations: list[dict[str, Any]] = Field(
        description="each with the quote, the chunk's id, the revision and its permanent link"
    )
    snapshot: dict[str, Any] = Field(description="name and date")
