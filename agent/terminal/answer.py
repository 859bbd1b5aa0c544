"""An answer as a person reads it, and as JSON.

Text of the corpus and of models is data: control characters never reach a terminal, and nothing
is ever read as markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent.budget import counted
from agent.graph.descriptions import spell_out
from agent.types import Answer, Citation, Kind, SubAnswer, SubQuestion, TraceStep, Usage
from corpus.storage.manifest import explain_date

if TYPE_CHECKING:
    from rich.console import Console

    from agent.agent import Agent

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Terminal control characters, and those that turn the direction of writing around."""
_KINDS: Mapping[Kind, str] = {
    "core": "Core sub-questions",
    "background": "Background",
    "follow_up": "Follow-up",
}
STATUS_MARKS: Mapping[str | None, str] = {
    "answered": "✓",
    "unsure": "?",
    "not_found": "–",
    "failed": "✗",
    "not_asked": "·",
    None: "·",
}
STATUS_WORDS: Mapping[str, str] = {
    "unsure": "unsure",
    "not_found": "not found",
    "failed": "failed",
    "not_asked": "not asked",
}
STATUS_STYLES: Mapping[str | None, str] = {
    "answered": "green",
    "unsure": "yellow",
    "not_found": "yellow",
    "failed": "red",
    "not_asked": "dim",
    None: "dim",
}
_Line = tuple[str, str]
"""(style, text)."""


def clean(text: str) -> str:
    """Return text without characters that would steer a terminal."""
    return _CONTROL.sub("", text)


def answer_to_json(answer: Answer, agent: Agent) -> dict[str, Any]:
    """Return the object that `--json` prints."""
    settings, manifest = agent.settings, agent.snapshot.manifest
    found = {one.sub_question_id: one for one in answer.sub_answers}
    return {
        "question": answer.question,
        "answer": answer.text,
        "abstained": answer.abstained,
        "setting": settings.setting,
        "strategy": settings.strategy,
        "model": agent.engine,
        "snapshot": {
            "name": manifest.name,
            "date": manifest.date,
            "asked": manifest.asked,
            "fingerprint": manifest.fingerprint,
        },
        "sub_questions": [_step_to_json(s, found.get(s.id)) for s in answer.sub_questions],
        "citations": [citation_to_json(citation) for citation in answer.citations],
        "suggestions": list(answer.suggestions),
        "struck": list(answer.struck),
        "uncited": len(answer.uncited),
        "uncited_sentences": list(answer.uncited),
        "unsupported": answer.unsupported,
        "notes": list(answer.notes),
        "passages": [citation_to_json(passage) for passage in answer.passages],
        "usage": {
            "calls": answer.usage.calls,
            "cached": answer.usage.cached,
            "tokens_in": answer.usage.tokens_in,
            "tokens_out": answer.usage.tokens_out,
            "cost_usd": answer.usage.cost_usd,
            "seconds": round(answer.usage.seconds, 3),
        },
    }


def to_line(value: object) -> str:
    """Return a JSON value as one line, characters that steer a terminal escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return _CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def print_answer(answer: Answer, agent: Agent, console: Console) -> None:
    """Print the answer, its sub-questions, its sources and what to ask next."""
    from rich.text import Text

    for style, text in _lines(answer, agent):
        # Text objects are never parsed for markup. A pipe gets whole lines, a terminal wrapped ones.
        console.print(Text(clean(text), style=style), soft_wrap=not console.is_terminal)


def trace_line(step: TraceStep) -> str:
    """Return one step of the trace, as `-v` prints it."""
    about = f" {step.sub_question_id}" if step.sub_question_id else ""
    return clean(f"{step.seconds:8.3f} s  {step.name}{about}  {to_line(dict(step.detail))}")


def usage_line(usage: Usage) -> str:
    """Return what an answer took, in a line; "" where no model was called."""
    if not usage.calls:
        return ""
    cost = "" if usage.cost_usd is None else f", ${usage.cost_usd:.4f}"
    cached = f" ({usage.cached} from the file of calls)" if usage.cached else ""
    return (
        f"{counted(usage.calls, 'model call')}{cached}, {usage.tokens_in:,} tokens in, "
        f"{usage.tokens_out:,} out{cost}, {usage.seconds:.1f} s"
    )


def _lines(answer: Answer, agent: Agent) -> Iterator[_Line]:
    yield "bold" if answer.abstained else "", answer.text
    yield from _passage_lines(answer.passages)
    if answer.unsupported:
        yield "yellow", "Unsupported: no citation of this answer could be verified."
    elif answer.uncited and not answer.abstained:
        yield "", ""
        yield "yellow", "Said without a source"
        yield from (("yellow", f"  ✗ {' '.join(said.split())}") for said in answer.uncited)
    found = {one.sub_question_id: one for one in answer.sub_answers}
    kinds: tuple[Kind, ...] = ("core", "background")
    for kind in kinds:
        steps = [step for step in answer.sub_questions if step.kind == kind]
        if steps:
            yield "", ""
            yield "bold", _KINDS[kind]
            for step in steps:
                asked = spell_out(step, answer.sub_questions)
                yield from _step_lines(step.id, asked, found.get(step.id), answer.text)
    yield from _source_lines(answer.citations)
    if answer.suggestions:
        yield "", ""
        yield "bold", "You could ask next"
        yield from (("", f"  {suggestion}") for suggestion in answer.suggestions)
    manifest = agent.snapshot.manifest
    yield "", ""
    yield (
        "dim",
        f"{manifest.name}, {explain_date(manifest)}; {agent.settings.strategy}, {agent.engine}",
    )


def _without_repeats(found: SubAnswer, above: str) -> str:
    """The text of a sub-answer, sentences that the answer quotes already only counted."""
    quoted = [item for item in found.items if f"“{item}”" in found.text and f"“{item}”" in above]
    if not quoted:
        return " ".join(found.text.split())
    rest = "".join(f" “{item}”" for item in found.items if item not in quoted)
    marks = "".join(f"[{citation.number}]" for citation in found.citations)
    more = f", and{rest}" if rest else ""
    return f"{counted(len(quoted), 'sentence')} quoted above{more} {marks}".rstrip()


def _step_lines(id_: str, asked: str, found: SubAnswer | None, above: str) -> Iterator[_Line]:
    status = found.status if found is not None else None
    yield STATUS_STYLES[status], f"  {STATUS_MARKS[status]} {id_} {asked}"
    if found is None:
        return
    text = _without_repeats(found, above)
    if found.status == "answered":
        yield "", f"      {text}"
        return
    if found.status == "unsure" and text:
        yield "yellow", f"      unsure: {text}"
        if found.error:
            yield "dim", f"      {found.error}"
        return
    yield "dim", f"      {STATUS_WORDS[found.status]}{': ' + found.error if found.error else ''}"


def _passage_lines(passages: Sequence[Citation]) -> Iterator[_Line]:
    if passages:
        yield "", ""
        yield "bold", "Nearest passages, which prove nothing by themselves"
    for passage in passages:
        revision = passage.revision
        yield "", f"  “{' '.join(passage.quote.split())}”"
        yield (
            "dim",
            f"      {revision.title}, revision of {revision.timestamp[:10]}, {revision.url}",
        )


def _source_lines(citations: Sequence[Citation]) -> Iterator[_Line]:
    """Yield one entry a revision, with the numbers that cite it."""
    numbers: dict[int, list[Citation]] = {}
    for citation in citations:
        numbers.setdefault(citation.revision.rev_id, []).append(citation)
    if numbers:
        yield "", ""
        yield "bold", "Sources"
    for cited in numbers.values():
        revision = cited[0].revision
        marks = "".join(f"[{citation.number}]" for citation in cited)
        caveat = f" ({revision.caveat})" if revision.caveat else ""
        yield "", f"  {marks} {revision.title}, revision of {revision.timestamp[:10]}{caveat}"
        yield "dim", f"      {revision.url}"


def _step_to_json(step: SubQuestion, found: SubAnswer | None) -> dict[str, Any]:
    return {
        "id": step.id,
        "text": step.text,
        "kind": step.kind,
        "depends_on": list(step.depends_on),
        "status": "not_asked" if found is None else found.status,
        "answer": (found.text or None) if found is not None else None,
        "error": None if found is None else found.error,
        "citations": [] if found is None else [citation.number for citation in found.citations],
    }


def citation_to_json(citation: Citation) -> dict[str, Any]:
    """Return a citation's members."""
    return {
        "number": citation.number,
        "chunk_id": citation.chunk_id,
        **citation.revision.to_json(),
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
        "support": citation.support,
    }
