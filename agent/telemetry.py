"""Spans for OpenTelemetry, named by its conventions for generative AI; nothing where it is absent.

The package is optional. Where it is installed and an exporter was configured (by the program that
uses fanfold, or by `opentelemetry-instrument`), a question is one `invoke_agent` span with a span
for each step of the graph and each model call inside. No text of questions, articles or replies is
recorded, only names, counts and statuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from opentelemetry.trace import Span, SpanKind

AttributeValue = str | int | float | bool | list[str]


class Noted(Protocol):
    """A span, or nothing, to which attributes can be added."""

    def note(self, attributes: Mapping[str, AttributeValue]) -> None:
        """Add attributes."""
        ...


class _Silent:
    def note(self, attributes: Mapping[str, AttributeValue]) -> None:
        pass


class _Recorded:
    def __init__(self, span: Span) -> None:
        self._span = span

    def note(self, attributes: Mapping[str, AttributeValue]) -> None:
        self._span.set_attributes(dict(attributes))


@contextmanager
def agent_span(run_id: str, model: str) -> Iterator[Noted]:
    """Open the span of a whole question."""
    with _span(
        "invoke_agent fanfold",
        {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "fanfold",
            "gen_ai.conversation.id": run_id,
            "gen_ai.request.model": model,
        },
    ) as span:
        yield span


@contextmanager
def step_span(name: str, attributes: Mapping[str, AttributeValue]) -> Iterator[Noted]:
    """Open the span of one step of the graph."""
    with _span(f"fanfold.{name}", attributes) as span:
        yield span


@contextmanager
def chat_span(model: str, *, temperature: float, max_tokens: int) -> Iterator[Noted]:
    """Open the span of one model call."""
    with _span(
        f"chat {model}",
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": model,
            "gen_ai.request.temperature": temperature,
            "gen_ai.request.max_tokens": max_tokens,
        },
        client=True,
    ) as span:
        yield span


@contextmanager
def _span(
    name: str, attributes: Mapping[str, AttributeValue], *, client: bool = False
) -> Iterator[Noted]:
    if not _installed():
        yield _Silent()
        return
    from opentelemetry import trace

    kind: SpanKind = trace.SpanKind.CLIENT if client else trace.SpanKind.INTERNAL
    tracer = trace.get_tracer("fanfold")
    with tracer.start_as_current_span(name, kind=kind, attributes=dict(attributes)) as span:
        yield _Recorded(span)


@cache
def _installed() -> bool:
    return find_spec("opentelemetry") is not None
