"""The vocabulary of the agent: sub-questions, their answers, citations, the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from corpus.types import Revision
from retrieval.types import Hit

Kind = Literal["core", "background", "follow_up"]
"""Sub-question kinds (Xie et al., sub-question coverage, section 3.1)."""
Status = Literal["answered", "unsure", "not_found", "failed", "not_asked"]
"""answered: proven by a citation; unsure: found, and what it rests on does not prove it; not_found:
looked for in vain; failed: a model, an index or a budget failed; not_asked: it never came to it."""
Support = Literal["supported", "unsure"]
"""What a quote does for its claim; what it does not support at all is struck out."""
Setting = Literal["closed", "open", "evidence"]
Style = Literal["long", "short"]
"""long: about 300 words of prose; short: FanOutQA's form, one item a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubQuestion:
    """One step of a plan."""

    id: str
    """"1", "2", …; a dependent step filled with the third entity of step 1 is "2.3"."""
    text: str
    """May hold placeholders `{1}` for what the step of that id finds."""
    kind: Kind
    depends_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A quote that was found, character by character, in a retrieved chunk."""

    number: int
    """The mark in the text, `[1]`."""
    chunk_id: str
    revision: Revision
    start: int
    """Offsets of the quote in the article's text."""
    end: int
    quote: str
    support: Support = "supported"
    """Whether the quote proves what it is cited for; the weakest of its uses where it has several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAnswer:
    """What became of one sub-question."""

    sub_question_id: str
    status: Status
    text: str = ""
    citations: tuple[Citation, ...] = ()
    items: tuple[str, ...] = ()
    """Entities or values that the answer names, in order: what dependent steps fan out over."""
    error: str | None = None
    """Why, where the status is not answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What an answer cost."""

    calls: int = 0
    cached: int = 0
    """Calls answered from the cache, included in `calls`."""
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = None
    """None where the price table does not know the model."""
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """Return the sum; an unknown cost makes it unknown, unless nothing was used."""
        if not self.calls and not self.seconds:
            return other
        if not other.calls and not other.seconds:
            return self
        unknown = self.cost_usd is None or other.cost_usd is None
        return Usage(
            calls=self.calls + other.calls,
            cached=self.cached + other.cached,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cost_usd=None if unknown else (self.cost_usd or 0.0) + (other.cost_usd or 0.0),
            seconds=self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceStep:
    """One thing the agent did, for `-v`, the report and the evaluation of plans."""

    name: str
    """"plan", "search", "answer", "replan", "compose", "check", …"""
    sub_question_id: str | None
    seconds: float
    detail: Mapping[str, object]
    """JSON values only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The agent's answer and its full account."""

    question: str
    text: str
    abstained: bool
    """True where nothing was found: the text says so."""
    sub_questions: tuple[SubQuestion, ...]
    sub_answers: tuple[SubAnswer, ...]
    citations: tuple[Citation, ...]
    suggestions: tuple[str, ...]
    """Follow-up sub-questions, offered and not answered."""
    usage: Usage
    trace: tuple[TraceStep, ...] = ()
    hits: tuple[Hit, ...] = ()
    """Every chunk that was retrieved, once, in order of first retrieval."""
    struck: tuple[str, ...] = ()
    """Citation marks or quotes that could not be verified, with the reason."""
    uncited: tuple[str, ...] = ()
    """Sentences of the text that state something and carry no mark; empty in the closed setting."""
    items: tuple[str, ...] = field(default=())
    """The answer as a list where it is one: what the short style prints, one a line."""
    unsupported: bool = False
    """True where the text carries no verified citation though the setting has sources."""
    notes: tuple[str, ...] = ()
    """What was altered in the plan, and steps of the whole that failed, one line each."""
    passages: tuple[Citation, ...] = ()
    """Where nothing was answered: the passages nearest to the question, quoted, never as proof."""
    failure: str | None = None
    """Why nothing could be answered, where that was a model's doing."""
