"""Tool calls of a model while it answers: offered natively or as text, run, and brought to an end.

A model that calls a tool that does not exist, with arguments that make no sense, or the same call
again is told so; after `ROUNDS` rounds, or a second repeated call, it is asked to answer with what
there is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.llm.port import Completion, Message, Tool, ToolCall
from agent.llm.replies.schema import find_objects, strict_schema
from agent.prompted.fence import fenced
from agent.tools import TitleNotFoundError, Toolbox
from corpus.errors import InputError
from corpus.machine.threads import in_thread
from retrieval.types import Hit

ToolMode = Literal["native", "text", "auto"]
ROUNDS = 4
"""Replies with tool calls that are followed up in one step."""
CALLS_A_ROUND = 4
"""Calls of one reply that are run."""


class _SearchCall(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True)
    query: str


class _ReadCall(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True)
    title: str
    query: str = ""


TOOLS: tuple[Tool, ...] = (
    Tool(
        name="search",
        description="Find the passages of all articles that best match a query.",
        parameters=strict_schema(_SearchCall),
    ),
    Tool(
        name="read",
        description="Find the passages of one article, named by its title, that best match a query.",
        parameters=strict_schema(_ReadCall),
    ),
)
_FORMS: Mapping[str, type[BaseModel]] = {"search": _SearchCall, "read": _ReadCall}
_TEXT_CALL = re.compile(r"<(search|read)>(.*?)(?:</\1>|$)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call brought: hits, or words to the model about why there are none."""

    call: ToolCall
    hits: tuple[Hit, ...] = ()
    notice: str = ""


@dataclass(slots=True)
class ToolUse:
    """The tool calls of one step."""

    toolbox: Toolbox
    made: set[str] = field(default_factory=set)
    repeated: int = 0
    rounds: int = 0

    @property
    def over(self) -> bool:
        """Whether the model has to answer now."""
        return self.rounds >= ROUNDS or self.repeated > 1

    async def run(self, calls: Sequence[ToolCall]) -> list[ToolResult]:
        """Run one reply's calls, in a thread, and return a result for each."""
        self.rounds += 1
        results = []
        for number, call in enumerate(calls, start=1):
            if number > CALLS_A_ROUND:
                notice = f"Not run: at most {CALLS_A_ROUND} calls in one reply."
                results.append(ToolResult(call=call, notice=notice))
            else:
                results.append(await self._one(call))
        return results

    async def _one(self, call: ToolCall) -> ToolResult:
        form = _FORMS.get(call.name)
        if form is None:
            known = " and ".join(_FORMS)
            return ToolResult(call=call, notice=f"There is no such tool. There are {known}.")
        try:
            asked = form.model_validate(call.arguments)
        except ValidationError:
            wanted = ", ".join(form.model_fields)
            return ToolResult(
                call=call, notice=f"The arguments of {call.name} are a JSON object with: {wanted}."
            )
        key = f"{call.name} {json.dumps(asked.model_dump(), sort_keys=True).casefold()}"
        if key in self.made:
            self.repeated += 1
            return ToolResult(
                call=call, notice="You have made this call; what it brought stands above."
            )
        self.made.add(key)
        try:
            hits = await in_thread(self._call, asked)
        except TitleNotFoundError as error:
            near = fenced("\n".join(error.near)) if error.near else "none; search instead"
            return ToolResult(call=call, notice=f"No article has this title. Near it:\n{near}")
        except InputError:
            return ToolResult(call=call, notice="The query cannot be searched for.")
        return ToolResult(call=call, hits=tuple(hits), notice="" if hits else "Nothing was found.")

    def _call(self, asked: BaseModel) -> list[Hit]:
        if isinstance(asked, _ReadCall):
            return self.toolbox.read(asked.title, asked.query)
        assert isinstance(asked, _SearchCall)
        return self.toolbox.search(asked.query)


def calls_in(reply: Completion, mode: ToolMode, round_: int) -> tuple[ToolCall, ...]:
    """Return the tool calls of a reply: native ones, or those written as text.

    Models without training for tools, offered them natively, write the call as JSON in their text:
    that is read too. Only the model's own reply is ever read for calls, never a source.
    """
    if reply.tool_calls:
        return reply.tool_calls
    if reply.parsed is not None:
        return ()
    if mode == "text":
        return tuple(
            _text_call(match[1].lower(), match[2], f"text_{round_}_{number}")
            for number, match in enumerate(_TEXT_CALL.finditer(reply.text), start=1)
        )
    return tuple(
        ToolCall(id=f"json_{round_}_{number}", name=str(found["name"]), arguments=arguments)
        for number, found in enumerate(find_objects(reply.text), start=1)
        if found.get("name") in _FORMS
        and isinstance(arguments := found.get("arguments", found.get("parameters")), dict)
    )


def _text_call(name: str, inside: str, id_: str) -> ToolCall:
    inside = inside.strip()
    if name == "search":
        return ToolCall(id=id_, name=name, arguments={"query": inside}, raw=inside)
    title, _, query = inside.partition("|")
    return ToolCall(
        id=id_, name=name, arguments={"title": title.strip(), "query": query.strip()}, raw=inside
    )


def results_as_messages(
    reply: Completion, results: Sequence[ToolResult], bodies: Sequence[str], mode: ToolMode
) -> list[Message]:
    """Return the turns that tell the model what its calls brought, each in the form it used."""
    if reply.tool_calls and mode != "text":
        return [
            Message(role="assistant", content=reply.text, tool_calls=reply.tool_calls),
            *(
                Message(role="tool", content=body, tool_call_id=result.call.id)
                for result, body in zip(results, bodies, strict=True)
            ),
        ]
    return [
        Message(role="assistant", content=reply.text),
        Message(role="user", content="\n\n".join(bodies)),
    ]
