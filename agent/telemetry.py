"""Spans for OpenTelemetry, named by its conventions for generative AI; nothing where it is absent.

The package is optional. Where it is installed and an exporter was configured (by the program that
uses fanfold, or by `opentelemetry-instrument`), a question is one `invoke_agent` span with a span
for each step of the graph inside, and in these one for each search (`retrieval`), tool
(`execute_tool`) and model call (`chat`). Recorded are names, counts, statuses, and ids and scores of
what was found; the text of questions, articles and replies only after `capture_text(True)`, which
the command lines call where the conventions' variable says so.

Names: OpenTelemetry's semantic conventions for generative AI as of November 2026.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from opentelemetry.trace import Span, SpanKind

    from agent.llm.port import Completion, Message
    from retrieval.types import Hit

AttributeValue = str | int | float | bool | list[str]
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The variable that command lines read: "true" or "span_only" records text."""
_with_text = False
KIND = "openinference.span.kind"
"""Phoenix shows a span as what this says; OpenTelemetry's conventions have no attribute for it."""
_KINDS = {
    "invoke_agent": "AGENT",
    "retrieval": "RETRIEVER",
    "execute_tool": "TOOL",
    "chat": "LLM",
}


def capture_text(wanted: bool) -> None:
    """Record questions, prompts, replies and tool results in spans from now on, or no more.

    They hold whatever people ask and articles say; where spans are sent is the exporter's matter.
    """
    global _with_text
    _with_text = wanted


def heed(environment: Mapping[str, str]) -> None:
    """Capture text where the conventions' variable says so; for command lines."""
    wanted = environment.get(CAPTURE, "").strip().lower()
    capture_text(wanted in ("1", "true", "span_only", "span_and_event"))


def text_attributes(texts: Mapping[str, str]) -> dict[str, AttributeValue]:
    """Return attributes of fanfold's own that hold text; none unless text is captured."""
    return {f"fanfold.{name}": text for name, text in texts.items()} if _with_text else {}


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
def agent_span(run_id: str, model: str, question: str = "") -> Iterator[Noted]:
    """Open the span of a whole question."""
    with _span(
        "invoke_agent fanfold",
        {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "fanfold",
            "gen_ai.conversation.id": run_id,
            "gen_ai.request.model": model,
            **_messages("input", [("user", question)]),
        },
    ) as span:
        yield span


def said(answer: str) -> dict[str, AttributeValue]:
    """Return the attributes of an agent's answer; none unless text is captured."""
    return _messages("output", [("assistant", answer)])


def step_span(name: str, attributes: Mapping[str, AttributeValue]) -> AbstractContextManager[Noted]:
    """Open the span of one step of the graph."""
    return _span(f"fanfold.{name}", attributes)


@contextmanager
def chat_span(
    model: str, *, temperature: float, max_tokens: int, messages: Sequence[Message] = ()
) -> Iterator[Noted]:
    """Open the span of one model call."""
    with _span(
        f"chat {model}",
        {
            "gen_ai.operation.name": "chat",
            # What is spoken: any server of that interface may answer.
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": model,
            "gen_ai.request.temperature": temperature,
            "gen_ai.request.max_tokens": max_tokens,
            **_messages("input", [(one.role, one.content) for one in messages]),
        },
        client=True,
    ) as span:
        yield span


def replied(completion: Completion) -> dict[str, AttributeValue]:
    """Return the attributes of a model's reply; its text only where text is captured."""
    return {
        "gen_ai.usage.input_tokens": completion.usage.tokens_in,
        "gen_ai.usage.output_tokens": completion.usage.tokens_out,
        "gen_ai.response.finish_reasons": [completion.finish_reason],
        "fanfold.cached": completion.usage.cached > 0,
        **_messages("output", [("assistant", completion.text)]),
    }


@contextmanager
def tool_span(name: str, arguments: Mapping[str, str]) -> Iterator[Noted]:
    """Open the span of one tool call."""
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.type": "datastore",
    }
    if _with_text:
        attributes["gen_ai.tool.call.arguments"] = _json(dict(arguments))
    with _span(f"execute_tool {name}", attributes) as span:
        yield span


def documents(hits: Sequence[Hit]) -> dict[str, AttributeValue]:
    """Return the attribute that names what was found: ids and scores, best first."""
    found = [{"id": hit.chunk.id, "score": round(hit.score, 6)} for hit in hits]
    return {"gen_ai.retrieval.documents": _json(found)}


def note_retrievals(
    queries: Sequence[str], found: Sequence[Sequence[Hit]], k: int, begun: int
) -> None:
    """Record a span for each query of a batch, which was searched for as one.

    Args:
        queries: in order.
        found: what was found for each.
        k: hits wanted.
        begun: when, in nanoseconds of the clock that `now` reads.
    """
    if not _recording():
        return
    from opentelemetry import trace

    tracer = trace.get_tracer("fanfold")
    for query, hits in zip(queries, found, strict=True):
        source = hits[0].source if hits else "snapshot"
        attributes: dict[str, AttributeValue] = {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.data_source.id": source,
            "gen_ai.request.top_k": k,
            KIND: _KINDS["retrieval"],
            **documents(hits),
        }
        if _with_text:
            attributes["gen_ai.retrieval.query.text"] = query
        name = f"retrieval {source}"
        tracer.start_span(name, attributes=attributes, start_time=begun).end()


def now() -> int:
    """Return the time that spans are stamped with, in nanoseconds."""
    return time.time_ns()


def _messages(way: str, told: Sequence[tuple[str, str]]) -> dict[str, AttributeValue]:
    """Return messages in the conventions' form, where text is captured."""
    if not _with_text or not any(text for _, text in told):
        return {}
    messages = [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in told]
    return {f"gen_ai.{way}.messages": _json(messages)}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@contextmanager
def _span(
    name: str, attributes: Mapping[str, AttributeValue], *, client: bool = False
) -> Iterator[Noted]:
    if not _recording():
        yield _Silent()
        return
    from opentelemetry import trace

    kind: SpanKind = trace.SpanKind.CLIENT if client else trace.SpanKind.INTERNAL
    tracer = trace.get_tracer("fanfold")
    shown = _KINDS.get(str(attributes.get("gen_ai.operation.name")), "CHAIN")
    told = {KIND: shown, **attributes}
    with tracer.start_as_current_span(name, kind=kind, attributes=told) as span:
        yield _Recorded(span)


def _recording() -> bool:
    """Say whether anyone has set up where spans go to; until then a span costs and tells nothing."""
    if not _installed():
        return False
    from opentelemetry import trace

    return not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)


@cache
def _installed() -> bool:
    return find_spec("opentelemetry") is not None
