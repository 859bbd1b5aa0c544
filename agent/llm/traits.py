"""What a server can do, learnt from what it refuses.

Servers that speak the OpenAI format differ in which parameters they take, and say so in words of
their own. A refused request names its parameter; the next request does without it, and so do all
later ones to that server.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SchemaMode = Literal["json_schema", "json_object", "text"]
"""How a reply's form is asked for, strictest first."""
SCHEMA_MODES: tuple[SchemaMode, ...] = ("json_schema", "json_object", "text")

REASONING_ROOM = 16_384
_OPTIONAL = ("temperature", "seed", "stream_options")
_TOO_LONG = re.compile(
    r"context[ _-]?(length|window|size)|maximum (context|prompt)|too (long|large|many tokens)"
    r"|reduce the length|exceeds? the (limit|model)",
    re.IGNORECASE,
)
_ABOUT_FORM = re.compile(
    r"response_?format|json[ _-]?schema|json_object|grammar|guided", re.IGNORECASE
)
_ABOUT_TOOLS = re.compile(r"\btools?\b|tool[_ ](choice|call)|function[_ -]?call", re.IGNORECASE)
_TOKENS_FIELDS = ("max_tokens", "max_completion_tokens")


@dataclass(slots=True)
class ServerTraits:
    """What was learnt about one model at one server."""

    schema_mode: SchemaMode = "json_schema"
    proven: bool = False
    """A reply asked for in `schema_mode` has followed its schema."""
    tokens_field: str = "max_tokens"
    dropped: set[str] = field(default_factory=set)
    """Optional parameters that the server refused."""
    renamed: bool = False
    """Whether `tokens_field` was changed: once only, as a server may refuse both names."""
    reasoning_room: int = 0
    """Tokens allowed beside those of the reply, for a model that thinks before it answers."""
    answered: bool = False
    """The server has answered this process, if only to refuse."""
    version: int = 0
    """Counts the changes: a call refused for what a call beside it has learnt just goes again."""

    def without_following(self, mode: SchemaMode) -> None:
        """Note a reply that did not follow the schema asked for in `mode`.

        A server that has never followed one takes the parameter and ignores it: from now on the
        schema is said in words.
        """
        if mode == self.schema_mode != SCHEMA_MODES[-1] and not self.proven:
            self._demote()

    def thinks(self) -> bool:
        """Note a reply cut off while the model was thinking; False where it has room already."""
        if self.reasoning_room:
            return False
        self.reasoning_room = REASONING_ROOM
        self.version += 1
        return True

    def refused(self, said: Refusal, *, with_schema: bool) -> bool:
        """Adapt to a refused request; False where it would only be refused again."""
        named = said.parameter
        if named is None and said.too_long:
            return False
        if self._rename_tokens_field(said):
            return True
        for name in _OPTIONAL:
            if name not in self.dropped and (named == name or said.mentions(name)):
                self.dropped.add(name)
                self.version += 1
                return True
        about_form = _ABOUT_FORM.search(named or said.message) is not None
        if with_schema and about_form and self.schema_mode != SCHEMA_MODES[-1]:
            self._demote()
            return True
        return False

    def _rename_tokens_field(self, said: Refusal) -> bool:
        other = next(name for name in _TOKENS_FIELDS if name != self.tokens_field)
        about = said.parameter == self.tokens_field or said.mentions(self.tokens_field)
        if not about or said.too_long or self.renamed:
            return False
        self.tokens_field = other
        self.renamed = True
        self.version += 1
        return True

    def _demote(self) -> None:
        self.schema_mode = SCHEMA_MODES[SCHEMA_MODES.index(self.schema_mode) + 1]
        self.proven = False
        self.version += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What a server said about a request it did not take."""

    message: str
    parameter: str | None = None
    code: str | None = None

    @property
    def too_long(self) -> bool:
        """The conversation does not fit, which no parameter mends."""
        return self.code == "context_length_exceeded" or _TOO_LONG.search(self.message) is not None

    @property
    def about_tools(self) -> bool:
        """It does not take tools."""
        named = self.parameter or ""
        return named.startswith(("tools", "tool_choice")) or (
            _ABOUT_TOOLS.search(self.message) is not None
        )

    @property
    def about_content(self) -> bool:
        """A content filter turned the conversation down."""
        return self.code in ("content_filter", "content_policy_violation")

    def mentions(self, name: str) -> bool:
        """Whether the message names a parameter as a word of its own."""
        return re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", self.message) is not None


def read_refusal(body: object, fallback: str) -> Refusal:
    """Return what an error body says, whichever of the usual shapes it has.

    OpenAI nests it in `error`, vLLM and others give `message` or `detail` at the top, FastAPI gives
    `detail` as a list of `{loc, msg}`.
    """
    if not isinstance(body, Mapping):
        return Refusal(message=body if isinstance(body, str) and body else fallback)
    inner = body.get("error", body)
    if isinstance(inner, str):
        return Refusal(message=inner)
    if not isinstance(inner, Mapping):
        return Refusal(message=fallback)
    message = inner.get("message") or inner.get("detail") or fallback
    if isinstance(message, list):
        message = "; ".join(
            f"{'.'.join(map(str, part.get('loc', ())))}: {part.get('msg', '')}"
            if isinstance(part, Mapping)
            else str(part)
            for part in message
        )
    parameter, code = inner.get("param"), inner.get("code")
    return Refusal(
        message=str(message),
        parameter=parameter if isinstance(parameter, str) and parameter else None,
        code=str(code) if code is not None else None,
    )
