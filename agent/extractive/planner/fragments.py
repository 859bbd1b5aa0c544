"""What is typed without a verb, as the question that it stands for."""

from __future__ import annotations

import re

from agent.extractive.language import words
from agent.extractive.language.verbs import is_past, verb_base

_FRAGMENT = re.compile(
    r"(?P<noun>[A-Za-z][a-z-]+(?: [a-z-]+){0,2}?) (?:of|at|for|to|on|in|from) (?=(?:the )?[A-ZÀ-Þ])"
)
"""A noun and whose it is, typed without a verb: "Pseudonym of Ann Lee"."""
_NAME_FIRST = re.compile(
    r"(?P<name>(?:[A-ZÀ-Þ][\w'’.-]*|\d+)(?:,? (?:[A-ZÀ-Þ][\w'’.-]*|\d+))+) (?P<noun>[a-z][a-z-]+(?: [a-z-]+){0,3}?)"
    r"(?P<year> \d{4})?\??"
)
"""The same the other way round: "Ann Lee birth name"."""
_OF_YEAR = re.compile(
    r"(?P<what>What (?:is|was) the [a-z ]+?) (?P<year>[12]\d{3}) of (?P<name>[^?]+)\?"
)
"""What is asked of a year, typed without a preposition: "population 2020 of Oslo"."""
_NO_NOUN = (
    words.FUNCTION_WORDS
    | words.WH
    | words.AUXILIARY
    | words.word_set(
        "tell give show name list find explain describe say compare count look according"
    )
)


def as_question(text: str) -> str:
    """Return a fragment as a question, so that its first word is not taken for a part of the name."""
    text = _OF_YEAR.sub(r"\g<what> of \g<name> in \g<year>?", text)
    first = _NAME_FIRST.fullmatch(text)
    opening = text.split(" ", 1)[0].lower()
    if first is not None and not _has_verb(first["noun"]) and opening not in _NO_NOUN:
        return f"What is the {first['noun']} of {first['name']}{' in' if first['year'] else ''}{first['year'] or ''}?"
    found = _FRAGMENT.match(text)
    if (
        found is None
        or text.rstrip().endswith(".")
        or set(found["noun"].lower().split()) & _NO_NOUN
    ):
        return text
    be = "are" if words.is_plural(found["noun"].split()[-1]) else "is"
    return f"What {be} the {text[:1].lower()}{text[1:]}"


def _has_verb(text: str) -> bool:
    """Whether a word of a text may be a verb, or joins others."""
    parts = text.split()
    return any(
        part in _NO_NOUN - {"name"}
        or is_past(part)
        or (verb_base(part) is not None and part.endswith("s"))
        for part in parts
    )
