"""What can be used of a JSON reply that was cut off: what it had said in full, and nothing guessed."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from agent.llm.replies.schema import sound_values

Form = TypeVar("Form", bound=BaseModel)
_THINKING = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_MARKS = re.compile(r'["\\{}\[\]]')
_MARK = r"(?:[ \t]*\[\d[\d,; –-]*\])*"
_SENTENCES = re.compile(
    rf".*(?:[.!?…][\"'”’)]*{_MARK}(?=\s|$)|[。！？][”’）」]?{_MARK})", re.DOTALL
)
_NUMBER = re.compile(r"[-+.\dEe]+\Z")


def salvage(text: str, form: type[Form]) -> Form | None:
    """Return the reply as far as it came, or None where that does not fit its form.

    Of a list, the elements that were finished count; of a text that was being written, the
    sentences that were. A reply that is whole, or was never JSON, holds nothing to salvage.
    """
    text = _THINKING.sub("", text)
    start, depth, quoted = _unclosed(text)
    if not depth:
        return None
    torn = text[start:] if quoted else _NUMBER.sub("", text[start:])
    value = _parsed(torn, trailing=depth == 1)
    if not isinstance(value, dict) or not value:
        return None
    name, last = list(value.items())[-1]
    whole = _parsed(torn, trailing=False)
    if depth == 1 and isinstance(last, str) and name not in whole:
        sentences = _SENTENCES.match(last)
        value[name] = sentences[0].strip() if sentences else ""
    elif depth > 2 and isinstance(last, list):
        # The element that was being written may lack a part that would change what it says.
        del last[-1:]
    elif depth > 1 and not isinstance(last, list):
        del value[name]
    try:
        return form.model_validate(sound_values(value))
    except ValidationError:
        return None


def _parsed(torn: str, *, trailing: bool) -> Any:
    try:
        return from_json(torn, allow_partial="trailing-strings" if trailing else True)
    except ValueError:
        return None


def _unclosed(text: str) -> tuple[int, int, bool]:
    """Return where the object begins that is open at the end of the text.

    And how many brackets are open there, 0 where none is, and whether a string is.
    """
    opened: list[int] = []
    quoted, skipped = False, -1
    for mark in _MARKS.finditer(text):
        at, character = mark.start(), mark[0]
        if at == skipped:
            continue
        if quoted:
            if character == "\\":
                skipped = at + 1
            quoted = character != '"'
        elif character == '"':
            # Quotation marks outside every object belong to prose.
            quoted = bool(opened)
        elif character == "{" or (character == "[" and opened):
            opened.append(at)
        elif character in "}]" and opened:
            opened.pop()
    return opened[0] if opened else 0, len(opened), quoted
