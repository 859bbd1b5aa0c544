"""Where what is asked for is from: "which Swiss lake" says it of the lake, in one word.

Sentences about a thing seldom say so, its own article does: an answer need not stand beside the word.
"""

from __future__ import annotations

import re

from agent.citations.content.other_names import other_names

PLACE_ADJECTIVE = re.compile(
    r"[a-z]+(?:an|ish|ese|i)|czech|dutch|french|greek|swiss|welsh", re.IGNORECASE
)
"""How the adjective of a country or a state may end: no "pole" and no "island"."""
_SHORT = frozenset(["US", "U.S.", "UK", "EU"])
"""Names that stand before a noun as adjectives do."""
_BE = r"(?:who|what|which) (?:is|was|are|were) the"
_DESCRIBED = r"[A-Z][A-Za-z.]+(?: [a-z]+){0,3} (?:who|that|which|where|whose)\b"
"""A noun behind an adjective, and a clause that says which one is meant."""
_ORIGIN = re.compile(
    rf"\b(?P<asking>(?i:{_BE} (?:first|last|only)|which|what)|(?i:{_BE})(?: [a-z]+){{0,2}}?(?= {_DESCRIBED})) "
    r"(?P<origin>[A-Z][A-Za-z.]+)(?= (?P<after>[a-z]+))"
)
"""Before a noun: "the Swiss capital" asks something of Switzerland, and "which Swiss capital" of none."""
_NATIVE = re.compile(r"(?<=sh|ch)(?:man|woman)\b")
"""What makes a person of an adjective: "Englishman"."""
_RELATIVE = frozenset(["who", "that", "which"])


def asked_origin(question: str) -> str:
    """Return the adjective that says where what a question asks for is from, "" where none does."""
    found = _found(question)
    return adjective_of(found["origin"]) if found is not None else ""


def adjective_of(word: str) -> str:
    """Return the adjective in what a person from somewhere is called: "English" of "Englishman"."""
    return _NATIVE.sub("", word)


def without_origin(question: str) -> str:
    """Return a question without that adjective: "the Swiss who came up with it" is who came up with it."""
    found = _found(question)
    if found is None:
        return question
    if found["after"] in _RELATIVE:
        asking, rest = found["asking"].split()[0], question[found.end("after") :]
        return f"{question[: found.start()]}{asking}{rest}"
    return question[: found.start("origin")] + question[found.end("origin") + 1 :]


def _found(question: str) -> re.Match[str] | None:
    found = _ORIGIN.search(question)
    origin = adjective_of(found["origin"]) if found is not None else ""
    if not other_names(origin):
        return None
    is_place = origin in _SHORT or PLACE_ADJECTIVE.fullmatch(origin)
    return found if is_place else None
