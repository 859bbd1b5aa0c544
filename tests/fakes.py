"""Models that are none: a scripted one behind the port, and an OpenAI-compatible server on loopback.

Both are driven by a *mind*: a function from what a model is asked to what it says. `FaithfulMind`
answers the project's own prompts from the sources it is shown, so whole questions can be asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from agent.llm.port import Completion, Message, Request, ToolCall
from agent.llm.replies.schema import read_reply
from agent.types import Usage

_FENCE = re.compile(r"<data ([0-9a-f]{16})>\n(.*?)\n</data \1>", re.DOTALL)
_SOURCE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a model is asked, whichever way it came."""

    messages: tuple[Mapping[str, Any], ...]
    """As on the wire: role, content, tool_calls, tool_call_id."""
    form: str
    """Name of the reply's form ("PlanReply", …), "" where none was asked for."""
    tools: tuple[str, ...] = ()
    model: str = ""
    """The name that was asked for, where it came over the wire."""

    @property
    def text(self) -> str:
        """All that stands in the conversation."""
        return "\n".join(str(message.get("content") or "") for message in self.messages)

    @property
    def outside(self) -> str:
        """What stands outside every fence: what an obedient model takes for orders."""
        return _FENCE.sub(" ", self.text)

    @property
    def fenced(self) -> list[str]:
        """What stands inside the fences."""
        return [match[2] for match in _FENCE.finditer(self.text)]

    @property
    def sources(self) -> dict[int, tuple[str, str]]:
        """Number to (label, text) of the sources shown."""
        found: dict[int, tuple[str, str]] = {}
        for block in self.fenced:
            starts = list(_SOURCE.finditer(block))
            ends = [after.start() for after in starts[1:]] + [len(block)]
            for here, end in zip(starts, ends, strict=False):
                text = block[here.end() : end].strip()
                if text or int(here[1]) not in found:
                    found[int(here[1])] = (here[2], text)
        return found


Mind = Callable[[Asked], Any]
"""Returns text, a dict or a pydantic object (sent as JSON), a list of ToolCall, a Completion, or
raises."""


class ScriptedModel:
    """A LanguageModel whose replies come from a mind. Keeps what it was asked."""

    def __init__(self, mind: Mind, name: str = "scripted") -> None:
        self._mind = mind
        self._name = name
        self.asked: list[Asked] = []

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, request: Request) -> Completion:
        asked = Asked(
            messages=tuple(_wire_message(message) for message in request.messages),
            form=form_of(request.messages, request.schema),
            tools=tuple(tool.name for tool in request.tools),
        )
        self.asked.append(asked)
        said = self._mind(asked)
        if isinstance(said, Completion):
            return said
        usage = Usage(calls=1, tokens_in=len(asked.text) // 4, tokens_out=len(str(said)) // 4)
        if isinstance(said, list):
            return Completion(
                text="", tool_calls=tuple(said), finish_reason="tool_calls", usage=usage
            )
        text = as_text(said)
        schema = request.schema
        parsed = read_reply(text, schema)[0] if schema is not None else None
        return Completion(text=text, parsed=parsed, usage=usage)


def form_of(messages: Sequence[Message], schema: type[BaseModel] | None) -> str:
    """The form asked for; in the text protocol it is said only in words."""
    if schema is not None:
        return schema.__name__
    return "AnswerReply" if any('"quotes"' in message.content for message in messages) else ""


def _wire_message(message: Message) -> dict[str, Any]:
    return {
        "role": message.role,
        "content": message.content,
        "tool_calls": [(call.name, call.arguments) for call in message.tool_calls],
        "tool_call_id": message.tool_call_id,
    }


def as_text(said: object) -> str:
    """What a mind said, as a reply's text."""
    if isinstance(said, BaseModel):
        return said.model_dump_json()
    return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)


def call(name: str, **arguments: object) -> ToolCall:
    """A native tool call."""
    return ToolCall(id=f"call_{name}", name=name, arguments=arguments, raw=json.dumps(arguments))


@dataclass(slots=True)
class FaithfulMind:
    """A mind that answers the project's prompts from what it is shown, and from nothing else.

    Args:
        plan: texts, or (text, ids it depends on); the question itself by default.
        kinds: kind by words that occur in a sub-question; core by default.
        answers: by words that occur in a sub-question, what to look for in the sources: the first
            sentence or line that holds it is quoted. By default the sentence that shares most
            words with the sub-question.
    """

    plan: Sequence[str | tuple[str, Sequence[str]]] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, asked: Asked) -> object:
        by_form: Mapping[str, Callable[[Asked], object]] = {
            "PlanReply": self._plan,
            "KindsReply": self._kinds,
            "OneKindReply": self._one_kind,
            "CoverReply": self._cover,
            "AnswerReply": self._answer,
            "ClosedAnswerReply": lambda _: {"found": True, "answer": "From memory.", "items": []},
            "ComposedReply": self._compose,
            "ClosedComposedReply": lambda _: {"text": "From memory.", "items": []},
        }
        return by_form[asked.form](asked)

    def _plan(self, asked: Asked) -> object:
        question = re.search(r"^Question to plan: (.*)$", asked.outside, re.MULTILINE)
        steps = self.plan or [question[1] if question else ""]
        return {
            "sub_questions": [
                {
                    "id": str(number),
                    "question": step if isinstance(step, str) else step[0],
                    "depends_on": [] if isinstance(step, str) else list(step[1]),
                }
                for number, step in enumerate(steps, start=1)
            ]
        }

    def _kind(self, text: str) -> str:
        return next((kind for words, kind in self.kinds.items() if words in text), "core")

    def _kinds(self, asked: Asked) -> object:
        listed = re.findall(r"^(\d+)\. (.*)$", asked.fenced[-1], re.MULTILINE)
        return {"kinds": [{"number": int(n), "kind": self._kind(text)} for n, text in listed]}

    def _one_kind(self, asked: Asked) -> object:
        return {"reason": "because", "kind": self._kind(asked.fenced[-1])}

    def _cover(self, asked: Asked) -> object:
        listed = re.findall(r"^(\d+)\. (.*)$", asked.fenced[-1], re.MULTILINE)
        return {
            "sources": [
                {
                    "source": number,
                    "answers": [int(n) for n, text in listed if _shared(text, source[1]) > 1],
                }
                for number, source in asked.sources.items()
            ]
        }

    def _answer(self, asked: Asked) -> object:
        question = self.question(asked)
        wanted = next((value for words, value in self.answers.items() if words in question), "")
        found = best_sentence(wanted or question, asked.sources, whole=bool(wanted))
        if found is None:
            return {"found": False, "answer": "", "items": [], "quotes": []}
        number, sentence = found
        return {
            "found": True,
            "answer": f"{wanted or sentence} [{number}]",
            "items": [wanted] if wanted else [],
            "quotes": [{"source": number, "quote": sentence}],
        }

    def _compose(self, asked: Asked) -> object:
        quoted = re.findall(r'^  \[(\d+)\] "(.*)"$', "\n".join(asked.fenced), re.MULTILINE)
        if not quoted:
            question = re.findall(r"^Question: (.*)$", asked.outside, re.MULTILINE)[-1]
            quoted = [
                (str(number), best[1])
                for number, source in asked.sources.items()
                if (best := best_sentence(question, {number: source}, whole=False))
            ]
        return {
            "text": " ".join(f"{quote} [{number}]" for number, quote in quoted) or "Nothing.",
            "items": [quote for _, quote in quoted],
            "quotes": [{"source": int(number), "quote": quote} for number, quote in quoted],
        }

    @staticmethod
    def question(asked: Asked) -> str:
        """The sub-question that an answer is asked for."""
        first = next(m for m in asked.messages if "to answer" in str(m.get("content")))
        return _FENCE.findall(str(first["content"]))[-1][1]


def _shared(wanted: str, text: str) -> int:
    """How many longer words the two have in common."""
    words = [set(re.findall(r"\w{5,}", one.casefold())) for one in (wanted, text)]
    return len(words[0] & words[1])


def best_sentence(
    wanted: str, sources: Mapping[int, tuple[str, str]], *, whole: bool
) -> tuple[int, str] | None:
    """The sentence or line that holds `wanted`, or shares most words with it."""
    best: tuple[int, int, str] | None = None
    words = set(re.findall(r"\w{3,}", wanted.casefold()))
    for number, (_, text) in sources.items():
        for sentence in re.split(r"(?<=[.!?])\s+|\n", text):
            folded = sentence.casefold()
            if whole:
                shared = 1 if wanted.casefold() in folded else 0
            else:
                shared = len(words & set(re.findall(r"\w{3,}", folded)))
            if shared and (best is None or shared > best[0]):
                best = (shared, number, sentence.strip())
    return None if best is None else best[1:]
