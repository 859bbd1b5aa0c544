"""What the stand-in says: the sentence of the sources that shares most words with the question.

A plan is the question itself, in one step; every sub-question is core; nothing is judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

NAME = "stand-in-no-model"
"""The only model that the stand-in serves: tables, labels and run folders then say what it is."""
SAID_BY = "This is said by a stand-in, which is no model."
NOTHING = f"{SAID_BY} It found nothing to quote."
_MOST_QUOTED = 3
_FENCE = re.compile(r"<data ([0-9a-f]{16})>\n(.*?)\n</data \1>", re.DOTALL)
_SOURCE = re.compile(r"^\[(\d+)\] .*$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n")
_QUESTION = re.compile(
    r"^(?:Question to plan|The question to answer|Question)[:：][ \t]*(\S.*)$", re.M
)
_FORMS = {
    "sub_questions": "PlanReply", "kinds": "KindsReply", "kind": "OneKindReply",
    "sources": "CoverReply", "found": "AnswerReply", "text": "ComposedReply",
}  # fmt: skip
"""First key of a reply that is asked for in words → its form."""

Quoted = tuple[int, str]
"""Number of a source and a sentence of it."""


def reply(request: Mapping[str, Any]) -> str:
    """Return the text of the reply to the body of a chat completion."""
    text = "\n".join(_text_of(message) for message in request.get("messages") or ())
    blocks = [match[2] for match in _FENCE.finditer(text)]
    outside = _FENCE.sub("", text)
    form = _form_of(request, outside)
    said = _BY_FORM[form.removeprefix("Closed")](outside, blocks) if form else None
    if said is None:
        best = _best(_asked(outside, blocks), _sources(blocks))
        return f"{SAID_BY}\n\nAnswer: {best[0][1]}" if best else NOTHING
    return json.dumps(said, ensure_ascii=False)


def _text_of(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)


def _form_of(request: Mapping[str, Any], outside: str) -> str:
    """Return the form that a reply is to have, as it is asked for by schema or in words."""
    asked = request.get("response_format") or {}
    name = str((asked.get("json_schema") or {}).get("name", ""))
    if name.removeprefix("Closed") in _BY_FORM:
        return name
    shown = re.findall(r'JSON[:：] ?\{"(\w+)"', outside)
    return _FORMS.get(shown[-1], "") if shown else ""


def _asked(outside: str, blocks: Sequence[str]) -> str:
    """Return the question, which stands on a line of its own or in the last fence."""
    found = _QUESTION.findall(outside)
    return str(found[-1]) if found else blocks[-1] if blocks else outside.strip()[-300:]


def _sources(blocks: Sequence[str]) -> dict[int, str]:
    """Return the texts of the sources shown, by their numbers."""
    found: dict[int, str] = {}
    for block in blocks:
        starts = list(_SOURCE.finditer(block))
        ends = [after.start() for after in starts[1:]] + [len(block)]
        for start, end in zip(starts, ends, strict=False):
            text = block[start.end() : end].strip()
            if text:
                found.setdefault(int(start[1]), text)
    return found


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}|[^\W\d_a-zA-Z]", text.casefold()))


def _best(question: str, sources: Mapping[int, str], most: int = 1) -> list[Quoted]:
    """Return the sentences that share most words with a question, one of a source at most."""
    asked = _words(question)

    def of(number: int, text: str) -> Iterator[tuple[int, Quoted]]:
        for sentence in _SENTENCE.split(text):
            shared = len(asked & _words(sentence))
            if shared:
                yield shared, (number, sentence.strip())

    best = [
        max(found, key=lambda pair: pair[0])
        for number, text in sources.items()
        if (found := list(of(number, text)))
    ]
    best.sort(key=lambda pair: -pair[0])
    return [quoted for _, quoted in best[:most]]


def _plan(outside: str, blocks: Sequence[str]) -> object:
    step = {"id": "1", "question": _asked(outside, blocks), "depends_on": []}
    return {"sub_questions": [step]}


def _kinds(outside: str, blocks: Sequence[str]) -> object:
    numbers = re.findall(r"^(\d+)\. ", "\n".join((outside, *blocks)), re.MULTILINE)
    return {"kinds": [{"number": int(n), "kind": "core"} for n in dict.fromkeys(numbers)]}


def _one_kind(outside: str, blocks: Sequence[str]) -> object:
    return {"reason": SAID_BY, "kind": "core"}


def _cover(outside: str, blocks: Sequence[str]) -> object:
    return {"sources": [{"source": number, "answers": []} for number in _sources(blocks)]}


def _answer(outside: str, blocks: Sequence[str]) -> object:
    best = _best(_asked(outside, blocks), _sources(blocks))
    if not best:
        return {"found": False, "answer": "", "items": [], "quotes": []}
    number, sentence = best[0]
    quotes = [{"source": number, "quote": sentence}]
    # The answer to a plan's only step may be the whole answer: it, too, says who said it.
    said = f"{SAID_BY} {sentence} [{number}]"
    return {"found": True, "answer": said, "items": [], "quotes": quotes}


def _closed_answer(outside: str, blocks: Sequence[str]) -> object:
    return {"found": False, "answer": "", "items": []}


def _compose(outside: str, blocks: Sequence[str]) -> object:
    # What was found for the steps is shown with its quotes; else the sources themselves are.
    shown = re.findall(r'^\s*\[(\d+)\] "(.*)"$', "\n".join(blocks), re.MULTILINE)
    quoted = [(int(number), quote) for number, quote in shown][:_MOST_QUOTED]
    quoted = quoted or _best(_asked(outside, blocks), _sources(blocks), _MOST_QUOTED)
    if not quoted:
        return {"text": NOTHING, "items": [], "quotes": []}
    lines = [f"{quote} [{number}]" for number, quote in quoted]
    return {
        "text": " ".join((SAID_BY, *lines)),
        "items": [],
        "quotes": [{"source": number, "quote": quote} for number, quote in quoted],
    }


_BY_FORM: Mapping[str, Callable[[str, Sequence[str]], object]] = {
    "PlanReply": _plan,
    "KindsReply": _kinds,
    "OneKindReply": _one_kind,
    "CoverReply": _cover,
    "AnswerReply": _answer,
    "ComposedReply": _compose,
}
