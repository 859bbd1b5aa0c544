"""JSON of an agreed form: the strict schema to ask with, and reading what came back.

The schemas stay inside what every server that enforces one accepts: all fields required, no
additional properties, no defaults and no numeric or length bounds (checked after the reply
instead).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ValidationError

_KEPT = frozenset(
    {"type", "properties", "required", "items", "enum", "anyOf", "$ref", "$defs", "description"}
)
"""Keywords that OpenAI's strict mode accepts and our reply models need."""

_MOST_TRIED = 64
_MOST_MENDED = 8
_BRACKETS = re.compile(r'["\\{}\[\]]')
_FENCED = re.compile(r"```(?:json|JSON)?\s*\n(.*?)```", re.DOTALL)
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_DECODER = json.JSONDecoder(strict=False)


@lru_cache(maxsize=64)
def strict_schema(model: type[BaseModel]) -> Mapping[str, Any]:
    """Return the JSON schema of a pydantic model under OpenAI's rules for strict schemas."""
    schema: Mapping[str, Any] = _strict(model.model_json_schema())
    return schema


def _strict(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    if "const" in node:
        node = {**node, "enum": [node["const"]]}
    result = {key: value for key, value in node.items() if key in _KEPT}
    for key in ("properties", "$defs"):
        if key in result:
            result[key] = {name: _strict(child) for name, child in result[key].items()}
    if "items" in result:
        result["items"] = _strict(result["items"])
    if "anyOf" in result:
        result["anyOf"] = [_strict(child) for child in result["anyOf"]]
    if "$ref" in result:
        # Nothing may stand beside a reference.
        return {"$ref": result["$ref"]}
    if result.get("type") == "object":
        result["required"] = list(result.setdefault("properties", {}))
        result["additionalProperties"] = False
    return result


def schema_in_words(model: type[BaseModel]) -> str:
    """Return what to add to the instructions where the server cannot enforce a schema."""
    schema = json.dumps(strict_schema(model), ensure_ascii=False, separators=(",", ":"))
    return (
        f"Reply with one JSON object and nothing else. It must follow this JSON schema:\n{schema}"
    )


def read_reply(text: str, model: type[BaseModel]) -> tuple[BaseModel | None, str]:
    """Return the reply as an instance of `model`, or None and the fault in one line.

    Takes the last JSON object in the text that fits, since models that think aloud give their
    verdict at the end; tolerates code fences, thinking tags and trailing commas, and nothing that
    would need guessing.
    """
    fault = ""
    for candidate in _objects(text):
        try:
            return model.model_validate(candidate), ""
        except ValidationError as error:
            fault = fault or _in_one_line(error)
    return None, fault or "the reply holds no JSON object"


def _objects(text: str) -> Iterator[dict[str, Any]]:
    text = text.strip().removeprefix("\ufeff")
    whole = _load(text)
    if whole is not None:
        yield whole
        return
    text = _THINKING.sub("", text)
    for block in reversed(_FENCED.findall(text)):
        found = _load(block)
        if found is not None:
            yield found
    yield from reversed(list(find_objects(text)))


def find_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost JSON objects that stand in a text, in order.

    Gives up after `_MOST_TRIED` opening braces, and mends what is no JSON at the first few alone:
    past them it is no reply but a flood.
    """
    at = text.find("{")
    mended = 0
    for _ in range(_MOST_TRIED):
        if at < 0:
            return
        end = at + 1
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            value = None
            if mended < _MOST_MENDED:
                mended += 1
                closing = _closing(text, at)
                value = _load(text[at:closing])
                end = closing if value is not None else end
        if isinstance(value, dict):
            yield sound_values(value)
        at = text.find("{", end)


def _closing(text: str, start: int) -> int:
    """Return the offset after the brace that closes the one at `start`, strings skipped."""
    depth, quoted, skipped = 0, False, -1
    for bracket in _BRACKETS.finditer(text, start):
        at, character = bracket.start(), bracket[0]
        if at == skipped:
            continue
        if quoted:
            if character == "\\":
                skipped = at + 1
            quoted = character != '"'
        elif character == '"':
            quoted = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
    return start


def _load(text: str) -> dict[str, Any] | None:
    for mended in (False, True):
        form = _TRAILING_COMMA.sub(r"\1", text) if mended else text
        try:
            value = _DECODER.decode(form)
        except (json.JSONDecodeError, RecursionError):
            continue
        if not isinstance(value, dict):
            return None
        # Half a surrogate pair comes from an escape, or stood in the text.
        return value if form.isascii() and "\\u" not in form else sound_values(value)
    return None


def sound_text(text: str) -> str:
    """Return text that can be written anywhere: half surrogate pairs become U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def sound_values(value: Any) -> Any:
    """Return a JSON value whose texts can all be written anywhere; see `sound_text`."""
    if isinstance(value, str):
        return sound_text(value)
    if isinstance(value, list):
        return [sound_values(child) for child in value]
    if isinstance(value, dict):
        return {sound_text(key): sound_values(child) for key, child in value.items()}
    return value


def _in_one_line(error: ValidationError) -> str:
    """Name the fields at fault without repeating their values, which may be anybody's text."""
    faults = [
        f"{'.'.join(str(part) for part in fault['loc']) or 'the object'}: {fault['msg']}"
        for fault in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    shown = "; ".join(faults[:5])
    return shown + (f"; and {len(faults) - 5} more" if len(faults) > 5 else "")
